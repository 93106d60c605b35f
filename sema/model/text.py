"""Text: tokens with character offsets, sentences and the segmenter protocol; escapes and punctuation.

Other modules use token indexes; only this one uses characters. Offsets are Python string indexes into
``Text.raw`` (half-open, code points), so that evidence can be shown in the user's own text.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from math import inf
from typing import Protocol, runtime_checkable

from sema.runtime.caching import remembered
from sema.runtime.forks import cached_property


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its normalized ``text``, and its characters ``start:end`` in the raw text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Text:
    """A segmented text: ``tokens`` and ``sentences``, the latter as half-open token ranges that cover all tokens."""

    raw: str
    tokens: tuple[Token, ...]
    sentences: tuple[tuple[int, int], ...]

    def __hash__(self) -> int:
        return hash((self.raw, self.sentences))  # texts are keys of caches, and tokens are slow to hash

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The tokens' texts, in order."""
        return tuple(token.text for token in self.tokens)

    @cached_property
    def sentence_words(self) -> tuple[tuple[str, ...], ...]:
        """The tokens' texts, sentence by sentence."""
        return tuple(self.words[start:end] for start, end in self.sentences)

    def without(self, tokens: Collection[int]) -> Text:
        """The text without some of its tokens."""
        left = [token for token in range(len(self.tokens)) if token not in tokens]
        before = [bisect_left(left, place) for span in self.sentences for place in span]
        spans = tuple((start, end) for start, end in zip(before[::2], before[1::2], strict=True) if start < end)
        return replace(self, tokens=tuple(self.tokens[token] for token in left), sentences=spans) if tokens else self

    @classmethod
    def from_sentences(cls, sentences: Iterable[Iterable[str]]) -> Text:
        """Build a text from tokenized sentences; ``raw`` is the tokens joined by single spaces."""
        tokens: list[Token] = []
        spans: list[tuple[int, int]] = []
        position = 0
        for words in sentences:
            first = len(tokens)
            for word in words:
                tokens.append(Token(word, position, position + len(word)))
                position += len(word) + 1
            if len(tokens) > first:
                spans.append((first, len(tokens)))
        return cls(" ".join(token.text for token in tokens), tuple(tokens), tuple(spans))

    @classmethod
    def from_tokenized(cls, *lines: str) -> Text:
        """Build a text from lines, each a sentence whose tokens are separated by spaces, tabs or line ends.

        The tokens are kept as given: other blanks, such as no-break spaces, are part of them, but alone no token.
        """
        return cls.from_sentences(filter(str.strip, re.split("[ \t\r\n]+", line)) for line in lines)


INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
"""Soft hyphens, zero-width spaces, byte order marks, marks of direction and of a character's variant, as ranges.

Joiners and non-joiners are spelling in Persian and in the scripts of India, and are no part of it.
"""
UNSEEN = re.compile(f"[{INVISIBLE}]")


def canonical(text: str) -> str:
    """The text in Unicode's composed form (NFC): a letter and its accents are one character where possible."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


class Signed(Protocol):
    """A component that scores depend on: its signature is part of theirs."""

    @property
    def signature(self) -> str:
        """Name, version and options, and the digest of a model."""


@runtime_checkable
class Segmenter(Signed, Protocol):
    """Splits raw text into sentences and tokens."""

    def segment(self, texts: Sequence[str]) -> list[Text]:
        """Segment each text; whitespace alone gives a ``Text`` without tokens. Offsets point into the text as given."""


BRACKETS = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}",
    "-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}",
}  # fmt: skip
"""Penn Treebank's names of brackets."""

SIGNS = {**BRACKETS, "``": '"', "''": '"', "@-@": "-", "@,@": ",", "@.@": "."}
"""Penn Treebank's and Moses's names of signs, as tokens of their own."""

ENTITIES = {
    "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&bar;": "|",
    "&#34;": '"', "&#39;": "'", "&#91;": "[", "&#93;": "]", "&#124;": "|",
}  # fmt: skip
"""The character entities that Moses's tokenizer writes, inside tokens too."""

ENTITY = re.compile("|".join(map(re.escape, ENTITIES)))


def unescaped(token: str) -> str:
    """The token without escapes: ``-LRB-`` is ``(``, ``&apos;s`` is ``'s``."""
    if "&" in token:
        return ENTITY.sub(lambda match: ENTITIES[match.group()], token)
    return SIGNS.get(token, token)


def spelled(tokens: Sequence[Token]) -> list[str]:
    """The tokens without escapes, in order, each with a space before it where there is a gap between two."""
    ends = (inf, *(token.end for token in tokens))
    return [" " * (end < token.start) + unescaped(token.text) for end, token in zip(ends, tokens, strict=False)]


CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, line separators, direction marks and surrogates."""


def visible(text: str) -> str:
    """The text with control characters (line ends too) and changes of direction as escapes, which no terminal obeys."""
    return CONTROLS.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


_MEANINGFUL_SIGNS = frozenset("%&@#％＆＠＃﹪")
_PUNCTUATION_TOKENS = BRACKETS.keys() | {
    "&quot;", "&apos;", "&#91;", "&#93;", "&#124;", "&bar;", "@-@", "<<", ">>",
}  # fmt: skip


@remembered
def is_punctuation(word: str) -> bool:
    """Whether a token holds no letter, digit or symbol that can carry meaning (``$ % + =`` and emoji do).

    Quotes and accents typed as separate characters, ``|``, ``~``, rules such as ``====`` and the escapes of
    Penn Treebank and Moses (``-LRB-``, ``&quot;``) are punctuation too.
    """
    if word in _PUNCTUATION_TOKENS or (len(word) > 2 and word == word[0] * len(word) and word[0] in "=<>+"):
        return True
    return bool(word) and all(map(_is_mark, word))


def _is_mark(char: str) -> bool:
    """Whether a character is punctuation, a space or a control character, or a separate accent."""
    category = unicodedata.category(char)
    return char in "|~" or ((category[0] in "PZC" or category == "Sk") and char not in _MEANINGFUL_SIGNS)


def begins_word(text: Text, token: int) -> bool:
    """Whether a word begins at a token that is not the first.

    So it does after a blank, beside punctuation, and, in languages without blanks, between tokens of several letters.
    """
    before, after = text.tokens[token - 1 : token + 1]
    beside = is_punctuation(before.text) or is_punctuation(after.text)
    return before.end < after.start or beside or min(len(before.text), len(after.text)) > 1


OPENINGS = dict(zip(")]}）】〕》〉」』", "([{（【〔《〈「『", strict=True))
"""The bracket that each closing bracket closes."""
QUOTES = {mark: kind for kind, marks in (('"', ('"', "``", "''", *"“”„‟«»")), ("'", "‘’‚‹›")) for mark in marks}
"""The quotation marks, and whether each is a double or a single one."""
_SHAPES = {
    **dict.fromkeys(("``", *"“„‟«‘‚‹", *OPENINGS.values()), 1),
    **dict.fromkeys(("''", *"”»’›", *OPENINGS), -1),
}
"""Whether a mark opens or closes, by its shape."""


def _role(text: Text, token: int) -> tuple[str, int]:
    """The kind of bracket or quotation that a mark belongs to, and whether it opens (1) or closes (-1) it, if known.

    A quotation mark with a gap before it alone opens, and one with a gap or a mark behind it alone closes (»so«,
    „so“); any other has its role by its shape.
    """
    word = text.words[token]
    if word not in QUOTES:
        return OPENINGS.get(word, word), _SHAPES.get(word, 0)
    near = text.tokens[max(0, token - 1) : token + 2]
    begins = token == 0 or near[0].end < text.tokens[token].start
    ends = token + 1 == len(text.tokens) or text.tokens[token].end < near[-1].start
    ends = ends or (is_punctuation(near[-1].text) and _SHAPES.get(near[-1].text, -1) < 0)
    return QUOTES[word], begins - ends or _SHAPES.get(word, 0)


def closed(text: Text, run: Sequence[int]) -> tuple[int, ...]:
    """A run without punctuation at its ends, but with the other mark of each bracket or quotation that its ends cut."""
    places = [place for place, token in enumerate(run) if not is_punctuation(text.words[token])]
    if not places:
        return ()
    tokens = [*run[places[0] : places[-1] + 1]]
    unclosed: list[str] = []
    unopened: list[str] = []
    for token in tokens:
        kind, role = _role(text, token)
        if kind in unclosed and role < 1:
            unclosed.remove(kind)
        elif role < 0:
            unopened.append(kind)
        elif role > 0 or kind in QUOTES:
            unclosed.append(kind)
    for step, around, cut in (
        (1, range(tokens[-1] + 1, len(text.words)), unclosed),
        (-1, range(tokens[0] - 1, -1, -1), unopened),
    ):
        for token in takewhile(lambda token: is_punctuation(text.words[token]), around):
            kind, role = _role(text, token)
            if role == step:
                break
            if kind in cut:
                cut.remove(kind)
                tokens += range(around.start, token + step, step)
                around = range(token + step, around.stop, step)
    return tuple(sorted(tokens))
