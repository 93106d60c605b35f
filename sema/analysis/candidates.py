"""Which sentences of a long passage are worth aligning with which of its output: those that share rare words."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from sema.model.text import is_punctuation

Sentence = Sequence[str]

SIGNATURE, WEIGHED_SIGNATURE = "v1", "v3"
"""Of the pairs that are aligned, and of those whose links are weighed."""
ALL_PAIRS = 10_000
"""The number of pairs of sentences (100 by 100) up to which all are aligned with all."""
WEIGHED_PAIRS = 400
"""Up to so many (20 by 20) the links of each with each are weighed, by which all of their words are read together."""
KEPT = 12
"""How many partners of each sentence are kept, on both sides."""
KEPT_WEIGHED = 2
"""How many where the links are weighed."""
MAX_POSTINGS = 200
"""Words in more sentences than this are ignored."""
STEM = 5
"""Words with the same first letters count as equal, so that *walked* finds *walking*."""


def candidate_pairs(
    sources: Sequence[Sentence], outputs: Sequence[Sentence], most: int = ALL_PAIRS, kept: int = KEPT
) -> list[list[int]] | None:
    """For each output sentence the source sentences to align it with, ascending; ``None`` for all with all.

    Up to ``most`` pairs of sentences are all kept. Beyond that each sentence of either side keeps its ``kept`` nearest.

    The work grows with the number of words, not of pairs. A pair that is left out has no links: its sentences have no
    rare word in common, or many others have more.
    """
    if len(sources) * len(outputs) <= most:
        return None
    of_sources, of_outputs = [_stems(sentence) for sentence in sources], [_stems(sentence) for sentence in outputs]
    found: list[set[int]] = [set(partners) for partners in _nearest(of_outputs, of_sources, kept)]
    for source, partners in enumerate(_nearest(of_sources, of_outputs, kept)):
        for output in partners:
            found[output].add(source)
    return [sorted(partners) for partners in found]


def _stems(sentence: Sentence) -> set[str]:
    return {word.casefold()[:STEM] for word in sentence if not is_punctuation(word)}


def _nearest(asking: Sequence[set[str]], among: Sequence[set[str]], kept: int) -> list[list[int]]:
    """For each sentence of one side the sentences of the other that share most words, weighted by rarity."""
    postings: defaultdict[str, list[int]] = defaultdict(list)
    for index, stems in enumerate(among):
        for stem in stems:
            postings[stem].append(index)
    result = []
    for stems in asking:
        shared: defaultdict[int, float] = defaultdict(float)
        for stem in sorted(stems):
            where = postings.get(stem, ())
            if len(where) <= MAX_POSTINGS:
                weight = math.log(1 + len(among) / len(where)) if where else 0.0
                for index in where:
                    shared[index] += weight
        result.append(sorted(sorted(shared), key=lambda index: -shared[index])[:kept])
    return result
