"""The verdict on an item: one sentence from its findings, and the list of its problems, from the evidence alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sema.display.pictures.items import ADDED, KEPT, LOST, ItemView
from sema.display.pictures.words import capitalized, say
from sema.display.tables import cut
from sema.errors import counted
from sema.model.meaning import FAIR, WHOLE, plain_verdict, points

PRIMARY = "meaning"  # shown beside the sentence if it was requested; otherwise the first one
LENGTH = 80  # the maximum length of a problem's text, in characters


@dataclass(frozen=True)
class Verdict:
    """What one output does to its source, in one sentence, and the one number beside it."""

    sentence: str
    tone: str = ""  # `good`, `partly` or `bad`; empty if unknown
    metric: str = ""  # empty if there is no score
    score: float | None = None


@dataclass(frozen=True)
class Problem:
    """A finding as people read it: its kind, its words on either side, and the share of the score that it costs."""

    kind: str
    source: str
    output: str
    weight: float

    @property
    def cost(self) -> str:
        """The points with their sign; empty for none."""
        return points_text(self.weight)

    def __str__(self) -> str:
        return self.said()

    def said(self, shown: Callable[[str], str] = str) -> str:
        """The kind and the words, each text as ``shown`` gives it."""
        if self.kind == "wrong":
            return say("Wrong: '{old}' → '{new}'", old=shown(self.source), new=shown(self.output))
        return say(f"{self.kind.capitalize()}: {{text}}", text=shown(self.source or self.output))


def problems_of(evidence: Mapping[str, Any]) -> list[Problem]:
    """The problems of an item, the worst first: its findings, in their order."""
    return [
        Problem(found["kind"], _one_line(found["source_text"]), _one_line(found["output_text"]), found["weight"])
        for found in evidence.get("findings", ())
    ]


def _one_line(text: str) -> str:
    return cut(" ".join(text.split()), LENGTH)


def points_text(weight: float) -> str:
    """The points that a share of the score is; empty if they round to 0."""
    return f"\N{MINUS SIGN}{points(weight)}" if points(weight) else ""


def verdict_of(evidence: Mapping[str, Any], scores: Mapping[str, float | None], view: ItemView | None) -> Verdict:
    """The verdict on an item, from its evidence, its scores by metric, and the evidence's view if it has one."""
    metric = PRIMARY if PRIMARY in scores else next(iter(scores), "")
    sentence, tone = ("", "") if view is None else _judged(evidence, view, scores.get(PRIMARY))
    return Verdict(say(sentence), tone, metric, scores.get(metric))


def _judged(evidence: Mapping[str, Any], view: ItemView, score: float | None) -> tuple[str, str]:
    """The sentence and its tone."""
    output = [word for sentence in evidence["sentences"] for word in sentence]
    if said := evidence.get("verdict") or plain_verdict(evidence["source"], output):
        kinds = [found["kind"] for found in evidence.get("findings", ())]
        good_score = score is not None and score >= WHOLE
        bad = not output or ("wrong" in kinds and not good_score) or (score is not None and score < FAIR)
        good = not kinds and (score is None or good_score)
        return f"{capitalized(said)}.", "bad" if bad else "good" if good else "partly"
    # without a meaning metric: how many Scenes and words the links keep
    lost, added = view.counts.get(LOST, 0), view.counts.get(ADDED, 0)
    if view.scenes:
        whole = sum(scene.state == KEPT for scene in view.scenes)
        tone = "good" if whole == len(view.scenes) else "partly" if 2 * whole >= len(view.scenes) else "bad"
        words = f"; {_words(lost, 'lost')}, {_words(added, 'added')}" if view.counts else ""
        return f"{whole} of {counted(len(view.scenes), 'Scene')} kept whole{words}.", tone
    if view.counts:
        return f"{_words(lost, 'lost').capitalize()}, {_words(added, 'added')}.", ""
    return "", ""


def _words(count: int, what: str) -> str:
    return f"{counted(count, 'word') if count else 'no words'} {what}"
