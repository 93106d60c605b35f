"""scikit-learn: a transformer from (source, output) pairs to scores, or to the features that judges read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from sema.analysis.analyser import Analyser
from sema.analysis.texts import check_text
from sema.features.base import FeatureSet
from sema.languages import find_language
from sema.model.item import Item
from sema.model.language import Language
from sema.scoring.scorer import Scorer


class _PairTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    n_features_in_ = 2

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The names of the columns."""
        return np.asarray(self.columns_, dtype=object)


class ScoreTransformer(_PairTransformer):
    """Each pair's scores, a column for each metric; NaN for pairs that cannot be scored.

    Args:
        lang: a language code, or a language of your own.
        metrics: names that need no references (default: sema's defaults).
    """

    def __init__(self, lang: str | Language = "en", metrics: Sequence[str] | None = None) -> None:
        self.lang = lang
        self.metrics = metrics

    def fit(self, X: Any, y: Any = None) -> Self:
        """Make the scorer; there is nothing to learn."""
        self.scorer_ = Scorer(self.lang, self.metrics)
        self.columns_ = [metric.name for metric in self.scorer_.metrics]
        return self

    def transform(self, X: Any) -> Any:
        """The scores of pairs: an array (pairs, metrics) from a sequence of (source, output)."""
        check_is_fitted(self)
        report = self.scorer_.score(*_columns(X), collect_errors=True, keep_items=False)
        return report.to_frame()[self.columns_].to_numpy(dtype=np.float64)


class FeatureTransformer(_PairTransformer):
    """Each pair's features (:mod:`sema.features`), a column for each; NaN for pairs that cannot be analysed.

    Args:
        lang: a language code, or a language of your own.
        groups: names of feature groups (default: all that suit the language).
    """

    def __init__(self, lang: str | Language = "en", groups: Sequence[str] | None = None) -> None:
        self.lang = lang
        self.groups = groups

    def fit(self, X: Any, y: Any = None) -> Self:
        """Make the parts of the language; there is nothing to learn."""
        parts = (find_language(self.lang) if isinstance(self.lang, str) else self.lang).parts()
        self.features_ = FeatureSet(parts, self.groups)
        self.columns_ = self.features_.names
        self.analyser_ = Analyser(parts, self.features_.requires)
        return self

    def transform(self, X: Any) -> Any:
        """The features of pairs: an array (pairs, features) from a sequence of (source, output)."""
        check_is_fitted(self)
        pairs = zip(("source", "output"), _columns(X), strict=True)
        items = self.analyser_.items(*([check_text(text, role) for text in column] for role, column in pairs))
        table = np.full((len(items), len(self.columns_)), np.nan)
        usable = {place: item for place, item in enumerate(items) if isinstance(item, Item)}
        if usable:
            table[list(usable)] = self.features_.table(list(usable.values()))
        return table


def _columns(pairs: Any) -> tuple[list[Any], list[Any]]:
    """Sources and outputs as given; the scorer reports values that are no text (None, NaN)."""
    table = list(pairs.to_numpy() if hasattr(pairs, "to_numpy") else pairs)
    return [source for source, _ in table], [output for _, output in table]
