"""The probability that Chinese words correspond: the rule aligner's links, listed words, shared characters, numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sema.alignment.rules import RuleAligner, nearest
from sema.model.lexicon import Lexicon
from sema.model.links import Link, LinkKind, Pair
from sema.model.text import is_punctuation
from sema_chinese.notation.quantities import match, numbers, unmatched
from sema_chinese.relations import FUNCTION_WORDS, rule_aligner
from sema_chinese.spelling import Spelling
from sema_chinese.substitutes import are_listed_opposites, groups, listed_places
from sema_chinese.words import table

LISTED, SHORT = 0.9, 0.75
"""The probability of a link between listed words, and of one with a single character."""
KINDS = {
    LinkKind.EXACT: 1.0,
    LinkKind.FORM: 0.9,
    LinkKind.SYNONYM: 0.85,
    LinkKind.PARAPHRASE: 0.8,
    LinkKind.HYPONYMY: 0.65,
    LinkKind.CONTEXTUAL: 0.62,
}
"""The probability of the aligner's links, by kind: simpler words for harder ones are expected."""
SURE = 0.9
"""The probability from which a token needs no other link."""
SHARED = 0.8
"""The probability of a word all of whose characters occur in unlinked words of the other text."""
EMPTY = frozenset(table("relations")["empty characters"])
"""Characters whose sharing is no evidence."""
Grid = NDArray[np.float32]


class ChineseAligner:
    """The rule aligner with a probability for every link."""

    def __init__(self, lexicon: Lexicon | None = None) -> None:
        self._rules: RuleAligner = rule_aligner(lexicon=lexicon)

    @property
    def signature(self) -> str:
        """The rule aligner's signature, and this version."""
        return f"{self._rules.signature}+weights-1"

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The rule aligner's links."""
        return self._rules.align(pairs)

    def probabilities(self, pairs: Sequence[Pair]) -> list[Grid]:
        """For each pair the probability of every link, (source tokens, output tokens)."""
        return [
            _weigh(tuple(source), tuple(output), links)
            for (source, output), links in zip(pairs, self.align(pairs), strict=True)
        ]


def _weigh(source: tuple[str, ...], output: tuple[str, ...], links: Sequence[Link]) -> Grid:
    grid = np.zeros((len(source), len(output)), np.float32)
    if not grid.size:
        return grid
    first, second = map(Spelling, (source, output))
    for link in links:
        if not are_listed_opposites(first.plain[link.source], second.plain[link.output]):
            grid[link.source, link.output] = KINDS[link.kind] * link.weight
    _link_listed(grid, first, second)
    _link_shared_characters(grid, first, second)
    _link_numbers(grid, first, second)
    return grid


def _link_listed(grid: Grid, source: Spelling, output: Spelling) -> None:
    """Link the tokens of words listed as synonyms, the longest and nearest first, each token once."""
    known = groups()
    waiting: dict[int, dict[str, dict[int, int]]] = {}
    for place in listed_places(output):
        for group in known[place.word]:
            waiting.setdefault(group, {}).setdefault(place.word, {})[place.begin] = place.end
    places = {group: {word: sorted(ends) for word, ends in words.items()} for group, words in waiting.items()}
    ranked = []
    ratio = len(output.chars) / max(1, len(source.chars))
    for place in listed_places(source):
        for group in known[place.word]:
            for word, ends in waiting.get(group, {}).items():
                if word == place.word or are_listed_opposites(word, place.word):
                    continue
                short, letters = min(len(word), len(place.word)) == 1, len(word) + len(place.word)
                for begin in nearest(places[group][word], place.begin * ratio):
                    off = abs(place.begin * ratio - begin) / max(1, len(output.chars))
                    ranked.append((short, off - 0.1 * letters, place.begin, place.end, begin, ends[begin]))
    taken, used = (set(np.flatnonzero((grid >= SURE).any(axis)).tolist()) for axis in (1, 0))
    for short, _, first, last, begin, end in sorted(set(ranked)):
        sources, outputs = source.tokens(first, last), output.tokens(begin, end)
        if taken.issuperset(sources) or used.issuperset(outputs):
            continue
        sure = SHORT if short else LISTED
        for t in sources:
            share = _covered(source, t, first, last)
            for o in outputs:
                if t not in taken or o not in used:
                    grid[t, o] = max(grid[t, o], sure * min(share, _covered(output, o, begin, end)))
        taken.update(sources)
        used.update(outputs)


def _covered(spelling: Spelling, token: int, begin: int, end: int) -> float:
    """The share of a token's characters in a range of characters."""
    start, stop = spelling.starts[token], spelling.starts[token + 1]
    return (min(stop, end) - max(start, begin)) / max(1, stop - start)


def _link_shared_characters(grid: Grid, source: Spelling, output: Spelling) -> None:
    """Link unlinked words that share characters with unlinked words of the other text."""
    for cells, text, other in ((grid, source, output), (grid.T, output, source)):
        free = {
            char: o
            for o in np.flatnonzero(cells.max(0) < SURE).tolist()
            if _is_content(other.plain[o])
            for char in other.plain[o]
            if char not in EMPTY
        }
        for t in np.flatnonzero(cells.max(1) < SHARED).tolist():
            word = text.plain[t]
            chars = [char for char in word if char in free] if _is_content(word) else []
            if chars and not are_listed_opposites(word, other.plain[free[chars[0]]]):
                o = free[chars[0]]
                cells[t, o] = max(cells[t, o], SHARED * len(chars) / len(word))


def _is_content(word: str) -> bool:
    return bool(word) and word not in FUNCTION_WORDS and not is_punctuation(word)


def _link_numbers(grid: Grid, source: Spelling, output: Spelling) -> None:
    """Numbers of several words are linked completely or not at all."""
    sources, outputs = numbers(source), numbers(output)
    gone, new = unmatched(sources, outputs)
    grid[[t for number in gone for t in number.tokens]] = 0.0
    grid[:, [o for number in new for o in number.tokens]] = 0.0
    for one, other in match(sources, outputs):
        for t in one.tokens:
            grid[t, other.tokens[0]] = 1.0
        for o in other.tokens:
            grid[one.tokens[0], o] = 1.0
