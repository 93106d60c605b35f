from __future__ import annotations

import math

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st

lines = st.lists(
    st.tuples(*(st.text(alphabet="ab cd.,'", max_size=25).map(str.strip) for _ in range(4))), min_size=1, max_size=6
)


@settings(deadline=None)
@given(lines, st.sampled_from(["13a", "intl", "zh", "char", "none"]), st.booleans())
def test_corpus_bleu_is_sacrebleu_s(
    make_item, results, rows: list[tuple[str, str, str, str]], tokenizer: str, lowercase: bool
) -> None:
    items = [make_item(source, output, first or "a", second) for source, output, first, second in rows]
    theirs = sacrebleu.corpus_bleu(
        [item.output.raw for item in items],
        [[item.references[column] for item in items] for column in range(2)],
        tokenize=tokenizer,
        lowercase=lowercase,
    )
    assert results("bleu", items, tokenizer=tokenizer, lowercase=lowercase).corpus == pytest.approx(
        theirs.score, abs=1e-10
    )


def test_item_bleu_by_hand(score) -> None:
    # 4 of 5 unigrams, 3 of 4 bigrams, 2 of 3, 1 of 2; lengths are equal.
    expected = 100 * math.exp((math.log(4 / 5) + math.log(3 / 4) + math.log(2 / 3) + math.log(1 / 2)) / 4)
    assert score("bleu", "s", "a b c d x", "a b c d e") == pytest.approx(expected)


def test_effective_order_ends_with_the_output(score) -> None:
    assert score("bleu", "s", "a b", "a b") == pytest.approx(100)


def test_floor_zero_gives_nothing_where_an_order_has_no_match(score) -> None:
    assert score("bleu", "s", "a x b y", "a b c d") == pytest.approx(0)


def test_ibleu_takes_a_tenth_of_the_likeness_to_the_source_away(score) -> None:
    text = "a b c d e"
    assert score("ibleu", text, text, text) == pytest.approx(0.9 * 100 - 0.1 * 100)
    assert score("ibleu", "p q r s t", text, text) == pytest.approx(90)


@given(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=12))
def test_identity_is_100(score, tokens: list[str]) -> None:
    text = " ".join(tokens)
    assert score("bleu", "s", text, text) == pytest.approx(100)
