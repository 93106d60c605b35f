import pytest

from sema.metrics.stem_recall import StemRecall, stems
from sema.model.language import Language


def test_stems_are_snowball_s_where_there_is_one() -> None:
    assert stems(["Running", "runs", ",", "U.S.", "95"], "en") == {"run", "u.s.", "95"}
    assert stems(["Nachrichten", "Nachricht"], "ud:de") == {"nachricht"}


def test_forms_without_case_stand_in() -> None:
    assert stems(["ΛΟΓΟΣ", "λόγος", "。"], "el") == {"λογοσ", "λόγοσ"}
    assert stems(["我", "爱", "北京", "。"], "zh") == {"我", "爱", "北京"}


def test_each_stem_counts_once(make_item, results) -> None:
    items = [make_item("a b c d a a", "a b x b"), make_item(", .", "a")]
    assert results("stem_recall", items).items == (50, 0)


def test_shares_of_stems_equal_numbers_by_hand(make_item, results) -> None:
    items = [
        make_item("The cats were sleeping , cats !", "A cat sleeps ."),  # cat, sleep of the, cat, were, sleep
        make_item("a b", "a b c"),
        make_item("a b", ""),
    ]
    result = results("stem_recall", items)
    assert result.items == (50, 100, 0)
    assert result.corpus == 50


@pytest.mark.parametrize(("code", "score", "signature"), [("en", 100, "snowball-english"), ("xx", 0, "forms")])
def test_the_language_decides(make_item, results, code: str, score: float, signature: str) -> None:
    metric = StemRecall().bind(Language(code, code, list, {}, {}).parts())
    assert results(metric, [make_item("sleeping", "sleeps")]).items == (score,)
    assert signature in metric.signature
