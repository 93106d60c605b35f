"""How far the ratings of judged pairs can be predicted without reading them: ``python -m training.reader.shortcuts``.

By file: pairs, sources, mean characters of source and output, and the correlation of closeness to the source with the
rated meaning (Pearson's r; .1 to .6 in people's ratings). Then closeness over all pairs, and how well a ridge
regression predicts the meaning, for sources that it was not fitted on, from an output's hand, its place among the
outputs of its source and its form (:mod:`training.reader.balance`): with every pair once, and with the weights of
training.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sklearn.linear_model import Ridge
from sklearn.model_selection import GroupKFold
from sklearn.preprocessing import StandardScaler

from training.reader.balance import Floats, closeness, traces
from training.reader.data import copies_of, judged, judged_files, weighed
from training.reader.example import Example

FOLDS = 10
PENALTY = 100.0
"""Of the ridge regression, whose columns have unit variance."""


def correlation(first: Floats, second: Floats, weights: Floats) -> float:
    """Pearson's r under weights; NaN if a side has one value."""
    table = np.cov(first, second, aweights=weights)
    with np.errstate(invalid="ignore"):
        return float(table[0, 1] / np.sqrt(table[0, 0] * table[1, 1]))


def foretold(pairs: Sequence[Example], table: Floats, weights: Floats) -> float:
    """The correlation, under weights, of the rated meaning with its prediction from ``table``, cross-validated over
    folds of sources."""
    sources: dict[str, int] = {}
    groups = [sources.setdefault(pair.source, len(sources)) for pair in pairs]
    meaning = np.array([pair.meaning for pair in pairs])
    columns = StandardScaler().fit_transform(table)
    found = np.zeros(len(pairs))
    for known, unknown in GroupKFold(FOLDS).split(columns, groups=groups):
        ridge = Ridge(PENALTY).fit(columns[known], meaning[known], weights[known])
        found[unknown] = ridge.predict(columns[unknown])
    return correlation(found, meaning, weights)


def main() -> None:
    """Print the table of files, and the figures over all."""
    print("file                  pairs sources  source  output  r of closeness with meaning")
    for file in judged_files():
        pairs = list(judged([file]))
        sizes = [np.mean([len(getattr(pair, text)) for pair in pairs]) for text in ("source", "output")]
        once = np.ones(len(pairs))
        near = correlation(closeness(pairs), np.array([pair.meaning for pair in pairs]), once)
        count = len({pair.source for pair in pairs})
        print(f"{file.stem:20}{len(pairs):7}{count:8}{sizes[0]:8.0f}{sizes[1]:8.0f}  {near:.2f}")
    pairs = list(judged())
    mix = np.array([pair.weight * copies_of(pair.kind) for pair in weighed(pairs)])
    meaning = np.array([pair.meaning for pair in pairs])
    for name, weights in (("every pair once", np.ones(len(pairs))), ("as in training", mix)):
        print(f"{name}: {len(pairs)} pairs, effective {weights.sum() ** 2 / (weights**2).sum():.0f}")
        print(f"  r of closeness with meaning {correlation(closeness(pairs), meaning, weights):.2f}")
        for trace, table in traces(pairs).items():
            print(f"  r of {trace} with meaning {foretold(pairs, table, weights):.2f}")


if __name__ == "__main__":
    main()
