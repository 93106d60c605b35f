"""Trees with the labels of LTP and Baidu, and how they are written to files."""

from pathlib import Path

from tests.conftest import ROOT

FOLDER = ROOT / "tests" / "data" / "chinese"
LTP, BAIDU, ZONE, LINKED = (
    (FOLDER / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n") for name in ("ltp", "baidu", "zone", "linked")
)
"""Word, tag, head, label on each line; BAIDU is the sentence of SEMA's paper, section 4.3."""


def written(folder: Path, sentence: str, name: str = "tree.conll") -> Path:
    """A sentence as CoNLL: word, tag, head, label."""
    rows = [line.split() for line in sentence.splitlines()]
    path = folder / name
    path.write_text(
        "".join(
            f"{number}\t{word}\t{word}\t{tag}\t{tag}\t_\t{head}\t{label}\t_\t_\n"
            for number, (word, tag, head, label) in enumerate(rows, 1)
        ),
        encoding="utf-8",
    )
    return path
