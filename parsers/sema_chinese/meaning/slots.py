"""Texts that are almost the same: what stands in place of what, and what was put in between."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from sema.meaning.views import SceneView
from sema.metrics.meaning.contradictions import Contradiction
from sema_chinese.meaning.lists import word_list
from sema_chinese.meaning.reading import Reading
from sema_chinese.meaning.said import are_opposed
from sema_chinese.meaning.wording import common_words

ALMOST = 0.7
"""How alike two texts must be, character by character, for a word to be replaced in them."""
LONGEST = 1000
"""Characters beyond which texts are not compared so."""
PARTICLES = word_list("particles")
"""Words that come and go without a change of meaning."""
MEASURES = word_list("measure words")
CONSTRUCTIONS = frozenset("把将被由对向给让使比")
"""Words that put a statement another way: where one of them is gone or new, other words stand in another order."""
EQUATING = "是"
LISTING = re.compile("[、和与及或是]")
"""What joins phrases that may stand in any order."""
ONESELF, OTHERS = "自己", frozenset(["其", "他", "她", "它", "他们", "她们", "它们", "该", "对方"])
PHRASE, IDIOM = 6, 4
"""Words on both sides from which a phrase, not a word, is put another way; characters of an idiom."""
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


def replaced(source: Reading, output: Reading, views: Sequence[SceneView]) -> Iterator[Contradiction]:
    """Words of content in place of others, or put in, in texts that differ nowhere else.

    Somebody who simplifies a text changes more than one place.
    """
    relations = frozenset(t for view in views for t in view.relation)
    alike, found = compare(source, output)
    slots = [slot for slot in found if not (_is_small(source, slot.source) and _is_small(output, slot.output))]
    if len(slots) != 1:
        return
    (slot,) = slots
    gone, new = _alone(source, slot.source), _alone(output, slot.output)
    if not gone and not new and _is_oneself(source, slot.source, output, slot.output):
        said = f"reference: {source.side.said(slot.source)} became {output.side.said(slot.output)}"
        yield Contradiction(said, slot.source, slot.output, slight=True)
    elif _is_other(source, slot.source, output, slot.output) and alike >= ALMOST:
        before, after = source.content(slot.source), output.content(slot.output)
        said = f"reference: {source.side.said(before)} became {output.side.said(after)}"
        yield Contradiction(said, tuple(before), tuple(after))
    elif gone and new and alike >= ALMOST:
        said = f"replaced: {source.side.said(gone)} by {output.side.said(new)}"
        yield Contradiction(said, tuple(gone), tuple(new), slight=_plainer(source, gone, output, new, relations))
    elif new and not source.content(slot.source):
        before = [t for t in source.content(range(len(source.plain))) if t < _behind(slot, source, output)]
        yield Contradiction(f"added: {output.side.said(new)}", tuple(before[-1:]), tuple(new))


def _is_other(source: Reading, here: tuple[int, ...], output: Reading, there: tuple[int, ...]) -> bool:
    """Whether a word stands in another's place that both texts have elsewhere too: *法院 驳回 了 律师 的 上诉*."""
    gone, new = ("".join(side.plain[t] for t in side.content(at)) for side, at in ((source, here), (output, there)))
    if len(gone) < 2 or len(new) < 2 or gone == new:
        return False
    here_chars, there_chars = source.spelling.chars, output.spelling.chars
    again = here_chars.count(new) > 0 and there_chars.count(gone) > 0
    return again and there_chars.count(new) > here_chars.count(new)


def _is_oneself(source: Reading, here: tuple[int, ...], output: Reading, there: tuple[int, ...]) -> bool:
    """Whether one's own stands for another's or the other way round; 其 may be either."""
    gone, new = ({side.plain[t] for t in at} for side, at in ((source, here), (output, there)))
    return any(
        ONESELF in one and ONESELF not in two and not OTHERS.isdisjoint(two) for one, two in ((gone, new), (new, gone))
    )


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


def _plainer(source: Reading, gone: list[int], output: Reading, new: list[int], relations: frozenset[int]) -> bool:
    """Whether a replacement is as likely another way to say it as another thing.

    So are frequent words for rarer ones or for many, many words for others, and a verb for one with a character of it
    (开创, 开辟); nouns that share one may be two of a kind (兰花, 菊花).
    """
    known = common_words()
    if _put_another_way([source.plain[t] for t in gone], [output.plain[t] for t in new]):
        return True
    if len(gone) == len(new) == 1 and relations.issuperset(gone):
        first, second = source.plain[gone[0]], output.plain[new[0]]
        if not set(first).isdisjoint(second) and not are_opposed(first, second, source.facts):
            return True
    if not all(output.plain[t] in known for t in new):
        return False
    return len(gone) > 2 * len(new) or not any(source.plain[t] in known for t in gone)


def _put_another_way(gone: list[str], new: list[str]) -> bool:
    """Whether an idiom is put in several words, or many words in many others."""
    return len(gone) + len(new) >= PHRASE or (len("".join(gone)) == IDIOM and len(new) > 1)


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
    differing = (here - there) + (there - here)
    if not CONSTRUCTIONS.isdisjoint(differing) or _equated(mine, theirs):
        return
    mine = [(t, word) for t, word in mine if word not in differing]
    theirs = [(t, word) for t, word in theirs if word not in differing]
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


def rearranged_clauses(source: Reading, output: Reading) -> Iterator[Contradiction]:
    """A clause with the same characters in another order, what it is said of and what it says having changed places."""
    if {word for word in source.plain if word in CONSTRUCTIONS} != {w for w in output.plain if w in CONSTRUCTIONS}:
        return
    there = {"".join(sorted(chars := _chars_of(output, c))): (c, chars) for c in output.spelling.clauses}
    said_there = {"".join(_chars_of(output, clause)) for clause in output.spelling.clauses}
    for clause in source.spelling.clauses:
        mine = _chars_of(source, clause)
        if "".join(mine) in said_there or LISTING.search("".join(mine)):
            continue
        other, chars = there.get("".join(sorted(mine)), (range(0), mine))
        if not other or not _is_crossed(mine, chars):
            continue
        first, last = source.content(clause), output.content(other)
        if len(first) > 2 and last:
            yield Contradiction(f"role: {output.side.said(last)} in another order", tuple(first), tuple(last))


def _chars_of(reading: Reading, clause: range) -> list[str]:
    return [char for t in clause if reading.plain[t] not in PARTICLES for char in reading.plain[t]]


def _is_crossed(mine: list[str], theirs: list[str]) -> bool:
    """Whether *A v B* became *B v A*: more than one phrase that has moved."""
    while mine and mine[0] == theirs[0]:
        mine, theirs = mine[1:], theirs[1:]
    while mine and mine[-1] == theirs[-1]:
        mine, theirs = mine[:-1], theirs[:-1]
    return not any(mine[k:] + mine[:k] == theirs for k in range(len(mine)))


def _equated(mine: list[tuple[int, str]], theirs: list[tuple[int, str]]) -> bool:
    """Whether one text says that A is B, the other that B is A."""
    words, others = [word for _, word in mine], [word for _, word in theirs]
    return any(word == EQUATING and [*words[at + 1 :], word, *words[:at]] == others for at, word in enumerate(words))


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
