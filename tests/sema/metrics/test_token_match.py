from collections.abc import Sequence

import numpy as np
import pytest

from sema import Scorer
from sema.errors import ResourceError, UsageError
from sema.languages import find_language
from sema.metrics.registry import make_metric
from sema.metrics.token_match import TokenMatcher
from sema.model.text import Text
from sema.options import Settings

VECTORS = {"cat": (1.0, 0.0), "dog": (0.8, 0.6), "sat": (0.0, 1.0), "not": (0.0, -1.0)}


class Plane:
    """Vectors of two numbers; similarities are squares of cosines above 0."""

    signature = "plane"

    def vectors(self, sentences: Sequence[Sequence[str]]) -> list[np.ndarray]:
        return [np.array([VECTORS[word] for word in words], np.float32) for words in sentences]

    def similarity(self, cosines: np.ndarray) -> np.ndarray:
        return np.maximum(cosines, 0) ** 2


class Spaces:
    """Words between spaces, sentences between bars."""

    signature = "spaces"

    def segment(self, texts: Sequence[str]) -> list[Text]:
        return [Text.from_sentences([part.split() for part in text.split("|")] if text else []) for text in texts]


def test_each_piece_is_matched_with_the_nearest_of_the_other_text() -> None:
    matcher = TokenMatcher(Plane(), Spaces())
    (matched,) = matcher.scores([("cat sat", ("dog | not",))])
    # by hand: cat-dog .64, sat-dog .36; dog-cat .64, not-anything 0
    assert matched == pytest.approx((50.0, 32.0, 100 * 2 * 0.5 * 0.32 / 0.82), abs=1e-3)
    one, two, both = matcher.scores([("cat", ("cat sat",)), ("cat", ("dog",)), ("cat", ("cat sat", "dog"))])
    assert both == (one.precision, two.recall, max(one.f1, two.f1)), "each score takes its best reference"
    assert matcher.scores([("", ("cat",)), ("cat", ("",))]) == [(0, 0, 0), (0, 0, 0)], "texts without words"


ENGLISH = (
    "The engineer inspected the old bridge last year.",
    "Last year the engineer checked the old bridge.",
    "Cats like to sleep in the sun.",
)
CHINESE = "工程师去年检查了这座旧桥。", "去年工程师查看了旧桥。", "猫喜欢在太阳下睡觉。"


@pytest.mark.parametrize(("lang", "reference", "near", "far"), [("en", *ENGLISH), ("zh", *CHINESE)])
def test_a_language_brings_its_encoder(lang: str, reference: str, near: str, far: str) -> None:
    names = ["bertscore_p", "bertscore_r", "bertscore_f1"]
    report = Scorer(lang, names).score([reference] * 3, [reference, near, far], [reference] * 3)
    same, close, other = ([item.scores[name] for name in names] for item in report.systems[0].items)
    assert same == pytest.approx([100, 100, 100])
    assert all(a > b + 10 for a, b in zip(close, other, strict=True)) and max(other) < 50
    assert ",layer=" in report.signature and ",rescaled=cosine^" in report.signature


def test_a_language_without_an_encoder_asks_for_a_model() -> None:
    with pytest.raises(ResourceError, match="option 'model'"):
        make_metric("bertscore_p").bind(find_language("ud:fi").parts())
    for option in ("idf", "baseline"):
        with pytest.raises(UsageError, match="belong to a model of your own"):
            make_metric("bertscore_p", Settings({option: "file.txt"}))
