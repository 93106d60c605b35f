"""Minimum Bayes risk decoding: scores each candidate of a list against the others.

The work is quadratic in the length of a list: pairs of texts are scored in batches, each pair once, and kept.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from sema.errors import SemaError
from sema.model.item import Need
from sema.model.text import Text
from sema.options import Settings
from sema.rerank.nbest import NBest
from sema.runtime.caching import BoundedCache
from sema.scoring.scorer import Scorer

BATCH = 8192
"""Pairs scored at a time."""
CACHED_PAIRS = 500_000

Pair = tuple[str, str, str]
"""Source, candidate and rival."""
Found = dict[str, float] | SemaError


class Consensus:
    """Scores candidates against their rivals; ``text`` converts a string to the scorer's input.

    A metric that requires references scores the candidate against its source with the rival as the only reference; any
    other scores it with the rival in the place of the source. A candidate's score is the mean over its rivals, each
    counted as often as it occurs.
    """

    def __init__(self, scorer: Scorer, text: Callable[[str], str | Text]) -> None:
        self._text = text
        plan = scorer.engine.plan
        kinds = {
            True: [metric for metric in plan.metrics if Need.REFERENCES in metric.requires],
            False: [metric for metric in plan.metrics if Need.REFERENCES not in metric.requires],
        }
        self._names = [metric.name for metric in plan.metrics]
        parts = scorer.language.components()
        given = plan.settings.values
        values = {name: value for name, value in given.items() if name.partition(".")[0] in parts}
        defaults = {name: value for name, value in given.items() if "." not in name}
        self._scorers = {
            kind: Scorer(
                plan.language,
                metrics,
                extractor=plan.extractor,
                aligner=plan.aligner,
                options=Settings(
                    values, {**plan.settings.defaults, **defaults}
                ),  # the metrics already have their options
                runner=scorer.runner,
            )
            for kind, metrics in kinds.items()
            if metrics
        }
        self._kept: BoundedCache[tuple[bool, Pair], Found] = BoundedCache(CACHED_PAIRS)

    def scores(self, lists: Sequence[NBest]) -> list[list[Found]]:
        """For each list and candidate its mean scores by metric; NaN for one that has no rival."""
        known: dict[tuple[bool, Pair], Found] = {}
        for kind in self._scorers:
            pairs = iter(dict.fromkeys(pair for found in lists for pair in _pairs(found)))
            while batch := list(islice(pairs, BATCH)):
                known.update(self._score(kind, batch))
        return [[self._mean(found, candidate.text, known) for candidate in found.candidates] for found in lists]

    def _score(self, references: bool, pairs: Sequence[Pair]) -> dict[tuple[bool, Pair], Found]:
        # A metric without references does not see the source, so that pairs of several lists may be the same.
        keys = {pair: (references, pair if references else ("", *pair[1:])) for pair in pairs}
        kept = self._kept.get(keys.values())
        missing = [key for key in dict.fromkeys(keys.values()) if key not in kept]
        if missing:
            report = self._scorers[references].score(
                [self._text(source if references else rival) for _, (source, _, rival) in missing],
                [self._text(output) for _, (_, output, _) in missing],
                [[rival] for _, (_, _, rival) in missing] if references else None,
                collect_errors=True,
                keep_items=False,
            )
            for key, item in zip(missing, report.systems[0].items, strict=True):
                kept[key] = item.scores if item.cause is None else item.cause
                self._kept.put(key, kept[key])
        return {(references, pair): kept[key] for pair, key in keys.items()}

    def _mean(self, found: NBest, text: str, known: dict[tuple[bool, Pair], Found]) -> Found:
        rivals = _rivals(found, text)
        means: dict[str, float] = {}
        for kind in self._scorers:
            scores = {rival: known[kind, (found.source, text, rival)] for rival in rivals}
            errors = [score for score in scores.values() if isinstance(score, SemaError)]
            if errors and len(errors) == len(scores):
                return errors[0]
            good = {rival: score for rival, score in scores.items() if not isinstance(score, SemaError)}
            total = sum(rivals[rival] for rival in good)
            for metric in self._scorers[kind].metrics:
                summed = math.fsum(rivals[rival] * score[metric.name] for rival, score in good.items())
                means[metric.name] = summed / total if total else math.nan
        return {name: means[name] for name in self._names}


def _rivals(found: NBest, text: str) -> dict[str, int]:
    """How often each other candidate occurs; further copies of ``text`` count as rivals."""
    counts = Counter(candidate.text for candidate in found.candidates)
    counts[text] -= 1
    return {rival: count for rival, count in counts.items() if count}


def _pairs(found: NBest) -> Iterator[Pair]:
    for text in dict.fromkeys(candidate.text for candidate in found.candidates):
        yield from ((found.source, text, rival) for rival in _rivals(found, text))
