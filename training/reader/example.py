"""A training pair: two texts with their labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

ENTAILED, NEUTRAL, CONTRADICTED, NOT_ENTAILED, UNKNOWN = 0, 1, 2, 3, -1
"""The labels of entailment; ``NOT_ENTAILED`` is neutral or contradicted."""
JUDGEMENTS: Mapping[str, int] = {"entailment": ENTAILED, "neutral": NEUTRAL, "contradiction": CONTRADICTED}
"""What sets of judged pairs call them."""
VERSIONS, JUDGED, BOTH = 1, 2, 3
"""The head that learns a pair's entailment: of versions of one text, of separate sentences, or both."""


@dataclass(frozen=True)
class Example:
    """Two texts with their labels.

    Attributes:
        source: the first text.
        output: the second text.
        output_entailed: whether the source entails the output (:data:`ENTAILED` …).
        source_entailed: whether the output entails the source.
        same: how far both mean the same, in [0, 1], or -1.
        source_words: for each word between spaces 1 if the output keeps it, 0 if it is lost or changed, -1 if unknown.
        output_words: likewise for the output, whether the source supports it.
        group: pairs of one group are ranked by ``same``; 0 for none.
        weight: how much the pair counts.
        teaches: which head learns the entailment (:data:`VERSIONS` …).
        graded: how similar people find the texts, in [0, 1], or -1.
    """

    source: str
    output: str
    output_entailed: int = UNKNOWN
    source_entailed: int = UNKNOWN
    same: float = -1.0
    source_words: tuple[int, ...] = ()
    output_words: tuple[int, ...] = ()
    group: int = 0
    weight: float = 1.0
    teaches: int = VERSIONS
    graded: float = -1.0

    def turned(self) -> Example:
        """The same pair with the texts exchanged."""
        return replace(
            self,
            source=self.output,
            output=self.source,
            output_entailed=self.source_entailed,
            source_entailed=self.output_entailed,
            source_words=self.output_words,
            output_words=self.source_words,
        )


def judged(source: str, output: str, label: str, graded: bool = False) -> Example:
    """A pair with its set's label: a judgement, whether both mean the same (1, 0), or (``graded``) a degree, 0 to 5.

    Of judgements contradiction alone holds in both directions.
    """
    if label in JUDGEMENTS:
        given = JUDGEMENTS[label]
        return Example(source, output, given, CONTRADICTED if given == CONTRADICTED else UNKNOWN, teaches=BOTH)
    same = float(label) / 5 if graded else 0.95 if label == "1" else 0.25
    given = ENTAILED if same >= 0.95 else NOT_ENTAILED if same <= 0.6 else UNKNOWN
    return Example(source, output, given, given, same, teaches=BOTH, graded=same if graded else -1.0)
