"""The trained network under ONNX Runtime: files checked, one session a process, batches of like length."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.errors import ResourceError
from sema_ucca.decode import RemoteScorer
from sema_ucca.pieces import MOST_PIECES, Pieced, PieceTokenizer, all_spans, piece_batch

PRECISIONS = ("int8", "fp32")
Numbers = NDArray[Any]

WEIGHTS = Path(__file__).parent / "weights"
MOST_SENTENCES = 16
MOST_BATCH_PIECES = 1024
MOST_BATCH_SPANS = 4000
"""Limits of a batch; larger ones leave the processor's caches and take longer."""
MOST_WORDS = 250
"""Longer sentences are parsed in parts: time and memory grow with the square of the words."""


class Network:
    """The graph, its inventory and the classifier of remote edges, from one folder of weights."""

    def __init__(self, folder: Path, precision: str) -> None:
        sums = _recorded(folder)
        model = f"model.{precision}.onnx"
        if model not in sums:
            raise ResourceError(
                f"{folder} holds no {precision} weights; make them with python -m sema_ucca.training export --fp32"
            )
        self.digest = _checked(folder, {name: sums[name] for name in (*_SMALL, model)})
        inventory = json.loads((folder / "inventory.json").read_text(encoding="utf-8"))
        self.labels: list[str] = inventory["labels"]
        self.tokenizer = PieceTokenizer(folder / "tokenizer.json")
        self.remotes = RemoteScorer.load(folder / "remote.npz", inventory["categories"], inventory["remotes"])
        self._session = session(folder / model)

    def run(self, batch: dict[str, NDArray[np.int64]], outputs: Sequence[str]) -> list[Numbers]:
        """Run the graph; inputs as :func:`sema_ucca.pieces.piece_batch` makes them.

        Outputs: ``margins`` and ``best`` (batch, spans, choices): scores of a span's best labels over the null label,
        and those labels' indexes; ``left`` and ``right`` (batch, words, size): halves of units' states for the
        classifier of remote edges; ``states`` (batch, pieces, width): the middle layer. A sentence's numbers are, to
        the last bit, those that it gets alone.
        """
        starts, ends = all_spans(batch["first"].shape[1])
        found: list[Numbers] = self._session.run(list(outputs), {**batch, "starts": starts, "ends": ends})
        return found

    def batches(self, pieced: Sequence[Pieced], words: Sequence[Sequence[int]]) -> list[list[int]]:
        """Indexes of sentences in batches of like length, the longest last."""
        batches: list[list[int]] = []
        current: list[int] = []
        spans = 0
        for index in sorted(range(len(pieced)), key=lambda i: (len(pieced[i].ids), len(words[i]))):
            size = len(current) + 1
            wider = max(spans, len(words[index]) * (len(words[index]) + 1) // 2)
            if current and (
                size > MOST_SENTENCES
                or size * len(pieced[index].ids) > MOST_BATCH_PIECES
                or size * wider > MOST_BATCH_SPANS
            ):
                batches.append(current)
                current, wider = [], len(words[index]) * (len(words[index]) + 1) // 2
            current.append(index)
            spans = wider
        return [*batches, current] if current else batches

    def inputs(
        self, group: Sequence[int], pieced: Sequence[Pieced], words: Sequence[Sequence[int]]
    ) -> dict[str, NDArray[np.int64]]:
        """The padded input of one batch."""
        return piece_batch([pieced[index] for index in group], [words[index] for index in group], self.tokenizer)


_SMALL = ("inventory.json", "remote.npz", "tokenizer.json")


@lru_cache(maxsize=4)
def network(folder: Path, precision: str) -> Network:
    """The network of a folder; loaded once a process."""
    return Network(folder, precision)


def _recorded(folder: Path) -> dict[str, str]:
    try:
        sums: dict[str, str] = json.loads((folder / "SHA256.json").read_text(encoding="utf-8"))
    except OSError as error:
        raise ResourceError(f"no parser weights in {folder}: reinstall the package, or train them") from error
    return sums


def _checked(folder: Path, sums: dict[str, str]) -> str:
    """Compare each file with its recorded sum; returns a short digest of all of them."""
    for name, wanted in sums.items():
        try:
            found = hashlib.sha256((folder / name).read_bytes()).hexdigest()
        except OSError as error:
            raise ResourceError(f"{folder / name} cannot be read: reinstall the package") from error
        if found != wanted:
            raise ResourceError(f"{folder / name} is damaged (not the recorded SHA-256): reinstall the package")
    return hashlib.sha256(json.dumps(sums, sort_keys=True).encode()).hexdigest()[:12]


@lru_cache(maxsize=4)
def session(file: Path) -> Any:
    """A session that runs each batch on one core (batches run beside each other), or on the GPU if there is one."""
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    wanted = ("CUDAExecutionProvider", "CPUExecutionProvider")
    providers = [name for name in wanted if name in ort.get_available_providers()]
    return ort.InferenceSession(str(file), options, providers=providers)


def available_cores() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this platform
        return os.cpu_count() or 1


def clause_cuts(tokens: Sequence[str], starts: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Cut a sentence that is too long for one pass in token ranges (half-open) of what fits.

    ``starts`` gives each token's first piece, and the end. A cut falls behind the last strong clause mark of the second
    half of the room, else behind the last weak one, else where the room ends.
    """
    most = MOST_PIECES - 2
    begin = 0
    while starts[-1] - starts[begin] > most or len(tokens) - begin > MOST_WORDS:
        end = begin
        while end < min(len(tokens), begin + MOST_WORDS) and starts[end + 1] - starts[begin] <= most:
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
