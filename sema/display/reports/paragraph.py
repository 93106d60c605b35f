"""The paragraph that a paper prints: what was scored, by which metrics and version, with intervals and signature."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from sema.display.tables import missing_scores, number
from sema.errors import SemaError, counted
from sema.evaluation.comparison import Comparison
from sema.evaluation.significance import CONFIDENCE, SAMPLES, SEED, Estimate
from sema.languages import find_language
from sema.metrics.base import Metric
from sema.scoring.results import Summary, short_signature


def paragraph(
    summary: Summary,
    metrics: Sequence[Metric],
    sources: int,
    estimates: Mapping[str, Mapping[str, Estimate]],
    comparison: Comparison | None = None,
) -> str:
    """Plain sentences about the scores of items from so many different sources.

    ``estimates`` are by system and metric; without a ``comparison`` they are from a bootstrap with its defaults.
    """
    short = short_signature(summary.signature)
    counts = f"{counted(summary.items, 'item')} from {counted(sources, 'source')}"
    named = ", ".join(metric.full_name for metric in metrics)
    systems = counted(len(summary.scores), "system")
    sentences = [
        f"We score {systems} on {counts} ({_language(summary.lang)}, {summary.level} level) with "
        f"{short.partition(' · ')[0]} ({named}; signature {short})"
    ]
    sentences += [
        f"{name}: {', '.join(f'{metric} {_shown(value)}' for metric, value in scores.items())}"
        for name, scores in estimates.items()
    ]
    confidence, samples, seed = CONFIDENCE, SAMPLES, SEED
    if comparison is not None:
        confidence, samples, seed = comparison.confidence, comparison.samples, comparison.seed
    by_source = "" if sources == summary.items else " over sources"
    sentences.append(
        f"In brackets: {100 * confidence:g} % intervals by bootstrap{by_source} ({samples} samples, seed {seed})"
    )
    if comparison is not None and comparison.left_out:
        sentences.append(f"{counted(comparison.left_out, 'item')} without a score for every system left out")
    elif comparison is None:
        sentences += [f"{line[0].upper()}{line[1:]}" for line in missing_scores(summary)]
    return " ".join(f"{sentence}." for sentence in sentences)


def _shown(value: Estimate) -> str:
    interval = f" [{number(value.low)}, {number(value.high)}]" if math.isfinite(value.low) else ""
    return f"{number(value.value)}{interval}"


def _language(code: str) -> str:
    try:
        return find_language(code).name
    except SemaError:  # a language of the caller's
        return code
