import math

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

from sema.errors import InputError, UnknownNameError
from sema.metrics.bleu import Bleu, Ibleu

lines = st.lists(
    st.tuples(*(st.text(alphabet="ab cd.,'", max_size=25).map(str.strip) for _ in range(4))), min_size=1, max_size=6
)


@settings(deadline=None)
@given(rows=lines, tokenizer=st.sampled_from(["13a", "intl", "zh", "char", "none"]), lowercase=st.booleans())
def test_corpus_bleu_is_sacrebleu_s(make_item, results, rows, tokenizer: str, lowercase: bool) -> None:
    items = [make_item(source, output, first or "a", second) for source, output, first, second in rows]
    outputs, references = [item.output.raw for item in items], zip(*(item.references for item in items), strict=True)
    theirs = sacrebleu.corpus_bleu(outputs, [*map(list, references)], tokenize=tokenizer, lowercase=lowercase)
    ours = results("bleu", items, tokenizer=tokenizer, lowercase=lowercase)
    assert ours.corpus == pytest.approx(theirs.score, abs=1e-10)


def test_item_bleu_by_hand(score) -> None:
    # 4 of 5 unigrams, 3 of 4 bigrams, 2 of 3, 1 of 2; lengths are equal.
    expected = 100 * math.exp((math.log(4 / 5) + math.log(3 / 4) + math.log(2 / 3) + math.log(1 / 2)) / 4)
    assert score("bleu", "s", "a b c d x", "a b c d e") == pytest.approx(expected)
    assert score("bleu", "s", "a x b y", "a b c d") == pytest.approx(0), "an order has no match, and the floor is zero"


TOY = ("About 95 species are currently known .", "About 95 species are now accepted .", "95 species are now accepted .")


@pytest.mark.parametrize(
    ("output", "printed"),
    [  # Xu et al. (2016), section 3.1
        ("About 95 you now get in .", 0.1562),
        ("About 95 species are now agreed .", 0.6435),
        ("About 95 species are currently agreed .", 0.6435),
    ],
)
def test_worked_scores_of_the_paper_need_exponential_smoothing(score, output: str, printed: float) -> None:
    source = "About 95 species are currently accepted ."
    assert score("bleu", source, output, *TOY, smoothing="exp") / 100 == pytest.approx(printed, abs=5e-5)


@pytest.mark.parametrize("smoothing", ["none", "floor", "add-k", "exp"])
def test_smoothing_is_sacrebleu_s(results, make_item, smoothing: str) -> None:
    outputs, references = ["a x b y", "a b"], ["a b c d", "a b c"]
    items = [make_item("s", *pair) for pair in zip(outputs, references, strict=True)]
    result = results("bleu", items, smoothing=smoothing, tokenizer="none")
    options = {"smooth_method": smoothing, "tokenize": "none", "force": True}
    assert result.corpus == pytest.approx(sacrebleu.BLEU(**options).corpus_score(outputs, [references]).score)
    theirs = sacrebleu.BLEU(**options, effective_order=True)
    expected = [theirs.sentence_score(output, [text]).score for output, text in zip(outputs, references, strict=True)]
    assert result.items == pytest.approx(expected)


def test_the_mean_of_sentence_scores(results, make_item) -> None:
    items = [make_item("p", "a b c d e", "a b c d x"), make_item("q r", "q", "q r")]
    for name in ("bleu", "ibleu", "mean:bleu,ibleu"):
        pooled = results(name, items, tokenizer="none")
        result = results(name, items, tokenizer="none", corpus="mean")
        assert result.items == pytest.approx(pooled.items)
        assert result.corpus == pytest.approx(sum(pooled.items) / 2)
        assert result.corpus != pytest.approx(pooled.corpus)


def test_short_outputs_are_measured_by_the_closest_or_the_mean_reference(score) -> None:
    """References of 3, 4 and 8 words: the closest to 3 words has 3, their mean, 5, costs exp(1 - 5/3)."""
    references = ("a b c", "a b c d", "a b c d e f g h")
    assert score("bleu", "s", "a b c", *references, smoothing="exp") == pytest.approx(100)
    for name, share in (("bleu", 1.0), ("ibleu", 0.9)):
        value = score(name, "x y z", "a b c", *references, smoothing="exp", reference_length="mean")
        copied = score("bleu", "s", "a b c", "x y z", smoothing="exp")
        assert value == pytest.approx(share * 100 * math.exp(1 - 5 / 3) - (1 - share) * copied)
    assert ",length=mean" in Bleu(reference_length="mean").signature
    assert "length" not in Bleu().signature


def test_short_outputs_are_compared_with_their_sources_by_the_other_smoothings_alone(score) -> None:
    for text in ("x", "x y", "x y z"):
        assert score("ibleu", text, text, "q") == 0
        assert score("ibleu", text, text, "q", smoothing="exp") < 0
    assert score("ibleu", "x", "x", "y", smoothing="exp") == pytest.approx(-10)


def test_ibleu_takes_the_likeness_to_the_source_away(score) -> None:
    source, output, reference = texts = ("a b c d e", "a b c x y", "a b d e y")
    to_reference, to_source = (score("bleu", "s", output, other, smoothing="exp") for other in (reference, source))
    assert score("ibleu", *texts, smoothing="exp", alpha=0.7) == pytest.approx(0.7 * to_reference - 0.3 * to_source)
    assert score("ibleu", "p q r s t", source, source) == pytest.approx(90), "a tenth is the likeness to the source"
    assert Ibleu(alpha=0.7).range == (-30, 70)
    with pytest.raises(InputError, match="between 0 and 1"):
        Ibleu(alpha=1.5)
    with pytest.raises(UnknownNameError, match="floor"):
        Bleu(smoothing="flor")  # type: ignore[arg-type]
