"""The baselines: numbers worked by hand, and those of the libraries' own commands."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sema import Scorer
from sema.errors import InputError, UsageError
from sema.metrics.baselines import Rouge1, Ter
from sema.metrics.registry import make_metric
from sema.options import Settings

SOURCES = ["The feline sat on the large mat.", "He did it."]
OUTPUTS = ["The cat sat upon the mat.", "He did this thing now"]
REFERENCES = [["the cat sat on the mat.", "A cat was on the mat"], ["He did it.", "He has done it."]]

words = st.lists(st.sampled_from("abcd"), min_size=1, max_size=8).map(" ".join)


@pytest.mark.parametrize(
    ("name", "output", "references", "expected"),
    [
        # a a b and a b b: 2 + 2 = 4 over the root of 5 times 5; the nearest reference counts.
        ("cosine", "a a b", ["c d", "b a b"], 80),
        ("cosine", "", ["a"], 0),
        # d is missing, c became x: two of four words, or two of five.
        ("wer", "a b x", ["a b c d"], 50),
        ("wer", "a b x", ["a b c d", "a b y z x"], 40),
        ("wer", "a b c", ["a"], 200),
        # A moved phrase is four edits of words, and one of TER's.
        ("wer", "c d a b", ["a b c d"], 100),
        ("ter", "c d a b", ["a b c d"], 25),
        # Two of three words and one of two pairs match, none of three: that order is left out.
        ("tbleu", "a b x", ["a b c"], 100 * math.sqrt(2 / 3 * 1 / 2)),
        ("tbleu", "x y z", ["a b c"], 0),
        # Half as long as the reference: e to the power of 1 - 2.
        ("tbleu", "a b", ["a b c d"], 100 * math.exp(-1)),
    ],
)
def test_scores_equal_numbers_by_hand(score, name: str, output: str, references: list[str], expected: float) -> None:
    assert score(name, "s", output, *references) == pytest.approx(expected)


def test_edits_and_lengths_of_a_corpus_add_up(results, make_item) -> None:
    corpus = results("wer", [make_item("s", "a", "b"), make_item("s", "a b c", "a b c")])
    assert corpus.items == (100, 0) and corpus.corpus == 25


def test_corpus_ter_is_sacrebleus() -> None:
    from sacrebleu import corpus_ter

    scores = Scorer("en", ["ter"]).score(SOURCES, OUTPUTS, REFERENCES).systems[0].scores
    assert scores["ter"] == pytest.approx(corpus_ter(OUTPUTS, list(zip(*REFERENCES, strict=True))).score)


@given(words, words)
def test_equal_texts_are_nearest_and_tbleu_is_bleu_where_all_orders_match(score, output: str, reference: str) -> None:
    assert score("cosine", "s", output, reference) == pytest.approx(score("cosine", "s", reference, output))
    assert score("wer", "s", output, reference, output) == 0
    lengths = [len(text.split()) for text in (output, reference)]
    errors = score("wer", "s", output, reference) * lengths[1] / 100
    assert abs(lengths[0] - lengths[1]) - 1e-9 <= errors <= max(lengths) + 1e-9
    assert errors == pytest.approx(score("wer", "s", reference, output) * lengths[0] / 100)
    tbleu, bleu = (score(name, "s", output, reference) for name in ("tbleu", "bleu"))
    assert tbleu >= bleu - 1e-9 and (tbleu > 0) == bool(set(output.split()) & set(reference.split()))
    if lengths[0] >= 4 and bleu > 1e-3:
        assert tbleu == pytest.approx(bleu)


@pytest.mark.parametrize("name", ["ter", "wer", "tbleu", "cosine"])
def test_against_the_source_no_reference_is_needed(name: str, make_item, results) -> None:
    item = make_item("a b c d", "a b x", "a b x")
    metric = make_metric(name, Settings({"against": "source"}))
    assert not metric.requires and "against=source" in metric.signature
    found = results(metric, [item]).items
    assert found == results(name, [make_item("s", "a b x", "a b c d")]).items != results(name, [item]).items
    with pytest.raises(InputError, match=f"{name} needs a reference"):
        results(name, [make_item("a b c d", "a b x")])


def test_words_are_cut_as_the_libraries_do() -> None:
    assert Ter().signature.startswith("tok=none,case=lc,against=references,sacrebleu=")
    (zh,) = Scorer("zh", ["wer"]).score(["他打算参观博物馆。"], ["他想看博物馆。"], [["他要看博物馆。"]]).systems
    assert zh.scores["wer"] == pytest.approx(100 / 6), "one of six: 博物|馆 are two, and the full stop is one"


@pytest.mark.parametrize("stem", [False, True])
def test_rouge_is_rouge_scores_own(stem: bool) -> None:
    pytest.importorskip("rouge_score")
    from rouge_score.rouge_scorer import RougeScorer

    names = ["rouge1", "rouge2", "rougeL"]
    outputs = ["Cats were sitting, quietly, on mats", "He did it"]
    references = [["A cat sat quietly on a mat.", "Cats sat on mats."], ["It was done by him.", "He did it!"]]
    items = Scorer("en", names, options={"stem": stem}).score(["x", "x"], outputs, references).systems[0].items
    for item, output, own in zip(items, outputs, references, strict=True):
        expected = RougeScorer(names, use_stemmer=stem).score_multi(own, output)
        assert item.scores == {name: pytest.approx(100 * expected[name].fmeasure) for name in names}


def test_parts_of_rouge_by_hand(score) -> None:
    pytest.importorskip("rouge_score")
    # a and c of three words are among the reference's four; in order only one of c a is.
    assert score("rouge1", "s", "c a x", "a b c d", part="precision") == pytest.approx(100 * 2 / 3)
    assert score("rougeL", "s", "c a x", "a b c d", part="recall") == 25
    with pytest.raises(UsageError, match=r"rouge1\.stem goes with ROUGE's own tokenizer"):
        Rouge1(stem=True, tokenizer="13a").signature  # noqa: B018
