"""Where a sentence can be changed, by its scene graph: its constituents, and the places to split it.

PPDB's rules have a syntactic category (Xu et al. 2016, Table 1), such as VP/PP: a verb phrase that lacks something. The
shipped parser has no phrase categories. Its units, and runs of neighbours below one unit, stand for them.

A parallel Scene, or one that elaborates the sentence's last participant, gets a sentence of its own, as in Sulem, Abend
and Rappoport (ACL 2018): *He came and she left.* becomes *He came. She left.*, and *He met Mary, who left.* becomes *He
met Mary. Mary left.* A parallel Scene without a subject of its own gets the shared one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import dropwhile, pairwise
from typing import NamedTuple

from sema_english.words import PREPOSITIONS

from sema.model.scene_graph import MAIN_RELATIONS, PARALLEL_SCENE, PARTICIPANT, SceneGraph
from sema_simplifier.rules import Phrase

LINKERS = frozenset({"and", "but", ";", "while", "whereas"})
RELATIVES = frozenset({"who", "which"})
LONGEST_SUBJECT = 6
LEAST_PART = 4
"""Neither half of a split is shorter than this many tokens."""


class Split(NamedTuple):
    """A stretch of tokens that becomes a full stop and, where one is needed, a subject."""

    start: int
    length: int
    target: Phrase


def splits(graph: SceneGraph) -> list[Split]:
    """The places where a sentence can be split, each on its own."""
    words = [token.lower() for token in graph.tokens]
    possible = [*_parallel(graph, words), *_relative(graph, words)]
    return [split for split in possible if split.start >= LEAST_PART and len(words) - split.start >= LEAST_PART]


def constituents(graph: SceneGraph) -> set[tuple[int, int]]:
    """The stretches of tokens, start and end, that are units or neighbours below one unit; of one token or more."""
    spans: set[tuple[int, int]] = set()
    for unit in graph.units():
        tokens_of = (
            (child,) if isinstance(child, int) else graph.tokens_below(child, remote=False, punctuation=True)
            for child, _, remote in graph.edges(unit)
            if not remote
        )
        pieces = sorted(
            (tokens[0], tokens[-1] + 1) for tokens in tokens_of if tokens and tokens[-1] - tokens[0] == len(tokens) - 1
        )
        for first, (start, end) in enumerate(pieces):
            spans.add((start, end))
            for (_, before), (after, last) in pairwise(pieces[first:]):
                if before != after:
                    break
                spans.add((start, last))
    return spans


def _parallel(graph: SceneGraph, words: Sequence[str]) -> Iterator[Split]:
    scenes = sorted(
        (tokens[0], tokens[-1], unit)
        for unit in graph.children(graph.root, {PARALLEL_SCENE})
        if graph.is_scene(unit)
        for tokens in [graph.tokens_below(unit, remote=False)]
        if tokens
    )
    for (_, end, first), (start, _, second) in pairwise(scenes):
        between = words[end + 1 : start]
        linkers = [word for word in between if word in LINKERS]
        if len(linkers) != 1 or any(word not in LINKERS | {","} for word in between):
            continue
        subject = _subject(graph, first, second, words)
        if subject is not None:
            kept = ("but",) if linkers == ["but"] else ()
            yield Split(end + 1, len(between), (".", *kept, *subject))


def _subject(graph: SceneGraph, first: str, second: str, words: Sequence[str]) -> Phrase | None:
    """The words to put before the second Scene: none if it has a subject, else the first Scene's subject."""
    relation = _first_token(graph, graph.children(second, MAIN_RELATIONS))
    if any(_first_token(graph, [unit]) < relation for unit in _participants(graph, second)):
        return ()
    begin = _first_token(graph, [first])
    shared = [unit for unit in _participants(graph, first) if _first_token(graph, [unit]) <= begin]
    if not shared:
        return None
    tokens = graph.tokens_below(shared[0], remote=False)
    if len(tokens) > LONGEST_SUBJECT or tokens[-1] - tokens[0] >= len(tokens):
        return None
    return tuple(words[token] for token in tokens)


def _relative(graph: SceneGraph, words: Sequence[str]) -> Iterator[Split]:
    last = max(graph.tokens_below(graph.root), default=-1)
    for unit in graph.scene_units():
        tokens = graph.tokens_below(unit, remote=False)
        if not tokens or tokens[-1] != last or words[tokens[0]] not in RELATIVES:
            continue
        start = tokens[0]
        comma = start > 0 and words[start - 1] == ","
        relation = _first_token(graph, graph.children(unit, MAIN_RELATIONS))
        between = any(start < _first_token(graph, [own]) < relation for own in _participants(graph, unit))
        head = _head(graph, start - comma, words)
        if comma and head is not None and not between:
            yield Split(start - 1, 2, (".", *head))


def _head(graph: SceneGraph, end: int, words: Sequence[str]) -> Phrase | None:
    """The noun phrase that ends before a relative clause: a short participant or center."""
    best: tuple[int, ...] = ()
    for unit in graph.units():
        tokens = graph.tokens_below(unit, remote=False)
        whole = bool(tokens) and tokens[-1] - tokens[0] == len(tokens) - 1
        before = tuple(token for token in tokens if token < end)
        if whole and before and before[-1] == end - 1 and len(best) < len(before) <= LONGEST_SUBJECT:
            best = before if not graph.is_scene(unit) else best
    if not best:
        return None
    phrase = list(dropwhile(PREPOSITIONS.__contains__, (words[token] for token in best)))
    if not phrase:
        return None
    return tuple(["the", *phrase[1:]] if phrase[0] in ("a", "an") else phrase)


def _participants(graph: SceneGraph, unit: str) -> list[str]:
    """The unit's own participants, without remote ones."""
    return [
        child
        for child, categories, remote in graph.edges(unit)
        if isinstance(child, str) and not remote and PARTICIPANT in categories and graph.tokens_below(child)
    ]


def _first_token(graph: SceneGraph, units: Sequence[str]) -> int:
    starts = [tokens[0] for unit in units if (tokens := graph.tokens_below(unit, remote=False))]
    return min(starts, default=len(graph.tokens))
