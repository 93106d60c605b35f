"""Dependency trees of sentences in any language, by one network.

Words are cut in pieces, which a transformer reads; a biaffine layer scores heads (Dozat and Manning, ICLR 2017), the
best tree is found by :mod:`sema_ud.arborescence`, and relations are scored for its edges alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.runtime.batching import STEP, equal_batches, padded
from sema.runtime.threads import available_cores, each
from sema_ud.arborescence import best_tree
from sema_ud.networks import EDGES, LABELS, LONGEST, PARSER, Networks
from sema_ud.trees import DependencyTree, Parse, cut, joined

_BATCH_PIECES = 384
"""Pieces of a batch: with more its activations leave the processor's caches."""
RELATIVE = "PronType=Rel"
"""The only feature that the network predicts: that a word is a relative pronoun."""
Floats = NDArray[np.float32]
Pieces = tuple[tuple[int, ...], ...]
"""The pieces of each word of a sentence."""


class UniversalParser:
    """Trees for sentences that are already cut into words."""

    def __init__(
        self,
        code: str,
        *,
        threads: int | None = None,
        folder: Path | None = None,
        spelling: Callable[[str], str] | None = None,
    ) -> None:
        """Choose the language and the folder of networks, which are loaded when they are first needed.

        Args:
            code: the language.
            threads: batches computed in parallel (default: one for each core).
            folder: has the networks (default: those that ship).
            spelling: gives a sentence as the network knows it, character for character; trees keep the words as given.

        Raises:
            ResourceError: the pieces of the language are in a package that is not installed.
        """
        self._networks = Networks(code, folder, PARSER, LABELS)
        self.signature = self._networks.signature
        self._spelling = spelling
        self._threads = threads or available_cores()

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[DependencyTree]:
        """One tree for each sentence, with its own words, index for index; an empty sentence has an empty tree."""
        parts = [self._parts(self._spelled(sentence)) for sentence in sentences]
        parses = iter(self._parses([part for some in parts for part in some]))
        trees = [joined(some, [next(parses) for _ in some]) for some in parts]
        if self._spelling is None:
            return trees
        return [replace(tree, words=tuple(words)) for tree, words in zip(trees, sentences, strict=True)]

    def _spelled(self, words: Sequence[str]) -> Sequence[str]:
        if self._spelling is None:
            return words
        written = self._spelling("".join(words))
        return [written[start:end] for start, end in pairwise([0, *accumulate(map(len, words))])]

    def _parts(self, sentence: Sequence[str]) -> list[list[str]]:
        """A sentence in parts that one pass can read."""
        sizes = [len(pieces) for pieces in self._networks.cutter.of_words(sentence)]
        return cut(sentence, sizes, LONGEST - STEP)

    def _parses(self, sentences: Sequence[Sequence[str]]) -> list[Parse]:
        """The parses of non-empty sentences that fit in one pass; a parse does not depend on the other sentences."""
        pieces = [tuple(self._networks.cutter.of_words(sentence)) for sentence in sentences]
        batches = equal_batches([sum(map(len, one)) + 2 for one in pieces], _BATCH_PIECES)
        found: dict[int, Parse] = {}

        def work(indexes: list[int]) -> None:
            found.update(zip(indexes, self._batch([pieces[index] for index in indexes]), strict=True))

        each(work, batches, self._threads)
        return [found[index] for index in range(len(sentences))]

    def _batch(self, sentences: Sequence[Pieces]) -> list[Parse]:
        scores, *edges, tags, relative = self._networks.run(PARSER, self._inputs(sentences))
        trees = [_tree(scores[row, : len(one), : len(one) + 1]) for row, one in enumerate(sentences)]
        names, labels = self._networks.names, iter(self._relations(trees, *edges))
        return [
            Parse(
                tuple(names.tags[tag] for tag in tags[row, : len(tree)].tolist()),
                tuple(RELATIVE if score > 0 else "" for score in relative[row, : len(tree)].tolist()),
                tuple(tree.tolist()),
                tuple(names.relations[next(labels)] for _ in range(len(tree))),
            )
            for row, tree in enumerate(trees)
        ]

    def _relations(
        self, trees: Sequence[NDArray[np.intp]], dependent: Floats, governor: Floats, down: Floats, up: Floats
    ) -> list[int]:
        """The relation of every edge: the first one (0) for the root's edge, and only for that."""
        rows = np.concatenate([np.full(len(tree), row) for row, tree in enumerate(trees)])
        words = np.concatenate([np.arange(len(tree)) for tree in trees])
        heads = np.concatenate(trees)
        values = dependent[rows, words], governor[rows, heads], down[rows, words], up[rows, heads]
        (scores,) = self._networks.run(LABELS, dict(zip(EDGES, values, strict=True)))
        found: list[int] = np.where(heads == 0, 0, scores[:, 1:].argmax(1) + 1).tolist()
        return found

    def _inputs(self, sentences: Sequence[Pieces]) -> dict[str, NDArray[Any]]:
        given = self._networks.inputs([[piece for word in words for piece in word] for words in sentences])
        pool = np.zeros((len(sentences), padded(max(map(len, sentences))), given["mask"].shape[1]), np.float32)
        for row, words in enumerate(sentences):
            at = 1
            for place, word in enumerate(words):
                pool[row, place, at : at + len(word)] = 1 / len(word)
                at += len(word)
        return {**given, "pool": pool}


def _tree(scores: Floats) -> NDArray[np.intp]:
    """Each word's head, counted from 1, or 0 for the root; ``scores``: (words, words + 1)."""
    shifted = scores - scores.max(1, keepdims=True)
    matrix = np.zeros((len(scores) + 1, len(scores) + 1))
    matrix[1:] = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
    return best_tree(matrix)[1:]
