import math

import pytest

from sema.errors import InputError, UnknownNameError
from sema.metrics.registry import make_metric
from sema.metrics.stem_recall import StemRecall, stems
from sema.model.language import Language
from sema.options import Settings

NONE = {"tokenizer": "none"}


@pytest.mark.parametrize(
    ("name", "texts", "expected"),
    [
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


def test_splits_are_a_share_of_the_items(make_item, results) -> None:
    texts = [("a b", "a || b"), ("a b", "a b"), ("a || b", "a || b"), ("a", "b || c")]
    result = results("splits", [make_item(*pair) for pair in texts], **NONE)
    assert result.items == (100, 0, 0, 100) and result.corpus == 50


def test_copies_are_compared_without_case_if_asked(score) -> None:
    assert score("exact_copies", "a b", "A b", lowercase=True) == 100


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


def test_unknown_tokenizer_offers_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="moses"):
        make_metric("sari", Settings({"tokenizer": "mosses"}))


def test_signatures_name_what_changes_the_numbers() -> None:
    settings = [{"tokenizer": tokenizer, "lowercase": case} for tokenizer in ("13a", "moses") for case in (False, True)]
    assert len({make_metric("sari", Settings(given)).signature for given in settings}) == 4


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


@pytest.mark.parametrize(("code", "score", "signature"), [("en", 100, "snowball-english"), ("xx", 0, "forms")])
def test_the_language_decides(make_item, results, code: str, score: float, signature: str) -> None:
    metric = StemRecall().bind(Language(code, code, list, {}, {}).parts())
    assert results(metric, [make_item("sleeping", "sleeps")]).items == (score,)
    assert signature in metric.signature
