"""Tokens that stand for one word are shown together, as far as the same is said of them."""

from sema.display.terminal import ShownWords

TOKENS = ["a", "bc", "d", "e"]


def test_tokens_are_words_by_default() -> None:
    assert ShownWords(TOKENS, None).line() == "a bc d e"


def test_tokens_of_one_word_stand_together() -> None:
    shown = ShownWords(TOKENS, lambda tokens: [(0, 2), (2, 4)])
    assert shown.line() == "abc de"
    assert shown.line([0, 1, 3]) == "abc e"
    assert list(shown.runs([1, 2, 3])) == [[1], [2, 3]]
    assert list(shown.runs([3, 2])) == [[3], [2]]
