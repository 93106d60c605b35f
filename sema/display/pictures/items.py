"""The view of an item's evidence: words kept, lost and added, and the sentence of each Scene."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

HUES = 8
"""The number of sentence colours; further sentences reuse them."""

KEPT, LOST, ADDED = "kept", "lost", "added"
EVEN = 0.5
"""A word that is kept (or supported) with at least this probability counts as such."""


@dataclass(frozen=True)
class WordView:
    """One word: the blank before it, its fate, the surest kind of its links, and the links.

    ``links`` name words of the other side by number; output words are numbered through all sentences. ``level`` is the
    name of its level, ``above`` whether that is above the target.
    """

    number: int
    text: str
    gap: str
    state: str = ""
    kind: str = ""
    links: tuple[tuple[int, str], ...] = ()
    probability: float | None = None
    level: str = ""
    above: bool = False

    @property
    def targets(self) -> str:
        """The links as the page's script reads them."""
        return " ".join(f"{number}:{kind}" for number, kind in self.links)


@dataclass(frozen=True)
class RunView:
    """Words side by side that belong to one output sentence (from 0; ``None``: to none).

    ``named`` says whether the sentence's number is shown: not where it was the last one shown.
    """

    sentence: int | None
    words: tuple[WordView, ...]
    named: bool

    @property
    def hue(self) -> str:
        """The class of the sentence's colour."""
        return "" if self.sentence is None else f"s{self.sentence % HUES}"


@dataclass(frozen=True)
class CenterView:
    """A minimal center: its words with the blank before each, what it became (``""``: lost), and the kind of link."""

    words: tuple[tuple[str, str, str, str], ...]

    @property
    def kept(self) -> bool:
        """Whether all its words are linked."""
        return all(kind for *_, kind in self.words)


@dataclass(frozen=True)
class SceneFate:
    """A Scene: the output sentence it went to (from 0), and the centers of its relation and of its Participants."""

    number: int
    sentence: int | None
    units: tuple[tuple[str, tuple[CenterView, ...]], ...]

    @property
    def hue(self) -> str:
        """The class of the sentence's colour."""
        return "none" if self.sentence is None else f"s{self.sentence % HUES}"

    @property
    def state(self) -> str:
        """Whether all of its centers are kept, some, or none."""
        centers = [center.kept for _, unit in self.units for center in unit]
        if self.sentence is None or (centers and not any(centers)):
            return LOST
        return KEPT if all(centers) else "partly"


@dataclass(frozen=True)
class MeaningView:
    """A model's verdict on a Scene, with reasons."""

    text: str
    state: str
    because: tuple[str, ...]


@dataclass(frozen=True)
class LevelView:
    """The levels of both texts and of the target for display, and what makes the output hard."""

    output: str
    source: str
    target: str
    hard: tuple[str, ...]


@dataclass(frozen=True)
class ItemView:
    """Everything shown of one output; without links no word counts as lost or added."""

    source: tuple[RunView, ...]
    output: tuple[RunView, ...]
    """A run for each sentence."""
    scenes: tuple[SceneFate, ...] = ()
    linked: bool = False
    source_meaning: tuple[MeaningView, ...] = ()
    output_meaning: tuple[MeaningView, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    """How many words were linked by each kind, lost and added; punctuation is not counted."""
    level: LevelView | None = None
    band: str = ""
    """The band of the score of `meaning`."""


def view_item(evidence: Mapping[str, Any], *, source_text: str = "", output_text: str = "") -> ItemView:
    """The view of an item's evidence (:func:`sema.scoring.item_scores.evidence_of`).

    Args:
        evidence: ``source`` and ``sentences`` (words), perhaps ``scenes``, ``links`` and a model's ``source_words``,
            ``output_words``, ``source_scenes`` and ``output_scenes``.
        source_text, output_text: the texts as they were given, for the blanks between words.
    """
    source: Sequence[str] = evidence["source"]
    sentences: Sequence[Sequence[str]] = evidence["sentences"]
    flat = [word for sentence in sentences for word in sentence]
    links = _links(evidence, sentences)
    sentence_of = _scene_sentences(evidence.get("scenes", ()), source)
    linked = "links" in evidence
    sure = evidence.get("source_words"), evidence.get("output_words")
    source_views = _side(source, source_text, [links[0].get(i, ()) for i in range(len(source))], linked, LOST, sure[0])
    output_views = _side(flat, output_text, [links[1].get(i, ()) for i in range(len(flat))], linked, ADDED, sure[1])
    levels = evidence.get("levels")
    if levels is not None:
        source_views = _with_levels(source_views, levels["source"])
        output_views = _with_levels(output_views, levels["output"])
    rows: list[RunView] = []
    start = 0
    for number, sentence in enumerate(sentences):
        rows.append(RunView(number, tuple(output_views[start : start + len(sentence)]), True))
        start += len(sentence)
    return ItemView(
        _runs(source_views, sentence_of),
        tuple(rows),
        tuple(_scene(number, scene, source, sentences) for number, scene in enumerate(evidence.get("scenes", ()))),
        linked,
        _meaning(evidence.get("source_scenes", ()), source),
        _meaning(evidence.get("output_scenes", ()), flat),
        _counts(source_views, output_views) if linked else {},
        None if levels is None else _levels(levels),
        evidence.get("band", ""),
    )


def is_mark(word: str) -> bool:
    """Whether a word has neither letter nor digit nor symbol: it is neither kept nor lost."""
    return all(unicodedata.category(char)[0] in "PZC" for char in word)


def _links(
    evidence: Mapping[str, Any], sentences: Sequence[Sequence[str]]
) -> tuple[dict[int, list[tuple[int, str]]], dict[int, list[tuple[int, str]]]]:
    """For the words of each side the linked words, by number."""
    forward: dict[int, list[tuple[int, str]]] = {}
    backward: dict[int, list[tuple[int, str]]] = {}
    start = 0
    for words, found in zip(sentences, evidence.get("links", [[]] * len(sentences)), strict=True):
        for source, output, kind in (link[:3] for link in found):
            forward.setdefault(source, []).append((start + output, kind))
            backward.setdefault(start + output, []).append((source, kind))
        start += len(words)
    return forward, backward


def _side(
    words: Sequence[str],
    text: str,
    links: Sequence[Sequence[tuple[int, str]]],
    linked: bool,
    missing: str,
    probabilities: Sequence[float | None] | None,
) -> list[WordView]:
    views = []
    for number, (word, gap, found) in enumerate(zip(words, gaps(words, text), links, strict=True)):
        sure = None if probabilities is None or number >= len(probabilities) else probabilities[number]
        state = ""
        if not is_mark(word) and (linked or sure is not None):
            state = KEPT if (found if sure is None else sure >= EVEN) else missing
        kind = _surest(kind for _, kind in found) if found else ""
        views.append(WordView(number, word, gap, state, kind, links=tuple(found), probability=sure))
    return views


def _with_levels(views: Sequence[WordView], levels: Mapping[str, Any]) -> list[WordView]:
    """The words with their levels."""
    above = frozenset(levels["above"])
    return [
        replace(view, level=level or "", above=view.number in above)
        for view, level in zip(views, levels["words"], strict=True)
    ]


def _levels(found: Mapping[str, Any]) -> LevelView:
    def shown(side: Mapping[str, Any]) -> str:
        return "–" if side["level"] is None else f"{side['label']} ({side['level']:.2f})"

    hard = tuple(
        f"{part['text']} ({part['label']}{'' if part['what'] == 'word' else ', ' + part['what']})"
        for part in found["output"]["hard"]
    )
    return LevelView(shown(found["output"]), shown(found["source"]), found["target"] or "", hard)


def _runs(words: Sequence[WordView], sentence_of: Sequence[int | None]) -> tuple[RunView, ...]:
    runs: list[RunView] = []
    shown: int | None = None
    for sentence, group in groupby(zip(sentence_of, words, strict=True), key=lambda entry: entry[0]):
        runs.append(RunView(sentence, tuple(word for _, word in group), sentence is not None and sentence != shown))
        shown = shown if sentence is None else sentence
    return tuple(runs)


def _surest(kinds: Iterable[str]) -> str:
    from sema.display.pictures.svg import KINDS

    return min(kinds, key=lambda kind: KINDS.index(kind) if kind in KINDS else len(KINDS))


def _scene_sentences(scenes: Sequence[Mapping[str, Any]], words: Sequence[str]) -> list[int | None]:
    """For each source word the sentence that the innermost of its Scenes went to; marks follow their neighbours."""
    count = len(words)
    places: list[int | None] = [None] * count
    for scene in sorted(scenes, key=lambda scene: -len(_leaves(scene))):
        for leaf in _leaves(scene):
            if scene["sentence"] is not None and leaf < count:
                places[leaf] = scene["sentence"]
    for at in range(1, count - 1):
        if is_mark(words[at]) and places[at - 1] == places[at + 1]:
            places[at] = places[at - 1]
    return places


def _leaves(scene: Mapping[str, Any]) -> list[int]:
    units = [scene["main_relation"], *scene["participants"]]
    return list(scene.get("leaves") or (token for unit in units for center in unit for token in center["tokens"]))


def _scene(
    number: int, scene: Mapping[str, Any], source: Sequence[str], sentences: Sequence[Sequence[str]]
) -> SceneFate:
    target = () if scene["sentence"] is None else sentences[scene["sentence"]]

    def unit(centers: Sequence[Mapping[str, Any]]) -> tuple[CenterView, ...]:
        return tuple(
            CenterView(
                tuple(
                    (gap, word, "" if link is None else target[link[1]], "" if link is None else link[2])
                    for (gap, word), link in zip(
                        _joined([source[token] for token in center["tokens"]]), center["links"], strict=True
                    )
                )
            )
            for center in centers
        )

    units = [("main relation", unit(scene["main_relation"]))]
    units += [("Participant", unit(participant)) for participant in scene["participants"]]
    return SceneFate(number, scene["sentence"], tuple(units))


def _meaning(scenes: Sequence[Mapping[str, Any]], words: Sequence[str]) -> tuple[MeaningView, ...]:
    return tuple(
        MeaningView(
            "".join(
                gap + word for gap, word in _joined([words[token] for token in scene["tokens"] if token < len(words)])
            ),
            scene["state"],
            tuple(f"{reason['kind']}: {reason['text']}" for reason in scene.get("because", ())),
        )
        for scene in scenes
    )


def _counts(source: Sequence[WordView], output: Sequence[WordView]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in source:
        if word.state:
            name = LOST if word.state == LOST else word.kind or KEPT
            counts[name] = counts.get(name, 0) + 1
    counts[ADDED] = sum(word.state == ADDED for word in output)
    return counts


def gaps(words: Sequence[str], text: str) -> list[str]:
    """The blank (or nothing) before each word, as it is in ``text``; where that is not to be found, as one writes."""
    found: list[str] = []
    position = 0
    for word in words:
        at = text.find(word, position, position + len(word) + 12)
        if at < 0:
            return [gap for gap, _ in _joined(words)]
        found.append(" " if position and at > position else "")
        position = at + len(word)
    return found


def _joined(words: Sequence[str]) -> list[tuple[str, str]]:
    """Words with the space before each: none between East Asian characters or before closing marks."""
    result: list[tuple[str, str]] = []
    for word in words:
        before = result[-1][1] if result else ""
        tight = not before or _is_square(before[-1]) or _is_square(word[:1]) or before in ("(", "[", "“", "$", "``")
        if word in (".", ",", ";", ":", "!", "?", ")", "]", "”", "%", "''") or word[:1] in ("'", "’") or word == "n't":
            tight = True
        result.append(("" if tight else " ", word))
    return result


def _is_square(char: str) -> bool:
    return unicodedata.east_asian_width(char or " ") in "WF"
