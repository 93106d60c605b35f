from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sema.errors import ResourceError
from sema.metrics.meteor import NLTK, QATS, Meteor, MeteorQats, Scheme, matches, meteor
from sema.model.language import Language
from sema.model.text import Segmenter
from tests.metric_fixtures import Pairs


def test_a_language_without_lexicon_is_refused() -> None:
    def segmenter() -> Segmenter:
        raise AssertionError("nothing is cut here")

    without = Language("xx", "Without words", segmenter, {}, {})
    with pytest.raises(ResourceError, match="language 'xx' has none"):
        Meteor().bind(without.parts())
    with_pairs = Language("xx", "With words", segmenter, {}, {}, lexicon=Pairs)
    assert Meteor().bind(with_pairs.parts()).signature.count("lexicon=pairs+1") == 1
    assert "|" not in Meteor(lexicon=Pairs()).signature, "it stays one field"


class NltkSynonyms:
    """The pairs as what NLTK asks of its WordNet reader."""

    def synsets(self, word: str) -> list[NltkSynonyms]:
        self.words = [other for other in ("jail", "prison", "lorries", "truck") if Pairs().are_synonyms(word, other)]
        return [self]

    def lemmas(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name=lambda word=word: word) for word in self.words]


FORMS = "a jail prison prisons jails lorries truck cat cats Sleeping sleeps"
words = st.lists(st.sampled_from(FORMS.split()), max_size=8)


@settings(deadline=None)
@given(words, words)
def test_by_default_it_is_nltk_s(output: list[str], reference: list[str]) -> None:
    from nltk.translate.meteor_score import single_meteor_score

    theirs = 100 * single_meteor_score(reference, output, wordnet=NltkSynonyms())
    assert meteor(output, [reference], Pairs()) == pytest.approx(theirs, abs=1e-9)


GUIDE = "It is a guide to action which ensures that the military always obeys the commands of the party"
GUIDED = "It is a guide to action that ensures that the military will forever heed Party commands"


@pytest.mark.parametrize(
    ("output", "reference", "scheme", "expected"),
    [
        (GUIDE, GUIDED, NLTK, 69.4444),  # as NLTK's documentation prints it
        ("truck", "lorries", NLTK, 0),  # it asks the lexicon about "lorri"
        ("truck", "lorries", Scheme(lookup="words"), 50),
        # Two words of two, one run: the mean of P and R is 1, the penalty 0.5 (1/2)^3.
        ("a jail", "a prison", NLTK, 100 * (1 - 0.5 / 8)),
        ("jail", "house", NLTK, 0),
        ("", "a", NLTK, 0),
        ("big", "sizeable", NLTK, 0),  # a paraphrase, which is no stage
        # Equal 1, stem 0.6, synonym 0.8, paraphrase 0.6 of four words: 3 / 4 each way; one run over both texts.
        ("with sleeping jail big", "with sleeps prison sizeable", QATS, 75),
        # Content 0.75, function 0.25: P and R (0.25 + 0.75) / 1.75; two of three words, one run.
        ("the cat slept", "the cat purred", QATS, 100 / 1.75 * (1 - 0.6 * (1 / 2) ** 0.2)),
    ],
)
def test_scores_equal_numbers_by_hand(output: str, reference: str, scheme: Scheme, expected: float) -> None:
    function_words = {"the"} if scheme == QATS else ()
    for references in ([reference.split()], [["x"], reference.split()]):  # the best one counts
        value = meteor(output.split(), references, Pairs(), scheme, function_words)
        assert value == pytest.approx(expected, abs=1e-4)


def test_qats_is_the_source_by_those_weights(make_item, results) -> None:
    item = make_item("the sizeable jail", "the big prison")
    metric = MeteorQats(lexicon=Pairs())
    assert results(metric, [item]).items[0] == meteor(item.output.words, [item.source.words], Pairs(), QATS)
    assert "weights=1:0.6:0.8:0.6,parameters=0.85:0.2:0.6:0.75,stemmer=snowball" in metric.signature
    assert results(metric, [make_item("the jail", "the jail")]).items == (100,)


def test_the_paper_s_own_examples_earn_something() -> None:
    lexicon = pytest.importorskip("sema_english.relations").english_lexicon()
    assert meteor(["jail"], [["prison"]], lexicon, QATS) == pytest.approx(60)
    # All three words, and the one, in one run: 0.6 each way.
    idiom = meteor(["kicked", "the", "bucket"], [["died"]], lexicon, QATS)
    assert idiom == pytest.approx(60)
    # With equal words around it, and one without a match, in one run; the stop weighs 0.25, words 0.75.
    output, reference = ["old", "the", "man", "kicked", "the", "bucket", "."], ["the", "man", "died", "."]
    precision, recall = (2 * 0.75 + 0.25 + 0.6 * 3 * 0.75) / 4.75, (2 * 0.75 + 0.25 + 0.6 * 0.75) / 2.5
    mean = precision * recall / (0.85 * precision + 0.15 * recall)
    assert meteor(output, [reference], lexicon, QATS) == pytest.approx(100 * mean * (1 - 0.6 / 5**0.2))
    assert meteor(["kicked", "the", "bucket"], [["died"]], lexicon) == 0  # plain METEOR knows no paraphrases


WORDS = st.lists(
    st.sampled_from(["jail", "prison", "lorries", "truck", "big", "large", "a", "runs", "running", "died"])
)


@given(WORDS, WORDS, st.sampled_from([NLTK, QATS, Scheme(paraphrase=0.5, lookup="words")]))
def test_a_lexicon_with_keys_gives_the_matches_of_one_that_is_asked_about_all_pairs(
    output: list[str], reference: list[str], scheme: Scheme
) -> None:
    lexicon = pytest.importorskip("sema_english.relations").english_lexicon()
    asked = ("signature", "lemmas", "are_synonyms", "are_paraphrases", "is_hyponym")
    plain = SimpleNamespace(**{name: getattr(lexicon, name) for name in asked})
    assert matches(output, reference, lexicon, scheme) == matches(output, reference, plain, scheme)
