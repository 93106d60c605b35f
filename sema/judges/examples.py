"""From rated texts to examples: pairs are analysed, and features read off them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sema.analysis.analyser import Analyser
from sema.analysis.texts import ProgressCallback
from sema.errors import SemaError
from sema.judges.ratings import RatedPair, bare
from sema.judges.training import Examples

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    from sema.features.registry import FeatureSet
    from sema.model.language import Parts

CHUNK = 256


def make_examples(
    pairs: Sequence[RatedPair], features: FeatureSet, parts: Parts, progress: ProgressCallback | None = None
) -> Examples:
    """Analyse rated pairs and read their features; a pair that cannot be analysed is left out."""
    rows = []
    for start in range(0, len(pairs), CHUNK):
        rows += _rows(pairs[start : start + CHUNK], features, parts)
        if progress is not None:
            progress(min(start + CHUNK, len(pairs)), len(pairs))
    return _examples(rows, features)


def _rows(pairs: Sequence[RatedPair], features: FeatureSet, parts: Parts) -> list[tuple[RatedPair, NDArray[float64]]]:
    (found,) = Analyser(parts, features.requires).prepare(
        [pair.source for pair in pairs], [[pair.output for pair in pairs]], segment=False
    )
    usable = [(pair, item) for pair, item in zip(pairs, found, strict=True) if not isinstance(item, SemaError)]
    table = features.table([item for _, item in usable])
    return [(pair, row) for (pair, _), row in zip(usable, table, strict=True)]


def _examples(rows: Sequence[tuple[RatedPair, NDArray[float64]]], features: FeatureSet) -> Examples:
    pairs = [pair for pair, _ in rows]
    return Examples(
        features.names,
        np.array([row for _, row in rows]).reshape(len(rows), len(features.names)),
        np.array([pair.rating for pair in pairs]),
        tuple(bare(pair.source) for pair in pairs),
        tuple(pair.group for pair in pairs),
    )


def cached_examples(pairs: Sequence[RatedPair], features: FeatureSet, parts: Parts, cache: Path | None) -> Examples:
    """:func:`make_examples`, with the features of pairs kept in a folder between runs.

    What was kept counts only for the same features, parser and aligner.
    """
    if cache is None:
        return make_examples(pairs, features, parts)
    state = "\n".join([*features.names, features.signature, *analysis_signature(parts)])
    path = cache / f"{hashlib.sha256(state.encode()).hexdigest()[:16]}.npz"
    known: dict[str, NDArray[float64]] = {}
    if path.is_file():
        with np.load(path) as arrays:
            known = dict(zip(arrays["keys"].tolist(), arrays["table"], strict=True))
    fresh = list({_key(pair): pair for pair in pairs if _key(pair) not in known}.values())
    for start in range(0, len(fresh), CHUNK):
        chunk = fresh[start : start + CHUNK]
        for pair, row in _rows(chunk, features, parts):
            known[_key(pair)] = row
        cache.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(path, keys=np.array(list(known)), table=np.stack(list(known.values())))
    return _examples([(pair, known[_key(pair)]) for pair in pairs if _key(pair) in known], features)


def analysis_signature(parts: Parts) -> list[str]:
    """What decides the items: parser, aligner, and what says how likely links are."""
    return [
        parts.extractor.signature,
        parts.aligner.signature,
        "" if parts.weigher is None else parts.weigher.signature,
    ]


def _key(pair: RatedPair) -> str:
    return hashlib.sha256(f"{pair.source}\0{pair.output}".encode()).hexdigest()[:24]
