"""The keys of rated pairs, and their features."""

from __future__ import annotations

from collections.abc import Sequence

from sema.features.base import FeatureSet
from sema.judges.examples import CHUNK, RatedPair, bare, examples_of, feature_rows
from sema.judges.model import Array
from sema.judges.training import Examples
from sema.languages import find_language


def pair_key(pair: RatedPair) -> tuple[str, str]:
    """The pair without case, spaces and punctuation: the same in every set."""
    return bare(pair.source), bare(pair.output)


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
