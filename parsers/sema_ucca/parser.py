"""The English UCCA parser that ships with the package (model card: ``weights/MODEL_CARD.md``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sema.errors import UnknownNameError
from sema.scenes import SceneGraph
from sema.text import is_punctuation
from sema_ucca.decode import decode_trees
from sema_ucca.network import PRECISIONS, WEIGHTS, Network, available_cores, clause_cuts, network
from sema_ucca.pieces import Pieced
from sema_ucca.trees import Tree, graph_of

VERSION = 1


class UccaParser:
    """Parses English sentences to UCCA scene graphs, remote edges included, implicit units not.

    ``threads`` batches are parsed beside each other (default: one for each core that the process may use); the result
    does not depend on it, nor on what else is in the call. ``precision="fp32"`` needs the exact weights, which are not
    shipped. ``weights`` names another folder of weights. The model is loaded when it is first needed.
    """

    def __init__(
        self,
        *,
        threads: int | None = None,
        precision: str = "int8",
        weights: str | PathLike[str] | None = None,
    ) -> None:
        if precision not in PRECISIONS:
            raise UnknownNameError("precision", precision, list(PRECISIONS))
        self._folder = WEIGHTS if weights is None else Path(weights)
        self._precision: str = precision
        self._threads = threads or available_cores()

    @property
    def _network(self) -> Network:
        return network(self._folder, self._precision)

    @property
    def signature(self) -> str:
        """Name, version, precision and the digest of the weights."""
        return f"ucca.en.v{VERSION}+{self._precision}+{self._network.digest}"

    def extract(self, sentences: Sequence[Sequence[str]]) -> list[SceneGraph]:
        """One scene graph a sentence, over the tokens as given.

        Brackets and quotes may be written as in the Penn Treebank. A sentence of more than 250 tokens or 510 word
        pieces is parsed in parts, cut at clause punctuation where there is some, which all hang on the graph's root.
        """
        return [graph_of(tokens, tree) for tokens, tree in zip(sentences, self.trees(sentences), strict=True)]

    def trees(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        """The same as constituency trees (see ``sema_ucca.trees``), before they become graphs."""
        parts, pieced, owners = self._parts(sentences)
        words = [[i for i, token in enumerate(part) if not is_punctuation(token)] for part in parts]
        trees: list[Tree] = [Tree(tuple(indexes), {}) for indexes in words]
        worded = [index for index, indexes in enumerate(words) if indexes]
        net = self._network

        def parse(group: list[int]) -> None:
            inputs = net.inputs(group, pieced, words)
            margins, best, left, right = net.run(inputs, ("margins", "best", "left", "right"))
            found = decode_trees(margins, best, [trees[index].words for index in group], net.labels)
            for index, tree in zip(group, net.remotes.add(found, left, right), strict=True):
                trees[index] = tree

        groups = net.batches([pieced[i] for i in worded], [words[i] for i in worded])
        self._each(parse, [[worded[i] for i in group] for group in groups])
        joined: list[list[tuple[int, Tree]]] = [[] for _ in sentences]
        for (sentence, offset), tree in zip(owners, trees, strict=True):
            joined[sentence].append((offset, tree))
        return [found[0][1] if len(found) == 1 else _joined(found) for found in joined]

    def word_states(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[np.float32]]:
        """The encoder's middle-layer state of each token (tokens, 384), a mean over its pieces; for word alignment."""
        parts, pieced, owners = self._parts(sentences)
        states: list[NDArray[np.float32]] = [np.zeros((0, 0), np.float32) for _ in parts]
        net = self._network
        tokens = [range(len(part)) for part in parts]

        def encode(group: list[int]) -> None:
            inputs = net.inputs(group, pieced, [(0,)] * len(parts))  # no spans are asked for
            (layer,) = net.run(inputs, ("states",))
            for row, index in enumerate(group):
                starts = np.asarray(pieced[index].starts)
                sums = np.add.reduceat(layer[row, 1 : starts[-1] + 1], starts[:-1], 0)
                states[index] = (sums / np.diff(starts)[:, None]).astype(np.float32)

        full = [index for index, part in enumerate(parts) if part]
        groups = net.batches([pieced[i] for i in full], [tokens[i][:1] for i in full])
        self._each(encode, [[full[i] for i in group] for group in groups])
        found: list[list[NDArray[np.float32]]] = [[] for _ in sentences]
        for (sentence, _), part_states in zip(owners, states, strict=True):
            found[sentence].append(part_states)
        return [pieces[0] if len(pieces) == 1 else np.concatenate(pieces) for pieces in found]

    def _parts(
        self, sentences: Sequence[Sequence[str]]
    ) -> tuple[list[Sequence[str]], list[Pieced], list[tuple[int, int]]]:
        """The sentences, long ones in parts; their pieces; the sentence and the token where each part begins."""
        tokenizer = self._network.tokenizer
        parts: list[Sequence[str]] = []
        owners: list[tuple[int, int]] = []
        pieced: list[Pieced] = []
        for index, tokens in enumerate(sentences):
            whole = tokenizer.sentence(tokens)
            for begin, end in clause_cuts(tokens, whole.starts):
                short = (begin, end) == (0, len(tokens))
                parts.append(tokens if short else tokens[begin:end])
                pieced.append(whole if short else tokenizer.sentence(tokens[begin:end]))
                owners.append((index, begin))
        return parts, pieced, owners

    def _each(self, work: Callable[[list[int]], None], groups: Sequence[list[int]]) -> None:
        if self._threads > 1 and len(groups) > 1:
            with ThreadPoolExecutor(min(self._threads, len(groups))) as pool:
                list(pool.map(work, reversed(groups)))  # the longest first, so that none of them comes alone at the end
        else:
            for group in groups:
                work(group)


def _joined(parts: Sequence[tuple[int, Tree]]) -> Tree:
    """One tree of the trees of a sentence's parts, each with the token where it begins."""
    words: list[int] = []
    spans: dict[tuple[int, int], str] = {}
    remotes = []
    for offset, tree in parts:
        place = len(words)
        words.extend(offset + word for word in tree.words)
        spans.update({(start + place, end + place): label for (start, end), label in tree.spans.items()})
        for edge in tree.remotes:
            parent, child = (
                ref._replace(start=ref.start + place, end=ref.end + place) for ref in (edge.parent, edge.child)
            )
            remotes.append(edge._replace(parent=parent, child=child))
    return Tree(tuple(words), spans, tuple(remotes))
