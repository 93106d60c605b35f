"""A training pair: two texts with their labels."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import count

ENTAILED, NEUTRAL, CONTRADICTED, NOT_ENTAILED, UNKNOWN = 0, 1, 2, 3, -1
"""The labels of entailment; ``NOT_ENTAILED`` is neutral or contradicted."""
JUDGEMENTS = {"entailment": ENTAILED, "neutral": NEUTRAL, "contradiction": CONTRADICTED}
"""The labels by their names in sets of entailment."""
KEPT, MISSING, WRONG = 0, 1, 2
"""The labels of a character: kept or supported, missing or added, contradicted or contradicting."""
HAN = re.compile("[\u4e00-\u9fff]")
"""A Chinese character."""
Labels = tuple[int, ...]
_GROUPS = count(1)


@dataclass(frozen=True)
class Example:
    """Two texts with their labels; what is not known is ``UNKNOWN``.

    Attributes:
        kind: the set that the pair is from.
        source: the first text.
        output: the second text.
        meaning: how far the output preserves the source's meaning, in [0, 1].
        recall: how much of what matters in the source the output says, in [0, 1].
        precision: how much of what the output says the source supports, in [0, 1].
        output_entailed: whether the source entails the output (:data:`ENTAILED` …).
        source_entailed: whether the output entails the source.
        similar: how similar people find the texts, in [0, 1].
        source_labels: the label of each character of the source (:data:`KEPT` …); none are known if empty.
        output_labels: likewise for the output.
        group: pairs of one group are ranked against each other; 0: no group.
        graded: how much the scores themselves count, in [0, 1]; their order within the group counts in any case.
        weight: how much the pair counts.
        hand: who rated the pair, or its file.
    """

    kind: str
    source: str
    output: str
    meaning: float = UNKNOWN
    recall: float = UNKNOWN
    precision: float = UNKNOWN
    output_entailed: int = UNKNOWN
    source_entailed: int = UNKNOWN
    similar: float = UNKNOWN
    source_labels: Labels = ()
    output_labels: Labels = ()
    group: int = 0
    graded: float = 1.0
    weight: float = 1.0
    hand: str = ""

    def turned(self) -> Example:
        """The same pair with the texts exchanged; its ``meaning`` is not known."""
        return replace(
            self,
            source=self.output,
            output=self.source,
            meaning=UNKNOWN,
            recall=self.precision,
            precision=self.recall,
            output_entailed=self.source_entailed,
            source_entailed=self.output_entailed,
            source_labels=self.output_labels,
            output_labels=self.source_labels,
            group=0,
        )


def another_group() -> int:
    """The number of a group that no pair has yet."""
    return next(_GROUPS)


def labelled(text: str, missing: Iterable[str] = (), wrong: Iterable[str] = (), rest: int = KEPT) -> Labels:
    """The label of each character of a text in which some spans are missing (or added) or wrong."""
    labels = [rest] * len(text)
    for spans, label in ((missing, MISSING), (wrong, WRONG)):
        for span in spans:
            start = text.find(span) if span else -1
            if start >= 0:
                labels[start : start + len(span)] = [label] * len(span)
    return tuple(labels)
