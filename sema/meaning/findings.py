"""The findings of a pair: runs of words that are missing, added or wrong, the wrong ones of both texts paired.

A finding's weight is found by reading the pair again with the finding's words repaired.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from sema.meaning.words import LINKED, WRONG, Side
from sema.model.item import Item
from sema.model.meaning import KINDS, LEAST, Finding
from sema.model.reading import CrossEncoder
from sema.model.text import Text, Token, is_punctuation

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

    A weight is the share of the score, in [0, 1], that is gained when the finding's words are repaired. It is the mean
    of two gains, as the first and as the last repair: the two ends of the orders in a Shapley value. So findings that
    mask each other count. All weights together are no more than the score lacks.
    """
    every = frozenset(range(len(found)))
    alone = [frozenset({one}) for one in range(len(found))]
    none = every - every
    sets = dict.fromkeys([none, *alone, *(every - one for one in alone), every])
    repaired = [_repaired([found[place] for place in chosen], texts) for chosen in sets]
    scores = dict(zip(sets, _meanings(repaired, reader), strict=True))
    gains = np.array(
        [max(0.0, scores[one] - scores[none]) / 2 + max(0.0, scores[every] - scores[every - one]) / 2 for one in alone]
    )
    lacking = max(0.0, 1.0 - score)
    gains *= min(1.0, lacking / gains.sum()) if gains.sum() else 1.0
    return [one._replace(weight=float(gain)) for one, gain in zip(found, gains, strict=True)]


def _meanings(pairs: Sequence[tuple[Text, Text]], reader: CrossEncoder) -> list[float]:
    """How far each pair preserves the meaning: a copy wholly, an empty text not at all, any other as it is read."""
    known = [_unread(*pair) for pair in pairs]
    asked = [pair for pair, meaning in zip(pairs, known, strict=True) if meaning is None]
    read = iter(reader.read(asked) if asked else [])
    return [next(read).meaning if meaning is None else meaning for meaning in known]


def _unread(source: Text, output: Text) -> float | None:
    """The meaning of a pair that need not be read; texts of punctuation alone say the same."""
    if source.words == output.words or all(map(is_punctuation, source.words + output.words)):
        return 1.0
    return None if source.words and output.words else 0.0


def _repaired(found: Sequence[Finding], texts: tuple[Text, Text]) -> tuple[Text, Text]:
    """Both texts without missing and added words; in place of wrong ones the output has the source's."""
    source, output = texts
    missing = [token for one in found if one.kind == "missing" for token in one.source]
    instead = {one.output[0]: one.source for one in found if one.kind == "wrong"}
    gone = {token for one in found for token in one.output}
    tokens: list[Token] = []
    spans: list[tuple[int, int]] = []
    for start, end in output.sentences:
        first = len(tokens)
        for place in range(start, end):
            words = [(source, word) for word in instead.get(place, ())] + [(output, place)] * (place not in gone)
            for number, (text, word) in enumerate(words):
                gap = _has_gap(text, word) or (number == 0 and _has_gap(output, place))
                begin = gap + (tokens[-1].end if tokens else 0)
                tokens.append(Token(text.words[word], begin, begin + len(text.words[word])))
        if len(tokens) > first:
            spans.append((first, len(tokens)))
    return without(source, missing), replace(output, tokens=tuple(tokens), sentences=tuple(spans))


def _has_gap(text: Text, token: int) -> bool:
    """Whether there is a gap before a token."""
    return token > 0 and text.tokens[token - 1].end < text.tokens[token].start


def worst_first(found: Sequence[Finding]) -> list[Finding]:
    """The findings by weight, in tenths of points; then wrong before missing before added, and long before short."""
    return sorted(found, key=lambda one: (-round(one.weight, 3), KINDS.index(one.kind), -len(one.source + one.output)))


def without(text: Text, tokens: Sequence[int]) -> Text:
    """A text without some of its tokens."""
    if not tokens:
        return text
    gone = set(tokens)
    left = [token for token in range(len(text.tokens)) if token not in gone]
    before = np.searchsorted(left, [place for span in text.sentences for place in span]).reshape(-1, 2)
    spans = tuple((int(start), int(end)) for start, end in before if start < end)
    return replace(text, tokens=tuple(text.tokens[token] for token in left), sentences=spans)
