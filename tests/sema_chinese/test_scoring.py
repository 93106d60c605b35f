"""Chinese from raw text through the whole corridor: the bundled samples in the right order, and input that is odd."""

from __future__ import annotations

from pathlib import Path

import pytest

import sema

EXAMPLES = Path(__file__).parents[2] / "examples" / "zh"


@pytest.fixture(scope="module")
def scorer() -> sema.Scorer:
    return sema.Scorer("zh")


def texts(name: str) -> list[str]:
    return (EXAMPLES / f"{name}.txt").read_text(encoding="utf-8").splitlines()


def test_the_bundled_systems_rank_as_they_were_written(scorer: sema.Scorer) -> None:
    report = scorer.score(texts("original"), {name: texts(name) for name in ("simplified", "shortened", "changed")})
    simplified, shortened, changed = (system.scores for system in report.systems)
    assert simplified["sema"] > max(shortened["sema"], changed["sema"])
    assert simplified["samsa"] > max(shortened["samsa"], changed["samsa"])


def test_a_passage_is_scored_sentence_by_sentence() -> None:
    passages = sema.Scorer("zh", level="passage")
    whole = "".join(texts("original"))
    (item,) = passages.score([whole], ["".join(texts("simplified"))]).systems[0].items
    assert item.item is not None
    assert len(item.item.evidence) == len(item.item.source.sentences) >= 6
    assert item.scores["sema"] > 50


@pytest.mark.parametrize(
    "odd",
    [
        "這座博物館於一九二三年開放，收藏了二百多幅本地畫家的作品。",
        "The museum opened in 1923.",
        "我们在Beijing看见了John，他很高兴没有标点",
        "我们去年春天在北京看见了他" * 230,
        "。。。",
        "👩‍👩‍👧 你好 ",
        "ＡＢＣ１２３，（全角）！",
    ],
)
def test_odd_text_has_a_score_and_a_copy_is_never_worse_than_another_text(scorer: sema.Scorer, odd: str) -> None:
    copy, other = scorer.score([odd, odd], [odd, "月亮很圆。"]).systems[0].items
    assert all(0 <= score <= 100 for item in (copy, other) for score in item.scores.values())
    assert copy.scores["sema"] > other.scores["sema"]
