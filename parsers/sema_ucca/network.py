"""The trained network under ONNX Runtime, its files checked; and the parts of sentences too long for it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sema_reader import minilm
from sema_reader.pruning import pruned_session

from sema.runtime.checksums import checked
from sema.runtime.embeddings import Table
from sema.runtime.forks import SharedLock, cached_property
from sema.runtime.onnx import Session
from sema_ucca.decode import RemoteScorer
from sema_ucca.pieces import MAX_PIECES, PieceTokenizer, all_spans

EXACT_WORDS = "words.fp32.npy"
"""The embeddings of pieces as they are, for the graph of fp32."""
_SMALL = ("inventory.json", "remote.npz")
STATES = "states"
"""The output with the states of the middle layer."""
Numbers = NDArray[Any]

WEIGHTS = Path(__file__).parent / "weights"
MAX_WORDS = 250
"""Longer sentences are parsed in parts: time and memory grow with the square of the words."""


class Network:
    """The graph, and each convention's inventory and classifier of remote edges, from one folder of weights."""

    def __init__(self, folder: Path, precision: str = "int8") -> None:
        """``fp32`` is the exact graph that training compares with."""
        model = f"model.{precision}.onnx"
        exact = (EXACT_WORDS,) if precision == "fp32" else ()
        self.digest = f"{checked(folder, 'parser weights', (*_SMALL, *exact, model))}+{minilm.digest()}"
        self._words: Table | Numbers = np.load(folder / EXACT_WORDS) if exact else minilm.words(finer=True)
        inventories = json.loads((folder / "inventory.json").read_text(encoding="utf-8"))
        self.labels: dict[str, list[str]] = {name: entry["labels"] for name, entry in inventories.items()}
        self.remotes = {
            name: RemoteScorer.load(folder / "remote.npz", entry["categories"], entry["remotes"], prefix=f"{name}.")
            for name, entry in inventories.items()
        }
        self._file = folder / model
        self._lock = SharedLock()

    @cached_property
    def tokenizer(self) -> PieceTokenizer:
        """Cuts tokens into the network's pieces."""
        return PieceTokenizer(minilm.TOKENIZER)

    def session(self, outputs: Sequence[str]) -> Session:
        """The session that computes these outputs, and little more."""
        with self._lock:  # only one thread loads it
            return pruned_session(self._file, *sorted({*outputs, STATES}))

    def run(self, batch: dict[str, NDArray[np.int64]], outputs: Sequence[str]) -> list[Numbers]:
        """Run the graph; inputs as :func:`sema_ucca.pieces.piece_batch` makes them.

        Outputs, the first four for each convention (``margins.ucca``): ``margins`` and ``best`` (batch, spans,
        choices): scores of a span's best labels over the null label, and those labels' indexes; ``left`` and ``right``
        (batch, words, size): halves of units' states for the classifier of remote edges; ``states`` (batch, pieces,
        width): the middle layer, which all others depend on. Each set of outputs has a session of its own, which
        computes little more than these. A sentence's numbers are, to the last bit, the same as alone.
        """
        graph = self.session(outputs)
        starts, ends = all_spans(batch["first"].shape[1])
        inputs = {name: value for name, value in batch.items() if name != "ids"}
        words = self._words[batch["ids"]]
        found: list[Numbers] = graph.run(list(outputs), {"words": words, **inputs, "starts": starts, "ends": ends})
        return found


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
