"""Places Scenes that were read from files on the texts that they belong to."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import pairwise, zip_longest

from sema.analysis.source import SourceAnalysis
from sema.errors import InputError, SemaError
from sema.model.forms import segmented
from sema.model.scene_graph import SceneGraph
from sema.model.text import Segmenter, Text, unescaped
from sema.runtime.checksums import short_digest

QUOTES = frozenset("\"'`´‘’‚‛“”„‟«»‹›〝〞＂＇「」『』")
"""Signs that programs write differently, or omit."""


def place_scenes(segmenter: Segmenter, graphs: Sequence[SceneGraph], source: Text, name: str) -> SourceAnalysis:
    """The analysis of a source whose scenes were read from a file called ``name``.

    The file's tokens become the source's tokens. Several graphs are its sentences; a single graph may hold a passage,
    which is divided into the sentences of ``source``, or, if its tokens differ, into those that the segmenter finds.

    Raises:
        InputError: the file annotates another text than ``source``.
    """
    words = tuple(word for graph in graphs for word in graph.tokens)
    if not words:
        raise InputError("the passage has no tokens; is it the right file?", file=name)
    _check_same_text(words, source.raw, name)
    if len(graphs) > 1:
        return SourceAnalysis.from_graphs(Text.from_sentences([graph.tokens for graph in graphs]), graphs)
    if words == source.words:
        text = source
    else:
        (text,) = divide_tokens(segmenter, [Text.from_sentences([words])])
    return SourceAnalysis.from_graphs(text, divide(graphs[0], text.sentences))


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


def _check_same_text(words: Sequence[str], raw: str, name: str) -> None:
    """Check that a file has the source's characters, apart from whitespace, quotes and escapes."""
    expected = raw.split()
    for read, given in zip_longest(_characters(words), _characters(expected), fillvalue=("", -1)):
        if read[0] != given[0]:
            raise InputError(
                "these scenes are of another text than the source: "
                f"token {read[1] if read[0] else len(words)} reads {_shown(words, *read)} where the source has "
                f"{_shown(expected, *given)}; files go with sources in the order of their names",
                file=name,
            )


def _shown(tokens: Sequence[str], character: str, number: int) -> str:
    return repr(" ".join(tokens[number:][:3])) if character else "nothing"


def _characters(tokens: Sequence[str]) -> list[tuple[str, int]]:
    """A text's characters without whitespace and quotes, each with the number of its token."""
    return [
        (char, number)
        for number, token in enumerate(tokens)
        for char in unicodedata.normalize("NFC", unescaped(token))
        if not char.isspace() and char not in QUOTES
    ]
