"""Statistics as tables, comparisons of systems and correlations with ratings, and as a paragraph for a paper.

Scores can also be read in two steps: low BERTScore precision says that outputs are bad; only the others are examined
further (Alva-Manchego, Scarton and Specia, Computational Linguistics 2021, section 5.1).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean, median

from sema.display.pictures.words import capitalized
from sema.display.tables import Cell, Row, Table, missing_scores, number, p_value
from sema.errors import counted
from sema.evaluation.comparison import Comparison
from sema.evaluation.metaevaluation import MetaEvaluation, MetricResult, Split
from sema.evaluation.significance import CONFIDENCE, SAMPLES, SEED, Estimate
from sema.languages import known_language
from sema.metrics.base import Metric
from sema.scoring.results import Report, Summary, item_label, short_signature

SHOWN_ITEMS = 5
COEFFICIENTS = ("pearson", "spearman", "kendall")
ALPHA = 0.05
FIRST = "bertscore_p"
SECOND = ("sari", "samsa")  # read where the first is not low: for operations on words, and for splitting


def comparison_table(comparison: Comparison) -> Table:
    """The systems' scores with intervals, the best marked, with letters of significance if all pairs were compared."""
    percent = f"{100 * comparison.confidence:g} %"
    letters = {metric: comparison.letters(metric) for metric in comparison.metrics}

    def cell(name: str, metric: str) -> Cell:
        interval = _interval(comparison.systems[name][metric])
        return Cell(interval, comparison.best(metric) == name, letters[metric].get(name, ""))

    rows: list[Row] = [[name, *(cell(name, metric) for metric in comparison.metrics)] for name in comparison.systems]
    left_out = f", {comparison.left_out} left out" if comparison.left_out else ""
    sources = f" of {comparison.clusters} sources, drawn by source" if comparison.clusters is not None else ""
    items = f"{counted(comparison.items, 'item')}{sources}{left_out}"
    less = {metric: counted(count, "item") for metric, count in comparison.unscored.items()}
    notes = [f"{metric}: {count} without a score for some system left out" for metric, count in less.items()]
    notes.append(f"{items}; {comparison.samples} samples, seed {comparison.seed} | {comparison.signature}")
    shared = "; systems that share a letter do not differ significantly" if all(letters.values()) else ""
    title = f"Scores with {percent} bootstrap intervals (best marked{shared})"
    return Table(title, ["system", *comparison.metrics], rows, notes)


def pairs_table(comparison: Comparison) -> Table:
    """Every pair's differences with intervals, p-values and wins; significant differences are marked."""
    percent = f"{100 * comparison.confidence:g} %"
    tests = ["p bootstrap", "p randomization", "wins", "losses", "ties"]
    rows: list[Row] = []
    for pair in comparison.pairs:
        gap = pair.difference
        rows.append(
            [
                f"{pair.metric}: {pair.first} - {pair.second}",
                Cell(number(gap.value), strong=comparison.differ(pair)),
                f"[{number(gap.low)}, {number(gap.high)}]",
                number(gap.p_bootstrap, 4),
                number(gap.p_randomization, 4),
                *map(str, (len(pair.first_wins), len(pair.second_wins), pair.ties)),
            ]
        )
    limit = f"both p < {1 - comparison.confidence:.2g}"
    title = f"Differences (marked: {limit}, not corrected for the number of pairs)"
    return Table(title, ["metric: first - second", "difference", percent, *tests], rows)


def item_table(comparison: Comparison, ids: Sequence[str | None] | None = None) -> Table:
    """For every pair, the items on which either system is furthest ahead, by their ids if there are some."""

    def items(wins: tuple[tuple[int, float], ...]) -> str:
        return ", ".join(f"{item_label(item, ids)} (+{gap:.1f})" for item, gap in wins[:SHOWN_ITEMS]) or "-"

    rows: list[Row] = [
        [f"{pair.metric}: {pair.first} / {pair.second}", items(pair.first_wins), items(pair.second_wins)]
        for pair in comparison.pairs
    ]
    header = ["metric: first / second", "first is furthest ahead on items", "second is furthest ahead on items"]
    return Table("Items (numbered from 0)" if ids is None else "Items (by their ids)", header, rows)


def steps_table(report: Report) -> Table | None:
    """For each system the share of outputs whose precision is low, and the other metrics' means over the rest.

    The paper gives no threshold, and each encoder's scores have their own range, so a score is low if it is below the
    median of all outputs that are compared.

    Returns:
        ``None`` where the first metric or both of the second step are missing, or where no output has scores.
    """
    asked = [name for name in SECOND if name in report.metrics]
    if FIRST not in report.metrics or not asked:
        return None
    known = {system.name: [item.scores for item in system.items if item.scores] for system in report.systems}
    scored = {name: [scores for scores in items if not math.isnan(scores[FIRST])] for name, items in known.items()}
    precisions = [scores[FIRST] for items in scored.values() for scores in items]
    if not precisions:
        return None
    limit = median(precisions)
    rows: list[Row] = []
    for name, items in scored.items():
        high = [scores for scores in items if scores[FIRST] >= limit]
        low = 100 * (1 - len(high) / len(items)) if items else math.nan
        of_high = ([scores[metric] for scores in high if not math.isnan(scores[metric])] for metric in asked)
        means = [number(fmean(values) if values else math.nan) for values in of_high]
        rows.append([name, f"{low:.0f}", str(len(high)), *means])
    header = ["system", f"{FIRST} is low, %", "others", *(f"{name} of the others, mean" for name in asked)]
    note = f"low: below {limit:.2f}, the median of all outputs; a low precision says that an output is bad"
    return Table(f"In two steps: {FIRST}, then {' and '.join(asked)}", header, rows, [note])


def correlation_table(evaluation: MetaEvaluation, coefficient: str = "pearson") -> Table:
    """One coefficient with its intervals; marked: the metrics that are not significantly below the best.

    Williams' test is on Pearson correlations, so only their table has marks.
    """
    sizes = ((one.name, one.n, "" if one.clusters is None else f" of {one.clusters}") for one in evaluation.splits)
    header = ["metric", *(f"{name} (N={n}{sources})" for name, n, sources in sizes)]
    rows: list[Row] = [
        [metric, *(_correlation_cell(split, split.results[place], coefficient) for split in evaluation.splits)]
        for place, metric in enumerate(evaluation.metrics)
    ]
    notes = [
        f"{split.name}, {result.metric}: {note}"
        for split in evaluation.splits
        for result in split.results
        if (note := getattr(result, coefficient).note)
    ]
    marked = f"; marked: not significantly below the best (Williams, p >= {ALPHA})" if coefficient == "pearson" else ""
    what = f"{coefficient.capitalize()} correlation with {evaluation.rating}"
    title = f"{what}, {100 * evaluation.confidence:g} % intervals, p {evaluation.p}{marked}"
    if any(split.clusters is not None for split in evaluation.splits):
        notes.append("items of one source are not independent: intervals and tests count them by source")
    return Table(title, header, rows, [*evaluation.warnings, *dict.fromkeys(notes)])


def williams_table(evaluation: MetaEvaluation, split: Split) -> Table:
    """Williams' tests between all metrics of a split: p that the row's correlates no better than the column's."""
    rows: list[Row] = []
    for metric, tests in zip(evaluation.metrics, split.williams, strict=False):
        cells = (Cell("") if test is None else Cell(p_value(test.p), test.p < ALPHA) for test in tests)
        rows.append([metric, *cells])
    title = (
        f"Williams' tests, {evaluation.rating}, {split.name} (N={split.n}): "
        f"p that the row's metric correlates no better than the column's; marked: p < {ALPHA}"
    )
    return Table(title, ["metric", *evaluation.metrics], rows)


def _correlation_cell(split: Split, result: MetricResult, coefficient: str) -> Cell:
    value = getattr(result, coefficient)
    winner = result.metric == split.best or (result.williams is not None and not result.williams.p < ALPHA)
    text = f"{_interval(value, 3)} p{p_value(value.p, '=')}"
    return Cell(text, strong=coefficient == "pearson" and winner)


def _interval(value: Estimate, digits: int = 2) -> str:
    """A value with its interval, if it has one; ``digits`` are those of the value."""
    interval = f" [{number(value.low)}, {number(value.high)}]" if math.isfinite(value.low) else ""
    return f"{number(value.value, digits)}{interval}"


def paragraph(
    summary: Summary,
    metrics: Sequence[Metric],
    sources: int,
    estimates: Mapping[str, Mapping[str, Estimate]],
    comparison: Comparison | None = None,
) -> str:
    """What a paper prints of the scores of items from so many different sources: metrics, intervals and signature.

    ``estimates`` are by system and metric; without a ``comparison`` they are from a bootstrap with its defaults.
    """
    short = short_signature(summary.signature)
    counts = f"{counted(summary.items, 'item')} from {counted(sources, 'source')}"
    known = known_language(summary.lang)
    language = summary.lang if known is None else known.name  # a language of the caller's is not known
    named = ", ".join(metric.full_name for metric in metrics)
    systems = counted(len(summary.scores), "system")
    sentences = [
        f"We score {systems} on {counts} ({language}, {summary.level} level) with "
        f"{short.partition(' · ')[0]} ({named}; signature {short})"
    ]
    sentences += [
        f"{name}: {', '.join(f'{metric} {_interval(value)}' for metric, value in scores.items())}"
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
        sentences += map(capitalized, missing_scores(summary))
    return " ".join(f"{sentence}." for sentence in sentences)
