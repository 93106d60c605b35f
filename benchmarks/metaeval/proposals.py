"""The proposals of Alva-Manchego, Scarton and Specia (2021; sections 4.2.2 and 5.2) beside SARI: do they say more?

    python -m benchmarks.metaeval.proposals

* ``sari_contextual``: similarity of contextual vectors in place of n-gram identity.
* SARI with references that count by their own simplicity: nobody has rated the references, so their CEFR level, their
  reading ease or the judge of simplicity stands for ratings. A reference counts e times as much as one that is a level
  (20 points of ease, 10 points of the judge) harder; what is added counts by the simplest reference that has it.
* Simplicity Gain: how many words of the source are linked to an easier word (the lists and the model of CEFR levels),
  by the likely links of the aligner.

Pearson's r with ratings over the items, the lower and the higher half of ratings, and over the means of the systems:
Simplicity-DA (6 systems) and SimpEval_past (22, without the two that are references) against ASSET, Structural
Simplicity (25) against HSplit. The judge was trained on sentences of Structural Simplicity, so it is not shown there.
None correlates significantly better than SARI with Simplicity-DA, and all correlate less with SimpEval_past, over items
and systems, so none of them ships as a metric.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from benchmarks.metaeval.sari_contextual import SariContextual
from benchmarks.records import CommandLine, Figures, run
from benchmarks.sheets import Sheet, simpeval_past, simplicity_da, structural_simplicity
from sema import Scorer
from sema.evaluation.metaevaluation import metaevaluate
from sema.metrics.base import Item, Need, Row, row_mean
from sema.metrics.cefr import LevelMetric
from sema.metrics.operations import operations
from sema.metrics.sari import ORDERS, Tokens, combine
from sema.metrics.token_metric import get_tokenizer

WEIGHTS = {"cefr": -1.0, "flesch": 1 / 20, "simplicity": 1 / 10}
"""The measures that stand for the simplicity of a reference, and their factors in the exponent."""
SPLITS = ("all", "low", "high", "systems")
SETS = (
    (simplicity_da, "simplicity", "asset", tuple(WEIGHTS)),
    (simpeval_past, "quality", "asset", tuple(WEIGHTS)),
    (structural_simplicity, "structural_simplicity", "hsplit", ("cefr", "flesch")),
)
"""Sheets, the ratings, the references, and the measures of the references."""


def weighted_sari(source: Tokens, output: Tokens, references: Sequence[Tokens], weights: Sequence[float]) -> float:
    """SARI with references of different weight; with equal ones it is ``sari``."""
    shares = np.array(weights) / np.mean(weights)
    counts: list[float] = []
    for order in range(1, ORDERS + 1):
        in_source, in_output, *in_references = (
            Counter(zip(*(text[at:] for at in range(order)), strict=False)) for text in (source, output, *references)
        )
        worth: dict[object, float] = {}
        times: Counter[object] = Counter()
        for share, grams in zip(shares.tolist(), in_references, strict=True):
            for gram, number in grams.items():
                worth[gram] = max(worth.get(gram, 0.0), share / shares.max())
                times[gram] += share * number
        added, wanted = in_output.keys() - in_source.keys(), worth.keys() - in_source.keys()
        counts += (sum(worth[gram] for gram in added & wanted), len(added), sum(worth[gram] for gram in wanted))
        kept, deleted = np.zeros(3), np.zeros(3)
        for gram, number in in_source.items():
            total = number * len(references)
            ours, theirs = min(in_output[gram] * len(references), total), min(times[gram], total)
            kept += (min(ours, theirs), ours, theirs)
            deleted += (total - max(ours, theirs), total - ours, total - theirs)
        counts += (*kept.tolist(), *deleted.tolist())
    return combine(counts).score


class SimplicityGain(LevelMetric, name="simplicity_gain"):
    """How many words were replaced by easier ones."""

    requires = frozenset({Need.STATES, Need.LIKELY_LINKS})

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """The number, and a count of 1."""
        both = zip(items, self.levels(items, "source"), self.levels(items), strict=True)
        return [(float(gain(item, source.words, output.words)), 1.0) for item, source, output in both]

    def value(self, row: Row) -> float:
        return row_mean(row)


def gain(item: Item, source: Sequence[float | None], output: Sequence[float | None]) -> int:
    """The source words whose easiest linked word is of another form and of a lower level."""
    linked: dict[int, list[float]] = {}
    for (start, _), pairs in zip(item.output.sentences, item.likely_links, strict=True):
        for place, other in pairs:
            level = output[start + other] if output else None
            if level is not None:
                linked.setdefault(place, []).append(level)
    replaced = operations(item).replacements
    return sum(
        place in linked and (level := source[place]) is not None and min(linked[place]) < level for place in replaced
    )


def reference_worths(
    measures: Sequence[str], sources: Sequence[str], texts: Sequence[Sequence[str]]
) -> dict[str, list[Sequence[float]]]:
    """By measure of simplicity, the weights of each output's references; an empty one is read as its source."""
    places = {source: place for place, source in enumerate(dict.fromkeys(sources))}
    own = dict(zip(sources, texts, strict=True))
    pairs = [(source, text if text.strip() else source) for source in places for text in own[source]]
    report = Scorer("en", measures).score(*map(list, zip(*pairs, strict=True)), keep_items=False)
    worths = {}
    for name in measures:
        values = np.array([item.scores[name] for item in report.systems[0].items]).reshape(len(places), -1)
        weights = np.exp(WEIGHTS[name] * (values - values.mean(1, keepdims=True))).tolist()
        worths[name] = [weights[places[source]] for source in sources]
    return worths


def scores_of(sheet: Sheet, references: str, measures: Sequence[str], most: int | None) -> dict[str, list[float]]:
    """The scores of every output by metric; ``most``: only the first so many references."""
    texts = [own[:most] for own in sheet.references[references].texts]
    scorer = Scorer("en", ["sari", SariContextual(), "bertscore_p", SimplicityGain()])
    items = scorer.score(sheet.sources, sheet.outputs, texts, keep_items=False).systems[0].items
    scores = {metric.name: [item.scores[metric.name] for item in items] for metric in scorer.metrics}
    cut = get_tokenizer("13a").batch
    for name, weights in reference_worths(measures, sheet.sources, texts).items():
        scores[f"sari, references by {name}"] = [
            weighted_sari(cut([source])[0], cut([output])[0], cut(own), given)
            for source, output, own, given in zip(sheet.sources, sheet.outputs, texts, weights, strict=True)
        ]
    gained = zip(scores["sari"], scores["simplicity_gain"], strict=True)
    scores["sari + 5 simplicity_gain"] = [sari + 5 * number for sari, number in gained]
    return scores


def main(argv: Sequence[str] | None = None) -> None:
    """Print a table for each set."""
    smoke = CommandLine(__doc__).parse(argv).smoke
    for number, (make, aspect, references, measures) in enumerate(SETS, 1):
        sheet = make()
        sheet = sheet.only([place for place, name in enumerate(sheet.systems) if "asset.test" not in name])
        sheet = sheet.every(200 if smoke else 1)
        scores = scores_of(sheet, references, measures, 2 if smoke else None)
        evaluation = metaevaluate(sheet.ratings[aspect], scores, systems=sheet.systems)
        print(f"\n**{sheet.name}**\n")
        table = Figures(f"metaeval.proposals{number}", "r of", data=sheet.name)
        splits = {split.name: split for split in evaluation.splits}
        sizes = {name: splits[name].n for name in SPLITS}
        for at, metric in enumerate(scores):
            table.row(metric, {name: splits[name].results[at].pearson.value for name in SPLITS}, n=sizes)
        tests = [row[0] for row in splits["all"].williams]
        shown = [f"{metric} {test.p:.3f}" for metric, test in zip(scores, tests, strict=True) if test is not None]
        print(f"\nWilliams, p that it correlates no better than sari: {', '.join(shown)}")


if __name__ == "__main__":
    run(main)
