"""Rewrites an output for the reader of pairs: what both texts state in different notation is put in the source's.

*2,500,000* is read as *2.5 million*, *the Eighth* as *VIII*, *WHO* in full, *unfair* as *not fair*. A network of word
pieces sees two different strings in these; that they mean the same is a matter of notation, not of judgement.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from sema.model.text import Text, Token
from sema_english.listed import word_list
from sema_english.meaning.quantities import COUNT, ORDINAL, SHARE, read_quantities
from sema_english.meaning.words import negates_by_prefix

_EXACT = (COUNT, ORDINAL, SHARE)
_SHORTEST = 2
"""The least number of letters of an initialism."""
Match = tuple[range, range]
"""Tokens of the source and of the output that state the same."""


@dataclass(frozen=True)
class Restated:
    """A rewritten output.

    Attributes:
        text: the rewritten text.
        owners: for each of its tokens the token of the output that it replaces.
        followers: tokens of the output that nothing replaces, each with the token whose reading it takes over.
    """

    text: Text
    owners: tuple[int, ...]
    followers: tuple[tuple[int, int], ...]

    def spread(self, chances: Sequence[float]) -> tuple[float, ...]:
        """The reading of each token of the output: the least of the words that replace it."""
        found = [1.0] * (1 + max((*self.owners, *(token for token, _ in self.followers))))
        for owner, chance in zip(self.owners, chances, strict=True):
            found[owner] = min(found[owner], chance)
        for token, speaker in self.followers:
            found[token] = found[speaker]
        return tuple(found)


def restated(source: Text, output: Text) -> Restated | None:
    """The rewritten output; ``None`` if there is nothing to rewrite."""
    found = {
        there.start: (there.stop, source.words[here.start : here.stop]) for here, there in _matches(source, output)
    }
    if not found:
        return None
    tokens: list[Token] = []
    owners: list[int] = []
    followers: list[tuple[int, int]] = []
    place = 0
    for start, (end, words) in sorted(found.items()):
        if start < place:
            continue
        tokens += output.tokens[place:start]
        owners += range(place, start)
        where = output.tokens[start]
        # Gaps between the words: adjacent ones would be cut into pieces as one word.
        tokens += [Token(word, where.start + 2 * n, where.start + 2 * n + 1) for n, word in enumerate(words)]
        owners += [start + min(n, end - 1 - start) for n in range(len(words))]
        followers += [(token, start + len(words) - 1) for token in range(start + len(words), end)]
        place = end
    tokens += output.tokens[place:]
    owners += range(place, len(output.tokens))
    ends = [bisect_left(owners, end) for _, end in output.sentences]
    spans = tuple(zip([0, *ends[:-1]], ends, strict=True))
    return Restated(Text(output.raw, tuple(tokens), spans), tuple(owners), tuple(followers))


def _matches(source: Text, output: Text) -> Iterator[Match]:
    there = {word.lower() for word in source.words}
    for here, other in (*_numbers(source, output), *_initials(source, output), *_prefixed(source, output)):
        if not all(output.words[token].lower() in there for token in other):
            yield here, other


def _numbers(source: Text, output: Text) -> Iterator[Match]:
    known = {
        (found.quantity.number, found.quantity.aspect): run
        for found in read_quantities(source)
        if found.quantity.aspect in _EXACT and (run := _run(found.tokens))
    }
    for found in read_quantities(output):
        here, run = known.get((found.quantity.number, found.quantity.aspect)), _run(found.tokens)
        if here and run:
            yield here, run


def _run(tokens: Sequence[int]) -> range | None:
    """The tokens as a range, if nothing stands between them."""
    run = range(min(tokens), max(tokens) + 1)
    return run if len(run) == len(tokens) else None


def _prefixed(source: Text, output: Text) -> Iterator[Match]:
    """A negated word on one side (*not fair*), the word with a negative prefix on the other (*unfair*)."""
    for token, other in _contracted(source, output):
        yield range(token, token + 2), range(other, other + 1)
    for other, token in _contracted(output, source):
        yield range(token, token + 1), range(other, other + 2)


def _contracted(text: Text, other: Text) -> Iterator[tuple[int, int]]:
    """Every *not* of a text whose next word stands in the other text with a negative prefix, and where."""
    prefixes = sorted(word_list("opposites", "negative prefixes"))
    places = {word.lower(): token for token, word in enumerate(other.words)}
    for token, (word, following) in enumerate(pairwise(text.words)):
        if word.lower() in ("not", "n't"):
            for prefixed in (prefix + following.lower() for prefix in prefixes):
                if prefixed in places and negates_by_prefix(prefixed, following.lower()):
                    yield token, places[prefixed]


def _initials(source: Text, output: Text) -> Iterator[Match]:
    """A name in full on one side, its initials on the other."""
    name = _Names(source).of
    for token, letters in _initialisms(output):
        if found := name(letters):
            yield found, range(token, token + 1)
    name = _Names(output).of
    for token, letters in _initialisms(source):
        if found := name(letters):
            yield range(token, token + 1), found


def _initialisms(text: Text) -> Iterator[tuple[int, str]]:
    for token, word in enumerate(text.words):
        letters = word.replace(".", "")
        if len(letters) >= _SHORTEST and letters.isalpha() and letters.isupper():
            yield token, letters


class _Names:
    """The names of a text by their initials."""

    def __init__(self, text: Text) -> None:
        self._words = text.words
        self._known: dict[str, range | None] = {}

    def of(self, letters: str) -> range | None:
        """The words that begin with some letters, capitals all."""
        if letters not in self._known:
            found = (self._from(start, letters) for start in self._starts.get(letters[0], ()))
            self._known[letters] = next(filter(None, found), None)
        return self._known[letters]

    @cached_property
    def _starts(self) -> dict[str, list[int]]:
        """The places of words that a name may begin with, by their first letter."""
        found: dict[str, list[int]] = {}
        for start, word in enumerate(self._words):
            if len(word) >= _SHORTEST and word[0].isupper() and not word.isupper():
                found.setdefault(word[0], []).append(start)
        return found

    def _from(self, start: int, letters: str) -> range | None:
        taken = 0
        for end in range(start, len(self._words)):
            if self._words[end][0] == letters[taken]:
                taken += 1
                if taken == len(letters):
                    return range(start, end + 1)
            elif self._words[end] not in word_list("names", "left out of initials"):
                break
        return None
