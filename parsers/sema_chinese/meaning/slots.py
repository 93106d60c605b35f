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

ALMOST = 0.8
"""How alike two texts must be, character by character, for single words to be replaced in them."""
FEW = 1
"""Places in which such texts may differ: somebody who simplifies a text changes more than one."""
LONGEST = 1000
"""Characters beyond which texts are not compared so."""
PARTICLES = word_list("particles")
"""Words that come and go without a change of meaning."""
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
    """Words of content in a place of others, or put in, in texts that are otherwise the same."""
    alike, slots = compare(source, output)
    if alike < ALMOST or len(slots) > FEW:
        return
    for slot in slots:
        gone = _alone(source, slot.source)
        new = _alone(output, slot.output)
        if gone and new:
            said = f"replaced: {source.side.said(gone)} by {output.side.said(new)}"
            yield Contradiction(said, tuple(gone), tuple(new), slight=_plainer(source, gone, output, new))
        elif new:
            yield Contradiction(f"added: {output.side.said(new)}", (), tuple(new))


def _plainer(source: Reading, gone: list[int], output: Reading, new: list[int]) -> bool:
    """Whether frequent words stand for rarer ones: as likely a plainer way to say it as another thing said."""
    known = common_words()
    return all(output.plain[t] in known for t in new) and any(source.plain[t] not in known for t in gone)


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
