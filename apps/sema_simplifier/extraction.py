"""Learning rules from people's simplifications: word links cut a pair of sentences into what was kept and changed.

The links that run in order on both sides are anchors; what lies between two of them, and every anchor of two different
words, is a change. A rule is a change, or some neighbouring ones together, with at most two kept words among them or
beside them (*region -> area*, *in the region -> in the area*). It is the extraction of phrase pairs (Koehn, Och and
Marcu 2003) for texts of one language, which keep their order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sema.model.links import Aligner, Link
from sema_simplifier.rules import LONGEST, Contribution, Phrase, Rule, RuleTable, key_of, phrases

LONGEST_TARGET = 6
MOST_UNITS = 6
MOST_KEPT = 2
LEAST_USES = 3
"""A rule of a single sentence is kept if at least this many references use it."""
BATCH = 800

Span = tuple[int, int, int, int]
"""Start and end in the source, start and end in the reference."""


@dataclass(frozen=True)
class Example:
    """A source and its simplifications, as lower-cased tokens."""

    source: Phrase
    references: tuple[Phrase, ...]


def learn_rules(examples: Sequence[Example], aligner: Aligner) -> RuleTable:
    """The rules of a corpus; every source must have as many references.

    Raises:
        ValueError: the numbers of references differ.
    """
    counts = {len(example.references) for example in examples}
    if len(counts) != 1:
        raise ValueError("every source needs the same number of references")
    (references,) = counts
    brought = [Counter(rules) for rules in _used(examples, aligner)]
    uses = Counter(pair for used in brought for pair in used.elements())
    sentences = Counter(pair for used in brought for pair in used)
    pairs = sorted(pair for pair in uses if sentences[pair] > 1 or uses[pair] >= LEAST_USES)
    numbers = {pair: number for number, pair in enumerate(pairs)}
    left_sides = {source for source, _ in pairs}
    occurrences: Counter[Phrase] = Counter()
    kept: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    sources: dict[str, Contribution] = {}
    for example, used in zip(examples, brought, strict=True):
        occurrences.update(left_sides & phrases(example.source))
        words = {word: sum(word in reference for reference in example.references) for word in example.source}
        kept.update(words)
        seen.update(dict.fromkeys(words, references))
        own = {numbers[pair]: count for pair, count in used.items() if pair in numbers}
        sources[key_of(example.source)] = Contribution(own, words)
    return RuleTable(
        references,
        [Rule(*pair, uses[pair], sentences[pair]) for pair in pairs],
        dict(sorted(occurrences.items())),
        {word: (kept[word], seen[word]) for word in sorted(seen)},
        sources,
    )


def _used(examples: Sequence[Example], aligner: Aligner) -> Iterator[list[tuple[Phrase, Phrase]]]:
    """For each example the rules that its references used, once for each of them."""
    for start in range(0, len(examples), BATCH):
        stretch = examples[start : start + BATCH]
        pairs = [(example.source, reference) for example in stretch for reference in example.references]
        links = iter(aligner.align(pairs))
        for example in stretch:
            yield [
                rule for reference in example.references for rule in _changes(example.source, reference, next(links))
            ]


def _changes(source: Phrase, reference: Phrase, links: Sequence[Link]) -> set[tuple[Phrase, Phrase]]:
    """The rules that turn stretches of a source into those of a reference."""
    units = _units(len(source), len(reference), links)
    kept = [source[unit[0] : unit[1]] == reference[unit[2] : unit[3]] for unit in units]
    changed: set[tuple[Phrase, Phrase]] = set()
    for first in range(len(units)):
        for last in range(first, min(first + MOST_UNITS, len(units))):
            left = source[units[first][0] : units[last][1]]
            right = reference[units[first][2] : units[last][3]]
            if len(left) > LONGEST or len(right) > LONGEST_TARGET:
                break
            if left and left != right and sum(kept[first : last + 1]) <= MOST_KEPT:
                changed.add((left, right))
    return changed


def _units(source: int, reference: int, links: Sequence[Link]) -> list[Span]:
    """Both sentences cut at the anchors: single anchors, and what lies between them."""
    units: list[Span] = []
    before, after = 0, 0
    for left, right in [*_anchors(links), (source, reference)]:
        if left > before or right > after:
            units.append((before, left, after, right))
        if left < source:
            units.append((left, left + 1, right, right + 1))
        before, after = left + 1, right + 1
    return units


def _anchors(links: Sequence[Link]) -> list[tuple[int, int]]:
    """The longest sequence of links that run in order on both sides."""
    pairs = sorted({(link.source, link.output) for link in links}, key=lambda pair: (pair[0], -pair[1]))
    chains: list[list[tuple[int, int]]] = [[]]  # of each length the one that ends first in the output
    for pair in pairs:
        length = bisect_left(chains, pair[1], lo=1, key=lambda chain: chain[-1][1])
        chains[length : length + 1] = [[*chains[length - 1], pair]]
    return chains[-1]
