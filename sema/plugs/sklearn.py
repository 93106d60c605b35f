"""scikit-learn: a transformer from (source, output) pairs to scores, or to the features that judges read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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


class ScoreTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Each pair's scores, a column for each metric; NaN for pairs that cannot be scored.

    Args:
        lang: a language code, or a language of your own.
        metrics: names that need no references (default: sema's defaults).
    """

    def __init__(self, lang: str | Language = "en", metrics: Sequence[str] | None = None) -> None:
        self.lang = lang
        self.metrics = metrics

    def fit(self, X: Any, y: Any = None) -> ScoreTransformer:
        """Make the scorer; there is nothing to learn."""
        self.scorer_ = Scorer(self.lang, self.metrics)
        self.n_features_in_ = 2
        return self

    def transform(self, X: Any) -> Any:
        """The scores of pairs: an array (pairs, metrics) from a sequence of (source, output)."""
        check_is_fitted(self)
        sources, outputs = _columns(X)
        report = self.scorer_.score(sources, outputs, collect_errors=True, keep_items=False)
        return report.to_frame()[list(report.metrics)].to_numpy(dtype=np.float64)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The metrics' names."""
        return np.asarray([metric.name for metric in self.scorer_.metrics], dtype=object)


class FeatureTransformer(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Each pair's features (:mod:`sema.features`), a column for each; NaN for pairs that cannot be analysed.

    Args:
        lang: a language code, or a language of your own.
        groups: names of feature groups (default: all that suit the language).
    """

    def __init__(self, lang: str | Language = "en", groups: Sequence[str] | None = None) -> None:
        self.lang = lang
        self.groups = groups

    def fit(self, X: Any, y: Any = None) -> FeatureTransformer:
        """Make the parts of the language; there is nothing to learn."""
        language = find_language(self.lang) if isinstance(self.lang, str) else self.lang
        parts = language.parts()
        self.features_ = FeatureSet(parts, self.groups)
        self.analyser_ = Analyser(parts, self.features_.requires)
        self.n_features_in_ = 2
        return self

    def transform(self, X: Any) -> Any:
        """The features of pairs: an array (pairs, features) from a sequence of (source, output)."""
        check_is_fitted(self)
        sources, outputs = (
            [check_text(text, role) for text in column]
            for role, column in zip(("source", "output"), _columns(X), strict=True)
        )
        items = self.analyser_.items(sources, outputs)
        table = np.full((len(items), len(self.features_.names)), np.nan)
        usable = {place: item for place, item in enumerate(items) if isinstance(item, Item)}
        if usable:
            table[list(usable)] = self.features_.table(list(usable.values()))
        return table

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The features' full names."""
        return np.asarray(self.features_.names, dtype=object)


def _columns(pairs: Any) -> tuple[list[Any], list[Any]]:
    """Sources and outputs as given; the scorer reports values that are no text (None, NaN)."""
    table = list(pairs.to_numpy() if hasattr(pairs, "to_numpy") else pairs)
    return [source for source, _ in table], [output for _, output in table]
