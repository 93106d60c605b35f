"""Can the library and the page's API run for weeks? Memory, open files and results under load.

    python -m benchmarks.scoring.soak [--minutes 20] [--lang en] [--threads 4]

Threads share one scorer and score new pairs mixed with known ones; one thread saves, reads and compares runs; one sends
requests to the API. After every tenth of the time a row is printed: pairs, runs, requests, resident memory (MB), open
files, and the number of results that differ from the first (must be 0).
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from fastapi.testclient import TestClient

from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import turkcorpus
from sema.evaluation.comparison import compare
from sema.scoring.scorer import Scorer
from sema.web.app import create_app

METRICS = ["sema", "samsa", "sari"]
STEPS = 10


def texts() -> list[tuple[str, str]]:
    return list(zip(*turkcorpus("tune"), strict=True))


class Load:
    """The threads' work and their counts."""

    def __init__(self, lang: str) -> None:
        self.lang, self.pairs = lang, texts()
        self.scorer = Scorer(lang, METRICS)
        self.client = TestClient(create_app(), base_url="http://localhost")
        self.counts: Counter[str] = Counter()
        self.over = threading.Event()
        self.known = self.score(self.pairs[:4])

    def score(self, pairs: list[tuple[str, str]]) -> list[dict[str, float]]:
        sources, outputs = zip(*pairs, strict=True)
        report = self.scorer.score(sources, outputs, [[text] for text in outputs], keep_items=False)
        return [item.scores for item in report.systems[0].items]

    def library(self, number: int) -> None:
        turn = 0
        while not self.over.is_set():
            turn += 1
            start = (turn * 7 + number * 101) % (len(self.pairs) - 8)
            fresh = [(f"{source} {number}.{turn}", output) for source, output in self.pairs[start : start + 8]]
            scored = self.score([*self.pairs[:4], *fresh])
            self.counts["differing"] += scored[:4] != self.known
            self.counts["library"] += len(scored)

    def runs(self) -> None:
        while not self.over.is_set():
            with tempfile.TemporaryDirectory() as folder:
                sources, outputs = zip(*self.pairs[:40], strict=True)
                systems = {"a": outputs, "b": sources}
                run = self.scorer.write(Path(folder) / "run", sources, systems, [[text] for text in outputs])
                compare(run.report(), samples=50)
                self.counts["differing"] += [run.scores(index)["a"] for index in range(4)] != self.known
                self.counts["runs"] += 1

    def requests(self) -> None:
        first: object = None
        sources, outputs = zip(*self.pairs[:2], strict=True)
        asked = {"lang": self.lang, "sources": sources, "outputs": outputs, "metrics": ["sema"]}
        while not self.over.is_set():
            answer = self.client.post("/score", json=asked)
            if answer.status_code == 429 or answer.status_code == 503:  # beyond the server's limits
                time.sleep(0.2)
                continue
            first = first or answer.json()
            self.counts["differing"] += answer.json() != first
            self.counts["requests"] += 1


def resident() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--lang", default="en")
    parser.add_argument("--threads", type=int, default=4)
    arguments = parser.parse(argv)
    minutes, steps = (0.05, 1) if arguments.smoke else (arguments.minutes, STEPS)
    load = Load(arguments.lang)
    work = [threading.Thread(target=load.library, args=(number,)) for number in range(arguments.threads)]
    work += [threading.Thread(target=load.runs), threading.Thread(target=load.requests)]
    for thread in work:
        thread.start()
    names = ("pairs", "runs", "requests", "resident MB", "open files", "differing results")
    table = Figures("runs.soak", "after minutes", digits=0, data="TurkCorpus tune")
    for step in range(1, steps + 1):
        time.sleep(60 * minutes / steps)
        counts = [load.counts[name] for name in ("library", "runs", "requests")]
        figures = [*counts, resident(), len(os.listdir("/proc/self/fd")), load.counts["differing"]]
        table.row(f"{step * minutes / steps:.1f}", dict(zip(names, map(float, figures), strict=True)))
    load.over.set()
    for thread in work:
        thread.join()


if __name__ == "__main__":
    run(main)
