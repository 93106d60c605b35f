"""An English text as the readers of facts see it: content words, base forms, neighbours, negation."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from sema.meaning import kinds
from sema.model.lexicon import Lexicon
from sema.model.text import Text, is_punctuation
from sema.runtime.caching import remembered
from sema.runtime.forks import cached_property
from sema_english.listed import word_list
from sema_english.relations import FUNCTION_WORDS, LIGHT_WORDS

_BREAKS = frozenset(";:()[]") | {"--", "–", "—"}
"""Marks between statements about different things."""
_NEGATED = 4
"""The number of tokens behind a negation that it can negate."""


class Words:
    """A text's words with the properties that readers need."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.words = text.words
        self.lower = tuple(word.lower() for word in text.words)

    @cached_property
    def content(self) -> tuple[bool, ...]:
        """For each token whether it is a content word: no function word, pronoun or punctuation."""
        return tuple(is_content(word) for word in self.lower)

    @cached_property
    def sentence(self) -> tuple[tuple[int, int], ...]:
        """For each token its sentence, as a half-open range of tokens."""
        return tuple(span for span in self.text.sentences for _ in range(*span))

    def at(self, token: int) -> str:
        """The word at a token, in lower case; empty outside the text."""
        return self.lower[token] if 0 <= token < len(self.lower) else ""

    def glued(self, token: int) -> bool:
        """Whether no space separates a token from the next."""
        tokens = self.text.tokens
        return 0 <= token < len(tokens) - 1 and tokens[token].end == tokens[token + 1].start

    def before(self, token: int, reach: int) -> range:
        """The tokens before one in its sentence, the nearest first."""
        return range(token - 1, max(self.sentence[token][0], token - reach) - 1, -1)

    def near(self, tokens: Collection[int], before: int = 1, after: int = 2) -> tuple[int, ...]:
        """The content words next to some tokens, in their sentence and between the same marks."""
        backward, forward = self._steps
        near_tokens = []
        for steps, token, most in ((backward, min(tokens), before), (forward, max(tokens), after)):
            for _ in range(most):
                token = steps[token]
                if token < 0:
                    break
                near_tokens.append(token)
        return tuple(near_tokens)

    @cached_property
    def _steps(self) -> tuple[list[int], list[int]]:
        """For each token the content word before it and the one after it, or -1."""
        return self._walk(range(len(self.words))), self._walk(range(len(self.words) - 1, -1, -1))

    def _walk(self, tokens: Sequence[int]) -> list[int]:
        ends = [-1] * len(tokens)
        last, home = -1, (-1, -1)
        for token in tokens:
            if self.sentence[token] != home or self.words[token] in _BREAKS:
                last, home = -1, self.sentence[token]
            ends[token] = last
            if self.content[token]:
                last = token
        return ends

    def negated(self, token: int) -> bool:
        """Whether an odd number of negations precedes a word, near enough to negate it."""
        negations = 0
        for place in self.before(token, _NEGATED):
            word, following = self.lower[place], self.at(place + 1)
            if word in _BREAKS or word == ",":
                break
            negations += word in word_list("negation", "negators") and following not in word_list(
                "negation", "limiting"
            )
            negations += word in word_list("negation", "negating before to") and following == "to"
        return negations % 2 == 1


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


@remembered
def is_content(word: str) -> bool:
    """Whether a lower-cased word is a content word."""
    return word not in FUNCTION_WORDS and word not in LIGHT_WORDS and not is_punctuation(word)


def negates_by_prefix(longer: str, shorter: str) -> bool:
    """Whether a lower-cased word is another one with a negative prefix (*unfair*, *fair*)."""
    stem = longer.removesuffix(shorter)
    return stem in word_list("opposites", "negative prefixes") and longer not in word_list("opposites", "not negative")


class Bases:
    """The base forms of words, from a lexicon; an unknown word is its own base form."""

    def __init__(self, lexicon: Lexicon | None) -> None:
        self.lexicon = lexicon
        self.of = remembered(self._of)

    def _of(self, word: str) -> frozenset[str]:
        own = frozenset([word.lower()])
        if self.lexicon is None or own <= word_list("opposites", "homographs"):
            return own
        return own | self.lexicon.lemmas(word)
