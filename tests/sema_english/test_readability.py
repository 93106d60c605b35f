import math

import pytest
from sema_english.readability import Fkgl, Flesch, count_sentences, fkgl, statistics
from sema_english.syllables import count_syllables, count_vowel_runs

from sema import Scorer
from sema.errors import InputError, SemaWarning
from sema.model.language import Language
from tests.cases import cases


@cases("en/syllables")
def test_syllables_are_counted(word: str, syllables: int) -> None:
    assert count_syllables(word) == syllables


def test_fkgl_equals_its_formula(score) -> None:
    # Full stops are words without syllables: the cat sat 3, it was 2, simplifying 3, a 1, period 3, of rest 2.
    words = ["the", "cat", "sat", ".", "it", "was", "simplifying", "a", "period", "of", "rest", "."]
    assert statistics(words) == (12, 14, 2)
    assert fkgl((12, 14, 2)) == pytest.approx(max(0, 0.39 * 6 + 11.8 * 14 / 12 - 15.59))
    assert score("fkgl", "a", "a cat") == score("fkgl", "a", "") == 0, "no grade below zero, and none for nothing"
    assert score("fkgl", "x", "THE COMMITTEE DELIBERATED .") == score("fkgl", "x", "the committee deliberated .")


def test_a_grade_is_doubted_where_full_stops_end_no_sentence() -> None:
    assert Fkgl().doubt((40.0, 20.0, 30.0, 1.0)).startswith("counts 30 sentences where the segmenter finds 1, as EASSE")
    assert Fkgl().doubt((1.0, 0.0, 1.0, 0.0)) == "", "a text without words, such as a zero-width space"


def test_flesch_by_hand(make_item, results) -> None:
    # The cat sat, without the full stop 3 words and syllables; it was simplifying a period, 5 words and 10 syllables.
    items = [make_item("x", "The cat sat ."), make_item("x", "It was simplifying a period ."), make_item("x", "...")]
    scores = results("flesch", items)
    assert scores.items[:2] == pytest.approx((206.835 - 1.015 * 3 - 84.6, 206.835 - 1.015 * 5 - 84.6 * 2))
    assert math.isnan(scores.items[2])
    assert scores.corpus == pytest.approx(206.835 - 1.015 * 4 - 84.6 * 13 / 8), "counts add up"


@cases("en/counted_sentences")
def test_sentences_are_counted_as_in_easse(text: str, sentences: int) -> None:
    assert count_sentences(text) == sentences


def test_other_languages_have_no_fkgl_and_no_flesch() -> None:
    for code in ("zh", "ud:fr"):
        for metric in (Fkgl(), Flesch()):
            with pytest.raises(InputError, match=f"{metric.name} counts English syllables"):
                metric.bind(Language(code, code, list, {}, {}).parts())
    for code in ("en", "ud:en"):
        assert Fkgl().bind(Language(code, code, list, {}, {}).parts()).signature == "tok=13a,case=lc"


@cases("en/vowels")
def test_runs_of_vowels_are_counted(word: str, syllables: int) -> None:
    assert count_vowel_runs(word) == syllables


def test_fk_equals_its_formula_and_is_the_mean_of_the_sentences_grades(make_item, results) -> None:
    # the 1, nation 2, voted 2, . 1: six syllables in four words of one sentence; a cat: two in two.
    items = [make_item("s", text) for text in ("The nation voted .", "a cat", "")]
    grades = 0.39 * 4 + 11.8 * 6 / 4 - 15.59, 0.39 * 2 + 11.8 * 2 / 2 - 15.59, 0
    assert results("fk", items, tokenizer="none").items == pytest.approx(grades)
    result = results("fk", items, tokenizer="none", intercept=15.19)
    assert result.items[:2] == pytest.approx([grade + 0.4 for grade in grades[:2]])
    assert result.corpus == pytest.approx(sum(result.items) / 3)


def test_fkbleu_of_the_paper_rewards_an_easier_output_and_easse_s_a_harder_one(score) -> None:
    source, easy = "the committee deliberated .", "the group talked ."
    hard = "the organisational committee deliberated ."
    for output in (source, easy, hard):
        ibleu = score("ibleu", source, output, output, smoothing="exp")
        difference = score("fk", source, source) - score("fk", source, output)
        expected = 100 * math.sqrt(max(ibleu, 0) / 100 / (1 + math.exp(-difference)))
        assert score("fkbleu_paper", source, output, output) == pytest.approx(expected)
    copy, easier, harder = (score("fkbleu_paper", source, output, output) for output in (source, easy, hard))
    assert easier > copy > harder
    assert score("fkbleu", source, hard, hard) > score("fkbleu", source, easy, easy)


def test_fkbleu_as_printed_worked_by_hand(score) -> None:
    # Output and reference "tigers slept well ." share "." with the source "cats sat down .": BLEU(O, R) is 1, and
    # BLEU(O, I) has the precisions 1/4, 0/3, 0/2, 0/1, smoothed to 1/6, 1/8, 1/8. Syllables: 5 and 4 in four words
    # each, so FK rises by 11.8 / 4.
    ibleu = 0.9 * 1 - 0.1 * (1 / 4 * 1 / 6 * 1 / 8 * 1 / 8) ** (1 / 4)
    expected = 100 * ibleu / (1 + math.exp(-11.8 / 4))
    texts = "cats sat down .", "tigers slept well .", "tigers slept well ."
    assert score("fkbleu_printed", *texts) == pytest.approx(expected)
    # A copy of source and reference: BLEU 1 and 1, FK the same, so .8 x .5.
    assert score("fkbleu_printed", "cats sat down .", *["cats sat down ."] * 2) == pytest.approx(40)


def test_a_long_accented_word_has_a_score_or_costs_its_item_alone() -> None:
    """Its thousands of syllables overflowed a sigmoid."""
    word = "áé" * 4000
    names = ["fkgl", "fk", "fkbleu", "fkbleu_paper", "fkbleu_printed"]
    sources, outputs = ["The cat sat.", "The cat sat.", word], ["The cat sat.", word, "The cat sat."]
    scored = Scorer("en", names).score(sources, outputs, [["The cat sat."]] * 3, collect_errors=True)
    assert not scored.failed
    assert all(math.isfinite(value) for item in scored.systems[0].items for value in item.scores.values())


HARD = (
    "The U.S. economy grew by 3.5 % in A.D. 1998 despite considerable international uncertainty , said "
    "J. R. Smith vs. the administration 's economists , no . 1 . 2 . 3 . 4 . 5 . 6 . 7 . 8 . 9 ."
)


def test_a_grade_near_0_of_long_sentences_is_noted_once() -> None:
    with pytest.warns(SemaWarning, match="item 0 has fkgl 0.00: it counts") as noted:
        report = Scorer("en", ["fkgl"]).score([HARD] * 2, [HARD] * 2)
    assert len(noted) == 1
    assert report.systems[0].scores["fkgl"] == 0
