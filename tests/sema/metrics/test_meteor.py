from __future__ import annotations

import pytest

from sema.errors import ResourceError
from sema.metrics.meteor import Meteor, MeteorSource, meteor
from sema.model.language import Language
from sema.model.text import Segmenter


class Pairs:
    """A lexicon that knows one pair of synonyms."""

    signature = "pairs|1"

    def lemmas(self, word: str) -> frozenset[str]:
        return frozenset({word})

    def are_synonyms(self, first: str, second: str) -> bool:
        return {first, second} == {"jail", "prison"}

    def are_paraphrases(self, first: str, second: str) -> bool:
        return False

    def is_hyponym(self, word: str, other: str, *, depth: int = 3) -> bool:
        return False


def test_worked_example_of_the_library() -> None:
    output = "It is a guide to action which ensures that the military always obeys the commands of the party"
    reference = "It is a guide to action that ensures that the military will forever heed Party commands"
    assert meteor(output.split(), [reference.split()], Pairs()) == pytest.approx(69.44, abs=0.005)


def test_synonyms_come_from_the_lexicon() -> None:
    # Two words of two, one chunk: the mean of P and R is 1, the penalty 0.5 (1/2)^3.
    assert meteor(["a", "jail"], [["a", "prison"]], Pairs()) == pytest.approx(100 * (1 - 0.5 / 8))
    assert meteor(["jail"], [["house"]], Pairs()) == 0


def test_the_best_reference_counts_and_nothing_scores_nothing() -> None:
    assert meteor(["a", "b"], [["x"], ["a", "b"]], Pairs()) == meteor(["a", "b"], [["a", "b"]], Pairs())
    assert meteor([], [["a"]], Pairs()) == 0


def test_against_source_and_references(make_item, results) -> None:
    assert results(Meteor(lexicon=Pairs()), [make_item("p q", "a b", "a b")]).corpus > 0
    assert results(MeteorSource(lexicon=Pairs()), [make_item("p q", "a b")]).corpus == 0


def test_needs_a_lexicon() -> None:
    def segmenter() -> Segmenter:
        raise AssertionError("nothing is cut here")

    without = Language("xx", "Without words", segmenter, {}, {})
    with pytest.raises(ResourceError, match="language 'xx' has none"):
        Meteor().bind(without.parts())
    with_pairs = Language("xx", "With words", segmenter, {}, {}, lexicon=Pairs)
    assert Meteor().bind(with_pairs.parts()).signature.count("lexicon=pairs+1") == 1


def test_signature_stays_one_field() -> None:
    assert "|" not in Meteor(lexicon=Pairs()).signature
