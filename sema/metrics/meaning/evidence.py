"""From an analysed item to its meaning evidence: words first, then what Scenes say against them, then the states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sema.meaning.views import SceneView, scene_views
from sema.metrics.meaning.bounds import changed_bounds
from sema.metrics.meaning.contradictions import Contradiction, apply, contradictions
from sema.metrics.meaning.edits import edits
from sema.metrics.meaning.facts import find_repeats, resolve_pronouns
from sema.metrics.meaning.reading import ReadsPairs
from sema.metrics.meaning.relators import exchanged_relators
from sema.metrics.meaning.statements import exchanged, reversed_order, turned
from sema.metrics.meaning.words import Side, both_sides
from sema.model.item import Item
from sema.model.meaning import Meaning, OutputState, Reason, SceneMeaning, SourceState, WordFacts, Words

KEPT = 0.8
"""The share of a Scene's words from which it counts as kept or supported."""
LOST = 0.3
"""The share below which it counts as lost or added."""


def gather_meaning(item: Item, facts: WordFacts) -> Meaning:
    """The evidence of one item, from weighted links and the scene graphs of both texts alone.

    Needs ``link_weights``, ``graphs`` and ``output_graphs``; without graphs there are words and no Scenes.
    """
    reading = facts.read_pair(item) if isinstance(facts, ReadsPairs) else None
    source, output = reading.sides if reading else both_sides(item, facts)
    views, others = scene_views(item.graphs), scene_views(item.output_graphs)
    resolve_pronouns(output, source, item.output.sentences, facts)
    sentences = item.source.sentences, item.output.sentences
    found: Sequence[Contradiction]
    if item.source.words == item.output.words:
        found = []
    elif reading:
        found = reading.contradictions(views, others)
    else:
        found = [
            *contradictions(source, output, facts, views, others),
            *edits(source, output, facts, (_acts(views), _acts(others))),
            *changed_bounds(source, output, facts),
            *turned(source, output, views, others, facts, sentences),
            *exchanged(source, output, views, others, facts),
            *exchanged_relators(source, output, views, others, facts),
            *reversed_order(source, output, sentences, facts),
        ]
    said, says = apply(found, item, (source, output), (views, others))
    repeats = find_repeats(source, output, others)
    kept, supported = words_of(source), words_of(output)
    return Meaning(
        kept,
        supported,
        tuple(judge_source(view, source, kept, said.get(number, ())) for number, view in enumerate(views)),
        tuple(
            judge_output(view, output, supported, [*says.get(number, ()), *repeats.get(number, ())])
            for number, view in enumerate(others)
        ),
    )


def _acts(views: Sequence[SceneView]) -> frozenset[int]:
    return frozenset(token for view in views for token in view.relation)


def with_words(meaning: Meaning, source: Words, output: Words) -> Meaning:
    """The evidence with other words; the Scenes keep their states and reasons, their shares follow the words."""

    def shared(scenes: tuple[SceneMeaning, ...], words: Words) -> tuple[SceneMeaning, ...]:
        return tuple(replace(scene, share=words.share(scene.tokens)) for scene in scenes)

    return Meaning(source, output, shared(meaning.source_scenes, source), shared(meaning.output_scenes, output))


def words_of(side: Side) -> Words:
    """A side's words as evidence."""
    return Words(tuple(side.probabilities.tolist()), tuple(side.weights.tolist()))


def judge_source(view: SceneView, side: Side, words: Words, changes: Sequence[str]) -> SceneMeaning:
    """What became of a Scene of the source, whose ``words`` are as :func:`words_of` gives them."""
    share = words.share(view.tokens)
    missing = _missing(view, side)
    if changes:
        return SceneMeaning(view.tokens, SourceState.CHANGED, share, _told((*changes, *missing)))
    if share < LOST:
        return SceneMeaning(view.tokens, SourceState.LOST, share, _told(tuple(missing)))
    if share >= KEPT and not missing:
        return SceneMeaning(view.tokens, SourceState.KEPT, share)
    return SceneMeaning(view.tokens, SourceState.PARTLY, share, _told(tuple(missing) or (f"{100 * share:.0f} % kept",)))


def judge_output(view: SceneView, side: Side, words: Words, changes: Sequence[str]) -> SceneMeaning:
    """Where a Scene of the output comes from, whose ``words`` are as :func:`words_of` gives them."""
    share = words.share(view.tokens)
    missing = _missing(view, side)
    if share < LOST:
        return SceneMeaning(view.tokens, OutputState.ADDED, share, _told((*changes, *missing)))
    if share >= KEPT and not missing and not changes:
        return SceneMeaning(view.tokens, OutputState.SUPPORTED, share)
    reasons = (*changes, *missing) or (f"{100 * share:.0f} % supported",)
    return SceneMeaning(view.tokens, OutputState.PARTLY, share, _told(reasons))


def _told(reasons: Sequence[str]) -> tuple[Reason, ...]:
    return tuple(Reason.of(reason) for reason in reasons)


def _missing(view: SceneView, side: Side) -> list[str]:
    """The main relation, Participants, modifiers and times that have no counterpart, and what others lack."""
    found = []
    units = [("main relation", view.relation, view.relation), *((u.what, u.tokens, u.centers) for u in view.units)]
    for what, tokens, centers in units:
        content = [t for t in tokens if side.weights[t] >= 0.5]
        gone = [t for t in content if not side.linked(t)]
        if not gone:
            continue
        heads = [t for t in centers if side.weights[t] >= 0.5]
        if len(gone) == len(content) or (heads and all(t in gone for t in heads)):
            found.append(f"{what}: {side.said(gone)}")
        else:
            found.append(f"part of the {what}: {side.said(gone)}")
    return list(dict.fromkeys(found))
