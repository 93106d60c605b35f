"""Joins the tokens of a text to the words that readers see."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from sema.model.language import WholeWords


class ShownWords:
    """The tokens of a text or sentence, and which of them people read as one word.

    Args:
        tokens: as the evidence has them.
        whole_words: the language's (:class:`sema.model.language.Language`); without it each token is a word.
    """

    def __init__(self, tokens: Sequence[str], whole_words: WholeWords | None) -> None:
        self._tokens = tokens
        spans = [(place, place + 1) for place in range(len(tokens))] if whole_words is None else whole_words(tokens)
        self._word = [number for number, (start, end) in enumerate(spans) for _ in range(start, end)]

    def runs(self, tokens: Iterable[int]) -> Iterator[list[int]]:
        """The tokens of given numbers, in their order, those that follow each other in one word together."""
        ordered = list(enumerate(tokens))
        for _, run in groupby(ordered, key=lambda pair: (self._word[pair[1]], pair[1] - pair[0])):
            yield [token for _, token in run]

    def words(self, tokens: Iterable[int] | None = None) -> list[str]:
        """The words of given tokens (default: all)."""
        return [self.text(run) for run in self.runs(range(len(self._tokens)) if tokens is None else tokens)]

    def text(self, run: Iterable[int]) -> str:
        """Tokens without spaces."""
        return "".join(self._tokens[token] for token in run)

    def line(self, tokens: Iterable[int] | None = None) -> str:
        """The words with spaces between."""
        return " ".join(self.words(tokens))
