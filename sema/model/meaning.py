"""The evidence of the meaning metrics: one list of findings, the words of both texts, and the state of every Scene.

All that is shown of a pair (verdict, marks, counts, Scenes) is derived from the findings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import groupby
from typing import Any, Literal, NamedTuple

from sema.model.text import Text

Kind = Literal["missing", "added", "wrong"]
KINDS: tuple[Kind, ...] = ("wrong", "missing", "added")
"""The kinds of findings, the worst first."""
WHOLE, FAIR = 90.0, 50.0
"""The score from which everything that matters is kept, and that below which the meaning is not preserved."""
LEAST: Mapping[str, float] = {"lost": 0.5, "added": 0.5}
"""The probabilities of being kept and of being supported below which a word is missing or added."""


class Finding(NamedTuple):
    """One difference that costs points.

    ``missing``: words of the source that the output does not say; ``added``: words of the output without support;
    ``wrong``: words of both that contradict each other. ``weight`` is the share of the score, in [0, 1], that is
    regained when these words count as repaired.
    """

    kind: Kind
    source: tuple[int, ...]
    output: tuple[int, ...]
    weight: float = 0.0


class SourceState(StrEnum):
    """The state of a source Scene."""

    KEPT = "kept"
    PARTLY = "partly"
    """Some of its words are missing."""
    CHANGED = "changed"
    """It is there but says something else."""
    LOST = "lost"


class OutputState(StrEnum):
    """The state of an output Scene."""

    SUPPORTED = "supported"
    PARTLY = "partly"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a Scene has its state: the kind of finding, and its words."""

    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"


@dataclass(frozen=True, slots=True)
class SceneMeaning:
    """One Scene of either text.

    ``tokens`` are its token indexes in the whole text, punctuation left out; ``share`` is the weighted share of its
    words that are in no finding, in [0, 1]; ``because`` has the findings that touch it, the weightiest first.
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
    """The words of one side: each one's probability of being kept (or supported), and its weight, at least 0."""

    probabilities: tuple[float, ...]
    weights: tuple[float, ...]

    def share(self) -> float:
        """The weighted mean of the probabilities; 1 if all weights are 0."""
        total = sum(self.weights)
        weighted = sum(chance * weight for chance, weight in zip(self.probabilities, self.weights, strict=True))
        return weighted / total if total else 1.0


@dataclass(frozen=True, slots=True)
class Meaning:
    """An item's meaning evidence.

    Attributes:
        texts: the source and the output.
        scores: ``meaning``, ``meaning_recall`` and ``meaning_precision``, 0-100.
        findings: the differences, the worst first.
        source: the source's words, with the probability that each is kept.
        output: the output's words, with the probability that each is supported.
        source_scenes, output_scenes: the Scenes of either text with their states, in matching order.
    """

    texts: tuple[Text, Text]
    scores: Mapping[str, float]
    findings: tuple[Finding, ...]
    source: Words
    output: Words
    source_scenes: tuple[SceneMeaning, ...] = ()
    output_scenes: tuple[SceneMeaning, ...] = ()

    @property
    def verdict(self) -> str:
        """The findings and the score in a few words."""
        plain = plain_verdict(*(text.words for text in self.texts))
        return plain or verdict(self.scores["meaning"], [one.kind for one in self.findings])

    def to_dict(self) -> dict[str, Any]:
        """The shape that ``sema explain`` prints; places of findings and ``spans`` are character offsets.

        ``spans`` has the same findings in the form of LettuceDetect (Kovács and Recski 2025, arXiv:2502.17125): for
        each text a list of places, in text order, with their text, kind and weight. Offsets are those of the raw texts.
        """
        source, output = self.texts
        return {
            "verdict": self.verdict,
            "findings": [
                {
                    "kind": one.kind,
                    "source": spans(source, one.source),
                    "output": spans(output, one.output),
                    "source_text": quoted(source, one.source),
                    "output_text": quoted(output, one.output),
                    "source_tokens": list(one.source),
                    "output_tokens": list(one.output),
                    "weight": round(one.weight, 4),
                }
                for one in self.findings
            ],
            "spans": {
                "source": labelled(source, [(one, one.source) for one in self.findings]),
                "output": labelled(output, [(one, one.output) for one in self.findings]),
            },
            "not_attributed": round(
                max(0.0, 1 - self.scores["meaning"] / 100 - sum(f.weight for f in self.findings)), 4
            ),
            "source_words": [round(p, 4) for p in self.source.probabilities],
            "output_words": [round(p, 4) for p in self.output.probabilities],
            "source_weights": [round(w, 4) for w in self.source.weights],
            "output_weights": [round(w, 4) for w in self.output.weights],
            "thresholds": dict(LEAST),
            "source_scenes": [scene.to_dict() for scene in self.source_scenes],
            "output_scenes": [scene.to_dict() for scene in self.output_scenes],
        }


def plain_verdict(source: Sequence[str], output: Sequence[str]) -> str:
    """The verdict on words that need not be read: none, or the source's own; empty for all others."""
    if not output:
        return "nothing is left: the output is empty"
    return "nothing is changed: the output is a copy" if [*source] == [*output] else ""


def verdict(score: float, kinds: Sequence[str]) -> str:
    """A score of ``meaning`` and the kinds of its findings in a few words."""
    counts = [f"{kinds.count(kind)} {kind}" for kind in KINDS if kind in kinds]
    if not counts and score >= FAIR:
        return "everything that matters is kept" if score >= WHOLE else "reworded; no single loss found"
    found = f"{len(kinds)} problem{'s' * (len(kinds) != 1)}: {' · '.join(counts)}"
    total = found if counts else "no single loss found"
    if score >= WHOLE:
        return f"{total}; minor"
    return total if score >= FAIR else f"{total}; the meaning is not preserved"


def points(weight: float) -> float:
    """The points that a share of the score is, with one decimal as scores have."""
    return round(100 * round(weight, 4), 1)


def runs(tokens: Iterable[int]) -> list[tuple[int, int]]:
    """Token indexes as half-open ranges of adjacent tokens."""
    found = []
    for _, group in groupby(enumerate(sorted(set(tokens))), lambda pair: pair[1] - pair[0]):
        own = [token for _, token in group]
        found.append((own[0], own[-1] + 1))
    return found


def spans(text: Text, tokens: Iterable[int]) -> list[list[int]]:
    """The character ranges of some tokens in a raw text; adjacent tokens share one."""
    return [[text.tokens[start].start, text.tokens[end - 1].end] for start, end in runs(tokens)]


def labelled(text: Text, found: Sequence[tuple[Finding, Sequence[int]]]) -> list[dict[str, Any]]:
    """The places of findings in a raw text, in text order: text, kind, weight of all together, the finding's index."""
    places = [
        {
            "start": start,
            "end": end,
            "text": text.raw[start:end],
            "label": one.kind,
            "weight": round(one.weight, 4),
            "finding": number,
        }
        for number, (one, tokens) in enumerate(found)
        for start, end in spans(text, tokens)
    ]
    return sorted(places, key=lambda place: (place["start"], place["end"]))


def quoted(text: Text, tokens: Iterable[int]) -> str:
    """Some words as the raw text writes them, with ``…`` for gaps."""
    return " … ".join(text.raw[start:end] for start, end in spans(text, tokens))
