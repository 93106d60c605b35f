"""Metrics of words: numbers worked by hand, and those of the libraries' own commands."""

import math

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from sacremoses import MosesTokenizer

from sema import Scorer
from sema.errors import InputError, UnknownNameError
from sema.languages import find_language
from sema.metrics.baselines import Ter
from sema.metrics.bleu import Bleu, Ibleu
from sema.metrics.registry import make_metric
from sema.metrics.sari import Sari
from sema.metrics.stem_recall import stems
from sema.metrics.token_metric import get_tokenizer
from sema.model.language import Language
from sema.model.text import Text
from sema.options import Settings


def test_moses_and_penn_work_as_in_sacremoses_and_lower_case_comes_first() -> None:
    text = "Mr. Smith's \"dog\" cost $5.50, didn't it? 中文 too."
    assert " ".join(get_tokenizer("moses")(text)) == MosesTokenizer().tokenize(text, return_str=True, escape=False)
    expected = "Mr. Smith cost $ 5.50 , -LRB- or either/or -RRB- ."
    assert " ".join(get_tokenizer("penn")("Mr. Smith cost $5.50, (or either/or).")) == expected
    # Moses keeps a full stop on the word when a small letter follows.
    assert get_tokenizer("moses", lowercase=True)("In Mainz. He was") == ("in", "mainz.", "he", "was")


@pytest.mark.parametrize("code", ["fr", "ud:fr", "fr-CA", "en-to-fr"])
def test_moses_has_the_rules_of_the_language_however_it_is_coded(code: str) -> None:
    metric = Sari(tokenizer="moses").bind(Language(code, code, list, {}, {}).parts())
    assert metric.tokenizer("L'homme vit.") == ("L'", "homme", "vit", ".")


class Pairs:
    """Words of two characters."""

    signature = "pairs"

    def segment(self, texts: list[str]) -> list[Text]:
        return [Text.from_sentences([[text[i : i + 2] for i in range(0, len(text), 2)]]) for text in texts]


def test_words_are_the_segmenter_s() -> None:
    parts = Language("xx", "xx", Pairs, {}, {}, spaced=False).parts()
    first, second = (Sari().bind(parts).tokenizer for _ in range(2))
    assert first("北京大学") == ("北京", "大学") and first is second
    with pytest.raises(InputError, match="segmenter"):
        get_tokenizer("words")
    spaced = {"zh": False, "ud:zh-hant": False, "ud:ja": False, "en": True, "ud:fr": True}
    assert {code: find_language(code).spaced for code in spaced} == spaced, "others are cut as by mteval"


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


@pytest.mark.parametrize(
    ("name", "texts", "expected"),
    [
        # a a b and a b b: 2 + 2 = 4 over the root of 5 times 5; the nearest reference counts.
        ("cosine", ("s", "a a b", "c d", "b a b"), 80),
        ("cosine", ("s", "", "a"), 0),
        # d is missing, c became x: two of four words, or two of five.
        ("wer", ("s", "a b x", "a b c d"), 50),
        ("wer", ("s", "a b x", "a b c d", "a b y z x"), 40),
        ("wer", ("s", "a b c", "a"), 200),
        # A moved phrase is four edits of words, and one of TER's.
        ("wer", ("s", "c d a b", "a b c d"), 100),
        ("ter", ("s", "c d a b", "a b c d"), 25),
        # Two of three words and one of two pairs match, none of three: that order is left out.
        ("tbleu", ("s", "a b x", "a b c"), 100 * math.sqrt(2 / 3 * 1 / 2)),
        ("tbleu", ("s", "x y z", "a b c"), 0),
        # Half as long as the reference: e to the power of 1 - 2.
        ("tbleu", ("s", "a b", "a b c d"), 100 * math.exp(-1)),
        # 4 of 5 words, 3 of 4 pairs, 2 of 3, 1 of 2; lengths are equal.
        ("bleu", ("s", "a b c d x", "a b c d e"), 100 * (4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** (1 / 4)),
        ("bleu", ("s", "a x b y", "a b c d"), 0),  # an order has no match, and the floor is zero
        ("ld_source", ("a b c d", "a c e"), -2),  # b goes, d becomes e
        ("ld_source", ("a b", "a b"), 0),
        ("ld_reference", ("s", "a c e", "x y z", "a c"), -1),
        ("compression", ("abcd efgh", "abc"), 100 * 3 / 9),
        ("copied", ("a b c", "a a b x"), 50),  # one a and b of four tokens
        ("copied", ("a b c", ""), 0),
        ("exact_copies", ("a b", "a b"), 100),
        ("exact_copies", ("a b", "A b"), 0),
    ],
)
def test_scores_equal_numbers_by_hand(score, name: str, texts: tuple[str, ...], expected: float) -> None:
    assert score(name, *texts) == pytest.approx(expected)


def test_corpus_ter_is_sacrebleus() -> None:
    sources, outputs = ["The feline sat on the large mat.", "He did it."], ["The cat sat upon it.", "He did this now"]
    references = [["the cat sat on the mat.", "A cat was on the mat"], ["He did it.", "He has done it."]]
    (system,) = Scorer("en", ["ter"]).score(sources, outputs, references).systems
    expected = sacrebleu.corpus_ter(outputs, list(zip(*references, strict=True)))
    assert system.scores["ter"] == pytest.approx(expected.score)


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


def test_rouge_is_rouge_scores_own() -> None:
    pytest.importorskip("rouge_score")
    from rouge_score.rouge_scorer import RougeScorer

    names = ["rouge1", "rouge2", "rougeL"]
    outputs = ["Cats were sitting, quietly, on mats", "He did it"]
    references = [["A cat sat quietly on a mat.", "Cats sat on mats."], ["It was done by him.", "He did it!"]]
    items = Scorer("en", names).score(["x", "x"], outputs, references).systems[0].items
    for item, output, own in zip(items, outputs, references, strict=True):
        expected = RougeScorer(names).score_multi(own, output)
        assert item.scores == {name: pytest.approx(100 * expected[name].fmeasure) for name in names}


NONE = {"tokenizer": "none"}


def test_splits_are_a_share_of_the_items(make_item, results) -> None:
    texts = [("a b", "a || b"), ("a b", "a b"), ("a || b", "a || b"), ("a", "b || c")]
    result = results("splits", [make_item(*pair) for pair in texts], **NONE)
    assert result.items == (100, 0, 0, 100) and result.corpus == 50


def test_means_of_items_and_of_corpora(make_item, results, score) -> None:
    items = [make_item("a b c d", "a b c e", "a b c e"), make_item("p q r s t", "p q", "p q r")]
    sari, bleu, distance = (results(name, items, **NONE) for name in ("sari", "bleu", "ld_source"))
    arithmetic, geometric = results("mean:sari,bleu", items, **NONE), results("gmean:sari,bleu", items, **NONE)
    pairs = list(zip((*sari.items, sari.corpus), (*bleu.items, bleu.corpus), strict=True))
    assert (*arithmetic.items, arithmetic.corpus) == pytest.approx([(x + y) / 2 for x, y in pairs])
    assert (*geometric.items, geometric.corpus) == pytest.approx([math.sqrt(x * y) for x, y in pairs])
    mixed = results("mean:sari,ld_source", items, **NONE).corpus  # of a pooled score and a mean
    assert mixed == pytest.approx((sari.corpus + distance.corpus) / 2)
    assert score("gmean:ld_source,sari", "a b", "a c", "a c") == 0, "of something negative"


def test_a_mean_needs_two_metrics_of_one_direction(make_item, results) -> None:
    for name in ("mean:sari", "gmean:sari,", "mean:,bleu"):
        with pytest.raises(InputError, match="two metrics"):
            make_metric(name)
    with pytest.raises(InputError, match="should be high"):
        make_metric("mean:sari,copied")
    with pytest.raises(InputError, match="sari needs a reference"):
        results("mean:sari,bleu", [make_item("a", "a", "a"), make_item("a", "a")], **NONE)


def test_stems_are_snowball_s_where_there_is_one_and_forms_without_case_elsewhere() -> None:
    assert stems(["Running", "runs", ",", "U.S.", "95"], "en") == {"run", "u.s.", "95"}
    assert stems(["Nachrichten", "Nachricht"], "ud:de") == {"nachricht"}
    assert stems(["ΛΟΓΟΣ", "λόγος", "。"], "el") == {"λογοσ", "λόγοσ"}
    assert stems(["我", "爱", "北京", "。"], "zh") == {"我", "爱", "北京"}


def test_shares_of_stems_equal_numbers_by_hand(make_item, results) -> None:
    texts = [
        ("The cats were sleeping , cats !", "A cat sleeps ."),  # cat, sleep of the, cat, were, sleep
        ("a b", "a b c"), ("a b", ""), ("a b c d a a", "a b x b"), (", .", "a"),
    ]  # fmt: skip
    result = results("stem_recall", [make_item(*pair) for pair in texts])
    assert result.items == (50, 100, 0, 50, 0) and result.corpus == 40
