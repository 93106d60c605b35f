"""Items that are not independent: several outputs of one source, several ratings of one item.

All statistics use one partition of the items. Additive rows are summed by cluster before they are resampled, so that
intervals and tests draw whole clusters; correlations use the effective number of independent items.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from sema.errors import InputError

Array: TypeAlias = "np.ndarray[Any, Any]"
Labels = Sequence[Hashable]  # a label for each item, equal within a cluster: its source, or the source's id


def partition(labels: Labels | None, count: int) -> Array | None:
    """The number of each item's cluster, from 0 in order of first occurrence; ``None`` if every item is alone.

    Raises:
        InputError: there are not as many labels as items.
    """
    if labels is None:
        return None
    if len(labels) != count:
        raise InputError(f"{count} items but {len(labels)} labels of clusters; give one an item")
    numbers: dict[Hashable, int] = {}
    numbered = np.array([numbers.setdefault(label, len(numbers)) for label in labels], dtype=np.intp)
    return None if len(numbers) == count else numbered


def cluster_count(clusters: Array | None) -> int | None:
    """How many clusters some items form; ``None`` without clusters."""
    return None if clusters is None else len(np.unique(clusters))


def same_sources(sources: Iterable[object]) -> list[Hashable]:
    """A label for each source; texts that differ only in their spaces or their division have equal labels."""
    return [" ".join(_plain(source).split()) for source in sources]


def _plain(source: object) -> str:
    text = getattr(source, "raw", "") or getattr(source, "words", source)
    if isinstance(text, str):
        return text
    return " ".join(map(str, text)) if isinstance(text, Iterable) else repr(text)


def cluster_sums(rows: Sequence[Sequence[float]] | Array, clusters: Array | None) -> Array:
    """The items' additive rows, summed by cluster (clusters, width); without clusters, unchanged."""
    table = np.asarray(rows, dtype=float)
    if clusters is None:
        return table
    numbers = np.unique(clusters, return_inverse=True)[1]
    sums = np.zeros((int(numbers.max()) + 1, *table.shape[1:]))
    np.add.at(sums, numbers, table)
    return sums


def effective_count(first: Array, second: Array, clusters: Array) -> float:
    """The effective number of independent pairs for a correlation.

    The pairs' influence on Pearson's r is summed by cluster. The ratio of the variance of these sums to that of single
    pairs is the design effect (Kish 1965), taken as at least 1.
    """
    count = len(first)
    left, right = ((side - side.mean()) / (side.std() or 1.0) for side in (first, second))
    r = float(left @ right) / count
    influence = left * right - r * (left**2 + right**2) / 2
    single = float(influence @ influence)
    sums = cluster_sums(influence[:, None], clusters)[:, 0]
    if single <= 0 or len(sums) < 2:
        return float(len(sums))
    correction = len(sums) / (len(sums) - 1) * (count - 1) / count
    return count / max(1.0, float(sums @ sums) / single * correction)
