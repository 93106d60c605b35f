"""What both texts of a pair state in different notation.

*2,500,000* is *2.5 million*, *the Eighth* is *VIII*, *WHO* its name in full, *unfair* is *not fair*.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from sema_reader.languages import shipped
from sema_reader.normalisation import Match
from sema_reader.quantities import alike
from sema_reader.reader import NetworkReader
from sema_wordnet import WordNetLexicon
from sema_wordnet.morphology import ADJECTIVE, ADVERB, VERB

from sema.model.reading import CrossEncoder
from sema.model.text import Text
from sema.runtime.threads import ThreadsOption
from sema_english.notation.measures import read_quantities
from sema_english.words import word_list

_SHORTEST = 2
"""The least number of letters of an initialism."""


def cross_encoder(*, threads: ThreadsOption = None) -> CrossEncoder:
    """Source and output in one pass; what both state in different notation is read in the source's."""
    return NetworkReader(shipped(), notation=matches, signatures=[_wordnet().signature], threads=threads)


@cache
def _wordnet() -> WordNetLexicon:
    return WordNetLexicon.english()


def matches(source: Text, output: Text) -> Iterator[Match]:
    """Numbers, initials and negations in two notations."""
    yield from alike(read_quantities(source), read_quantities(output))
    yield from map(_turned, _abbreviated(output, source))
    yield from _abbreviated(source, output)
    yield from _contracted(source, output)
    yield from map(_turned, _contracted(output, source))


def _turned(match: Match) -> Match:
    return match[1], match[0]


def _contracted(text: Text, other: Text) -> Iterator[Match]:
    """Every *not* of a text with a next word that has a negative prefix in the other text (*not fair*, *unfair*)."""
    prefixes = sorted(word_list("opposites", "negative prefixes"))
    places = {word.lower(): token for token, word in enumerate(other.words)}
    for token, (word, following) in enumerate(pairwise(text.words)):
        if word.lower() in ("not", "n't"):
            for prefixed in (prefix + following.lower() for prefix in prefixes):
                if prefixed in places and _negates(prefixed, following.lower()):
                    yield range(token, token + 2), range(places[prefixed], places[prefixed] + 1)


def _negates(prefixed: str, word: str) -> bool:
    """Whether the prefix negates a lower-cased word: it makes an adverb or adjective, not a verb from a verb."""
    if prefixed.removesuffix("ly") in word_list("opposites", "not negative"):
        return False
    made, parts = map(_wordnet().parts_of_speech, (prefixed, word))
    return not made.isdisjoint((ADJECTIVE, ADVERB)) and VERB not in made & parts


def _abbreviated(text: Text, other: Text) -> Iterator[Match]:
    """The initialisms of a text whose name stands in full in the other text.

    Names are looked up by their first two initials: a long text has too many to compare each with each.
    """
    between, times = word_list("names", "left out of initials"), word_list("names", "no names beside a number")
    starts: defaultdict[str, list[int]] = defaultdict(list)
    following = ""
    for start in reversed(range(len(other.words))):
        word = other.words[start]
        if len(word) >= _SHORTEST and word[0].isupper() and not word.isupper():
            starts[word[0] + following].append(start)
        following = following if word in between else word[0]
    known: dict[str, range | None] = {}
    for token, word in enumerate(text.words):
        letters = word.replace(".", "")
        if len(letters) < _SHORTEST or not letters.isalpha() or not letters.isupper():
            continue
        if letters in times and any(near[:1].isdecimal() for near in text.words[max(token - 1, 0) : token + 2]):
            continue
        if letters not in known:
            names = (_name(other.words, start, letters) for start in reversed(starts[letters[:_SHORTEST]]))
            known[letters] = next(filter(None, names), None)
        if name := known[letters]:
            yield range(token, token + 1), name


def _name(words: Sequence[str], start: int, letters: str) -> range | None:
    """The words from ``start`` on whose initials are these capital letters, with small words between them."""
    taken = 0
    for end in range(start, len(words)):
        if words[end][0] == letters[taken]:
            taken += 1
            if taken == len(letters):
                return range(start, end + 1)
        elif words[end] not in word_list("names", "left out of initials"):
            break
    return None
