"""UCCA English EWT as sentence graphs, cut where Universal Dependencies' sentences end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache

from sema_ucca.ucca_xml import read_passage
from sema_ud.conllu import Sentence, read_sentences

from sema.datasets.folder import data_folder
from sema.model.scene_graph import SceneGraph
from training.ucca.data import ud_files
from training.ucca.passages import split_passage

PREFIX = "reviews-"


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
    path = data_folder("ucca", "english-ewt", "xml", f"{document}.xml")
    sentences = _reviews()[document]
    spans = sentence_spans(read_passage(path).tokens, [sentence.tree.words for sentence in sentences])
    return [(s.identifier.removeprefix(PREFIX), span) for s, span in zip(sentences, spans, strict=True)]


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
        passage = read_passage(data_folder("ucca", "english-ewt", "xml", f"{document}.xml"))
        for (identifier, _), graph in zip(named, split_passage(passage, [span for _, span in named]), strict=True):
            graphs[identifier] = graph
    return [graphs[identifier] for identifier in wanted if graphs[identifier].tokens]
