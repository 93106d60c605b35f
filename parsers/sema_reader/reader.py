"""Reads pairs: two texts in one pass through a cross-encoder, in 8 bits.

Texts that are too long for one pass are read in parts (:mod:`sema_reader.windows`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.model.reading import PairReading
from sema.model.text import Text
from sema.runtime.batching import equal_batches, padded
from sema.runtime.caching import Cache
from sema.runtime.checksums import checked
from sema.runtime.forks import SharedLock, cached_property
from sema.runtime.onnx import Session, session
from sema.runtime.threads import ahead, available_cores, each
from sema_reader.normalisation import Matcher, apart, normalised
from sema_reader.pieces import ABSENT, NO_TEXT, Pieces, Vocabulary
from sema_reader.windows import Logits, Pass, assembled, plan

WEIGHTS = Path(__file__).parent / "weights"
WHAT = "weights of the cross-encoder"
GRAPH = "reader.int8.onnx"
NAME = "pairs-8"
"""The network's name in signatures."""
MAX_PIECES = 448
"""Pieces of a pair that are read in one pass, special ones included."""
_BATCH_PIECES = 384
"""Pieces of a batch: with more its activations leave the processor's caches."""
SLOW = ("SkipLayerNormFusion", "BiasGeluFusion")
"""Optimizers of ONNX Runtime that make such graphs slower: their fused operations work number by number."""
Ids = tuple[tuple[int, ...], tuple[int, ...]]
"""The pieces of a source and of an output."""


class NetworkReader:
    """A folder of weights (``reader.int8.onnx``), checked and loaded when it is first needed."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        *,
        folder: Path = WEIGHTS,
        spelling: Callable[[str], str] | None = None,
        notation: Matcher | None = None,
        signatures: Sequence[str] = (),
        threads: int | None = None,
    ) -> None:
        """Choose the weights and how texts are prepared.

        Args:
            vocabulary: the pieces.
            folder: has the graph.
            spelling: gives a text as the network knows it, character for character.
            notation: finds what an output states in another notation than its source; it is read in the source's.
            signatures: those of what the notation depends on.
            threads: batches computed in parallel (default: one for each core).
        """
        self._file, self._signatures = folder / GRAPH, (vocabulary.digest, *signatures)
        self._pieces, self._loading = vocabulary.read, SharedLock()
        self._spelling, self._notation = spelling, notation
        self._threads = threads or available_cores()
        self._known: Cache[Ids, Logits] = Cache()

    @cached_property
    def signature(self) -> str:
        """The name and the digests of the weights."""
        graph = checked(self._file.parent, WHAT, [GRAPH])
        return "+".join([NAME, graph, *self._signatures])

    def read(self, pairs: Sequence[tuple[Text, Text]]) -> list[PairReading]:
        """The readings of sources and outputs, neither of them empty."""
        if self._notation is None:
            return self._read(pairs)
        rewritten = [normalised(source, output, self._notation(source, output)) for source, output in pairs]
        texts = [(source, new.text if new else output) for (source, output), new in zip(pairs, rewritten, strict=True)]
        return [
            replace(reading, supported=new.spread(reading.supported), contradicting=new.spread(reading.contradicting))
            if new
            else reading
            for reading, new in zip(self._read(texts), rewritten, strict=True)
        ]

    def notation(self, source: Text, output: Text) -> list[tuple[range, range]]:
        """The tokens of both texts that state the same in different notation."""
        return apart(source, output, self._notation(source, output)) if self._notation else []

    def passes(self, pairs: Sequence[tuple[Text, Text]]) -> list[tuple[list[Pass], list[Logits]]]:
        """The passes over each pair, as it is written, and their logits."""
        plans = [plan((self._cut(source), source), (self._cut(output), output), MAX_PIECES) for source, output in pairs]
        found = iter(self._logits([(one.source, one.output) for passes in plans for one in passes]))
        return [(passes, [next(found) for _ in passes]) for passes in plans]

    def _read(self, pairs: Sequence[tuple[Text, Text]]) -> list[PairReading]:
        return [assembled(*pair, *read) for pair, read in zip(pairs, self.passes(pairs), strict=True)]

    def load_ahead(self) -> None:
        """Begin to load the graph and the pieces."""
        ahead(self._graph)
        ahead(self._pieces)

    def _graph(self) -> Session:
        with self._loading:  # only one thread loads it
            _ = self.signature  # checks the file
            return session(self._file, without=SLOW)

    def _cut(self, text: Text) -> Pieces:
        return self._pieces()[0].of_text(text, self._spelling)

    def _logits(self, pairs: Sequence[tuple[Pieces, Pieces]]) -> list[Logits]:
        """The logits of each pair; equal pairs are read once."""
        keys = [(source.ids, output.ids) for source, output in pairs]
        known = self._known.lookup(keys, self._run)
        return [known[key] for key in keys]

    def _run(self, pairs: Sequence[Ids]) -> list[Logits]:
        """The logits of distinct pairs."""
        batches = equal_batches([len(source) + len(output) + 3 for source, output in pairs], _BATCH_PIECES)
        found: dict[int, Logits] = {}
        graph = self._graph()

        def work(indexes: list[int]) -> None:
            pair, sources, outputs = graph.run(None, self._inputs([pairs[index] for index in indexes]))
            for row, index in enumerate(indexes):
                start, end = _places(*pairs[index])
                parts = pair[row], sources[row, 1 : start - 1], outputs[row, start:end]
                found[index] = Logits(*(part.copy() for part in parts))  # a view would keep the whole batch in memory

        each(work, batches, self._threads)
        return [found[index] for index in range(len(pairs))]

    def _inputs(self, pairs: Sequence[Ids]) -> dict[str, NDArray[Any]]:
        cutter, table = self._pieces()
        longest = max(_places(*pair)[1] + 1 for pair in pairs)
        shape = len(pairs), padded(longest)
        ids, types, marks, mask = (np.zeros(shape, np.int64) for _ in range(4))
        for row, (source, output) in enumerate(pairs):
            start, end = _places(source, output)
            first, second = cutter.overlap(source, output)
            marks[row, : end + 1] = [NO_TEXT, *first, NO_TEXT, *second, NO_TEXT]
            ids[row, : end + 1] = [cutter.begin, *source, cutter.end, *output, cutter.end]
            types[row, start : end + 1] = 1
            mask[row, : end + 1] = 1
        ids[(ids < 0) & (types == 1) & (marks == ABSENT)] = cutter.blank
        return {"words": table[cutter.known(ids)], "types": types, "marks": marks, "mask": mask}


def _places(source: Sequence[int], output: Sequence[int]) -> tuple[int, int]:
    """Where the output's pieces start and end, after ``[CLS] source [SEP]``."""
    start = len(source) + 2
    return start, start + len(output)
