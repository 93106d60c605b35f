"""Places of two texts: words in place of others, and words around a place that both have."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from sema.metrics.meaning.words import Side

LONGEST_SLOT = 8
"""Tokens that may stand in place of each other."""
MAX_WORDS = 1000
VERBATIM, ALMOST = 0.5, 0.8
"""How alike two texts must be, word by word, for places to be compared (``difflib``'s ratio)."""
STOPS = frozenset(".!?;:。！？；：")
"""Marks beyond which nothing is said about the same thing."""


@dataclass(frozen=True)
class Slot:
    """Words of the output that stand where words of the source stood: the words on either side are the same."""

    source: tuple[int, ...]
    output: tuple[int, ...]
    almost: bool
    """Whether the texts are almost the same: then a word was replaced on its own, not in a sentence written anew."""


def find_slots(source: Side, output: Side) -> list[Slot]:
    """The places where one text has other words than the other between the same words."""
    words = matcher(source, output)
    alike = words.ratio()
    if alike < VERBATIM:
        return []
    return [
        Slot(
            tuple(t for t in range(begin, end) if not source.punctuation[t]),
            tuple(t for t in range(start, stop) if not output.punctuation[t]),
            alike >= ALMOST,
        )
        for what, begin, end, start, stop in words.get_opcodes()
        if what == "replace" and end - begin <= LONGEST_SLOT and stop - start <= LONGEST_SLOT
    ]


def how_alike(source: Side, output: Side) -> float:
    """How much of both texts stands in the other word by word, in order (``difflib``'s ratio, 0 to 1)."""
    return matcher(source, output).ratio()


def matcher(source: Side, output: Side) -> SequenceMatcher[str]:
    """Both texts word by word, in lower case; made once for all that ask about a pair."""
    return _matcher(tuple(source.lower), tuple(output.lower))


@lru_cache(maxsize=8)
def _matcher(source: tuple[str, ...], output: tuple[str, ...]) -> SequenceMatcher[str]:
    return SequenceMatcher(None, source, output, autojunk=False)


def of_same(token: int, other: int, source: Side, output: Side, *, around: bool = False) -> bool:
    """Whether two words are about the same: one of the next two words of content is linked to one of the next two.

    In a sentence written anew it is the next one alone. ``around`` asks for it in front of them as an alternative.
    """
    reach = 2 if how_alike(source, output) >= VERBATIM else 1
    return any(
        any(int(source.partners[t]) in there for t in here)
        for here, there in zip(beyond(source, token, reach, around), beyond(output, other, reach, around), strict=True)
    )


def beyond(side: Side, token: int, reach: int, around: bool) -> list[list[int]]:
    """So many words of content behind a word, and if wanted as many before it, of its sentence."""
    begin = next((t for t in range(token, -1, -1) if side.words[t] in STOPS), -1)
    end = next((t for t in range(token, len(side.words)) if side.words[t] in STOPS), len(side.words))
    content = [t for t in range(begin + 1, end) if not side.weak[t]]
    found = [[t for t in content if t > token][:reach]]
    return [*found, [t for t in content if t < token][-reach:]] if around else found
