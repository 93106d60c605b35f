"""Reads pairs: two texts in one pass through a small cross-encoder, in 8 bits.

Texts that are too long for one pass are read in parts (:mod:`sema_reader.windows`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.model.reading import PairReading, Scale
from sema.model.text import Text
from sema.runtime.caching import Cache
from sema.runtime.checksums import checked
from sema.runtime.embeddings import Table
from sema.runtime.forks import cached_property
from sema.runtime.onnx import session
from sema.runtime.threads import available_cores, each
from sema_reader.notation import Matcher, normalised
from sema_reader.pieces import NO_TEXT, Cutter, Pieces
from sema_reader.windows import Logits, assembled, plan

WHAT = "weights of the cross-encoder"
GRAPH, SCALE = "reader.int8.onnx", "scale.json"
MAX_PIECES = 320
"""Pieces of a pair that are read in one pass, special ones included."""
_BATCH_PIECES = 384
"""Pieces of a batch: with more its activations leave the processor's caches."""
_STEP = 4
"""Lengths are multiples of this: few pairs have the same, and the graph is a third faster on several."""
_SLOW = ("SkipLayerNormFusion", "BiasGeluFusion")
"""Optimizers of ONNX Runtime that make this graph slower by a sixth: its joint operations work number by number."""
Ids = tuple[tuple[int, ...], tuple[int, ...]]
"""The pieces of a source and of an output."""


class NetworkReader:
    """A folder of weights (``reader.int8.onnx``, ``scale.json``), loaded when it is first needed.

    Attributes:
        signature: the name and the digests of the weights.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        cutter: Callable[[], Cutter],
        *,
        table: Callable[[], Table],
        scale: Path | None = None,
        spelling: Callable[[str], str] | None = None,
        notation: Matcher | None = None,
        threads: int | None = None,
    ) -> None:
        """``cutter`` makes the pieces, ``table`` their embeddings; ``scale``: the folder of the curves and of what else
        decides its numbers (default: that of the weights); ``spelling`` gives words as the network knows them;
        ``notation`` finds what an output states in other signs than its source, which is read in the source's;
        ``threads``: batches computed beside each other (default: one a core)."""
        digests = [checked(folder, WHAT, [GRAPH]), checked(scale, WHAT)] if scale else [checked(folder, WHAT)]
        self.signature = "+".join([name, *digests])
        self._folder, self._cutter, self._table = folder, cutter, table
        self._spelling, self._notation = spelling, notation
        self._scale = (scale or folder) / SCALE
        self._threads = threads or available_cores()
        self._known: Cache[Ids, tuple[Logits, Logits, Logits]] = Cache()

    @cached_property
    def scale(self) -> Scale:
        """The curves that were fitted to its readings."""
        return Scale.load(self._scale)

    @cached_property
    def cutter(self) -> Cutter:
        """What cuts texts in pieces."""
        return self._cutter()

    @cached_property
    def table(self) -> Table:
        """The embeddings of the pieces."""
        return self._table()

    def read(self, pairs: Sequence[tuple[Text, Text]]) -> list[PairReading]:
        """The readings of sources and outputs, neither of them empty."""
        if self._notation is None:
            return self._read(pairs)
        rewritten = [normalised(source, output, self._notation(source, output)) for source, output in pairs]
        texts = [(source, new.text if new else output) for (source, output), new in zip(pairs, rewritten, strict=True)]
        return [
            replace(reading, supported=new.spread(reading.supported)) if new else reading
            for reading, new in zip(self._read(texts), rewritten, strict=True)
        ]

    def _read(self, pairs: Sequence[tuple[Text, Text]]) -> list[PairReading]:
        plans = [
            plan(
                (self.cutter.pieces(source, self._spelling), source),
                (self.cutter.pieces(output, self._spelling), output),
                MAX_PIECES,
            )
            for source, output in pairs
        ]
        found = iter(self.run([(one.source, one.output) for passes in plans for one in passes]))
        return [
            assembled(source, output, passes, [next(found) for _ in passes])
            for (source, output), passes in zip(pairs, plans, strict=True)
        ]

    def run(self, pairs: Sequence[tuple[Pieces, Pieces]]) -> list[tuple[Logits, Logits, Logits]]:
        """For each pair the logits of the pair (14), of the source's pieces and of the output's; equal pairs are read
        once."""
        keys = [(source.ids, output.ids) for source, output in pairs]
        known = self._known.lookup(keys, self._run)
        return [known[key] for key in keys]

    def _run(self, pairs: Sequence[Ids]) -> list[tuple[Logits, Logits, Logits]]:
        """The logits of pairs that differ.

        Every pair is padded to a multiple of :data:`_STEP` and goes through the graph with others of that length
        or alone, so that its numbers are its own.
        """
        by_size: dict[int, list[int]] = {}
        for index, (source, output) in enumerate(pairs):
            size = len(source) + len(output) + 3
            by_size.setdefault(size + -size % _STEP, []).append(index)
        batches = [
            indexes[start : start + step]
            for size, indexes in by_size.items()
            for step in [max(1, _BATCH_PIECES // size)]
            for start in range(0, len(indexes), step)
        ]
        found: dict[int, tuple[Logits, Logits, Logits]] = {}
        graph: Any = session(self._folder / GRAPH, without=_SLOW)

        def work(indexes: list[int]) -> None:
            pair, kept = graph.run(None, self._inputs([pairs[index] for index in indexes]))
            for row, index in enumerate(indexes):
                start, end = _places(*pairs[index])
                own, source, output = pair[row], kept[row, 1 : start - 1, 0], kept[row, start:end, 1]
                found[index] = own.copy(), source.copy(), output.copy()  # without what else is in the batch

        each(work, batches, self._threads)
        return [found[index] for index in range(len(pairs))]

    def _inputs(self, pairs: Sequence[Ids]) -> dict[str, NDArray[Any]]:
        longest = max(_places(*pair)[1] + 1 for pair in pairs)
        shape = len(pairs), longest + -longest % _STEP
        ids, types, marks, mask = (np.zeros(shape, np.int64) for _ in range(4))
        for row, (source, output) in enumerate(pairs):
            start, end = _places(source, output)
            first, second = self.cutter.overlap(source, output)
            marks[row, : end + 1] = [NO_TEXT, *first, NO_TEXT, *second, NO_TEXT]
            ids[row, : end + 1] = [self.cutter.begin, *source, self.cutter.end, *output, self.cutter.end]
            types[row, start : end + 1] = 1
            mask[row, : end + 1] = 1
        return {"words": self.table[ids], "types": types, "marks": marks, "mask": mask}


def _places(source: Sequence[int], output: Sequence[int]) -> tuple[int, int]:
    """Where the output's pieces start and end, behind ``[CLS] source [SEP]``."""
    start = len(source) + 2
    return start, start + len(output)
