"""The scores of pairs, and the evidence for them.

A sentence without a counterpart in the other text must not change the scores of the other sentences. So recall reads
the output without its unsupported sentences, and precision reads the source without the sentences that were dropped.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sema.meaning import findings
from sema.meaning.words import Side, mean, sides
from sema.model.item import Item
from sema.model.meaning import WHOLE, Finding, Meaning, OutputState, Reason, SceneMeaning, SourceState, Words, quoted
from sema.model.reading import SCORES, CrossEncoder, PairReading
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text

RECALL_SHARE = 0.7
"""Without a reader, the weight of recall in ``meaning``; the rest is precision."""
POINT = 0.01
"""The least weight of a finding that is listed for a pair in which everything that matters is kept."""
SUPPORTED = 0.3
"""The mean probability of its words, as read and as linked, below which a sentence is unsupported.

Readers tend to believe what stands among true sentences; links know nothing of free rewording and of other languages.
"""
State = SourceState | OutputState
LOST = 0.3
"""The share of a Scene's words without a finding below which it is lost or added."""
_STATES: Mapping[int, tuple[State, State, State, State]] = {
    0: (SourceState.KEPT, SourceState.PARTLY, SourceState.LOST, SourceState.CHANGED),
    1: (OutputState.SUPPORTED, OutputState.PARTLY, OutputState.ADDED, OutputState.PARTLY),
}
"""The states of a Scene of either side: whole, in part, gone, and with something wrong."""


@dataclass(frozen=True)
class Findings:
    """An item's scores, and the evidence for them, computed on access.

    Attributes:
        item: the item, with ``link_weights``; ``graphs`` and ``output_graphs`` give the Scenes.
        sides: both texts' words.
        scores: the three scores, 0-100.
        reader: weighs the findings; ``None``: scores come from links, and findings have no weights.
    """

    item: Item
    sides: tuple[Side, Side]
    scores: Mapping[str, float]
    reader: CrossEncoder | None = None

    @property
    def linked(self) -> Sequence[Words]:
        """The words of the source and of the output by their links alone."""
        return [Words(tuple(side.linked.tolist()), tuple(side.weights.tolist())) for side in self.sides]

    @property
    def evidence(self) -> Meaning:
        """The findings, the words and the state of every Scene, with the scores."""
        item, texts = self.item, (self.item.source, self.item.output)
        found = findings.find(item, self.sides)
        if found and self.reader is not None:
            found = findings.weighed(found, texts, self.scores["meaning"] / 100, self.reader)
            if self.scores["meaning"] >= WHOLE:  # a good score: list only the findings that cost points
                found = [one for one in found if one.weight >= POINT]
        found = findings.worst_first(found)
        words = [Words(tuple(side.kept.tolist()), tuple(side.weights.tolist())) for side in self.sides]
        scenes = [
            tuple(_scene(tokens, found, self.sides, side) for tokens in scene_tokens(graphs))
            for side, graphs in enumerate((item.graphs, item.output_graphs))
        ]
        return Meaning(texts, self.scores, tuple(found), words[0], words[1], scenes[0], scenes[1])


def find(
    items: Sequence[Item], function_words: tuple[Collection[str], Collection[str]], reader: CrossEncoder | None = None
) -> list[Findings]:
    """The findings of items; only different texts with words are read. ``function_words`` are both languages'."""
    worded = [place for place, item in enumerate(items) if item.source.words and item.output.words]
    to_read = [place for place in worded if reader is not None and not items[place].is_copy]
    readings: dict[int, PairReading] = {}
    if reader is not None and to_read:
        pairs = [(items[place].source, items[place].output) for place in to_read]
        readings = dict(zip(to_read, reader.read(pairs), strict=True))
    words = [sides(item, function_words, readings.get(place)) for place, item in enumerate(items)]
    scores = list(map(_plain_scores, items, words))
    if reader is not None:
        for place, found in zip(to_read, _scores(reader, [(words[at], readings[at]) for at in to_read]), strict=True):
            scores[place] = found
    return [Findings(item, own, found, reader) for item, own, found in zip(items, words, scores, strict=True)]


def _plain_scores(item: Item, own: tuple[Side, Side]) -> dict[str, float]:
    """The scores by links: shares of content, and their weighted geometric mean; 100 for a copy, 0 for no text."""
    if not item.source.words or not item.output.words:
        return dict.fromkeys(SCORES, 100.0 * item.is_copy)
    recall, precision = (mean(side.linked, side.weights) for side in own)
    meaning = recall**RECALL_SHARE * precision ** (1 - RECALL_SHARE)
    return {name: 100 * value for name, value in zip(SCORES, (meaning, recall, precision), strict=True)}


def _scores(reader: CrossEncoder, read: Sequence[tuple[tuple[Side, Side], PairReading]]) -> list[dict[str, float]]:
    """The scores of pairs that were read; those with unsupported sentences are read again without them."""
    asked: dict[tuple[int, str], tuple[Text, Text]] = {}
    for place, ((source, output), _) in enumerate(read):
        bare_source, bare_output = (side.text.without(_unsupported(side)) for side in (source, output))
        if bare_source is not source.text:
            asked[place, "source"] = bare_source, output.text
        if bare_output is not output.text:
            asked[place, "output"] = source.text, bare_output
    again = dict(zip(asked, reader.read([*asked.values()]), strict=True)) if asked else {}
    scores = []
    for place, (own, reading) in enumerate(read):
        fewer, shorter = again.get((place, "output"), reading), again.get((place, "source"), reading)
        meaning = min(reading.meaning, fewer.meaning)
        precision = min(shorter.precision, fewer.precision) if fewer is not reading else shorter.precision
        values = {"meaning": meaning, "meaning_recall": fewer.recall, "meaning_precision": precision}
        for name, side in zip(SCORES[1:], own, strict=True):
            if side.verbatim.all():
                values[name] = 1.0
        scores.append({name: 100 * value for name, value in values.items()})
    return scores


def _unsupported(side: Side) -> set[int]:
    """The tokens of sentences whose content the other text mostly lacks; none if no sentence would be left."""
    found: set[int] = set()
    known = (side.kept + side.wrong + side.linked) / 2
    for start, end in side.text.sentences:
        weights = side.weights[start:end]
        if weights.sum() and mean(known[start:end], weights) < SUPPORTED:
            found.update(range(start, end))
    return found if len(found) < len(side.text.tokens) else set()


def scene_tokens(graphs: Sequence[SceneGraph]) -> list[tuple[int, ...]]:
    """The tokens of each Scene, by their places in all graphs together, in matching order.

    A graph without Scenes counts as one.
    """
    found: list[tuple[int, ...]] = []
    offset = 0
    for graph in graphs:
        scenes = filter(None, map(graph.tokens_below, graph.scene_units()))
        for tokens in [*scenes] or filter(None, [graph.root_scene().leaves]):
            found.append(tuple(token + offset for token in tokens))
        offset += len(graph.tokens)
    return found


def _scene(tokens: tuple[int, ...], found: Sequence[Finding], both: tuple[Side, Side], side: int) -> SceneMeaning:
    whole, partly, gone, changed = _STATES[side]
    own = set(tokens)
    touching = [one for one in found if not own.isdisjoint(one.output if side else one.source)]
    if not touching:
        return SceneMeaning(tokens, whole, 1.0)
    marked = {token for one in touching for token in (one.output if side else one.source)}
    weights = both[side].weights[list(tokens)]
    share = mean(np.array([token not in marked for token in tokens], float), weights)
    wrong = any(one.kind == "wrong" for one in touching)
    quotes = [(quoted(both[0].text, one.source), quoted(both[1].text, one.output)) for one in touching]
    because = tuple(
        Reason(one.kind, f"'{old}' became '{new}'" if old and new else f"'{old or new}'")
        for one, (old, new) in zip(touching, quotes, strict=True)
    )
    return SceneMeaning(tokens, changed if wrong else gone if share < LOST else partly, share, because)
