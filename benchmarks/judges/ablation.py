"""What each kind of evidence is worth to `meaning`: without it, fitted again, how far does it agree with people?

    python -m benchmarks.judges.ablation [--limit N]

Pearson's r (llm2025's errors: area under the ROC curve). "without facts" leaves out what is said otherwise; the other
rows set numbers of :mod:`sema_english.judge.features` to nothing, in fitting and in scoring.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from sema_english.judge.features import SCALARS, Numbers, WordFeatures
from sema_english.judge.model import EnglishMeaning, Network, load
from sema_english.judge.reader import shipped_reader
from sema_english.language import english
from sema_english.relations import english_lexicon, relations
from sema_english.training.meaning import MeaningPlan, fit, told_stories
from sema_english.training.meaning_data import analysed, examples, training_pairs
from sema_english.training.ranking import rankings
from sema_english.training.rated_meaning import MEANING_SETS, RatedPair

from benchmarks.judges.meaning import auc
from benchmarks.records import CommandLine, Figures, run
from sema.analysis.analyser import Analyser
from sema.evaluation.significance import pearson
from sema.metrics.meaning.evidence import gather_meaning
from sema.metrics.meaning.plain import PlainFacts
from sema.model.item import Item, Need
from sema.model.meaning import WordFacts

SETS = ("Simplicity-DA", "QATS test", "asset", "llm2025", "llm2025 errors", "factuality")
GROUPS = {
    "everything": (),
    "contexts": ("most alike context", "likeness of the partner"),
    "senses": ("most alike sense", "sense of the partner", "sense of the text"),
    "breaks": ("new break", "new breaks of the text"),
    "links of words": ("likeliest link", "all links", "lead of the likeliest", "rival's lead"),
    "links of neighbours": ("links of neighbours", "links of neighbours at two"),
    "relations": ("identical", "form", "synonym", "paraphrase", "hyponymy", "no relation", "same word", "same stem"),
}
AT_A_TIME = 200


class Without(WordFeatures):
    """Features of which some are nothing."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(relations(english_lexicon()), shipped_reader())
        self._out = [SCALARS.index(name) for name in names]

    def _side(self, *arguments: object, **named: object) -> Numbers:
        found = super()._side(*arguments, **named)  # type: ignore[arg-type]
        found[:, self._out] = 0.0
        return found


@dataclass(frozen=True)
class Unseeing(Network):
    """A network that is not told some of the numbers of a word; what facts are held against still is."""

    unseen: tuple[int, ...] = ()

    def probabilities(self, features: Numbers) -> Numbers:
        """How likely every word is kept or supported."""
        seen = features.copy()
        seen[:, list(self.unseen)] = 0.0
        return super().probabilities(seen)


def agreement(name: str, pairs: Sequence[RatedPair], scores: Sequence[float]) -> float:
    people = [pair.rating for pair in pairs]
    return auc(scores, [r > 0 for r in people]) if name == "llm2025 errors" else pearson(people, scores).value


def models(smoke: bool) -> dict[str, EnglishMeaning]:
    """The judge fitted without each group of numbers; with ``smoke`` the shipped one, which is not shown them."""
    whole, found = Without(()), {}
    if not smoke:
        learned = training_pairs()
        seen = analysed([(p.source, p.output) for rated in learned.values() for p in rated])
        stories = told_stories()
    for group, names in GROUPS.items():
        features = Without(names)
        if smoke:
            fitted, _ = load()
        else:
            fitted = fit(examples(learned, seen, features), rankings(stories, features), MeaningPlan())
        arrays = {field.name: getattr(fitted, field.name) for field in fields(Network)}
        unseen = tuple(SCALARS.index(name) for name in names)
        found[group] = EnglishMeaning(whole, Unseeing(**arrays, unseen=unseen))
    return found


def main(argv: Sequence[str] | None = None) -> None:
    parser = CommandLine(__doc__)
    parser.add_argument("--limit", type=int, default=600, help="at most so many pairs of a set, drawn by chance")
    arguments = parser.parse(argv)
    sets = SETS[1:2] if arguments.smoke else SETS
    limit = 4 if arguments.smoke else arguments.limit
    parts = english().parts()
    judges = models(arguments.smoke)
    analyser = Analyser(parts, frozenset(Need) - {Need.REFERENCES})
    table: dict[str, dict[str, float]] = {group: {} for group in (*GROUPS, "facts")}
    for name in sets:
        pairs = MEANING_SETS[name]()
        pairs = random.Random(20).sample(pairs, limit) if len(pairs) > limit else pairs
        scores: dict[str, list[float]] = {group: [] for group in table}
        for start in range(0, len(pairs), AT_A_TIME):
            some = pairs[start : start + AT_A_TIME]
            (items,) = analyser.prepare([p.source for p in some], [[p.output for p in some]], segment=False)
            for item in items:
                assert isinstance(item, Item), item
                assert parts.facts is not None
                for group, model in judges.items():
                    scores[group].append(scored(model, item, parts.facts))
                scores["facts"].append(scored(judges["everything"], item, PlainFacts()))
        for group, values in scores.items():
            table[group][name] = agreement(name, pairs, values)
    figures = Figures("meaning.ablation", "without")
    for group, row in table.items():
        figures.row("(all evidence)" if group == "everything" else group, row)


def scored(model: EnglishMeaning, item: Item, facts: WordFacts) -> float:
    (found,) = model.words([item], [gather_meaning(item, facts)])
    return float(np.float64(model.scores(found)["meaning"]))


if __name__ == "__main__":
    run(main)
