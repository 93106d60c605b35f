"""What has nothing to do with a source raises no score of its simplification."""

from statistics import median

import pytest

from sema import Scorer
from tests.conftest import ROOT

NAMES = ["meaning", "meaning_recall", "meaning_precision"]
ADDED = {
    "en": ["The festival was cancelled in 1998.", "Dogs bark."],
    "zh": ["音乐节在1998年取消了。", "她很早就回家了。"],
}
SMALL = 0.5
"""What a score may rise by."""


def outputs(lang: str) -> list[tuple[str, str]]:
    """The example sources with every one of their outputs."""
    folder = ROOT / "examples" / lang
    lines = {
        path.stem: path.read_text(encoding="utf-8").splitlines()
        for path in sorted(folder.glob("*.txt"))
        if path.stem != "reference"
    }
    source = lines.pop("original")
    return [(one, text) for texts in lines.values() for one, text in zip(source, texts, strict=True)]


def scores(scorer: Scorer, pairs: list[tuple[str, str]]) -> list[dict[str, float]]:
    report = scorer.score([source for source, _ in pairs], [output for _, output in pairs])
    return [dict(item.scores) for item in report.systems[0].items]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_unrelated_sentence_raises_nothing(lang: str) -> None:
    scorer, pairs = Scorer(lang, NAMES), outputs(lang)
    before = scores(scorer, pairs)
    for sentence in ADDED[lang]:
        after = scores(scorer, [(source, f"{output} {sentence}".strip()) for source, output in pairs])
        for name in ("meaning", "meaning_precision"):
            assert max(new[name] - old[name] for old, new in zip(before, after, strict=True)) <= SMALL, name
        rises = [new["meaning_recall"] - old["meaning_recall"] for old, new in zip(before, after, strict=True)]
        assert median(rises) <= 0 and sum(rise > SMALL for rise in rises) <= len(rises) // 10
        assert median(new["meaning_precision"] for new in after) < median(old["meaning_precision"] for old in before)
