"""The trained network under ONNX Runtime: checked files, batches of similar length."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sema_reader import minilm

from sema.errors import ResourceError
from sema.runtime.batching import batches
from sema.runtime.checksums import checked, recorded
from sema.runtime.embeddings import Table
from sema.runtime.forks import SharedLock
from sema.runtime.onnx import Session
from sema_ucca.decode import RemoteScorer
from sema_ucca.pieces import MAX_PIECES, Pieced, PieceTokenizer, all_spans, piece_batch
from sema_ucca.pruning import pruned

PRECISIONS = ("int8", "fp32")
EXACT_WORDS = "words.fp32.npy"
"""The embeddings of pieces as they are, for the graph of fp32."""
STATES = "states"
"""The output with the states of the middle layer."""
Numbers = NDArray[Any]

WEIGHTS = Path(__file__).parent / "weights"
MAX_SENTENCES = 16
MAX_BATCH_PIECES = 1024
MAX_BATCH_SPANS = 4000
"""Limits of a batch; larger ones leave the processor's caches and take longer."""
MAX_WORDS = 250
"""Longer sentences are parsed in parts: time and memory grow with the square of the words."""


class Network:
    """The graph, and each convention's inventory and classifier of remote edges, from one folder of weights."""

    def __init__(self, folder: Path, precision: str) -> None:
        model = f"model.{precision}.onnx"
        if model not in recorded(folder, "parser weights"):
            raise ResourceError(
                f"{folder} holds no {precision} weights; make them with python -m training.ucca export --fp32"
            )
        exact = (EXACT_WORDS,) if precision == "fp32" else ()
        self.digest = f"{checked(folder, 'parser weights', (*_SMALL, *exact, model))}+{minilm.digest()}"
        self._words: Table | Numbers = np.load(folder / EXACT_WORDS) if exact else minilm.words(finer=True)
        inventories = json.loads((folder / "inventory.json").read_text(encoding="utf-8"))
        self.labels: dict[str, list[str]] = {name: entry["labels"] for name, entry in inventories.items()}
        self.tokenizer = PieceTokenizer(minilm.TOKENIZER)
        self.remotes = {
            name: RemoteScorer.load(folder / "remote.npz", entry["categories"], entry["remotes"], prefix=f"{name}.")
            for name, entry in inventories.items()
        }
        self._file = folder / model
        self._lock = SharedLock()

    def run(self, batch: dict[str, NDArray[np.int64]], outputs: Sequence[str]) -> list[Numbers]:
        """Run the graph; inputs as :func:`sema_ucca.pieces.piece_batch` makes them.

        Outputs, the first four for each convention (``margins.ucca``): ``margins`` and ``best`` (batch, spans,
        choices): scores of a span's best labels over the null label, and those labels' indexes; ``left`` and ``right``
        (batch, words, size): halves of units' states for the classifier of remote edges; ``states`` (batch, pieces,
        width): the middle layer, which all others depend on. Each set of outputs has a session of its own, which
        computes little more than these. A sentence's numbers are, to the last bit, the same as alone.
        """
        with self._lock:  # only one thread loads the session
            graph = _session(self._file, tuple(sorted({*outputs, STATES})))
        starts, ends = all_spans(batch["first"].shape[1])
        inputs = {name: value for name, value in batch.items() if name != "ids"}
        words = self._words[batch["ids"]]
        found: list[Numbers] = graph.run(list(outputs), {"words": words, **inputs, "starts": starts, "ends": ends})
        return found

    def batches(self, pieced: Sequence[Pieced], words: Sequence[Sequence[int]]) -> list[list[int]]:
        """Indexes of sentences in batches of similar length, the longest last."""
        sizes = [(len(sentence.ids), len(w) * (len(w) + 1) // 2) for sentence, w in zip(pieced, words, strict=True)]
        return batches(
            sizes,
            lambda count, size: (
                count <= MAX_SENTENCES and count * size[0] <= MAX_BATCH_PIECES and count * size[1] <= MAX_BATCH_SPANS
            ),
        )

    def inputs(
        self, group: Sequence[int], pieced: Sequence[Pieced], words: Sequence[Sequence[int]]
    ) -> dict[str, NDArray[np.int64]]:
        """The padded input of one batch."""
        return piece_batch([pieced[index] for index in group], [words[index] for index in group], self.tokenizer)


@lru_cache(maxsize=8)
def _session(file: Path, outputs: tuple[str, ...]) -> Session:
    """A session that computes only what these outputs need."""
    try:
        model = pruned(file.read_bytes(), outputs)
    except ValueError as error:
        raise ResourceError(f"the model {file.name} cannot be used ({error}); reinstall its package") from error
    return Session(file, model)


_SMALL = ("inventory.json", "remote.npz")


def clause_cuts(tokens: Sequence[str], starts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Cut a sentence that is too long for one pass into token ranges (half-open) that fit.

    ``starts`` gives each token's first piece, and the end. A cut comes after the last strong clause mark of the second
    half of the available length, else after the last weak one, else at its end.
    """
    most = MAX_PIECES - 2
    begin = 0
    while starts[-1] - starts[begin] > most or len(tokens) - begin > MAX_WORDS:
        end = begin
        while end < min(len(tokens), begin + MAX_WORDS) and starts[end + 1] - starts[begin] <= most:
            end += 1
        half = (begin + end) // 2
        for marks in _CLAUSE_MARKS:
            found = [index for index in range(half, end) if tokens[index] in marks]
            if found:
                end = found[-1] + 1
                break
        yield begin, end
        begin = end
    yield begin, len(tokens)


_CLAUSE_MARKS = ({".", "!", "?", "…", "..."}, {";", ":", "—", "--", "–"}, {","})
