"""Chinese without Stanza's Python: whether words, tags, trees and scores are those of Stanza's own code, and the cost.

    python -m benchmarks.sema_chinese.quick identity [FILE.conllu ...]
    python -m benchmarks.sema_chinese.quick scores
    python -m benchmarks.sema_chinese.quick speed [--rounds 5] [--metrics sema,samsa]
    python -m benchmarks.sema_chinese.quick cold [--rounds 5]

``identity``: every sentence of the Chinese treebanks, from gold words and from raw text, and every text of MCTS dev,
through Stanza and through ``sema_ud.onnx_inference``. ``scores``: all scores of MCTS dev's pairs by both, to the last
digit. ``speed``: clock and processor time of these pairs by both in turn, in one process, with warm scorers that have
not seen them. ``cold``: one pair in a process of its own, including its start, by both in turn.
"""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from sema_chinese import MODELS, chinese
from sema_chinese.provider import ChineseProvider
from sema_chinese.segmentation.segmenter import MODEL_CODE, ChineseSegmenter
from sema_ud.conllu import read_sentences
from sema_ud.models import find_models
from sema_ud.stanza_provider import DependencyExtractor, parsing_pipeline

import sema
from benchmarks.records import ROOT, CommandLine, Figures, run
from benchmarks.sets import mcts
from sema.datasets.folder import data_folder
from sema.model.language import Language
from training.ud.installation import write_installation

CHUNK = 400


@cache
def installation() -> TemporaryDirectory[str]:
    """The shipped models as an installation of Stanza's, until the process ends."""
    folder = TemporaryDirectory(prefix="sema-stanza-")
    write_installation(MODELS, MODEL_CODE, Path(folder.name))
    return folder


@contextmanager
def installed() -> Iterator[None]:
    """What is made here finds that installation."""
    with patch.dict(os.environ, STANZA_RESOURCES_DIR=installation().name):
        yield


def by_stanza() -> Language:
    """Chinese with models that Stanza itself runs: an installation of the shipped ones."""

    def extractor() -> DependencyExtractor:
        with installed():
            return DependencyExtractor(MODEL_CODE, provider=ChineseProvider())

    def segmenter() -> ChineseSegmenter:
        with installed():
            return ChineseSegmenter()

    return replace(chinese(), name="Chinese by Stanza", segmenter=segmenter, extractors={"ud": extractor})


LANGUAGES = {"Stanza": by_stanza, "quick": chinese}


def chunks(items: Iterable[Any]) -> Iterable[list[Any]]:
    iterator = iter(items)
    while chunk := list(islice(iterator, CHUNK)):
        yield chunk


class Identity:
    """Compares the two paths on the same texts."""

    def __init__(self) -> None:
        self.shipped = ChineseSegmenter(prefer_shipped=True), ChineseProvider(prefer_shipped=True)
        with installed():
            self.stanza = ChineseSegmenter(), ChineseProvider()
            self._model = parsing_pipeline(find_models(MODEL_CODE)).processors["depparse"].trainer.model
        self._fast = self._model.__dict__.pop("decode_graph_predictions")  # leaves Stanza's own decoder

    def close(self) -> None:
        """Restore the fast decoder of the model, which the process shares."""
        self._model.decode_graph_predictions = self._fast

    def trees(self, sentences: Sequence[Sequence[str]]) -> tuple[int, int, int]:
        """Sentences, words, and sentences with a tag, feature, head or relation that differs."""
        parsed = self.shipped[1].parse(sentences), self.stanza[1].parse(sentences)
        different = [one for one, other in zip(*parsed, strict=True) if one != other]
        for tree in different:
            print("differs:", " ".join(tree.words), flush=True)
        return len(sentences), sum(map(len, sentences)), len(different)

    def words(self, texts: Sequence[str]) -> tuple[list[Sequence[str]], int]:
        """The sentences found, and the number of texts with other words or sentences."""
        segmented = self.shipped[0].segment(texts), self.stanza[0].segment(texts)
        different = [one for one, other in zip(*segmented, strict=True) if one != other]
        for text in different:
            print("differs:", text.raw, flush=True)
        return [words for text in segmented[1] for words in text.sentence_words], len(different)

    def row(self, texts: Iterable[str], gold: Iterable[Sequence[str]] = ()) -> dict[str, float]:
        """Counts of texts, sentences and words, and of those that differ."""
        counts, differing = 0, 0
        parsed = annotated = [0, 0, 0]
        for chunk in chunks(texts):
            words, different = self.words(chunk)
            counts, differing = counts + len(chunk), differing + different
            parsed = [a + b for a, b in zip(parsed, self.trees(words), strict=True)]
        for sentences in chunks(gold):
            annotated = [a + b for a, b in zip(annotated, self.trees(sentences), strict=True)]
        return dict(zip(COUNTS, (counts, differing, *parsed, *annotated), strict=True))


COUNTS = (
    *("texts", "other words", "sentences found", "words found", "other trees"),
    *("gold sentences", "gold words", "other trees of gold words"),
)


def identity(files: Sequence[Path], most: int | None) -> None:
    with closing(Identity()) as compare:
        table = Figures("chinese_speed.identity", "file", digits=0)
        everything: Counter[str] = Counter()

        def add(name: str, texts: Iterable[str], gold: Iterable[Sequence[str]] = ()) -> None:
            counts = compare.row(islice(texts, most), islice(gold, most))
            everything.update(counts)
            table.row(name, counts)

        if not files:
            originals, *references = mcts()
            add("mcts.dev.orig", originals)
            add("mcts.dev.simp.0-4", (text for column in references for text in column))
        for path in files or sorted(data_folder("ud").glob("zh_*/*.conllu"))[: 1 if most else None]:
            sentences = list(read_sentences(path, version_1="ud1.3" in path.name))
            add(path.name, (one.text for one in sentences), (one.tree.words for one in sentences))
        table.row("all", dict(everything))


def scores(most: int | None) -> None:
    originals, *references = (column[:most] for column in mcts())
    systems = {f"reference {number}": column for number, column in enumerate(references)}
    metrics = ("meaning", "sema", "sema_part", "sema_base", "samsa", "samsa_abl")
    reports = [sema.Scorer(language, metrics).score(originals, systems) for language in (chinese(), by_stanza())]
    pairs = different = 0
    for one, other in zip(*(report.systems for report in reports), strict=True):
        for mine, theirs in zip(one.items, other.items, strict=True):
            pairs += 1
            different += mine.scores != theirs.scores or mine.evidence() != theirs.evidence()
    table = Figures("chinese_speed.scores", "", digits=0, data="MCTS dev, five references")
    table.row("six metrics", {"pairs": pairs, "pairs whose scores or evidence differ": different})
    print(f"signatures equal: {reports[0].signature == reports[1].signature}")


def speed(rounds: int, metrics: Sequence[str], most: int | None) -> None:
    originals, references = (column[:most] for column in mcts(1))
    languages = {name: language() for name, language in LANGUAGES.items()}
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in languages}
    for language in languages.values():
        sema.Scorer(language, metrics).score(originals[:2], references[:2])  # loads the models
    for _ in range(rounds):
        for name, language in languages.items():
            scorer = sema.Scorer(language, metrics)
            scorer.score(["今天天气好，我们去公园。"], ["今天天气好。"])
            gc.collect()
            wall, processor = time.perf_counter(), time.process_time()
            scorer.score(originals, references)
            taken[name].append((time.perf_counter() - wall, time.process_time() - processor))
    print(f"{','.join(metrics)}, {rounds} rounds in turn; medians\n")
    digits = {"s": 2, "pairs/s": 0, "processor s": 2, "pairs a processor second": 0}
    aims = {("quick", "pairs/s"): 120}
    table = Figures("chinese_speed.speed", "path", digits=digits, aims=aims, data="MCTS dev")
    for name, spent in taken.items():
        wall, processor = (statistics.median(column) for column in zip(*spent, strict=True))
        figures = (wall, len(originals) / wall, processor, len(originals) / processor)
        table.row(name, dict(zip(digits, figures, strict=True)), n=len(originals))


def cold(rounds: int) -> None:
    taken: dict[str, list[tuple[float, float, float]]] = {name: [] for name in LANGUAGES}
    for _ in range(rounds):
        for name, spent in taken.items():
            start = time.perf_counter()
            process = subprocess.Popen([sys.executable, "-m", "benchmarks.sema_chinese.quick", "once", name], cwd=ROOT)
            _, status, used = os.wait4(process.pid, 0)
            assert status == 0
            spent.append((time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024))
    print(f"one pair, cold, {rounds} rounds in turn; medians\n")
    digits = {"s": 2, "processor s": 2, "highest resident MB": 0}
    table = Figures("chinese_speed.cold", "path", digits=digits, aims={("quick", "s"): 6}, lower=["s"])
    for name, spent in taken.items():
        medians = [statistics.median(column) for column in zip(*spent, strict=True)]
        table.row(name, dict(zip(digits, medians, strict=True)))


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("what", nargs="?", choices=("identity", "scores", "speed", "cold", "once"), default="speed")
    parser.add_argument("given", nargs="*", help="identity: files; once: a path")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--metrics", default="sema,samsa")
    arguments = parser.parse(argv)
    most = 4 if arguments.smoke else None
    if arguments.what == "once":
        scorer = sema.Scorer(LANGUAGES[arguments.given[0]](), ("sema", "samsa"))
        scorer.score(["今天天气好，我们去公园。"], ["今天天气好。"])
        return
    if arguments.smoke or arguments.what == "identity":
        identity([Path(file) for file in arguments.given], most)
    if arguments.smoke or arguments.what == "scores":
        scores(most)
    if arguments.smoke or arguments.what == "speed":
        speed(1 if arguments.smoke else arguments.rounds, arguments.metrics.split(","), most)
    if arguments.what == "cold":
        cold(arguments.rounds)


if __name__ == "__main__":
    run(main)
