"""Rewrites an output for the reader of pairs: what both texts state in different notation is put in the source's.

*2,500,000* is read as *2.5 million*, *the Eighth* as *VIII*, *WHO* in full, *unfair* as *not fair*. A network of word
pieces sees two different strings in these; that they mean the same is a matter of notation, not of judgement.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
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
class Normalised:
    """A rewritten output, and for each token of the output the rewritten tokens that stand for it."""

    text: Text
    places: tuple[range, ...]

    def spread(self, chances: Sequence[float]) -> tuple[float, ...]:
        """The reading of each token of the output: the least of the tokens that stand for it."""
        return tuple(min(chances[place] for place in places) for places in self.places)


def normalised(source: Text, output: Text) -> Normalised | None:
    """The rewritten output; ``None`` if there is nothing to rewrite."""
    found = {new.start: (new.stop, source.words[old.start : old.stop]) for old, new in _matches(source, output)}
    if not found:
        return None
    tokens: list[Token] = []
    places: list[range] = []
    while len(places) < len(output.tokens):
        token, at = len(places), len(tokens)
        if token not in found:
            tokens.append(output.tokens[token])
            places.append(range(at, at + 1))
            continue
        end, words = found[token]
        start, last = output.tokens[token].start, len(words) - 1
        # Gaps between the words: adjacent ones would be cut into pieces as one word.
        tokens += [Token(word, start + 2 * n, start + 2 * n + 1) for n, word in enumerate(words)]
        # One word for each token; the last token has the rest, tokens without a word share the last one.
        places += [range(at + min(n, last), at + min(n, last) + 1) for n in range(end - token)]
        places[-1] = range(places[-1].start, at + last + 1)
    ends = [places[end - 1].stop for _, end in output.sentences]
    return Normalised(Text(output.raw, tuple(tokens), tuple(pairwise([0, *ends]))), tuple(places))


def _matches(source: Text, output: Text) -> Iterator[Match]:
    known = {word.lower() for word in source.words}
    for old, new in (*_numbers(source, output), *_initials(source, output), *_prefixed(source, output)):
        if not all(output.words[token].lower() in known for token in new):
            yield old, new


def _numbers(source: Text, output: Text) -> Iterator[Match]:
    known = {
        (found.quantity.number, found.quantity.aspect): run
        for found in read_quantities(source)
        if found.quantity.aspect in _EXACT and (run := _run(found.tokens))
    }
    for found in read_quantities(output):
        old, run = known.get((found.quantity.number, found.quantity.aspect)), _run(found.tokens)
        if old and run:
            yield old, run


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
    for token, name in _abbreviated(output, source):
        yield name, range(token, token + 1)
    for token, name in _abbreviated(source, output):
        yield range(token, token + 1), name


def _abbreviated(text: Text, other: Text) -> Iterator[tuple[int, range]]:
    """The initialisms of a text whose name stands in full in the other text, and where."""
    starts: defaultdict[str, list[int]] = defaultdict(list)
    for start, word in enumerate(other.words):
        if len(word) >= _SHORTEST and word[0].isupper() and not word.isupper():
            starts[word[0]].append(start)
    known: dict[str, range | None] = {}
    for token, word in enumerate(text.words):
        letters = word.replace(".", "")
        if len(letters) < _SHORTEST or not letters.isalpha() or not letters.isupper():
            continue
        if letters not in known:
            names = (_name(other.words, start, letters) for start in starts[letters[0]])
            known[letters] = next(filter(None, names), None)
        if name := known[letters]:
            yield token, name


def _name(words: Sequence[str], start: int, letters: str) -> range | None:
    """The words from a place on that begin with some letters, capitals all."""
    taken = 0
    for end in range(start, len(words)):
        if words[end][0] == letters[taken]:
            taken += 1
            if taken == len(letters):
                return range(start, end + 1)
        elif words[end] not in word_list("names", "left out of initials"):
            break
    return None
