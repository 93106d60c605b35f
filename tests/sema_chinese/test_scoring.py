"""Chinese from raw text to scores: the bundled samples in the right order, and odd input."""

from pathlib import Path

import sema

EXAMPLES = Path(__file__).parents[2] / "examples" / "zh"


def texts(name: str) -> list[str]:
    return (EXAMPLES / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def test_a_passage_is_scored_sentence_by_sentence() -> None:
    passages = sema.Scorer("zh", level="passage")
    whole = "".join(texts("original"))
    (item,) = passages.score([whole], ["".join(texts("simplified"))]).systems[0].items
    assert item.item is not None
    assert len(item.item.evidence) == len(item.item.source.sentences) >= 6
    assert item.scores["sema"] > 50
