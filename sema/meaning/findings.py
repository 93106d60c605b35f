"""The findings of a pair: runs of words that are missing, added or wrong, the wrong ones of both texts paired.

A finding's weight is found by reading the pair again with the finding's words repaired.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import filterfalse, product, takewhile

import numpy as np

from sema.meaning.words import LINKED, WRONG, Side
from sema.model.item import Item
from sema.model.meaning import KINDS, LEAST, Finding, points, runs
from sema.model.reading import CrossEncoder
from sema.model.text import Text, Token, begins_word, closed, is_punctuation

BETWEEN = 2
"""The most words, none of them a content word, between two words of one finding."""
NEAR = 4
"""How many words on either side of a run locate it in the other text by their links."""
FAR = 12.0
"""The greatest distance, in words, between a run's expected place and a run paired with it without a link."""
Run = tuple[int, ...]
Links = dict[int, list[int]]


def find(item: Item, sides: tuple[Side, Side]) -> list[Finding]:
    """The findings in the order of their texts, without weights.

    A wrong run without a partner of its own, such as a part of a split sentence, joins the pair it has most links to.
    """
    links = _links(item)
    wrong = [_runs(side, side.wrong >= WRONG) for side in sides]
    pairs = _paired(item, links, *wrong)
    found: list[Finding] = []
    for place, (side, least) in enumerate(zip(sides, (LEAST["lost"], LEAST["added"]), strict=True)):
        taken = [pair[place] for pair in pairs]
        low = side.kept < least
        for run in wrong[place]:
            low[list(run)] = run not in taken
        for run in _runs(side, low):
            shared = [_shared(links, *((run, pair[1]) if place == 0 else (pair[0], run))) for pair in pairs]
            if run in wrong[place] and any(shared):
                pair = pairs[int(np.argmax(shared))]
                pair[place] = tuple(sorted(pair[place] + run))
            else:
                found.append(Finding("added", (), run) if place else Finding("missing", run, ()))
    found += [Finding("wrong", pair[0], pair[1]) for pair in (_different(pair, sides) for pair in pairs) if pair]
    whole = [one._replace(source=_closed(item.source, one.source), output=_closed(item.output, one.output))
              for one in found]  # fmt: skip
    return sorted(whole, key=lambda one: (one.source or one.output)[0])


def _closed(text: Text, tokens: Run) -> Run:
    """The tokens with the other mark of each bracket or quotation that the ends of a run among them cut."""
    return tuple(token for run in runs(tokens) for token in closed(text, range(*run)))


def _runs(side: Side, marked: np.ndarray) -> list[Run]:
    """The runs of marked words that have a content word, within sentences; short gaps without one are filled."""
    found: list[list[int]] = []
    for start, end in side.text.sentences:
        found.append([])
        for token in range(start, end):
            if marked[token] and side.weights[token]:
                gap = range(found[-1][-1] + 1 if found[-1] else token, token)
                if len(gap) > BETWEEN or side.content[gap.start : gap.stop].any():
                    gap = range(0)
                    found.append([])
                found[-1] += [*gap, token]
    return [tuple(run) for run in found if side.content[run].any()]


def _paired(item: Item, links: Links, first: Sequence[Run], second: Sequence[Run]) -> list[list[Run]]:
    """Wrong runs of the source with those of the output in their place, linked ones first, then nearest; each once."""
    ratio = len(item.output.words) / max(1, len(item.source.words))
    ranked = []
    for one in first:
        around = [output for token in range(one[0] - NEAR, one[-1] + NEAR + 1) for output in links.get(token, ())]
        place = np.median(around) if around else ratio * (one[0] + one[-1]) / 2
        for other in second:
            ranked.append((-_shared(links, one, other), abs(place - (other[0] + other[-1]) / 2), one, other))
    pairs: list[list[Run]] = []
    for shared, distance, one, other in sorted(ranked):
        if (shared or distance <= FAR) and not any(one == pair[0] or other == pair[1] for pair in pairs):
            pairs.append([one, other])
    return pairs


def _links(item: Item) -> Links:
    """The output tokens that each source token is likely linked to."""
    found: Links = {}
    for (start, _), grid in zip(item.output.sentences, item.link_weights, strict=False):
        for token, other in grid.likely(LINKED):
            found.setdefault(token, []).append(start + other)
    return found


def _shared(links: Links, one: Run, other: Run) -> int:
    """How many links lead from one run to another."""
    return sum(output in other for token in one for output in links.get(token, ()))


def _different(pair: Sequence[Run], sides: tuple[Side, Side]) -> Sequence[Run]:
    """A wrong pair without the equal words that both runs begin or end with; nothing if all are equal.

    Content words are left on both sides, no word is cut, and runs of which one has all of the other stay whole.
    """
    words = [[side.text.words[token].lower() for token in run] for side, run in zip(sides, pair, strict=True)]
    if [*filterfalse(is_punctuation, words[0])] == [*filterfalse(is_punctuation, words[1])]:
        return ()
    front = _equal(*words)
    back = _equal(*(own[front:][::-1] for own in words))
    if front + back == min(map(len, words)) or any(len(runs(run)) > 1 for run in pair):
        return pair
    for first, last in sorted(product(range(front + 1), range(back + 1)), key=sum, reverse=True):
        shorter = [run[first : len(run) - last] for run in pair]
        ends = [(side, run[0]) for side, run in zip(sides, shorter, strict=True) if first]
        ends += [(side, run[-1] + 1) for side, run in zip(sides, shorter, strict=True) if last]
        uncut = all(begins_word(side.text, token) for side, token in ends)
        if uncut and all(side.content[list(run)].any() for side, run in zip(sides, shorter, strict=True)):
            break
    return shorter


def _equal(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words two lists begin with alike."""
    return len([*takewhile(lambda words: words[0] == words[1], zip(one, other, strict=False))])


def weighed(found: Sequence[Finding], texts: tuple[Text, Text], score: float, reader: CrossEncoder) -> list[Finding]:
    """The findings with their weights.

    A weight is the share of the score, in [0, 1], that is gained when the finding's words are repaired. It is the mean
    of two gains, as the first and as the last repair: the two ends of the orders in a Shapley value. So findings that
    mask each other count. All weights together are no more than the score lacks.
    """
    none: frozenset[int] = frozenset()
    every = none.union(range(len(found)))
    alone = [frozenset({one}) for one in every]
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
    """How far each pair preserves the meaning: a copy wholly, an empty text not at all, any other as it is read.

    Texts of punctuation alone say the same.
    """
    read = [source.words != output.words and not all(map(is_punctuation, source.words + output.words))
            for source, output in pairs]  # fmt: skip
    asked = [pair for pair, differs in zip(pairs, read, strict=True) if differs and pair[0].words and pair[1].words]
    meanings = iter(reader.read(asked) if asked else [])
    return [1.0 if not differs else next(meanings).meaning if source.words and output.words else 0.0
            for differs, (source, output) in zip(read, pairs, strict=True)]  # fmt: skip


def _repaired(found: Sequence[Finding], texts: tuple[Text, Text]) -> tuple[Text, Text]:
    """Both texts without missing and added words; in place of wrong ones the output has the source's."""
    source, output = texts
    missing = {token for one in found if one.kind == "missing" for token in one.source}
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
    return source.without(missing), replace(output, tokens=tuple(tokens), sentences=tuple(spans))


def _has_gap(text: Text, token: int) -> bool:
    """Whether there is a gap before a token."""
    return token > 0 and text.tokens[token - 1].end < text.tokens[token].start


def worst_first(found: Sequence[Finding]) -> list[Finding]:
    """The findings by their points; then wrong before missing before added, and long before short."""
    return sorted(found, key=lambda one: (-points(one.weight), KINDS.index(one.kind), -len(one.source + one.output)))
