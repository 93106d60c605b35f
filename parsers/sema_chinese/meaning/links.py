"""Links that an aligner of tokens leaves out: numbers, listed words, characters that both texts have."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sema.metrics.meaning.words import Numbers, Side, both_sides, link_matrix
from sema.model.item import Item
from sema.model.links import LinkKind
from sema_chinese.meaning.numbers import match, numbers, unmatched
from sema_chinese.meaning.reading import Reading
from sema_chinese.meaning.spelling import Spelling
from sema_chinese.meaning.wording import groups, listed_places

if TYPE_CHECKING:
    from sema_chinese.facts import ChineseFacts


LISTED, SHORT = 0.9, 0.75
"""How sure a link between listed words is; where one of them is a single character."""
KINDS = {LinkKind.SYNONYM: 0.85, LinkKind.PARAPHRASE: 0.8, LinkKind.CONTEXTUAL: 0.62, LinkKind.HYPONYMY: 0.65}
"""How sure the aligner's links of these kinds are: plainer words for learned ones are what simplifying is."""
SHARED = 0.8
"""How sure a word is whose characters all stand in words of the other text that have no counterpart either."""
EMPTY = frozenset("的地得了着过们之一个有是在不没无未非和与大小上中下为以其人年月日时可能会要这那来去")
"""Characters that say nothing by being shared."""


def read(item: Item, facts: ChineseFacts) -> tuple[Reading, Reading]:
    """Both sides with the probabilities that all these links give."""
    here = Spelling(item.source.words, tuple(item.source.sentences))
    there = Spelling(item.output.words, tuple(item.output.sentences))
    if item.source.words == item.output.words:
        source, output = both_sides(item, facts)
        return Reading(source, here, facts), Reading(output, there, facts)
    links = _weighed(item)
    _link_listed(links, here, there, facts)
    source, output = both_sides(replace(item, link_weights=(links.astype(np.float32),)), facts)
    for side, other in ((source, output), (output, source)):
        _share_characters(side, other, here if side is source else there, there if side is source else here)
    _link_numbers(source, output, here, there)
    return Reading(source, here, facts), Reading(output, there, facts)


def _weighed(item: Item) -> Numbers:
    """The aligner's links, each with how sure its kind is."""
    links = link_matrix(item).copy()
    start = 0
    for found, (begin, end) in zip(item.links, item.output.sentences, strict=False):
        for link in found:
            if link.kind in KINDS:
                links[link.source, start + link.output] = KINDS[link.kind]
        start += end - begin
    return links


def _link_listed(links: Numbers, here: Spelling, there: Spelling, facts: ChineseFacts) -> None:
    """Link the tokens of listed words for each other, the longest and nearest first, each token once."""
    known = groups()
    waiting: dict[int, list[tuple[str, int, int]]] = {}
    for place in listed_places(there):
        for group in known[place.word]:
            waiting.setdefault(group, []).append((place.word, place.begin, place.end))
    found = []
    ratio = len(there.chars) / max(1, len(here.chars))
    for place in listed_places(here):
        for group in known[place.word]:
            for word, begin, end in waiting.get(group, ()):
                if word != place.word and not facts.opposed(word, place.word):
                    off = abs(place.begin * ratio - begin) / max(1, len(there.chars))
                    short = min(len(word), len(place.word)) == 1
                    found.append((short, off - 0.1 * (len(word) + len(place.word)), place.begin, place.end, begin, end))
    taken = {t for t in range(links.shape[0]) if links[t].max(initial=0.0) >= 0.9}
    used = {t for t in range(links.shape[1]) if links[:, t].max(initial=0.0) >= 0.9}
    for short, _, first, last, begin, end in sorted(set(found)):
        sources, outputs = here.tokens(first, last), there.tokens(begin, end)
        if all(t in taken for t in sources) or all(t in used for t in outputs):
            continue
        sure = SHORT if short else LISTED
        for t in sources:
            share = _covered(here, t, first, last)
            for o in outputs:
                if t not in taken or o not in used:
                    links[t, o] = max(links[t, o], sure * min(share, _covered(there, o, begin, end)))
        taken.update(sources)
        used.update(outputs)


def _covered(spelling: Spelling, token: int, begin: int, end: int) -> float:
    """The share of a token's characters in a range of characters."""
    start, stop = spelling.starts[token], spelling.starts[token + 1]
    return (min(stop, end) - max(start, begin)) / max(1, stop - start)


def _share_characters(side: Side, other: Side, here: Spelling, there: Spelling) -> None:
    """Raise words without a counterpart whose characters stand in such words of the other text."""
    free = {
        char: o
        for o in range(len(other.words))
        if other.probabilities[o] < 0.95 and not other.weak[o]
        for char in there.plain[o]
        if char not in EMPTY
    }
    for t in range(len(side.words)):
        if side.weak[t] or side.probabilities[t] >= SHARED or not here.plain[t]:
            continue
        chars = [char for char in here.plain[t] if char in free]
        share = SHARED * len(chars) / len(here.plain[t])
        if share > side.probabilities[t]:
            side.probabilities[t] = share
            side.partners[t] = free[chars[0]] if side.partners[t] < 0 else side.partners[t]


def _link_numbers(source: Side, output: Side, here: Spelling, there: Spelling) -> None:
    """Numbers of several words are kept as wholes, or not at all."""
    mine, theirs = numbers(here), numbers(there)
    for side, found in zip((source, output), unmatched(mine, theirs), strict=True):
        for number in found:
            for t in number.tokens:
                side.probabilities[t] = 0.0
    for one, other in match(mine, theirs):
        for t in one.tokens:
            source.probabilities[t], source.partners[t] = 1.0, other.tokens[0]
        for t in other.tokens:
            output.probabilities[t], output.partners[t] = 1.0, one.tokens[0]
