"""What was kept, lost and added: the evidence that the meaning metrics are computed from.

Every word of both texts has a probability (of being kept, of being supported) and a weight; every Scene a state and
the reasons for it. The shares below are weighted means of the probabilities, so that a score can be read back from
its evidence.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol


class SourceState(StrEnum):
    """What became of a Scene of the source."""

    KEPT = "kept"
    PARTLY = "partly"
    """Some Participant, modifier, time or place is gone."""
    CHANGED = "changed"
    """It is there, and says something else: number, name, polarity or roles."""
    LOST = "lost"


class OutputState(StrEnum):
    """Where a Scene of the output comes from."""

    SUPPORTED = "supported"
    PARTLY = "partly"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a Scene has its state: the kind of fact (or ``lost``, ``added``, ``share``), and the reason in words."""

    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"

    @classmethod
    def of(cls, said: str) -> Reason:
        """The reason that ``kind: text`` spells."""
        kind, colon, text = said.partition(": ")
        return cls(kind, text) if colon else cls("share", said)


@dataclass(frozen=True, slots=True)
class SceneMeaning:
    """One Scene of either text.

    Attributes:
        tokens: its token indexes in the whole text, punctuation left out.
        state: what became of it, or where it comes from.
        share: the weighted share of its words that are kept or supported, in [0, 1].
        because: the reasons, the weightiest first; empty for a Scene that is kept or supported.
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
            "because": [{"kind": reason.kind, "text": reason.text} for reason in self.because],
        }


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one side: how likely each is kept (or supported), in [0, 1], and how much it counts, from 0."""

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
        source: the source's words and how likely each is kept.
        output: the output's words and how likely each is supported.
        source_scenes: what became of the source's Scenes, in matching order.
        output_scenes: where the output's Scenes come from.
        scores: ``meaning``, ``meaning_recall`` and ``meaning_precision``, 0-100, where they were settled with it.
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
        return {
            "source_words": [round(p, 4) for p in self.source.probabilities],
            "output_words": [round(p, 4) for p in self.output.probabilities],
            "source_weights": [round(w, 4) for w in self.source.weights],
            "output_weights": [round(w, 4) for w in self.output.weights],
            "source_scenes": [scene.to_dict() for scene in self.source_scenes],
            "output_scenes": [scene.to_dict() for scene in self.output_scenes],
        }


class WordFacts(Protocol):
    """What a language knows about single words, as far as facts hang on them. Words come as they stand in the text."""

    @property
    def signature(self) -> str:
        """Name and version, for the result's signature."""
        ...

    def is_weak(self, word: str) -> bool:
        """Whether it is a function word or punctuation."""
        ...

    def value(self, word: str) -> Hashable | None:
        """What a number, weekday or month stands for; ``None`` for other words."""
        ...

    def unlisted(self, word: str) -> bool:
        """Whether no dictionary has it, so that a capital letter makes it a name even where a sentence begins."""
        ...

    def negates(self, word: str) -> bool:
        """Whether it turns a statement into its opposite (*not*, *never*, *no*)."""
        ...

    def force(self, word: str) -> str | None:
        """The group of a modal or quantifier (*may* and *might*: ``possible``); words of one group say the same."""
        ...

    def denies(self, word: str) -> bool:
        """Whether it denies by its sense what comes next (*fail*, *refuse*, *unable*)."""
        ...

    def opposed(self, first: str, second: str) -> bool:
        """Whether one is the opposite of the other."""
        ...

    def strength(self, word: str) -> tuple[str, int] | None:
        """A scale (quantity, frequency, certainty) and where the word stands on it, from the weakest up."""
        ...

    def bears_negation(self, word: str) -> bool:
        """Whether a negation is part of it (*unknown*, *useless*)."""
        ...

    def distinct(self, first: str, second: str, *, alone: bool = False) -> bool:
        """Whether two nouns name different things, neither of them a kind of the other (*school* and *hotel*).

        ``alone``: nothing else was changed, so that a second noun that is no simpler word than the first counts too.
        """
        ...

    def plainer(self, first: Sequence[str], second: Sequence[str]) -> bool:
        """Whether the second words are so much commoner that they may well be a simpler way to say the first."""
        ...

    def implies_negation(self, word: str) -> bool:
        """Whether a negation can say in other words what it says (*only*, *free*, *last*: *no other*, *nothing*)."""
        ...

    def contrasts(self, word: str) -> bool:
        """Whether it sets what is not so against what is (*rather*, *instead*)."""
        ...

    def converse(self, first: str, second: str) -> bool:
        """Whether they tell the same from either side, so that exchanged Participants set it right (*buy*, *sell*)."""
        ...

    def coordinates(self, word: str) -> bool:
        """Whether it joins the parts of a list (*and*, *or*)."""
        ...

    def sets_condition(self, word: str) -> bool:
        """Whether what it governs limits what the rest says (*if*, *unless*, *except*)."""
        ...

    def person(self, word: str) -> str | None:
        """Whom a pronoun can stand for, where that is more than a person or a thing (*she*: ``female``)."""
        ...

    def owns(self, word: str) -> bool:
        """Whether beside a pronoun it says that something is the subject's (*his own*)."""
        ...

    def joins(self, word: str) -> frozenset[str]:
        """How it can join clauses: ``cause``, ``concession``, ``before`` and the like; empty for other words."""
        ...

    def unit(self, word: str) -> str | None:
        """The unit of measurement that it names, by one name for all its spellings."""
        ...

    def bound(self, before: Sequence[str], after: Sequence[str]) -> int:
        """1 if the words around a number make it the least that it can be (*or more*), -1 if the most, or 0."""
        ...

    def order(self, word: str) -> int:
        """1 if what it governs comes first, in time or as a cause (*after*, *because*), -1 if last (*before*), or 0."""
        ...

    def sequel(self, word: str) -> int:
        """1 if by itself it says that what was said before came first (*then*), -1 if last (*beforehand*), or 0."""
        ...

    def points_back(self, word: str, following: str) -> bool:
        """Whether it stands for what was said before (*after that the ...*, *before which ...*)."""
        ...

    def is_pronoun(self, word: str) -> bool:
        """Whether it is a personal pronoun."""
        ...

    def marks_agent(self, word: str) -> bool:
        """Whether it may introduce who does something in a passive sentence (*by*)."""
        ...

    def likeness(self, source: str, output: str) -> float:
        """How far the words themselves bear out a link between them, in [0, 1].

        1 for the same word, another form of it or a synonym; 0 for opposites; in between where nothing is known that
        ties them, so that their surroundings alone speak for the link.
        """
        ...
