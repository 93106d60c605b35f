"""Words as people read them: trees cut 工程师 and 市议会 into several tokens."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import numeric

from sema_chinese.relations import FunctionWords
from sema_chinese.segmentation.segmenter import to_model_characters
from sema_chinese.words import word_table

LONGEST = 3
"""The largest number of tokens of a word."""
LEAST_ZIPF = 3.0
"""The least frequency of a word: rarer ones may be names or errors."""
HAN = ("一", "\u9fff")


def whole_words(tokens: Sequence[str]) -> list[tuple[int, int]]:
    """The spans of tokens that form one listed word, with a single character among them; other tokens stand alone."""
    spans = []
    start = 0
    while start < len(tokens):
        end = next(
            (end for end in range(min(len(tokens), start + LONGEST), start + 1, -1) if _is_word(tokens[start:end])),
            start + 1,
        )
        spans.append((start, end))
        start = end
    return spans


def _is_word(tokens: Sequence[str]) -> bool:
    grammar = FunctionWords()
    if min(map(len, tokens)) > 1 or not all(HAN[0] <= sign <= HAN[1] for token in tokens for sign in token):
        return False
    if any(token in grammar or _is_number(token) for token in tokens):
        return False
    return word_table().zipf(to_model_characters("".join(tokens))) >= LEAST_ZIPF


def _is_number(token: str) -> bool:
    return all(numeric(sign, None) is not None for sign in token)
