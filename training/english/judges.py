"""Fit the shipped judges: ``python -m training.english.judges`` (a few minutes, mostly analysis).

Training data: QATS train, questeval and acl2018 (:mod:`training.data.rated_aspects`), without any pair of the sets that
figures are reported on (:data:`~training.data.rated_aspects.REPORTED`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import sema_english
from numpy.typing import NDArray

from sema.display.reports.training import training_report
from sema.features.base import FeatureSet
from sema.judges.examples import CHUNK, RatedPair, bare, examples_of, feature_rows
from sema.judges.model import Array, Linear, Trees
from sema.judges.model import Parts as Models
from sema.judges.storage import save_judge
from sema.judges.training import ESTIMATORS, Examples, Fit, Trained, train_judge
from sema.languages import find_language
from training.command import command
from training.data.rated_aspects import REPORTED, training_sets

JUDGES = Path(sema_english.__file__).parent / "weights" / "judges"
SCALE_SET = "qats_train"
"""The set whose ratings (good, ok, bad) are the classes."""
ABOUT = {
    "licence": "CC BY-SA 4.0",
    "trained_on": "QATS 2016 train (shared task), questeval (MIT), acl2018 (CC BY-SA 3.0)",
    "left_out": "every pair of QATS test, Simplicity-DA, ASSET's ratings, SimpEval_past and llm2025",
}
ASPECTS = ("fluency", "simplicity", "overall")
"""The aspects of the judges that ship."""
EMPHASIS = {"overall": {SCALE_SET: 8.0}}
"""Sets that count more than once: only the raters of QATS rated overall quality."""
IGNORED = ("form.spaced_punctuation", "form.spaced_punctuation_change")
"""Features that depend on a set's tokenization rather than on the quality of its texts."""
OWN_GROUPS = ("lengths", "form", "readability", "lexical", "language_model", "structure", "clauses")
TOTALS = (
    *(f"lengths.{name}" for name in ("words", "characters", "sentences", "source_words", "identical", "similarity")),
    *(f"lengths.{name}" for name in ("copied", "kept", "added", "subsequence")),
    *(f"lengths.{name}_ratio" for name in ("word", "character", "sentence")),
    *(f"language_model.{model}_{name}" for model in ("simple", "original") for name in ("logprob", "oov")),
    *("language_model.complexity1", "language_model.complexity", "structure.scenes", "lexical.variety"),
    *("form.brackets", "form.repeated_pair", "form.repeated_triple", "structure.deepest"),
)
"""Features of OWN_GROUPS that grow with a text's length, or compare it with its source."""
LINE = 0.6
"""The share of the linear model in the judge of simplicity."""


class PairFeatures:
    """The features of English pairs; aspects and sets share most of them, and each is analysed once."""

    def __init__(self) -> None:
        self.parts = find_language("en").parts()
        self.features = FeatureSet(self.parts)
        self._known: dict[tuple[str, str], Array] = {}

    def examples(self, pairs: Sequence[RatedPair]) -> Examples:
        """The pairs that can be analysed, as examples."""
        known = self._known
        fresh = list({(one.source, one.output): one for one in pairs if (one.source, one.output) not in known}.values())
        for start in range(0, len(fresh), CHUNK):
            rows = feature_rows(fresh[start : start + CHUNK], self.features, self.parts)
            known.update(((one.source, one.output), row) for one, row in rows)
        usable = [one for one in pairs if (one.source, one.output) in known]
        return examples_of([(one, known[one.source, one.output]) for one in usable], self.features)


def in_units_of(examples: Examples, reference: str) -> Examples:
    """All ratings, rescaled to the mean and spread of one set: raters use scales differently."""
    sets = np.array(examples.sets)
    own = examples.targets[sets == reference]
    targets = examples.targets.copy()
    for name in set(examples.sets) - {reference}:
        chosen = sets == name
        spread = targets[chosen].std() or 1.0
        targets[chosen] = (targets[chosen] - targets[chosen].mean()) / spread * own.std() + own.mean()
    return replace(examples, targets=targets)


def training_examples(aspect: str, features: PairFeatures) -> Examples:
    """The examples of one aspect, without any pair that a benchmark reports a figure on, in the units of QATS."""

    def key(pair: RatedPair) -> tuple[str, str]:
        return bare(pair.source), bare(pair.output)

    reported = {key(pair) for read in REPORTED.values() for pair in read("fluency")}
    pairs = [pair for pair in training_sets(aspect) if key(pair) not in reported]
    examples = replace(in_units_of(features.examples(pairs), SCALE_SET), emphasis=EMPHASIS.get(aspect, {}))
    return examples.columns([name for name in examples.names if name not in IGNORED])


def is_own(feature: str) -> bool:
    """Whether a feature describes the output alone and does not grow with its length."""
    own = feature.partition(".")[0] in OWN_GROUPS and not feature.endswith("_change")
    return own and feature not in TOTALS


def two_views(features: Sequence[str]) -> Fit:
    """Trees over the features of the output alone, and a linear model of all features.

    Judged alone, a simple sentence is simple whatever it leaves out; compared with its source, a sentence is simpler
    the more it leaves out. Raters of QATS judge in the first way, raters of today's systems in the second.
    """
    own = np.array([place for place, name in enumerate(features) if is_own(name)], np.int32)

    def fit(table: Array, targets: Array, weights: Array) -> Models:
        trees = ESTIMATORS["extra_trees"](table[:, own], targets, weights)
        line = ESTIMATORS["ridge"](table, targets, weights)
        return [
            *(((1 - LINE) * weight, _placed(part, own)) for weight, part in trees),
            *((LINE * weight, part) for weight, part in line),
        ]

    return fit


def _placed(trees: Trees | Linear, own: NDArray[np.int32]) -> Trees:
    """Trees over some columns as trees over all."""
    assert isinstance(trees, Trees)
    return replace(trees, feature=np.where(trees.feature < 0, -1, own[trees.feature]).astype(np.int32))


def train(aspect: str, examples: Examples) -> Trained:
    """One aspect's judge, by the best of the estimators.

    The judge of simplicity always has two views. That of overall quality is always linear, which is best on texts
    unlike those of QATS.
    """
    groups = list(dict.fromkeys(name.partition(".")[0] for name in examples.names))
    fits = dict(ESTIMATORS)
    if aspect == "simplicity":
        fits = {"two views": two_views(examples.names)}
    elif aspect == "overall":
        fits = {"ridge": ESTIMATORS["ridge"]}
    return train_judge(examples, aspect, "en", groups, estimators=fits, about=ABOUT, scale_set=SCALE_SET)


@command
def main() -> None:
    """Fit and write the judges and their reports."""
    features = PairFeatures()
    for aspect in ASPECTS:
        fitted = train(aspect, training_examples(aspect, features))
        save_judge(fitted.judge, JUDGES / aspect)
        (JUDGES / aspect / "report.md").write_text(training_report(fitted), encoding="utf-8")


if __name__ == "__main__":
    main()
