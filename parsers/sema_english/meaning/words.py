"""An English text as readers of facts see it: base forms, words of content, what stands near."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property, lru_cache

from sema.model.lexicon import Lexicon
from sema.model.text import Text, is_punctuation
from sema_english.listed import word_list
from sema_english.relations import FUNCTION_WORDS, LIGHT_WORDS
from sema_english.words import DETERMINERS, PREPOSITIONS

_BREAKS = frozenset(";:()[]") | {"--", "–", "—"}
"""Marks beyond which words are about something else."""
_RELATING = PREPOSITIONS | word_list("closed_classes", "other_prepositions")
_PHRASE = 3
"""Tokens before a word within which its preposition stands."""


class Words:
    """A text's words with what readers ask about them."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.words = text.words
        self.lower = tuple(word.lower() for word in text.words)

    @cached_property
    def content(self) -> tuple[bool, ...]:
        """For each token whether it is a word of content: no function word, pronoun or mark."""
        return tuple(is_content(word) for word in self.lower)

    @cached_property
    def sentence(self) -> tuple[tuple[int, int], ...]:
        """For each token its sentence, as a half-open range of tokens."""
        return tuple(span for span in self.text.sentences for _ in range(*span))

    def glued(self, token: int) -> bool:
        """Whether no space stands between a token and the next."""
        tokens = self.text.tokens
        return 0 <= token < len(tokens) - 1 and tokens[token].end == tokens[token + 1].start

    def near(self, tokens: Collection[int], before: int = 1, after: int = 2) -> tuple[int, ...]:
        """The words of content next to some tokens, in their sentence and between the same marks."""
        backward, forward = self._steps
        found = []
        for steps, token, most in ((backward, min(tokens), before), (forward, max(tokens), after)):
            for _ in range(most):
                token = steps[token]
                if token < 0:
                    break
                found.append(token)
        return tuple(found)

    @cached_property
    def _steps(self) -> tuple[list[int], list[int]]:
        """For each token the word of content before it and the one behind it, or -1."""
        return self._walk(range(len(self.words))), self._walk(range(len(self.words) - 1, -1, -1))

    def _walk(self, tokens: Sequence[int]) -> list[int]:
        found = [-1] * len(tokens)
        last, home = -1, (-1, -1)
        for token in tokens:
            if self.sentence[token] != home or self.words[token] in _BREAKS:
                last, home = -1, self.sentence[token]
            found[token] = last
            if self.content[token]:
                last = token
        return found

    def preposition(self, token: int) -> str:
        """The preposition that the phrase of a token begins with, at most a few words before it; else nothing."""
        start = self.sentence[token][0]
        for place in range(token - 1, max(start, token - _PHRASE) - 1, -1):
            if self.lower[place] in _RELATING:
                return self.lower[place]
            if self.lower[place] not in DETERMINERS and not (place == token - 1 and self.content[place]):
                break
        return ""

    def phrase_at(self, token: int, phrases: Collection[tuple[str, ...]], longest: int) -> int:
        """How many tokens from one on make the longest of some phrases (lower case); 0 if none do."""
        for length in range(min(longest, len(self.lower) - token), 0, -1):
            if self.lower[token : token + length] in phrases:
                return length
        return 0


@lru_cache(64)
def read_words(text: Text) -> Words:
    """The words of a text, read once for all readers."""
    return Words(text)


@lru_cache(1 << 14)
def is_content(word: str) -> bool:
    """Whether a lower-cased word has content of its own."""
    return word not in FUNCTION_WORDS and word not in LIGHT_WORDS and not is_punctuation(word)


_NO_FORMS = frozenset(["lasts", "lasted", "lasting"])
"""Forms of a verb that is spelt like another word, whose opposites it does not share."""


class Bases:
    """The base forms of words, from a lexicon; a word that it does not know is its own."""

    def __init__(self, lexicon: Lexicon | None) -> None:
        self.lexicon = lexicon
        self.of = lru_cache(1 << 15)(self._of)

    def _of(self, word: str) -> frozenset[str]:
        if word.lower() in _NO_FORMS:
            return frozenset([word.lower()])
        known = frozenset[str]() if self.lexicon is None else self.lexicon.lemmas(word)
        return known | {word.lower()}

    def __reduce__(self) -> tuple[type[Bases], tuple[Lexicon | None]]:
        return type(self), (self.lexicon,)
