"""Tables 1 to 3 of the SEMA paper, on public texts in place of its own.

    python benchmarks/papers/sema_tables.py sentences|passages|chinese [ITEMS]

Its English texts (News in Levels) are not public; OneStopEnglish has news at three levels too: elementary stands for
level 1, intermediate for level 2, advanced for the original. The Chinese texts are not public either; MCTS dev stands
for them. What can be compared is the order of the metrics and of the levels, not the values.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "scoring"))

from onestopenglish import articles

from sema import Scorer, Text
from sema.datasets.folder import data_folder
from sema.display.tables import Table, number, to_markdown

SENTENCES = {"samsa": (0.22, 0.36), "samsa_abl": (0.34, 0.62), "sema_base": (0.43, 0.65)} | {
    "sema_part": (0.45, 0.67),
    "sema": (0.48, 0.69),
}
PASSAGES = {"sema_base": (0.44, 0.62), "sema_part": (0.45, 0.64), "sema": (0.53, 0.69)}
UNSEGMENTED = (0.38, 0.52)
CHINESE = 0.804


def aligned(name: str) -> tuple[list[str], list[str]]:
    """Sentence pairs of two levels, the harder first; a line of stars stands between pairs."""
    path = data_folder("simplification", "onestopenglish", "Sentence-Aligned", name)
    lines = [line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines()]
    pairs = [[]]  # type: list[list[str]]
    for line in lines:
        if line.startswith("***"):
            pairs.append([])
        elif line:
            pairs[-1].append(line)
    whole = [pair for pair in pairs if len(pair) == 2]
    return [pair[0] for pair in whole], [pair[1] for pair in whole]


def row(name: str, values: Sequence[float], paper: Sequence[float]) -> list[str]:
    return [name, *(number(value, 1) for value in values), *(number(100 * value, 0) for value in paper)]


def show(title: str, rows: list[list[str]], notes: Sequence[str]) -> None:
    header = ["", "elementary", "intermediate", "paper, level 1", "paper, level 2"]
    print(to_markdown(Table(title, header, rows, notes)), end="\n\n", flush=True)


def sentences(limit: int | None) -> None:
    """Table 1: all sentence pairs."""
    scorer = Scorer("en", list(SENTENCES))
    found = []
    for name in ("ADV-ELE.txt", "ADV-INT.txt"):
        sources, outputs = (column[:limit] for column in aligned(name))
        found.append((scorer.score(sources, outputs, keep_items=False).systems[0].scores, len(sources)))
    rows = [row(name, [scores[name] for scores, _ in found], paper) for name, paper in SENTENCES.items()]
    notes = [f"{found[0][1]} and {found[1][1]} pairs", f"signature: {scorer.signature}"]
    show("Table 1, sentence pairs", rows, notes)


def passages(limit: int | None) -> None:
    """Table 2: whole articles, segmented, in one go, and parsed as one sentence."""
    texts = {level: column[:limit] for level, column in articles().items()}
    simple = {"ele": texts["ele"], "int": texts["int"]}
    rows: list[list[str]] = []
    notes = [f"{len(texts['adv'])} articles"]

    def add(label: str, scorer: Scorer, sources: Sequence[str | Text], paper: dict[str, tuple[float, float]]) -> None:
        start = time.perf_counter()
        systems = scorer.score(sources, simple, keep_items=False).systems
        for metric in scorer.metrics:
            values = [system.scores[metric.name] for system in systems]
            missing = (float("nan"), float("nan"))
            rows.append(row(f"{metric.name}, {label}", values, paper.get(metric.name, missing)))
        notes.append(f"{label}: {time.perf_counter() - start:.0f} s, {scorer.signature}")

    def whole(metrics: Sequence[str]) -> Scorer:
        return Scorer("en", metrics, level="passage", segment=False)

    one_go = whole(("samsa", "samsa_abl", "sema_base", "sema_part", "sema"))
    add("segmented", Scorer("en", tuple(PASSAGES), level="passage"), texts["adv"], PASSAGES)
    add("in one go", one_go, texts["adv"], {})
    undivided = [Text.from_sentences([text.words]) for text in one_go.segmenter.segment(texts["adv"])]
    add("parsed as one sentence", whole(("sema_base",)), undivided, {"sema_base": UNSEGMENTED})
    show("Table 2, passages", rows, notes)


def chinese(limit: int | None) -> None:
    """Table 3: Scenes from the root alone, as the paper has them, and from all clauses."""
    folder = data_folder("simplification", "mcts", "dataset")
    originals = folder.joinpath("mcts.dev.orig").read_text(encoding="utf-8").splitlines()[:limit]
    references = {
        f"reference {n}": folder.joinpath(f"mcts.dev.simp.{n}").read_text(encoding="utf-8").splitlines()[:limit]
        for n in range(5)
    }
    rows = []
    for heads in ("root", "clauses"):
        scorer = Scorer("zh", ("sema",), options={"ud.heads": heads})
        systems = scorer.score(originals, references, keep_items=False).systems
        values = [system.scores["sema"] for system in systems]
        rows.append([heads, *(number(value, 1) for value in values), number(sum(values) / len(values), 1)])
    rows.append(["paper (words linked by hand)", *[""] * 5, number(100 * CHINESE, 1)])
    header = ["heads", *references, "mean"]
    notes = [f"{len(originals)} originals; signature: {scorer.signature}"]
    print(to_markdown(Table("Table 3, Chinese sentences, `sema`", header, rows, notes)))


def main() -> None:
    """Print one of the tables."""
    limit = int(sys.argv[2]) if len(sys.argv) > 2 else None
    {"sentences": sentences, "passages": passages, "chinese": chinese}[sys.argv[1]](limit)


if __name__ == "__main__":
    main()
