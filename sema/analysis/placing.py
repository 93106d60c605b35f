"""Places Scenes that were read from files on the texts that they belong to."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise, zip_longest

from sema.analysis.source import SourceAnalysis
from sema.errors import InputError, SemaError
from sema.model.forms import one_form, segmented, without_markup
from sema.model.scene_graph import SceneGraph
from sema.model.text import ENTITY, SIGNS, Segmenter, Text, Token, unescaped
from sema.runtime.checksums import short_digest

QUOTES = frozenset("\"'`´‘’‚‛“”„‟«»‹›〝〞＂＇「」『』")
"""Signs that programs write differently, or omit."""


def place_scenes(graphs: Sequence[SceneGraph], source: Text, name: str) -> SourceAnalysis:
    """The analysis of a source whose scenes were read from a file called ``name``.

    The file's tokens become the source's tokens, at their places in its raw text. Several graphs are its sentences; a
    single graph may hold a passage, which is divided into the sentences of ``source``.

    Raises:
        InputError: the file annotates another text than ``source``.
    """
    read = Text.from_sentences([graph.tokens for graph in graphs])
    if not read.tokens:
        raise InputError("the passage has no tokens; is it the right file?", file=name)
    tokens = _placed(read, source.raw, name)
    if read.words == source.words:
        tokens = source.tokens
    if len(graphs) > 1:
        return SourceAnalysis.from_graphs(Text(source.raw, tokens, read.sentences), graphs)
    places = [token.start for token in tokens]
    starts = {bisect_left(places, source.tokens[start].start) for start, _ in source.sentences}
    sentences = tuple(pairwise(sorted({0, *starts, len(tokens)})))
    return SourceAnalysis.from_graphs(Text(source.raw, tokens, sentences), divide(graphs[0], sentences))


def divide_tokens(segmenter: Segmenter, texts: Sequence[Text]) -> list[Text]:
    """Tokenized texts, each divided into the sentences that the segmenter finds; the tokens stay as they are."""
    found = []
    for text, divided in zip(texts, segmented(segmenter, [text.raw for text in texts]), strict=True):
        ends = {divided.tokens[end - 1].end for _, end in divided.sentences}
        cuts = [index + 1 for index, token in enumerate(text.tokens[:-1]) if token.end in ends]
        bounds = [0, *cuts, len(text.tokens)] if text.tokens else []
        found.append(Text(text.raw, text.tokens, tuple(pairwise(bounds))))
    return found


def divide(graph: SceneGraph, sentences: Sequence[tuple[int, int]]) -> list[SceneGraph]:
    """A passage's graph as one graph per sentence; one graph for all if some unit spans several sentences."""
    sentence_of = {token: index for index, (start, end) in enumerate(sentences) for token in range(start, end)}
    parts = [
        SceneGraph(graph.tokens[start:end], [mark - start for mark in graph.punctuation if start <= mark < end])
        for start, end in sentences
    ]
    home: dict[str, int | None] = {}
    for unit in graph.units():
        found = {sentence_of[token] for token in graph.tokens_below(unit, punctuation=True)}
        if len(found) > 1 and unit != graph.root:
            return [graph]
        home[unit] = found.pop() if len(found) == 1 and unit != graph.root else None
    parents = {child: unit for unit in reversed(graph.units()) for child, _, remote in graph.edges(unit) if not remote}
    names: dict[str, str] = {}
    for unit in graph.units():
        above = unit
        while home[above] is None and above != graph.root:  # a unit without tokens goes with the one above it
            above = parents.get(above, graph.root)
        place = home[unit] = home[above]
        if place is not None:  # else neither the unit nor any above it but the root has tokens
            names[unit] = parts[place].add_unit(implicit=unit in graph.implicit)
    for unit in graph.units():
        for child, categories, remote in graph.edges(unit):
            index = sentence_of[child] if isinstance(child, int) else home[child]
            if index is None:
                continue
            parent = parts[index].root if unit == graph.root else names[unit]
            if isinstance(child, int):
                parts[index].add_edge(parent, child - sentences[index][0])
            else:
                parts[index].add_edge(parent, names[child], *categories, remote=remote)
    return parts


def digest(scenes: Sequence[SourceAnalysis | SemaError]) -> str:
    """A short hash of scenes, for the signature of scores computed with them."""
    return short_digest(
        str(found)
        if isinstance(found, SemaError)
        else repr((found.text.words, found.text.sentences, found.scenes, found.stand_ins))
        for found in scenes
    )


def _placed(read: Text, raw: str, name: str) -> tuple[Token, ...]:
    """A file's tokens at their places in ``raw``, which has the same characters but for whitespace, quotes and escapes.

    A quote that ``raw`` omits has an empty place.
    """
    ends = [token.end for token in read.tokens]
    places: dict[int, tuple[int, int]] = {}
    for one, other in zip_longest(_characters(read.raw), _characters(raw)):
        number = bisect_right(ends, one[1]) if one else len(ends)
        if one is None or other is None or one[0] != other[0]:
            expected = _shown(raw.split()[len(raw[: other[1] + 1].split()) - 1 :]) if other else "nothing"
            seen = _shown(read.words[number:]) if one else "nothing"
            raise InputError(
                "these scenes are of another text than the source: "
                f"token {number} reads {seen} where the source has {expected}; "
                "files go with sources in the order of their names",
                file=name,
            )
        places[number] = places.get(number, other[1:])[0], other[2]
    tokens: list[Token] = []
    end = 0
    for number, token in enumerate(read.tokens):
        quotes = _QUOTES.match(raw, end)
        before = quotes.span(1) if quotes else (end, end)
        start, end = places.get(number, before)
        if quotes and unescaped(token.text)[:1] in QUOTES:
            start = before[0]
        tokens.append(Token(token.text, start, end))
    return tuple(tokens)


def _shown(tokens: Sequence[str]) -> str:
    return repr(" ".join(tokens[:3]))


_QUOTES = re.compile(rf"\s*([{''.join(QUOTES)}]+)")
_PIECE = re.compile(rf"(?<!\S)(?:{'|'.join(map(re.escape, SIGNS))})(?!\S)|{ENTITY.pattern}|\S")
"""An escape, or a character."""


def _characters(raw: str) -> list[tuple[str, int, int]]:
    """A text's characters in their plain form, without whitespace and quotes, each with its place in the text."""
    form = one_form(raw := without_markup(raw))
    pieces = _PIECE.finditer(raw if form is None else form.text)
    found = [(char, *piece.span()) for piece in pieces for char in unescaped(piece[0]) if char not in QUOTES]
    return found if form is None else [(char, form.starts[start], form.ends[end - 1]) for char, start, end in found]
