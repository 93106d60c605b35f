"""The English UCCA parser that ships with the package (model card: ``weights/MODEL_CARD.md``)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Protocol
from weakref import WeakSet

import numpy as np
from numpy.typing import NDArray

from sema.errors import UnknownNameError
from sema.model.scene_graph import SceneGraph
from sema.model.text import is_punctuation
from sema_ucca.blas import one_blas_thread
from sema_ucca.decode import decode_trees
from sema_ucca.network import PRECISIONS, WEIGHTS, Network, Numbers, available_cores, clause_cuts, network
from sema_ucca.pieces import Pieced
from sema_ucca.trees import Tree, graph_of

States = NDArray[np.float32]
Batch = tuple[list[int], dict[str, NDArray[np.int64]]]
"""The sentences of a batch, by index, and the network's inputs."""

VERSION = 1
AT_A_TIME = 1024
"""Sentences whose trees or states are found in one go: enough to fill batches, few enough to hold all their states."""


class StateReader(Protocol):
    """What wants the word states of the sentences that a parser parses (:meth:`UccaParser.share_states`)."""

    def read(self, tokens: Sequence[str], states: States) -> None:
        """Take the states (tokens, width) of a sentence that was parsed."""
        ...


class UccaParser:
    """Parses English sentences to UCCA scene graphs, remote edges included, implicit units not.

    ``threads`` batches are computed beside each other (default: one for each core that the process may use); the result
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
        self._readers: WeakSet[StateReader] = WeakSet()

    def share_states(self, reader: StateReader) -> None:
        """Let ``reader`` have the states of every sentence that is parsed from now on, for as long as it lives.

        They are to the last bit what :meth:`word_states` gives, without a second run of the encoder. Without readers
        they are not even asked of the network.
        """
        self._readers.add(reader)

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
        starts = range(0, len(sentences), AT_A_TIME)
        with one_blas_thread():
            return [tree for start in starts for tree in self._trees(sentences[start : start + AT_A_TIME])]

    def _trees(self, sentences: Sequence[Sequence[str]]) -> list[Tree]:
        parts, pieced, owners = self._parts(sentences)
        words = [[i for i, token in enumerate(part) if not is_punctuation(token)] for part in parts]
        trees: list[Tree] = [Tree(tuple(indexes), {}) for indexes in words]
        states: list[States | None] = [None] * len(parts)
        worded = [index for index, indexes in enumerate(words) if indexes]
        net, readers = self._network, list(self._readers)
        outputs = ("margins", "best", "left", "right", *(("states",) if readers else ()))
        groups = net.batches([pieced[i] for i in worded], [words[i] for i in worded])
        inputs = ((batch, net.inputs(batch, pieced, words)) for batch in ([worded[i] for i in g] for g in groups))
        for group, (margins, best, left, right, *layers) in self._run(inputs, outputs):
            found = decode_trees(margins, best, [trees[index].words for index in group], net.labels)
            for index, tree in zip(group, net.remotes.add(found, left, right), strict=True):
                trees[index] = tree
            for layer in layers:
                for row, index in enumerate(group):
                    states[index] = _pooled(layer[row], pieced[index])

        joined: list[list[tuple[int, Tree]]] = [[] for _ in sentences]
        read: list[list[States | None]] = [[] for _ in sentences]
        for (sentence, offset), tree, part_states in zip(owners, trees, states, strict=True):
            joined[sentence].append((offset, tree))
            read[sentence].append(part_states)
        for tokens, arrays in zip(sentences, read, strict=True):
            whole = [array for array in arrays if array is not None]
            if len(whole) == len(arrays):
                for reader in readers:
                    reader.read(tokens, np.concatenate(whole))
        return [found[0][1] if len(found) == 1 else _joined(found) for found in joined]

    def word_states(self, sentences: Sequence[Sequence[str]]) -> list[States]:
        """The encoder's middle-layer state of each token (tokens, 384), a mean over its pieces; for word alignment."""
        starts = range(0, len(sentences), AT_A_TIME)
        return [states for start in starts for states in self._word_states(sentences[start : start + AT_A_TIME])]

    def _word_states(self, sentences: Sequence[Sequence[str]]) -> list[States]:
        parts, pieced, owners = self._parts(sentences)
        states: list[States] = [np.zeros((0, 0), np.float32) for _ in parts]
        net = self._network
        no_spans = [(0,)] * len(parts)

        full = [index for index, part in enumerate(parts) if part]
        groups = net.batches([pieced[i] for i in full], [no_spans[i] for i in full])
        inputs = ((batch, net.inputs(batch, pieced, no_spans)) for batch in ([full[i] for i in g] for g in groups))
        for group, (layer,) in self._run(inputs, ("states",)):
            for row, index in enumerate(group):
                states[index] = _pooled(layer[row], pieced[index])
        found: list[list[States]] = [[] for _ in sentences]
        for (sentence, _), part_states in zip(owners, states, strict=True):
            found[sentence].append(part_states)
        return [np.concatenate(arrays) for arrays in found]

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

    def _run(self, batches: Iterable[Batch], outputs: Sequence[str]) -> Iterator[tuple[list[int], list[Numbers]]]:
        """The network's outputs for each batch, in order; while one is worked on here, threads compute the next ones.

        Only the network runs in threads: Python code in several of them would wait for each other most of the time.
        """
        net = self._network
        if self._threads == 1:
            for group, inputs in batches:
                yield group, net.run(inputs, outputs)
            return
        ahead: deque[tuple[list[int], Future[list[Numbers]]]] = deque()
        with ThreadPoolExecutor(self._threads) as pool:
            for group, inputs in batches:
                ahead.append((group, pool.submit(net.run, inputs, outputs)))
                if len(ahead) > 2 * self._threads:
                    group, numbers = ahead.popleft()
                    yield group, numbers.result()
            for group, numbers in ahead:
                yield group, numbers.result()


def shared_parser(
    *, threads: int | None = None, precision: str = "int8", weights: str | PathLike[str] | None = None
) -> UccaParser:
    """One parser for everything in the process that asks for the same one, so that its states can be shared."""
    return _shared(threads, precision, WEIGHTS if weights is None else Path(weights))


@lru_cache(maxsize=4)
def _shared(threads: int | None, precision: str, weights: Path) -> UccaParser:
    return UccaParser(threads=threads, precision=precision, weights=weights)


def _pooled(layer: States, pieced: Pieced) -> States:
    """The mean of each token's pieces, of a layer (pieces, width) whose first row is the special one."""
    starts = np.asarray(pieced.starts)
    sums = np.add.reduceat(layer[1 : starts[-1] + 1], starts[:-1], 0)
    return (sums / np.diff(starts)[:, None]).astype(np.float32)


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
