"""Stanza's graph parser (Dozat and Manning 2017, with Stanza's linear order and distance): heads and relations.

Stanza scores every relation for every pair of words, and so spends most of its time on pairs that are no edge. Here
trees come first, and relations are scored for their edges alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from sema_ud.decoding import tree_of
from sema_ud.numpy_inference.files import Floats, ModelFile, Unsupported
from sema_ud.numpy_inference.layers import Highway, Linear, Packing, Rows, log_sigmoid, with_one
from sema_ud.numpy_inference.vocabulary import FIRST, ROOT, Tags, Units
from sema_ud.numpy_inference.words import Dictionary, WordVectors

HEADS_AT_ONCE = 256
ORDER, DISTANCE = "linearization", "distance"

Tree = tuple[NDArray[np.intp], list[str]]
"""The heads of a sentence's words, counted from 1 and 0 for the root, and their relations."""


class Biaffine:
    """Scores of pairs of words: ``(relu(x W1), 1) W (relu(y W2), 1)``, one or several a pair."""

    def __init__(self, weights: Mapping[str, Floats], name: str) -> None:
        self.first, self.second = Linear(weights, f"{name}.W1"), Linear(weights, f"{name}.W2")
        self.matrix = weights[f"{name}.scorer.W_bilin.weight"]
        self.bias = weights[f"{name}.scorer.W_bilin.bias"]
        self.outputs = self.matrix.shape[2]
        self._by_head = np.ascontiguousarray(self.matrix.transpose(1, 0, 2)).reshape(self.matrix.shape[1], -1)

    def dependents(self, rows: Floats) -> Floats:
        """Words as dependents: ``(relu(x W1), 1)``."""
        hidden = self.first(rows)
        return with_one(np.maximum(hidden, 0, out=hidden))

    def heads(self, rows: Floats) -> Floats:
        """Words as heads: ``(relu(y W2), 1)``."""
        hidden = self.second(rows)
        return with_one(np.maximum(hidden, 0, out=hidden))

    def plain(self, rows: Floats) -> tuple[Floats, Floats]:
        """Two matrices whose product (the second turned) has a sentence's scores, for a scorer of one output."""
        return self.dependents(rows) @ self.matrix[:, :, 0], self.heads(rows)

    def edges(self, dependents: Floats, heads: Floats, head_of: NDArray[np.intp]) -> Floats:
        """Scores (dependents x outputs) of each dependent with one head."""
        scores = np.empty((len(dependents), self.outputs), np.float32)
        used, place = np.unique(head_of, return_inverse=True)
        order = np.argsort(place, kind="stable")
        bounds = np.searchsorted(place[order], np.arange(0, len(used) + HEADS_AT_ONCE, HEADS_AT_ONCE))
        for at, (first, last) in enumerate(pairwise(bounds)):
            start = at * HEADS_AT_ONCE
            seen = heads[used[start : start + HEADS_AT_ONCE]] @ self._by_head
            seen = seen.reshape(len(seen), -1, self.outputs)
            some = order[first:last]
            scores[some] = np.matmul(dependents[some][:, None], seen[place[some] - start])[:, 0]
        scores += self.bias
        return scores


class Parser:
    """A loaded parser."""

    def __init__(self, model: ModelFile, dictionary: Dictionary, upos: Tags, xpos: Tags) -> None:
        """``upos`` and ``xpos`` are the tagger's, whose numbers are given to the parser."""
        if model.config.get("resolve_head_constraints", True):
            raise Unsupported("one subject a head at most")
        model.require(use_arc_embedding=False, reversed=False, use_upos=True, use_xpos=True, use_ufeats=False)
        if model.rest.get("model_type", "graph") != "graph":
            raise Unsupported(f"a parser of the kind {model.rest['model_type']!r}")
        weights = model.weights
        self.words = WordVectors(model, dictionary)
        self.lemmas, self.lemma_vectors = Units(model.vocab["lemma"]), weights["lemma_emb.weight"]
        self._upos = _translated(Units(model.vocab["upos"]), upos, weights["upos_emb.weight"])
        self._xpos = _translated(Units(model.vocab["xpos"]), xpos, weights["xpos_emb.weight"])
        self._root_tags = weights["upos_emb.weight"][ROOT] + weights["xpos_emb.weight"][ROOT]
        self._lstm = Highway(weights, "parserlstm", model.config["num_layers"])
        parts = ("unlabeled", *(name for name in (ORDER, DISTANCE) if model.config.get(name)))
        self._scorers = {name: Biaffine(weights, name) for name in parts}
        self._labels = Biaffine(weights, "deprel")
        self.relations = Tags(model.vocab["deprel"]).names[FIRST:]
        if len(self.relations) != self._labels.outputs:
            raise Unsupported("labels that are numbered otherwise")

    def vectors(self, words: Sequence[str | None]) -> tuple[Floats, Floats]:
        """The input rows of words without their tags: what stands before the tags' columns, and after."""
        found = self.words(words)
        lemmas = self.lemma_vectors[[ROOT if word is None else self.lemmas.number(word) for word in words]]
        return np.concatenate([found["pretrained"], found["word"], lemmas], axis=1), found["char"]

    def tag_vectors(self, upos: NDArray[np.intp], xpos: NDArray[np.intp]) -> Floats:
        """The input columns of tags by the tagger's numbers; -1 stands for the root's."""
        rows = self._upos[upos] + self._xpos[xpos]
        rows[upos < 0] = self._root_tags
        return rows

    def parse(self, types: Floats, which: Rows, packing: Packing) -> list[Tree]:
        """A tree for each sentence of a batch.

        Its packed nodes, words with the root before them, have the input rows ``types[which]``.
        """
        states = self._lstm(types, which, packing)[packing.rows]
        ends = np.cumsum(packing.lengths).tolist()
        spans = list(zip([0, *ends[:-1]], ends, strict=True))
        trees = self._trees(states, spans)
        dependents, heads = self._labels.dependents(states), self._labels.heads(states)
        words = np.concatenate([np.arange(begin + 1, end) for begin, end in spans])
        heads_of = np.concatenate([tree[1:] + begin for tree, (begin, _) in zip(trees, spans, strict=True)])
        labels = iter(self._labels.edges(dependents[words], heads, heads_of).argmax(axis=1).tolist())
        return [(tree[1:], [self.relations[next(labels)] for _ in tree[1:]]) for tree in trees]

    def _trees(self, states: Floats, spans: Sequence[tuple[int, int]]) -> list[NDArray[np.intp]]:
        pairs = {name: scorer.plain(states) for name, scorer in self._scorers.items()}
        trees = []
        for begin, end in spans:
            parts = {name: first[begin:end] @ second[begin:end].T for name, (first, second) in pairs.items()}
            for name, part in parts.items():
                part += self._scorers[name].bias
            trees.append(tree_of(_combined(parts)))
        return trees


def _combined(parts: Mapping[str, Floats]) -> Floats:
    """One sentence's scores: row i has those of each node as the head of word i.

    To the score of a pair is added the logarithm of how likely the head stands on that side of the word, and of how
    near the expected distance it is.
    """
    scores = parts["unlabeled"]
    places = np.arange(len(scores), dtype=np.float32)
    offsets = places[None, :] - places[:, None]
    if ORDER in parts:
        scores += log_sigmoid(parts[ORDER] * np.sign(offsets))
    if DISTANCE in parts:
        expected = 1 - log_sigmoid(-parts[DISTANCE])  # 1 + softplus
        scores -= np.log((np.abs(offsets) - expected) ** 2 / 2 + 1)
    np.fill_diagonal(scores, -np.inf)
    return scores


def _translated(units: Units, tags: Tags, vectors: Floats) -> Floats:
    """The parser's vectors by the tagger's numbers, and a last row for the root, to be overwritten."""
    numbers = [units.number(name) for name in tags.names]
    return np.concatenate([vectors[numbers], vectors[:1]])
