"""The system of Mathias and Bhattacharyya (2016) rebuilt: bagged pruned trees over the features of their paper."""

from __future__ import annotations

import numpy as np
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_predict, train_test_split
from sklearn.tree import DecisionTreeClassifier

FEATURES = {
    "fluency": (
        "lengths.words",
        *(f"language_model.simple_{name}" for name in ("oov", "logprob", "ppl", "ppl1")),
    ),
    "meaning": ("qats.meteor",),
    "simplicity": ("qats.complexity",),
}
"""The features of the paper's sections 3, 4 and 5, by their names in `sema features`."""

COLUMNS = ("accuracy, %", "MAE", "RMSE")
ALPHAS = 12
"""The number of pruning strengths to try."""


class PrunedTree(DecisionTreeClassifier):
    """A tree grown on two thirds of the items and pruned for the fewest errors on the last third (as REPTree).

    A bag may draw an item several times. The number of draws is the item's weight, so each item is used either for
    growing or for pruning: a tree pruned on items that it was grown on is hardly pruned, and METEOR alone is then less
    accurate than the majority class.
    """

    def fit(self, table, labels, sample_weight=None, check_input=True):
        """Choose the pruning, then grow and prune on all items."""
        times = np.ones(len(labels)) if sample_weight is None else sample_weight
        grow, check = train_test_split(np.flatnonzero(times), test_size=1 / 3, random_state=0)
        path = DecisionTreeClassifier(min_samples_leaf=2, random_state=0).cost_complexity_pruning_path(
            table[grow], labels[grow], times[grow]
        )
        best = (-1.0, 0.0)
        for alpha in np.unique(np.quantile(np.clip(path.ccp_alphas, 0, None), np.linspace(0, 1, ALPHAS))):
            tree = DecisionTreeClassifier(min_samples_leaf=2, random_state=0, ccp_alpha=alpha)
            right = tree.fit(table[grow], labels[grow], times[grow]).predict(table[check]) == labels[check]
            best = max(best, (float(np.average(right, weights=times[check])), alpha))
        self.set_params(ccp_alpha=best[1], min_samples_leaf=2)
        return super().fit(table, labels, sample_weight=times)


def row(predicted: np.ndarray, truth: np.ndarray) -> dict[str, float]:
    """Accuracy, MAE and RMSE, with good, ok and bad as 100, 50 and 0."""
    errors = 50.0 * (predicted - truth)
    figures = (100 * (errors == 0).mean(), np.abs(errors).mean(), np.sqrt((errors**2).mean()))
    return dict(zip(COLUMNS, map(float, figures), strict=True))


def measure(train: np.ndarray, labels: np.ndarray, test: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ten-fold cross-validated predictions on the training items, and predictions on the test items."""
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    system = BaggingClassifier(PrunedTree(), n_estimators=10, random_state=0)
    return cross_val_predict(system, train, labels, cv=folds), system.fit(train, labels).predict(test)
