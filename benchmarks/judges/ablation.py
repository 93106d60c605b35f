"""What each kind of evidence is worth to `meaning`: without it, fitted again, how far does it agree with people?

    python -m benchmarks.judges.ablation [--limit N]

Pearson's r (llm2025's errors: area under the ROC curve). "without facts" leaves out what is said otherwise; the other
rows set numbers of :mod:`sema_english.judge.features` to nothing, in fitting and in scoring.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from meaning import auc
from sema_english.judge.features import SCALARS, Numbers, WordFeatures
from sema_english.judge.model import EnglishMeaning, Network
from sema_english.judge.reader import shipped_reader
from sema_english.language import english
from sema_english.relations import english_lexicon, relations
from sema_english.training.meaning import MeaningPlan, fit, told_stories
from sema_english.training.meaning_data import analysed, examples, training_pairs
from sema_english.training.ranking import rankings
from sema_english.training.rated_meaning import MEANING_SETS, RatedPair

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, default=600, help="at most so many pairs of a set, drawn by chance")
    arguments = parser.parse_args()
    parts = english().parts()
    learned = training_pairs()
    seen = analysed([(p.source, p.output) for rated in learned.values() for p in rated])
    stories = told_stories()
    models = {}
    whole = Without(())
    for group, names in GROUPS.items():
        features = Without(names)
        fitted = fit(examples(learned, seen, features), rankings(stories, features), MeaningPlan())
        arrays = {field.name: getattr(fitted, field.name) for field in fields(Network)}
        unseen = tuple(SCALARS.index(name) for name in names)
        models[group] = EnglishMeaning(whole, Unseeing(**arrays, unseen=unseen))
    analyser = Analyser(parts, frozenset(Need) - {Need.REFERENCES})
    table: dict[str, list[float]] = {group: [] for group in (*GROUPS, "facts")}
    for name in SETS:
        pairs = MEANING_SETS[name]()
        pairs = random.Random(20).sample(pairs, arguments.limit) if len(pairs) > arguments.limit else pairs
        scores: dict[str, list[float]] = {group: [] for group in table}
        for start in range(0, len(pairs), AT_A_TIME):
            some = pairs[start : start + AT_A_TIME]
            (items,) = analyser.prepare([p.source for p in some], [[p.output for p in some]], segment=False)
            for item in items:
                assert isinstance(item, Item), item
                assert parts.facts is not None
                for group, model in models.items():
                    scores[group].append(scored(model, item, parts.facts))
                scores["facts"].append(scored(models["everything"], item, PlainFacts()))
        for group, values in scores.items():
            table[group].append(agreement(name, pairs, values))
    print(f"| without | {' | '.join(SETS)} |\n|---|{'---:|' * len(SETS)}")
    for group, values in table.items():
        print(f"| {'(all evidence)' if group == 'everything' else group} | {' | '.join(f'{v:.3f}' for v in values)} |")


def scored(model: EnglishMeaning, item: Item, facts: WordFacts) -> float:
    (found,) = model.words([item], [gather_meaning(item, facts)])
    return float(np.float64(model.scores(found)["meaning"]))


if __name__ == "__main__":
    main()
