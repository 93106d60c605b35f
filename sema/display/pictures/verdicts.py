"""The verdict on an item: one sentence of what is kept, lost, added and wrong, from the evidence alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sema.display.pictures.items import ADDED, KEPT, LOST, ItemView, is_mark, joined
from sema.errors import counted
from sema.model.meaning import MARKED
from sema.model.reading import BANDS

PRIMARY = "meaning"
"""The metric whose score stands beside the sentence, wherever it was asked for; otherwise the first one."""
NAMED, LENGTH = 2, 60
"""How many phrases are named, and how long one may be."""
SLIGHT = 0.3
"""A missing word is not named if it weighs less than this share of the heaviest one (*the*, *and*)."""
MOSTLY, HALF = 0.6, 0.5
"""The weighted shares of the source from which most of it is kept, and under which most of it is lost."""
UNLIKE_FACTS = ("lost", "added", "share")
"""The kinds of reasons that are no contradictions."""
NUMBERS = {1: "one", 2: "two", 3: "three"}
"""Numbers of facts in words; larger ones are figures."""
_HEADS = ("Everything that matters is kept", "Nearly all of it is kept", "Much of it is kept")
"""The beginning of the sentence for each band of ``meaning`` but the last."""
_TONES = ("good", "partly", "partly", "bad")


@dataclass(frozen=True)
class Verdict:
    """What one output does to its source.

    Attributes:
        sentence: in plain words, with a full stop.
        tone: ``good``, ``partly`` or ``bad``; empty where nothing says so.
        metric, score: the one number beside it; the metric is empty if there is no score.
    """

    sentence: str
    tone: str = ""
    metric: str = ""
    score: float | None = None


def verdict_of(evidence: Mapping[str, Any], scores: Mapping[str, float | None], view: ItemView | None) -> Verdict:
    """The verdict on an item.

    Args:
        evidence: as :func:`sema.scoring.item_scores.evidence_of` has it.
        scores: by metric.
        view: the view of the evidence; ``None`` if the item has none.
    """
    metric = PRIMARY if PRIMARY in scores else next(iter(scores), "")
    sentence, tone = ("", "") if view is None else _judged(evidence, view)
    return Verdict(sentence, tone, metric, scores.get(metric))


def _judged(evidence: Mapping[str, Any], view: ItemView) -> tuple[str, str]:
    """The sentence and its tone."""
    output = [word for sentence in evidence["sentences"] for word in sentence]
    if not output:
        return "Nothing is left: the output is empty.", "bad"
    if list(evidence["source"]) == output:
        return "Nothing is changed: the output is a copy.", "good"
    if "band" in evidence and "source_words" in evidence:
        return _by_meaning(evidence, output)
    return _by_scenes(view)


def _by_meaning(evidence: Mapping[str, Any], output: Sequence[str]) -> tuple[str, str]:
    """The sentence by the contradictions, the band of ``meaning``, and the words that are lost or added."""
    place = next((number for number, (_, band) in enumerate(BANDS) if band == evidence["band"]), len(BANDS) - 1)
    weights = [
        evidence.get(f"{side}_weights") or [1.0] * len(evidence[f"{side}_words"]) for side in ("source", "output")
    ]
    kept = _share(evidence["source_words"], weights[0])
    wrong = _contradictions(evidence)
    if wrong:
        number = NUMBERS.get(len(wrong), str(len(wrong)))
        facts = f"{number} {'fact is' if len(wrong) == 1 else 'facts are'} wrong: {_listed(wrong)}."
        head = "" if kept < MOSTLY else "Most of it is kept; " if place == len(BANDS) - 1 else f"{_HEADS[place]}; "
        return (head + facts if head else facts.capitalize()), _TONES[max(place, 1)]
    if place == 0:
        return f"{_HEADS[0]}.", _TONES[0]
    lost = _listed(_phrases(evidence["source"], evidence["source_words"], weights[0], MARKED["source"]))
    added = _listed(_phrases(output, evidence["output_words"], weights[1], MARKED["output"]))
    if place < len(BANDS) - 1:
        parts = [_HEADS[place], lost and f"lost: {lost}", added and f"not in the source: {added}"]
        return f"{'; '.join(part for part in parts if part)}.", _TONES[place]
    if not added:
        head = "Most of it is lost" if kept < HALF else "Too much is lost"
        return f"{head}{lost and ': '}{lost}.", _TONES[place]
    parts = [f"It says something that is not in the source: {added}", lost and f"lost: {lost}"]
    return f"{'; '.join(part for part in parts if part)}.", _TONES[place]


def _by_scenes(view: ItemView) -> tuple[str, str]:
    """The sentence where no network has read the texts: Scenes and words that the links keep."""
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


def _contradictions(evidence: Mapping[str, Any]) -> list[str]:
    """The facts that contradict each other, in words, each once."""
    scenes = [*evidence.get("source_scenes", ()), *evidence.get("output_scenes", ())]
    reasons = [reason for scene in scenes for reason in scene.get("because", ())]
    return list(dict.fromkeys(reason["text"] for reason in reasons if reason["kind"] not in UNLIKE_FACTS))


def _share(chances: Sequence[float | None], weights: Sequence[float]) -> float:
    """The weighted mean of the probabilities; 1 where nothing counts."""
    total = sum(weights)
    return sum((p or 0.0) * weight for p, weight in zip(chances, weights, strict=True)) / total if total else 1.0


def _phrases(
    words: Sequence[str], chances: Sequence[float | None], weights: Sequence[float], under: float
) -> list[str]:
    """The words of a side with a probability ``under`` this, neighbours together, those that weigh most first."""
    missing = [_is_missing(*pair, under) for pair in zip(words, chances, strict=True)]
    least = SLIGHT * max((weights[token] for token, gone in enumerate(missing) if gone), default=0.0)
    runs = []
    for gone, group in groupby(range(len(words)), key=lambda token: missing[token]):
        heavy = [token for token in group if weights[token] >= least] if gone else []
        if heavy:
            runs.append(range(heavy[0], heavy[-1] + 1))
    runs.sort(key=lambda tokens: -sum(weights[token] for token in tokens))
    return list(dict.fromkeys(f"'{_cut(joined([words[token] for token in tokens]))}'" for tokens in runs))


def _is_missing(word: str, chance: float | None, under: float) -> bool:
    return chance is not None and chance < under and not is_mark(word)


def _cut(text: str) -> str:
    """The text, at most :data:`LENGTH` long, cut between words where it has blanks."""
    if len(text) <= LENGTH:
        return text
    short = text[: LENGTH - 1]
    return f"{short.rpartition(' ')[0] or short}…"


def _listed(phrases: Sequence[str]) -> str:
    """The first phrases, and how many more there are."""
    more = [f"and {len(phrases) - NAMED} more"] if len(phrases) > NAMED else []
    return ", ".join([*phrases[:NAMED], *more])
