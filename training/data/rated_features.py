"""The keys of rated pairs, and their features, cached between runs of trainers and benchmarks."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sema.features.base import FeatureSet
from sema.files.replacing import replacing
from sema.judges.examples import CHUNK, RatedPair, bare, examples_of, feature_rows
from sema.judges.training import Examples
from sema.model.language import Parts


def pair_key(pair: RatedPair) -> tuple[str, str]:
    """The pair without case, spaces and punctuation: the same in every set."""
    return bare(pair.source), bare(pair.output)


def cached_examples(pairs: Sequence[RatedPair], features: FeatureSet, parts: Parts, cache: Path) -> Examples:
    """:func:`sema.judges.examples.make_examples`, with the features of pairs kept in a folder.

    The cache is used only for the same features, parser and aligner.
    """
    analysis = (parts.extractor, parts.aligner, parts.probabilistic_aligner)
    signatures = ("" if part is None else part.signature for part in analysis)
    state = "\n".join([*features.names, features.signature, *signatures])
    path = cache / f"{hashlib.sha256(state.encode()).hexdigest()[:16]}.npz"
    known: dict[str, NDArray[np.float64]] = {}
    if path.is_file():
        with np.load(path) as arrays:
            known = dict(zip(arrays["keys"].tolist(), arrays["table"], strict=True))
    fresh = list({_key(pair): pair for pair in pairs if _key(pair) not in known}.values())
    for start in range(0, len(fresh), CHUNK):
        chunk = fresh[start : start + CHUNK]
        for pair, row in feature_rows(chunk, features, parts):
            known[_key(pair)] = row
        cache.mkdir(parents=True, exist_ok=True)
        with replacing(path) as whole:
            np.savez_compressed(whole, keys=np.array(list(known)), table=np.stack(list(known.values())))
    return examples_of([(pair, known[_key(pair)]) for pair in pairs if _key(pair) in known], features)


def _key(pair: RatedPair) -> str:
    return hashlib.sha256(f"{pair.source}\0{pair.output}".encode()).hexdigest()[:24]
