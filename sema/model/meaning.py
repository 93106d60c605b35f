"""Kept, lost and added content: the evidence of the meaning metrics.

Every word of both texts has a probability (of being kept, of being supported) and a weight; every Scene a state and
the reasons for it. The shares below are weighted means of the probabilities.

Evidence illustrates a score; it is not what the score is computed from. A reader's score comes from the whole pair, and
probabilities and weights are then fitted to it (:func:`sema.meaning.evidence.rescaled`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from sema.model.reading import band


class SourceState(StrEnum):
    """The state of a source Scene."""

    KEPT = "kept"
    PARTLY = "partly"
    """Some Participant, modifier, time or place is gone."""
    CHANGED = "changed"
    """It is there, and says something else: number, name, polarity or roles."""
    LOST = "lost"


class OutputState(StrEnum):
    """The state of an output Scene."""

    SUPPORTED = "supported"
    PARTLY = "partly"
    ADDED = "added"


MARKED: Mapping[str, float] = {"source": 0.5, "output": 0.3}
"""For each side the probability below which a word is marked, as lost or as added; chosen on marked texts."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a Scene has its state: the kind of fact (or ``lost``, ``added``, ``share``), and the reason in words."""

    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"


@dataclass(frozen=True, slots=True)
class SceneMeaning:
    """One Scene of either text.

    ``tokens`` are its token indexes in the whole text, punctuation left out; ``share`` is the weighted share of its
    words that are kept or supported, in [0, 1]; ``because`` has the reasons, the weightiest first (none if the Scene is
    kept or supported).
    """

    tokens: tuple[int, ...]
    state: SourceState | OutputState
    share: float
    because: tuple[Reason, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "tokens": list(self.tokens),
            "state": self.state.value,
            "share": round(self.share, 4),
            "because": [asdict(reason) for reason in self.because],
        }


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one side: each one's probability of being kept (or supported), and its weight, from 0."""

    probabilities: tuple[float, ...]
    weights: tuple[float, ...]

    def share(self, tokens: Sequence[int] | None = None) -> float:
        """The weighted mean of the probabilities, of some tokens or of all; 1 where nothing counts."""
        chosen = range(len(self.weights)) if tokens is None else tokens
        total = sum(self.weights[token] for token in chosen)
        if not total:
            return 1.0
        return sum(self.probabilities[token] * self.weights[token] for token in chosen) / total


@dataclass(frozen=True, slots=True)
class Meaning:
    """An item's meaning evidence.

    Attributes:
        source: the source's words, with the probability that each is kept.
        output: the output's words, with the probability that each is supported.
        source_scenes, output_scenes: the Scenes of either text with their states, in matching order.
        scores: ``meaning``, ``meaning_recall`` and ``meaning_precision``, 0-100, if they were computed with it.
    """

    source: Words
    output: Words
    source_scenes: tuple[SceneMeaning, ...] = ()
    output_scenes: tuple[SceneMeaning, ...] = ()
    scores: Mapping[str, float] | None = None

    @property
    def recall(self) -> float:
        """The weighted share of the source that is kept, in [0, 1]; 0 for an empty output."""
        return self.source.share() if self.output.probabilities else 0.0

    @property
    def precision(self) -> float:
        """The weighted share of the output that is supported, in [0, 1]; 0 for an empty output."""
        return self.output.share() if self.output.probabilities else 0.0

    def to_dict(self) -> dict[str, Any]:
        """The shape that ``sema explain`` prints."""
        described = {} if self.scores is None else {"band": band(self.scores["meaning"])}
        return described | {
            "source_words": [round(p, 4) for p in self.source.probabilities],
            "output_words": [round(p, 4) for p in self.output.probabilities],
            "source_weights": [round(w, 4) for w in self.source.weights],
            "output_weights": [round(w, 4) for w in self.output.weights],
            "thresholds": {"lost": MARKED["source"], "added": MARKED["output"]},
            "source_scenes": [scene.to_dict() for scene in self.source_scenes],
            "output_scenes": [scene.to_dict() for scene in self.output_scenes],
        }
