"""UCCA's English corpora as sentence graphs (EWT is cut where UD's sentences end, Wiki by its annotation), and these as
the constituency trees that the parser learns (:mod:`sema_ucca.trees`)."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from itertools import pairwise
from pathlib import Path

import networkx as nx
from sema_ucca.trees import CHAIN, LATER, TOGETHER, RemoteEdge, Tree, UnitRef
from sema_ucca.ucca_xml import primary_units, read_passage
from sema_ud.conllu import Sentence, read_sentences

from sema.datasets.folder import data_folder
from sema.model.scene_graph import CENTER, MAIN_RELATIONS, PARALLEL_SCENE, PUNCTUATION, SceneGraph

PREFIX = "reviews-"
FINAL_MARKS = frozenset({".", "!", "?", "...", "…"})
CLOSING_MARKS = frozenset({")", "]", "}", "”", "’", "''"})
QUOTE = '"'
LINKER = "L"


def sentence_spans(tokens: Sequence[str], sentences: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """Where each of ``sentences`` lies in a passage's tokens (half-open; empty where the passage lacks it).

    The two tokenizations may differ here and there: a boundary inside a difference falls at its end.
    """
    other = [token for sentence in sentences for token in sentence]
    place = list(range(len(tokens) + 1))
    if list(tokens) != other:
        place = [0] * (len(other) + 1)
        for _, start, end, first, last in SequenceMatcher(None, tokens, other, autojunk=False).get_opcodes():
            for index in range(first, last):
                place[index] = min(start + index - first, end)
            place[last] = end
    spans, position, begin = [], 0, 0
    for sentence in sentences:
        position += len(sentence)
        end = place[position] if position < len(other) else len(tokens)
        spans.append((begin, end))
        begin = end
    return spans


def ud_files() -> list[Path]:
    """The UD English EWT files."""
    return sorted(data_folder("ud", "en_ewt").glob("*.conllu"))


@cache
def _reviews() -> dict[str, list[Sentence]]:
    """UD's review sentences by document, in order."""
    documents: dict[str, list[Sentence]] = defaultdict(list)
    for path in ud_files():
        for sentence in read_sentences(path):
            if sentence.identifier.startswith(PREFIX):
                documents[sentence.identifier.removeprefix(PREFIX).rpartition("-")[0]].append(sentence)
    return {name: sorted(sentences, key=lambda sentence: sentence.identifier) for name, sentences in documents.items()}


def passage_sentences(document: str) -> list[tuple[str, tuple[int, int]]]:
    """The sentences of an EWT passage: UCCA's identifier and the half-open token range."""
    sentences = _reviews()[document]
    spans = sentence_spans(_passage(document).tokens, [sentence.tree.words for sentence in sentences])
    return [(s.identifier.removeprefix(PREFIX), span) for s, span in zip(sentences, spans, strict=True)]


def _passage(document: str) -> SceneGraph:
    return read_passage(data_folder("ucca", "english-ewt", "xml", f"{document}.xml"))


def part_ids(part: str) -> list[str]:
    """The sentence identifiers of ``train``, ``dev`` or ``test``."""
    return data_folder("ucca", "english-ewt", f"{part}.txt").read_text(encoding="utf-8").split()


def ewt_graphs(part: str, limit: int | None = None) -> list[SceneGraph]:
    """The sentence graphs of ``train``, ``dev`` or ``test``, in the order of their list; empty sentences are left out.

    With ``limit``, only the first so many of the list.
    """
    wanted = part_ids(part)[:limit]
    graphs: dict[str, SceneGraph] = {}
    for document in dict.fromkeys(identifier.rpartition("-")[0] for identifier in wanted):
        named = passage_sentences(document)
        identifiers, spans = zip(*named, strict=True)
        graphs |= zip(identifiers, split_passage(_passage(document), spans), strict=True)
    return [graphs[identifier] for identifier in wanted if graphs[identifier].tokens]


def annotated_sentences(graph: SceneGraph) -> list[tuple[int, int]]:
    """The sentences of a passage (half-open token ranges): a final mark ends one where the annotation lets it.

    No unit has words on both sides of a boundary, except one that spans sentences itself: a unit (a quotation, say)
    with a parallel Scene that ends at the mark and another that begins after it with a capital letter. The points in
    *Warner Bros. purchased* and *3.5 million* end nothing: the unit that goes on there is not a series of Scenes.
    """
    spans, begin = [], 0
    words = [token for token in range(len(graph.tokens)) if token not in graph.punctuation]
    yields = {unit: graph.tokens_below(unit, remote=False) for unit in graph.units() if unit != graph.root}
    extents = {unit: (min(tokens), max(tokens)) for unit, tokens in yields.items() if tokens}
    for before, after in pairwise(words):
        marks = [index for index in range(before, after) if graph.tokens[index] in FINAL_MARKS]
        if marks and _may_end(graph, extents, before, after):
            end = _behind(graph, begin, marks[-1] + 1, after)
            spans.append((begin, end))
            begin = end
    return [*spans, (begin, len(graph.tokens))] if begin < len(graph.tokens) else spans


def _may_end(graph: SceneGraph, extents: dict[str, tuple[int, int]], before: int, after: int) -> bool:
    across = [unit for unit, (first, last) in extents.items() if first <= before and after <= last]
    if not across:
        return True
    if not graph.tokens[after][:1].isupper():
        return False
    lowest = min(across, key=lambda unit: (extents[unit][1] - extents[unit][0], -across.index(unit)))
    children = [
        (extents[child], categories)
        for child, categories, remote in graph.edges(lowest)
        if not remote and child in extents and isinstance(child, str)
    ]
    ends = any(last == before and PARALLEL_SCENE in categories for (_, last), categories in children)
    begins = any(first == after and {PARALLEL_SCENE, LINKER} & set(categories) for (first, _), categories in children)
    return ends and begins


def _behind(graph: SceneGraph, begin: int, end: int, most: int) -> int:
    """The end of a sentence with its final mark before ``end``: after the marks that close what it opened."""
    while end < most:
        mark = graph.tokens[end]
        closes = mark == QUOTE and graph.tokens[begin:end].count(QUOTE) % 2 == 1
        if not closes and mark not in CLOSING_MARKS:
            break
        end += 1
    return end


def wiki_graphs(part: str) -> list[SceneGraph]:
    """The sentence graphs of ``train`` or ``dev``, in the order in which SemEval 2019 Task 1 split them."""
    folder = data_folder("ucca", "english-wiki")
    numbers = json.loads((folder / "split.json").read_text(encoding="utf-8"))[part]
    passages = (read_passage(folder / "xml" / f"ucca_passage{number}.xml") for number in numbers)
    return [graph for passage in passages for graph in split_passage(passage, annotated_sentences(passage))]


def split_passage(graph: SceneGraph, spans: Sequence[tuple[int, int]]) -> list[SceneGraph]:
    """One graph for each half-open token range; tokens outside all ranges are left out.

    A unit that crosses a boundary is in every sentence that has some of its tokens, under the same categories and with
    these tokens. An implicit unit or a remote edge, without tokens, goes with the piece of its parent that has the
    parent's main relation or center, else with the first. A remote edge to a unit outside the sentence becomes an
    implicit unit, as the annotation guidelines require for roles that the text does not fill; so no Scene loses its
    relation or a Participant.

    Units keep their names. The ranges are ascending and disjoint.
    """
    span_of = {token: number for number, (start, end) in enumerate(spans) for token in range(start, end)}
    pieces = _pieces(graph, span_of)
    return [_sentence(graph, pieces, number, *span) for number, span in enumerate(spans)]


def _pieces(graph: SceneGraph, span_of: Mapping[int, int]) -> dict[str, list[int]]:
    """The ranges of each unit; the first of them gets children without tokens."""
    primary = primary_units(graph)
    top_down = list(nx.topological_sort(primary))
    spans: dict[str, dict[int, None]] = {}
    for unit in reversed(top_down):
        tokens = sorted(child for child, _, _ in graph.edges(unit) if isinstance(child, int))
        own = {span_of[token] for token in tokens if token in span_of}
        spans[unit] = dict.fromkeys(sorted(own.union(*(spans[child] for child in primary.adj[unit]))))
    homes: dict[str, list[int]] = {}
    for unit in top_down:
        heads = [child for child in graph.children(unit, MAIN_RELATIONS) or graph.children(unit, {CENTER})]
        home = [span for child in heads if primary.has_edge(unit, child) for span in spans[child]][:1]
        homes[unit] = list(dict.fromkeys([*home, *spans[unit]]))
        if not homes[unit]:
            homes[unit] = [span for parent in primary.pred[unit] for span in homes[parent]][:1]
    return homes


def _sentence(graph: SceneGraph, pieces: Mapping[str, list[int]], number: int, start: int, end: int) -> SceneGraph:
    marks = [token - start for token in range(start, end) if token in graph.punctuation]
    sentence = SceneGraph(graph.tokens[start:end], marks, root=graph.root)
    units = [unit for unit in graph.units() if number in pieces[unit] or unit == graph.root]
    inside = set(units)
    for unit in units:
        if unit != graph.root:
            sentence.add_unit(unit, implicit=unit in graph.implicit)
    for unit in units:
        at_home = pieces[unit][:1] == [number]
        for child, categories, remote in graph.edges(unit):
            if isinstance(child, int):
                if start <= child < end:
                    sentence.add_edge(unit, child - start)
            elif child in inside and (at_home or not remote):
                sentence.add_edge(unit, child, *categories, remote=remote)
            elif at_home and remote:
                sentence.add_child(unit, *categories, implicit=True)
    sentence.extra[None]["passage_id"] = f"{graph.extra.get(None, {}).get('passage_id', '')}{number:03d}"
    return sentence


def tree_of(graph: SceneGraph) -> Tree:
    """The tree of a scene graph."""
    made = _Flattener(graph)
    spans = {span: CHAIN.join(labels) for span, labels in made.spans.items()}
    return Tree(made.words, spans, tuple(sorted(made.remotes())))


class _Flattener:
    """Walks a graph from its root and collects spans."""

    def __init__(self, graph: SceneGraph) -> None:
        self.graph = graph
        self.words = tuple(token for token in range(len(graph.tokens)) if token not in graph.punctuation)
        self.place = {token: place for place, token in enumerate(self.words)}
        self.yields: dict[str, frozenset[int]] = {}
        self.spans: dict[tuple[int, int], list[str]] = {}
        self.refs: dict[str, UnitRef] = {}
        self._measure(graph.root, set())
        self._place(graph.root, (0, len(self.words)))

    def _measure(self, unit: str, above: set[str]) -> frozenset[int]:
        """A unit's words over primary edges; with several primary parents, a unit belongs to the first to reach it."""
        below: set[int] = set()
        for child, _, remote in self.graph.edges(unit):
            if remote or child in self.yields or child in above:
                continue
            if isinstance(child, str):
                below |= self._measure(child, above | {unit})
            elif child in self.place:
                below.add(self.place[child])
        self.yields[unit] = frozenset(below)
        return self.yields[unit]

    def _place(self, unit: str, piece: tuple[int, int]) -> None:
        """Record the children's pieces that lie in one piece of a unit."""
        for child, categories, remote in self.graph.edges(unit):
            if remote or not isinstance(child, str) or PUNCTUATION in categories:
                continue
            label = TOGETHER.join(sorted(categories))
            inside = sorted(word for word in self.yields.get(child, ()) if piece[0] <= word < piece[1])
            for span in _runs(inside):
                chain = self.spans.setdefault(span, [])
                if child in self.refs:
                    chain.append(label + LATER * self._rank(unit, child, label, span[0]))
                else:
                    self.refs[child] = UnitRef(*span, len(chain))
                    chain.append(label)
                self._place(child, span)

    def _rank(self, unit: str, child: str, label: str, start: int) -> int:
        """How many children with the child's categories begin between it (included) and its piece at ``start``."""
        alike = [
            self.yields.get(other)
            for other, categories, remote in self.graph.edges(unit)
            if not remote and isinstance(other, str) and TOGETHER.join(sorted(categories)) == label
        ]
        return sum(min(self.yields[child]) <= min(own) < start for own in alike if own)

    def remotes(self) -> Iterator[RemoteEdge]:
        """The edges between units that have words."""
        for unit, parent in self.refs.items():
            for child, categories, remote in self.graph.edges(unit):
                if remote and isinstance(child, str) and child in self.refs:
                    yield RemoteEdge(parent, self.refs[child], TOGETHER.join(sorted(categories)))


def _runs(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The maximal contiguous runs of ascending numbers, half-open."""
    start = 0
    for index in range(1, len(places) + 1):
        if index == len(places) or places[index] != places[index - 1] + 1:
            yield places[start], places[index - 1] + 1
            start = index
