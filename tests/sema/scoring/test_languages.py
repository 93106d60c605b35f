"""English and Chinese from raw text to scores: the bundled samples, and odd input."""

from functools import cache

import pytest

from sema import Scorer
from tests.cases import cases
from tests.conftest import ROOT

SYSTEMS = {"en": ("split", "shortened", "changed"), "zh": ("simplified", "shortened", "changed")}


@cache
def scorer(lang: str) -> Scorer:
    return Scorer(lang, ["meaning", "sema", "sema_part", "sema_base", "samsa", "samsa_abl"])


@pytest.mark.parametrize("lang", SYSTEMS)
def test_the_bundled_systems_rank_as_they_were_written(lang: str) -> None:
    folder = ROOT / "examples" / lang
    names = ("original", *SYSTEMS[lang])
    original, *outputs = ((folder / f"{name}.txt").read_text(encoding="utf-8").splitlines() for name in names)
    report = scorer(lang).score(original, dict(zip(SYSTEMS[lang], outputs, strict=True)))
    faithful, shortened, changed = (system.scores for system in report.systems)
    for metric in ("sema", "samsa"):
        assert faithful[metric] > max(shortened[metric], changed[metric])


@cases("odd_texts")
def test_odd_text_has_a_score_and_a_copy_is_never_worse_than_another_text(lang: str, text: str, times: int) -> None:
    odd, other = text * times, "月亮很圆。" if lang == "zh" else "The moon is round."
    copy, apart = scorer(lang).score([odd, odd], [odd, other]).systems[0].items
    assert all(0 <= score <= 100 for item in (copy, apart) for score in item.scores.values())
    assert copy.scores["sema"] > apart.scores["sema"]
