"""Stanza's tagger (Qi et al. 2018) and graph parser (Dozat and Manning 2017): tokens to tags and trees, in batches.

Stanza scores every relation for every pair of words, and so spends most of its time on pairs that are no edge. Here
trees come first, and relations are scored for their edges alone. What a word has without its sentence is computed once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.runtime.batching import batches
from sema.runtime.onnx import Session
from sema.runtime.threads import each
from sema_ud.decoding import tree_of
from sema_ud.onnx_inference.vocabulary import FIRST, ROOT, Features, Tags, Units, described, dictionary, simplified

BATCH_WORDS = 500
"""Words of a batch, the places after its shorter sentences included."""
TYPES_AT_ONCE = 2000
EDGES_AT_ONCE = 500
TYPES = ("tagger", "before", "after")
"""The rows of word types: the tagger's input, and the parser's, what stands before the columns of tags and after."""

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Parse:
    """One sentence's columns, as CoNLL-U has them: heads count from 1 and are 0 for the root."""

    upos: tuple[str, ...]
    features: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]


class TreeModels:
    """A tagger and a parser that belong together."""

    def __init__(self, folder: Path) -> None:
        """Read the models of a folder."""
        tagger, parser = described(folder, "pos")["vocab"], described(folder, "depparse")["vocab"]
        self._dictionary = dictionary(folder)
        self._characters, self._words, self._lemmas = (
            Units(tagger["char"]),
            Units(tagger["word"]),
            Units(parser["lemma"]),
        )
        self._upos, self._features = Tags(tagger["upos"]), Features(tagger["feats"])
        self._relations = Tags(parser["deprel"]).names[FIRST:]
        self._of_types, self._of_sentences, self._of_edges = (
            Session(folder / f"{name}.onnx") for name in ("words", "trees", "labels")
        )

    def parse(self, sentences: Sequence[Sequence[str]], *, threads: int) -> list[Parse]:
        """Tags and trees, one for each sentence, none of which may be empty; batches are computed beside each other."""
        numbers: dict[str, int] = {}
        for sentence in sentences:
            for word in sentence:
                numbers.setdefault(word, len(numbers))
        types = self._types([*numbers], threads)
        found: dict[int, Parse] = {}

        def work(group: list[int]) -> None:
            batch = [[numbers[word] for word in sentences[at]] for at in group]
            found.update(zip(group, self._batch(batch, types), strict=True))

        groups = batches([(len(one),) for one in sentences], lambda count, size: count * size[0] <= BATCH_WORDS)
        each(work, groups[::-1], threads)
        return [found[at] for at in range(len(sentences))]

    def _types(self, words: Sequence[str], threads: int) -> dict[str, Floats]:
        """The networks' input rows of words without their sentences; the last row stands for the root."""
        plain = [simplified(word) for word in words]
        characters = [*([self._characters.number(char) for char in word] for word in plain), [ROOT]]
        columns: dict[str, NDArray[Any]] = {
            "words": np.asarray([*map(self._words.number, plain), ROOT], np.int64),
            "lemmas": np.asarray([*map(self._lemmas.number, words), ROOT], np.int64),
            "vectors": self._dictionary.vectors[[*map(self._dictionary.number, plain), ROOT]],
        }
        by_length: dict[int, list[int]] = {}
        for at, spelt in enumerate(characters):
            by_length.setdefault(len(spelt), []).append(at)
        groups = [
            some[at : at + TYPES_AT_ONCE] for some in by_length.values() for at in range(0, len(some), TYPES_AT_ONCE)
        ]
        found: dict[int, list[Floats]] = {}

        def work(number: int) -> None:
            group = groups[number]
            spelt = np.asarray([characters[at] for at in group], np.int64).T
            given = {name: column[group] for name, column in columns.items()}
            found[number] = self._of_types.run(TYPES, {"characters": spelt, **given})

        each(work, range(len(groups)), threads)
        parts = zip(*(found[number] for number in range(len(groups))), strict=True)
        order = np.argsort(np.concatenate(groups))
        return {name: np.concatenate(part)[order] for name, part in zip(TYPES, parts, strict=True)}

    def _batch(self, sentences: Sequence[Sequence[int]], types: dict[str, Floats]) -> list[Parse]:
        """Tags and trees of sentences that are given by their words' rows."""
        lengths = np.asarray([len(one) for one in sentences], np.int32)
        which = np.zeros((max(lengths), len(sentences)), np.int64)
        for at, sentence in enumerate(sentences):
            which[: len(sentence), at] = sentence
        given = {**types, "which": which, "lengths": lengths}
        upos, features, scores, states = self._of_sentences.run(("upos", "features", "scores", "states"), given)
        trees = []
        for of_pairs, length in zip(scores, lengths, strict=True):
            of_pairs = of_pairs[: length + 1, : length + 1]
            np.fill_diagonal(of_pairs, -np.inf)
            trees.append(tree_of(of_pairs)[1:])
        labels = iter(self._labels(states, trees))
        return [
            Parse(
                tuple(self._upos.shown(number) for number in upos[: len(tree), at].tolist()),
                tuple(self._features.shown(numbers) for numbers in features[: len(tree), at].tolist()),
                tuple(tree.tolist()),
                tuple(next(labels) for _ in tree),
            )
            for at, tree in enumerate(trees)
        ]

    def _labels(self, states: Floats, trees: Sequence[NDArray[np.intp]]) -> list[str]:
        """The relations of all trees' edges; ``states`` (sentences x nodes x width) are those of words and roots."""
        width = states.shape[1]
        heads = np.concatenate([at * width + tree for at, tree in enumerate(trees)])
        words = np.concatenate([at * width + 1 + np.arange(len(tree)) for at, tree in enumerate(trees)])
        rows = states.reshape(-1, states.shape[2])
        labels = np.empty(len(heads), np.int64)
        order = np.argsort(heads, kind="stable")
        for at in range(0, len(order), EDGES_AT_ONCE):
            some = order[at : at + EDGES_AT_ONCE]
            used, place = np.unique(heads[some], return_inverse=True)
            given = {"dependents": rows[words[some]], "heads": rows[used], "place": place.astype(np.int64)}
            (labels[some],) = self._of_edges.run(("labels",), given)
        return [self._relations[label] for label in labels.tolist()]


@lru_cache(maxsize=4)
def tree_models(folder: Path) -> TreeModels:
    """The tagger and parser in a folder of shipped models, one pair for each process."""
    return TreeModels(folder)
