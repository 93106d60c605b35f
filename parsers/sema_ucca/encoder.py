"""The network on tokenized sentences: the encoder shared by a language's parser, aligner and metrics.

Long sentences are cut in parts, and the parts go through the network in batches of similar size. The results do not
depend on the batch: a sentence's numbers are, to the last bit, the same as alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Semaphore
from typing import Annotated, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from sema.errors import ResourceError
from sema.model.language import StatesForm
from sema.runtime.batching import Size, batches
from sema.runtime.caching import Cache
from sema.runtime.forks import SharedLock, cached_property
from sema.runtime.threads import ThreadsOption, available_cores, go_on
from sema_ucca.network import STATES, WEIGHTS, Network, Numbers, clause_cuts
from sema_ucca.pieces import Pieced, piece_batch

Value = TypeVar("Value")
States = NDArray[np.float32]
Batch = tuple[list[int], dict[str, NDArray[np.int64]]]
"""The parts of a batch, by index, and the network's inputs."""

MAX_SENTENCES = 16
MAX_BATCH_PIECES = 1024
MAX_BATCH_SPANS = 4000
"""Limits of a batch; larger ones leave the processor's caches and take longer."""
AT_A_TIME = 1024
"""Sentences that are processed together: enough to fill batches, few enough to hold all their states."""


@dataclass(frozen=True)
class Cut:
    """Sentences cut in parts: the parts' pieces, and the sentence and first token of each part."""

    sentences: Sequence[Sequence[str]]
    parts: list[Sequence[str]]
    pieced: list[Pieced]
    owners: list[tuple[int, int]]

    def by_sentence(self, of_parts: Iterable[Value]) -> list[list[Value]]:
        """What each part has, as a list for each sentence."""
        found: list[list[Value]] = [[] for _ in self.sentences]
        for (sentence, _), value in zip(self.owners, of_parts, strict=True):
            found[sentence].append(value)
        return found


class UccaEncoder:
    """One folder of weights, loaded on first use and shared by all components that use it.

    Give the same encoder to a parser (:class:`sema_ucca.parser.UccaParser`) and to components that need word states:
    parsed sentences are then not encoded again (:meth:`keep_states`).
    """

    def __init__(
        self,
        *,
        threads: ThreadsOption = None,
        weights: Annotated[
            Path | None, "another folder of weights; none: those that ship; pieces are read as MiniLM's in any case"
        ] = None,
    ) -> None:
        self.threads = threads or available_cores()
        self.weights = WEIGHTS if weights is None else Path(weights)
        self._loading = SharedLock()
        self._cores = SharedLock(partial(Semaphore, self.threads))
        self._kept: dict[StatesForm | None, Cache[tuple[str, ...], NDArray[Any]]] = {}

    @property
    def network(self) -> Network:
        """The network itself."""
        with self._loading:  # only one thread loads it
            return self._network

    @cached_property
    def _network(self) -> Network:
        return Network(self.weights)

    @property
    def signature(self) -> str:
        """The digest of the weights."""
        return f"ucca-encoder+int8+{self.network.digest}"

    def keep_states(self, form: StatesForm | None = None) -> None:
        """Keep the states of all sentences parsed from now on, so that :meth:`states` need not encode them.

        Callers that need states call this once before parsing; otherwise the network does not compute them.
        """
        self._kept.setdefault(form, Cache())

    def states(self, sentences: Sequence[Sequence[str]], form: StatesForm | None = None) -> list[NDArray[Any]]:
        """For each sentence the middle layer's state of each token (tokens, width), the mean over its pieces. With
        ``form``, the result of applying it to those states."""
        keys = [tuple(sentence) for sentence in sentences]
        self.keep_states(form)
        found = self._kept[form].lookup(keys, lambda missing: self._formed(missing, form))
        return [found[key] for key in keys]

    def _formed(self, sentences: Sequence[tuple[str, ...]], form: StatesForm | None) -> Iterator[NDArray[Any]]:
        for start in range(0, len(sentences), AT_A_TIME):
            for states in self._encoded(sentences[start : start + AT_A_TIME], _pooled):
                yield states if form is None else form(states)

    def piece_states(self, sentences: Sequence[Sequence[str]]) -> list[States]:
        """The middle layer's state of each piece (pieces, width), without the special ones; nothing is kept."""
        return self._encoded(sentences, _unpooled)

    def _encoded(self, sentences: Sequence[Sequence[str]], pool: Callable[[States, Pieced], States]) -> list[States]:
        cut = self.cut(sentences)
        states: list[States] = [np.zeros((0, 0), np.float32) for _ in cut.parts]
        full = [index for index, part in enumerate(cut.parts) if part]
        for group, (layer,) in self._ahead(self.batches(cut, [(0,)] * len(cut.parts), full), (STATES,)):
            for row, index in enumerate(group):
                states[index] = pool(layer[row], cut.pieced[index])
        return [np.concatenate(arrays) for arrays in cut.by_sentence(states)]

    def cut(self, sentences: Sequence[Sequence[str]]) -> Cut:
        """Cut sentences in parts that the network can read at once."""
        tokenizer = self.network.tokenizer
        cut = Cut(sentences, [], [], [])
        for index, tokens in enumerate(sentences):
            whole = tokenizer.sentence(tokens)
            for begin, end in clause_cuts(tokens, whole.starts):
                short = (begin, end) == (0, len(tokens))
                cut.parts.append(tokens if short else tokens[begin:end])
                cut.pieced.append(whole if short else tokenizer.sentence(tokens[begin:end]))
                cut.owners.append((index, begin))
        return cut

    def run(
        self, cut: Cut, words: Sequence[Sequence[int]], outputs: Sequence[str]
    ) -> Iterator[tuple[list[int], list[Numbers]]]:
        """Outputs of the network (:meth:`sema_ucca.network.Network.run`) for parts in batches, with the parts' indexes.

        ``words`` are the token indexes of each part that form spans; a part without any is left out.
        """
        worded = [index for index, indexes in enumerate(words) if indexes]
        if not self._kept:
            yield from self._ahead(self.batches(cut, words, worded), outputs)
            return
        states: list[States | None] = [None] * len(cut.parts)
        for group, (*numbers, layer) in self._ahead(self.batches(cut, words, worded), (*outputs, STATES)):
            for row, index in enumerate(group):
                states[index] = _pooled(layer[row], cut.pieced[index])
            yield group, numbers
        for tokens, arrays in zip(cut.sentences, cut.by_sentence(states), strict=True):
            whole = [array for array in arrays if array is not None]
            if len(whole) == len(arrays):
                joined = np.concatenate(whole)
                for form, kept in list(self._kept.items()):
                    # A form may lack its weights; states() raises when they are asked for.
                    with suppress(ResourceError):
                        kept.put(tuple(tokens), joined if form is None else form(joined))

    def batches(self, cut: Cut, words: Sequence[Sequence[int]], chosen: Iterable[int]) -> Iterator[Batch]:
        """The chosen parts in batches of similar length, the longest last, with the network's inputs."""
        places = list(chosen)
        sizes = [(len(cut.pieced[i].ids), len(words[i]) * (len(words[i]) + 1) // 2) for i in places]
        for batch in batches(sizes, _fits):
            group = [places[place] for place in batch]
            pieced, spans = [cut.pieced[i] for i in group], [words[i] for i in group]
            yield group, piece_batch(pieced, spans, self.network.tokenizer)

    def _run(self, inputs: dict[str, NDArray[np.int64]], outputs: Sequence[str]) -> list[Numbers]:
        """The network's outputs for a batch; at most as many calls as threads run at a time."""
        with self._cores:
            return self.network.run(inputs, outputs)

    def _ahead(self, batches: Iterable[Batch], outputs: Sequence[str]) -> Iterator[tuple[list[int], list[Numbers]]]:
        """The network's outputs for each batch, in order; threads compute the next ones in advance.

        Only the network runs in threads: Python code in several threads would mostly wait for the interpreter lock.
        """
        if self.threads == 1:
            for group, inputs in batches:
                yield group, self.network.run(inputs, outputs)
            return
        ahead: deque[tuple[list[int], Future[list[Numbers]]]] = deque()
        pool = ThreadPoolExecutor(self.threads)
        try:
            for group, inputs in batches:
                go_on()
                ahead.append((group, pool.submit(self._run, inputs, outputs)))
                if len(ahead) > 2 * self.threads:
                    group, numbers = ahead.popleft()
                    yield group, numbers.result()
            for group, numbers in ahead:
                yield group, numbers.result()
        finally:
            pool.shutdown(cancel_futures=True)


SHARPNESS, LAYER = 3, 3
"""Exponent and layer of BERTScore: those whose F1 agrees best with human adequacy ratings and post-editing effort, on
machine translations and their post-edits (MLQE-PE dev; ``benchmarks/results/finished.md``). A similarity is the cosine
to the power of the exponent, which takes unrelated texts from .43 down to .12."""


class UccaTokenEncoder:
    """Unit vectors of word pieces from the middle layer of the encoder that parser and aligner use, for BERTScore."""

    def __init__(self, encoder: UccaEncoder) -> None:
        self._encoder = encoder

    @property
    def signature(self) -> str:
        """The encoder's signature, its layer and the exponent."""
        return f"{self._encoder.signature},layer={LAYER},rescaled=cosine^{SHARPNESS}"

    def vectors(self, sentences: Sequence[Sequence[str]]) -> list[States]:
        """The pieces' unit vectors (pieces, width) for each tokenized sentence."""
        given = self._encoder.piece_states(sentences)
        return [states / np.maximum(np.linalg.norm(states, axis=-1, keepdims=True), 1e-12) for states in given]

    def similarity(self, cosines: States) -> States:
        """Similarities of cosines; 0 for those below 0."""
        sharpened: States = np.maximum(cosines, 0) ** SHARPNESS
        return sharpened


def _fits(count: int, size: Size) -> bool:
    pieces, spans = size
    return count <= MAX_SENTENCES and count * pieces <= MAX_BATCH_PIECES and count * spans <= MAX_BATCH_SPANS


def _pooled(layer: States, pieced: Pieced) -> States:
    """The mean of each token's pieces, of a layer (pieces, width) whose first row is the special one."""
    starts = np.asarray(pieced.starts)
    sums = np.add.reduceat(layer[1 : starts[-1] + 1], starts[:-1], 0)
    return (sums / np.diff(starts)[:, None]).astype(np.float32)


def _unpooled(layer: States, pieced: Pieced) -> States:
    return layer[1 : len(pieced.ids) + 1].astype(np.float32)
