"""Texts that are almost the same: what stands in place of what, and what was put in between."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from sema.metrics.meaning.contradictions import Contradiction
from sema_chinese.meaning.lists import word_list
from sema_chinese.meaning.reading import Reading
from sema_chinese.meaning.wording import common_words

ALMOST = 0.7
"""How alike two texts must be, character by character, for a word to be replaced in them."""
LONGEST = 1000
"""Characters beyond which texts are not compared so."""
PARTICLES = word_list("particles")
"""Words that come and go without a change of meaning."""
MEASURES = word_list("measure words")
TIED = 0.66
"""The probability from which a word counts as having a counterpart."""


@dataclass(frozen=True)
class Slot:
    """Tokens of either text between the same characters; one side may be empty."""

    source: tuple[int, ...]
    output: tuple[int, ...]


def compare(source: Reading, output: Reading) -> tuple[float, list[Slot]]:
    """How alike two texts are (``difflib``'s ratio), and where they differ, in whole tokens."""
    here, there = source.spelling, output.spelling
    if max(len(here.chars), len(there.chars)) > LONGEST:
        return 0.0, []
    matcher = SequenceMatcher(None, here.chars, there.chars, autojunk=False)
    slots: list[Slot] = []
    for what, begin, end, start, stop in matcher.get_opcodes():
        if what == "equal":
            continue
        mine, theirs = here.tokens(begin, end), there.tokens(start, stop)
        if slots and (set(mine) & set(slots[-1].source) or set(theirs) & set(slots[-1].output)):
            last = slots.pop()
            mine, theirs = [*last.source, *mine], [*last.output, *theirs]
        slots.append(Slot(tuple(dict.fromkeys(mine)), tuple(dict.fromkeys(theirs))))
    return matcher.ratio(), slots


def replaced(source: Reading, output: Reading) -> Iterator[Contradiction]:
    """Words of content in place of others, or put in, in texts that differ nowhere else.

    Somebody who simplifies a text changes more than one place.
    """
    alike, found = compare(source, output)
    slots = [slot for slot in found if not (_is_small(source, slot.source) and _is_small(output, slot.output))]
    if len(slots) != 1:
        return
    (slot,) = slots
    gone, new = _alone(source, slot.source), _alone(output, slot.output)
    if gone and new and alike >= ALMOST:
        said = f"replaced: {source.side.said(gone)} by {output.side.said(new)}"
        yield Contradiction(said, tuple(gone), tuple(new), slight=_plainer(source, gone, output, new))
    elif new and not source.content(slot.source):
        before = [t for t in source.content(range(len(source.plain))) if t < _behind(slot, source, output)]
        yield Contradiction(f"added: {output.side.said(new)}", tuple(before[-1:]), tuple(new))


def _is_small(reading: Reading, tokens: tuple[int, ...]) -> bool:
    """Whether some words are particles and measure words alone, which change with the word that they count."""
    return all(reading.plain[t] in PARTICLES or reading.plain[t] in MEASURES for t in tokens)


def each_for_the_other(source: Reading, output: Reading) -> Iterator[Contradiction]:
    """Two words that stand in each other's place throughout, in texts that are otherwise the same."""
    if len(source.plain) != len(output.plain):
        return
    places = [t for t, pair in enumerate(zip(source.plain, output.plain, strict=True)) if pair[0] != pair[1]]
    said = {(source.plain[t], output.plain[t]) for t in places}
    if len(said) == 2 and len({frozenset(pair) for pair in said}) == 1 and source.content(places):
        first, second = sorted(said)[0]
        yield Contradiction(f"role: {first!r} and {second!r} are exchanged", tuple(places), tuple(places))


def _behind(slot: Slot, source: Reading, output: Reading) -> int:
    """The place in the source where an output's words were put in: there the texts have been the same so far."""
    kept = sum(map(len, output.plain[: slot.output[0]]))
    return source.spelling.home[kept - 1] + 1 if 0 < kept <= len(source.spelling.home) else 1


def _plainer(source: Reading, gone: list[int], output: Reading, new: list[int]) -> bool:
    """Whether frequent words stand for rarer ones or for many: as likely a plainer way to say it as another thing."""
    known = common_words()
    if not all(output.plain[t] in known for t in new):
        return False
    return len(gone) > 2 * len(new) or not any(source.plain[t] in known for t in gone)


def _alone(reading: Reading, tokens: tuple[int, ...]) -> list[int]:
    """The words of content without a counterpart."""
    side = reading.side
    return [t for t in reading.content(tokens) if side.probabilities[t] < TIED]


def rearranged(source: Reading, output: Reading) -> Iterator[Contradiction]:
    """The same words in another order, where more than one phrase has moved.

    A phrase alone may stand anywhere (*in Berlin, they met*), and clauses may change places; *A v B* does not become
    *B v A* by one such move.
    """
    mine, theirs = _said(source), _said(output)
    if max(len(mine), len(theirs)) > LONGEST:
        return
    here, there = Counter(word for _, word in mine), Counter(word for _, word in theirs)
    if (here - there).total() + (there - here).total() > 2:
        return
    mine = [(t, word) for t, word in mine if word in there]
    theirs = [(t, word) for t, word in theirs if word in here]
    while mine and theirs and mine[0][1] == theirs[0][1]:
        mine, theirs = mine[1:], theirs[1:]
    while mine and theirs and mine[-1][1] == theirs[-1][1]:
        mine, theirs = mine[:-1], theirs[:-1]
    words, others = [word for _, word in mine], [word for _, word in theirs]
    if not words or any(words[k:] + words[:k] == others for k in range(len(words))):
        return
    if _clauses(source) == _clauses(output):
        return
    first, last = source.content([t for t, _ in mine]), output.content([t for t, _ in theirs])
    if first and last:
        said = f"role: {output.side.said(last)} in another order"
        yield Contradiction(said, tuple(first), tuple(last))


def _said(reading: Reading) -> list[tuple[int, str]]:
    """The characters without marks and particles, with their tokens."""
    plain = reading.plain
    return [
        (t, char)
        for t, word in enumerate(plain)
        if not reading.side.punctuation[t] and word not in PARTICLES
        for char in word
    ]


def _clauses(reading: Reading) -> Counter[str]:
    return Counter("".join(reading.plain[t] for t in clause) for clause in reading.spelling.clauses)
