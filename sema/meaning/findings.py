"""The findings of a pair: runs of words that are missing, added or wrong, the wrong ones of both texts paired.

A finding's weight is found by reading the pair again without the finding's words.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np

from sema.meaning.words import LINKED, WRONG, Side
from sema.model.item import Item
from sema.model.meaning import KINDS, LEAST, Finding
from sema.model.reading import CrossEncoder
from sema.model.text import Text

BETWEEN = 2
"""The most words, none of them a content word, between two words of one finding."""
NEAR = 4
"""How many words on either side of a run locate it in the other text by their links."""
FAR = 12.0
"""The greatest distance, in words, between a run's expected place and a run paired with it without a link."""
Run = tuple[int, ...]


def find(item: Item, sides: tuple[Side, Side]) -> list[Finding]:
    """The findings in the order of their texts, without weights."""
    wrong = [_runs(side, side.wrong >= WRONG) for side in sides]
    paired = list(_paired(item, *wrong))
    found = [Finding("wrong", *runs) for runs in paired]
    for place, (side, least) in enumerate(zip(sides, (LEAST["lost"], LEAST["added"]), strict=True)):
        taken = [runs[place] for runs in paired]
        low = side.kept < least
        for run in wrong[place]:
            low[list(run)] = run not in taken
        runs = _runs(side, low)
        found += [Finding("added", (), run) if place else Finding("missing", run, ()) for run in runs]
    return sorted(found, key=lambda one: (one.source or one.output)[0])


def _runs(side: Side, marked: np.ndarray) -> list[Run]:
    """The runs of marked words that have a content word, within sentences; short gaps without one are filled."""
    found: list[Run] = []
    for start, end in side.text.sentences:
        run: list[int] = []
        for token in range(start, end):
            if not marked[token] or side.weights[token] == 0:
                continue
            gap = range(run[-1] + 1, token) if run else range(0)
            if run and (len(gap) > BETWEEN or any(side.content[one] for one in gap)):
                found.append(tuple(run))
                run = []
            run += [*(gap if run else ()), token]
        if run:
            found.append(tuple(run))
    return [run for run in found if any(side.content[token] for token in run)]


def _paired(item: Item, first: Sequence[Run], second: Sequence[Run]) -> Iterator[tuple[Run, Run]]:
    """Wrong runs of the source with those of the output in their place, linked ones first, then nearest; each once."""
    if not first or not second:
        return
    partners = _partners(item)
    ratio = len(item.output.words) / max(1, len(item.source.words))
    ranked = []
    for one in first:
        linked = [o for token in one for o in partners.get(token, ())]
        around = [o for token in range(one[0] - NEAR, one[-1] + NEAR + 1) for o in partners.get(token, ())]
        place = np.median(around) if around else ratio * (one[0] + one[-1]) / 2
        for other in second:
            shared = len(set(linked) & set(other))
            ranked.append((-shared, abs(place - (other[0] + other[-1]) / 2), one, other))
    done: set[Run] = set()
    taken: set[Run] = set()
    for shared, distance, one, other in sorted(ranked):
        if one not in done and other not in taken and (shared or distance <= FAR):
            done.add(one)
            taken.add(other)
            yield one, other


def _partners(item: Item) -> dict[int, list[int]]:
    """The output tokens that each source token is most likely linked to."""
    found: dict[int, list[int]] = {}
    for (start, _), grid in zip(item.output.sentences, item.link_weights, strict=False):
        for token, other in grid.likely(LINKED):
            found.setdefault(token, []).append(start + other)
    return found


def weighed(found: Sequence[Finding], texts: tuple[Text, Text], score: float, reader: CrossEncoder) -> list[Finding]:
    """The findings with their weights.

    A weight is the share of the score, in [0, 1], that is gained when the pair is read without the finding's words. It
    is the mean of two gains, as the first and as the last repair: the two ends of the orders in a Shapley value. So
    findings that mask each other count. All weights together are no more than the score lacks.
    """
    every = frozenset(range(len(found)))
    alone = [frozenset({one}) for one in range(len(found))]
    sets = dict.fromkeys([*alone, *(every - one for one in alone), every])
    repaired = {chosen: _repaired(found, chosen, texts) for chosen in sets if chosen}
    readable = [chosen for chosen, (source, output) in repaired.items() if source.tokens and output.tokens]
    scores = dict.fromkeys(sets, score)
    readings = reader.read([repaired[chosen] for chosen in readable])
    scores |= {chosen: reading.meaning for chosen, reading in zip(readable, readings, strict=True)}
    gains = np.array(
        [max(0.0, scores[one] - score) / 2 + max(0.0, scores[every] - scores[every - one]) / 2 for one in alone]
    )
    lacking = max(0.0, 1.0 - score)
    gains *= min(1.0, lacking / gains.sum()) if gains.sum() else 1.0
    return [one._replace(weight=float(gain)) for one, gain in zip(found, gains, strict=True)]


def _repaired(found: Sequence[Finding], chosen: Collection[int], texts: tuple[Text, Text]) -> tuple[Text, Text]:
    source, output = texts
    gone = [found[place] for place in chosen]
    return (
        without(source, [token for one in gone for token in one.source]),
        without(output, [token for one in gone for token in one.output]),
    )


def worst_first(found: Sequence[Finding]) -> list[Finding]:
    """The findings by weight in whole points; then wrong before missing before added ones, and long before short."""
    return sorted(
        found, key=lambda one: (-round(100 * one.weight), KINDS.index(one.kind), -len(one.source + one.output))
    )


def without(text: Text, tokens: Sequence[int]) -> Text:
    """A text without some of its tokens."""
    if not tokens:
        return text
    gone = set(tokens)
    left = [token for token in range(len(text.tokens)) if token not in gone]
    before = np.searchsorted(left, [place for span in text.sentences for place in span]).reshape(-1, 2)
    spans = tuple((int(start), int(end)) for start, end in before if start < end)
    return replace(text, tokens=tuple(text.tokens[token] for token in left), sentences=spans)
