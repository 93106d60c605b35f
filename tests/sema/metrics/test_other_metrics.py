import math

import pytest

from sema.errors import InputError, UnknownNameError
from sema.metrics.registry import make_metric
from sema.metrics.sari import Sari
from sema.options import Settings

NONE = {"tokenizer": "none"}


def test_levenshtein_counts_words_to_the_nearest(score) -> None:
    assert score("ld_source", "a b c d", "a c e") == -2  # b goes, d becomes e
    assert score("ld_reference", "s", "a c e", "x y z", "a c") == -1
    assert score("ld_source", "a b", "a b") == 0


def test_splits_are_a_share_of_the_items(make_item, results) -> None:
    items = [
        make_item("a b", "a || b"),
        make_item("a b", "a b"),
        make_item("a || b", "a || b"),
        make_item("a", "b || c"),
    ]
    result = results("splits", items, **NONE)
    assert result.items == (100, 0, 0, 100)
    assert result.corpus == 50


def test_compression_copying_and_copies(score) -> None:
    assert score("compression", "abcd efgh", "abc") == pytest.approx(100 * 3 / 9)
    assert score("copied", "a b c", "a a b x") == 50  # one a and b of four tokens
    assert score("copied", "a b c", "") == 0
    assert score("exact_copies", "a b", "a b") == 100
    assert score("exact_copies", "a b", "A b") == 0
    assert score("exact_copies", "a b", "A b", lowercase=True) == 100


def test_means_of_items_and_of_corpora(make_item, results) -> None:
    items = [make_item("a b c d", "a b c e", "a b c e"), make_item("p q r s t", "p q", "p q r")]
    parts = [results(name, items, **NONE) for name in ("sari", "bleu")]
    for name, average in (
        ("mean:sari,bleu", lambda x, y: (x + y) / 2),
        ("gmean:sari,bleu", lambda x, y: math.sqrt(x * y)),
    ):
        result = results(name, items, **NONE)
        assert result.items == pytest.approx(
            [average(*pair) for pair in zip(*(part.items for part in parts), strict=True)]
        )
        assert result.corpus == pytest.approx(average(*(part.corpus for part in parts)))


def test_mean_with_a_mean_metric_keeps_both_corpus_scores(make_item, results) -> None:
    items = [make_item("a b", "a b", "a b"), make_item("a b", "c", "a b")]
    sari = results("sari", items, **NONE).corpus
    result = results("mean:sari,ld_source", items, **NONE).corpus
    assert result == pytest.approx((sari - 1) / 2)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        *((name, "two metrics") for name in ("mean:sari", "gmean:sari,", "mean:,bleu")),
        ("mean:sari,copied", "should be high"),
    ],
)
def test_a_mean_needs_two_metrics_of_one_direction(name: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        make_metric(name)


def test_geometric_mean_of_something_negative_is_zero(score) -> None:
    assert score("gmean:ld_source,sari", "a b", "a c", "a c") == 0


def test_a_mean_without_references_names_its_part(make_item, results) -> None:
    with pytest.raises(InputError, match="sari needs a reference"):
        results("mean:sari,bleu", [make_item("a", "a", "a"), make_item("a", "a")], **NONE)


def test_unknown_tokenizer_offers_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="moses"):
        Sari(tokenizer="mosses")
    with pytest.raises(InputError, match="moses"):
        make_metric("sari", Settings({"tokenizer": "mosses"}))


def test_signatures_name_what_changes_the_numbers() -> None:
    settings = [{"tokenizer": tokenizer, "lowercase": case} for tokenizer in ("13a", "moses") for case in (False, True)]
    assert len({Sari(**given).signature for given in settings}) == 4
