"""An English text as the readers of notation see it."""

from __future__ import annotations

from functools import lru_cache

from sema.model.text import Text
from sema_english.listed import word_list


class Words:
    """A text's words in lower case, and which of them stand together."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.lower = tuple(word.lower() for word in text.words)

    def at(self, token: int) -> str:
        """The word at a token, in lower case; empty outside the text."""
        return self.lower[token] if 0 <= token < len(self.lower) else ""

    def glued(self, token: int) -> bool:
        """Whether no space separates a token from the next."""
        tokens = self.text.tokens
        return 0 <= token < len(tokens) - 1 and tokens[token].end == tokens[token + 1].start


@lru_cache(64)
def read_words(text: Text) -> Words:
    """The words of a text, read once."""
    return Words(text)


def negates_by_prefix(longer: str, shorter: str) -> bool:
    """Whether a lower-cased word is another one with a negative prefix (*unfair*, *fair*)."""
    stem = longer.removesuffix(shorter)
    return stem in word_list("opposites", "negative prefixes") and longer not in word_list("opposites", "not negative")
