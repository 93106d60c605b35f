"""A Chinese text as the readers of facts see it: spelling, clauses, content words, neighbours."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache, partial

from sema.meaning import kinds
from sema.model.text import Text, is_punctuation
from sema.runtime.caching import remembered
from sema.runtime.forks import cached_property
from sema_chinese.listed import table
from sema_chinese.relations import FUNCTION_WORDS, spell
from sema_chinese.spelling import Spelling


class Words:
    """A text's words with the properties that readers need."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.spelling = Spelling(text.words, tuple(text.sentences))
        self.plain = self.spelling.plain

    @cached_property
    def content(self) -> tuple[bool, ...]:
        """For each token whether it is a content word: no function word, pronoun or punctuation."""
        return tuple(is_content(word) for word in self.plain)

    def among(self, tokens: Sequence[int] | range) -> tuple[int, ...]:
        """The content words among some tokens."""
        return tuple(token for token in tokens if self.content[token])

    def near(self, tokens: Collection[int], reach: int = 2) -> tuple[int, ...]:
        """The nearest content words on both sides of some tokens, in their sentence."""
        first, last = min(tokens), max(tokens)
        begin, end = self.sentence(first)
        before = self.among(range(max(begin, first - 4 * reach), first))[-reach:]
        return (*before, *self.among(range(last + 1, min(end, last + 1 + 4 * reach)))[:reach])

    def sentence(self, token: int) -> tuple[int, int]:
        """The sentence of a token, as a half-open range of tokens."""
        return next((span for span in self.spelling.sentences if span[0] <= token < span[1]), (token, token + 1))

    def clause(self, token: int) -> range:
        """The clause of a token; a mark between two clauses is its own clause."""
        return self.spelling.clause_of.get(token, range(token, token + 1))

    def places(self, words: Collection[str]) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The listed words in a text with their tokens, the longest at each place, however the text is segmented.

        Both edges of a listed word are edges of tokens.
        """
        spelling, edges = self.spelling, set(self.spelling.starts)
        longest = max(map(len, words), default=0)
        at = 0
        while at < len(spelling.chars):
            ends = range(min(at + longest, len(spelling.chars)), at, -1) if at in edges else ()
            end = next((end for end in ends if end in edges and spelling.chars[at:end] in words), None)
            if end is not None:
                yield spelling.chars[at:end], tuple(spelling.tokens(at, end))
            at = at + 1 if end is None else end


READ = 1_000
"""Bytes that a word takes with what readers find in it."""


@partial(remembered, size=lambda text, _: READ * len(text.tokens))
def read_words(text: Text) -> Words:
    """The words of a text, read once for all readers."""
    return Words(text)


class WordFacts(kinds.WordFacts[Words]):
    """A reader of facts that needs no Scenes."""

    def read(self, text: Text) -> Words:
        """The words of a text."""
        return read_words(text)


@cache
def function_words() -> frozenset[str]:
    """Function words, in simplified script: function words, pronouns, particles and measure words."""
    return FUNCTION_WORDS.union(*table("closed_classes").values())


class FunctionWords(Collection[str]):
    """Function words in either script."""

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and spell(word, numerals=False) in function_words()

    def __iter__(self) -> Iterator[str]:
        return iter(function_words())

    def __len__(self) -> int:
        return len(function_words())


def is_content(word: str) -> bool:
    """Whether a word, as spelt, is neither a function word nor punctuation."""
    return word not in function_words() and not is_punctuation(word)
