"""Minimum Bayes risk decoding: scores each candidate of a list against the others.

The work is quadratic in the length of a list: pairs of texts are scored in batches, each pair once, and kept.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from sema.errors import SemaError
from sema.model.item import Need
from sema.options import Settings
from sema.rerank.mixes import Convert, score_texts
from sema.rerank.nbest import NBest
from sema.runtime.caching import BoundedCache
from sema.scoring.scorer import Scorer

BATCH = 8192
"""Pairs scored at a time."""
CACHED_PAIRS = 500_000

Pair = tuple[bool, str, str, str]
"""Whether the rival is a reference, source, candidate and rival."""
Found = dict[str, float] | SemaError


class Consensus:
    """Scores candidates against their rivals; ``text`` converts a string to the scorer's input.

    A metric that requires references scores the candidate against its source with the rival as the only reference; any
    other scores it with the rival in the place of the source. A candidate's score is the mean over its rivals, each
    counted as often as it occurs.
    """

    def __init__(self, scorer: Scorer, text: Convert) -> None:
        self._text = text
        plan = scorer.engine.plan
        self._names = [metric.name for metric in plan.metrics]
        parts = scorer.language.components()
        given = plan.settings.values
        values = {name: value for name, value in given.items() if name.partition(".")[0] in parts}
        defaults = {name: value for name, value in given.items() if "." not in name}
        options = Settings(values, {**plan.settings.defaults, **defaults})  # the metrics already have their options
        self._scorers: dict[bool, Scorer] = {}
        for references in (True, False):
            metrics = [metric for metric in plan.metrics if (Need.REFERENCES in metric.requires) == references]
            if metrics:
                self._scorers[references] = Scorer(
                    plan.language,
                    metrics,
                    extractor=plan.extractor,
                    aligner=plan.aligner,
                    options=options,
                    runner=scorer.runner,
                )
        self._kept: BoundedCache[Pair, Found] = BoundedCache(CACHED_PAIRS)

    def scores(self, lists: Sequence[NBest]) -> list[list[Found]]:
        """For each list and candidate its mean scores by metric; NaN for one that has no rival."""
        known: dict[Pair, Found] = {}
        for references in self._scorers:
            texts = ((found, text) for found in lists for text in dict.fromkeys(c.text for c in found.candidates))
            pairs = (pair for found, text in texts for pair in _pairs(references, found, text))
            distinct = iter(dict.fromkeys(pairs))
            while batch := list(islice(distinct, BATCH)):
                known |= self._score(references, batch)
        return [[self._mean(found, candidate.text, known) for candidate in found.candidates] for found in lists]

    def _score(self, references: bool, pairs: Sequence[Pair]) -> dict[Pair, Found]:
        kept = self._kept.get(pairs)
        missing = [pair for pair in pairs if pair not in kept]
        if missing:
            asked = [
                (source, text, (rival,)) if references else (rival, text, ()) for _, source, text, rival in missing
            ]
            for pair, item in zip(missing, score_texts(self._scorers[references], self._text, asked), strict=True):
                kept[pair] = item.scores if item.cause is None else item.cause
                self._kept.put(pair, kept[pair])
        return kept

    def _mean(self, found: NBest, text: str, known: dict[Pair, Found]) -> Found:
        means: dict[str, float] = {}
        for references, scorer in self._scorers.items():
            counts = _pairs(references, found, text)
            good: list[tuple[int, dict[str, float]]] = []
            for pair, count in counts.items():
                score = known[pair]
                if not isinstance(score, SemaError):
                    good.append((count, score))
            if counts and not good:
                return known[next(iter(counts))]
            total = sum(count for count, _ in good)
            for metric in scorer.metrics:
                summed = math.fsum(count * score[metric.name] for count, score in good)
                means[metric.name] = summed / total if total else math.nan
        return {name: means[name] for name in self._names}


def _pairs(references: bool, found: NBest, text: str) -> dict[Pair, int]:
    """A candidate with each rival, and how often the rival occurs; further copies of ``text`` count as rivals."""
    counts = Counter(candidate.text for candidate in found.candidates)
    counts[text] -= 1
    # A metric without references does not see the source, so that pairs of several lists may be the same.
    source = found.source if references else ""
    return {(references, source, text, rival): count for rival, count in counts.items() if count}
