"""Reads a text's word states further: what each word means with the others, and where the text reads as broken."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.caching import BoundedCache
from sema.checksums import checked
from sema.model.text import Text
from sema.runtime import session

Numbers = NDArray[np.float32]
Read = tuple[Numbers, Numbers]

WEIGHTS = Path(__file__).parent / "weights"
FILE = "reader.onnx"
VERSION = 1
KEPT_WORDS = 100_000
"""Words whose reading (0.5 kB each) is kept from call to call."""


class Reader:
    """One graph over the states of a sentence (:class:`sema.model.language.TextReader`); what it finds is kept."""

    def __init__(self, graph: Any, digest: str = "") -> None:
        """``graph``: a session from ``states`` (1, words, width) to ``senses`` (1, words, size) and ``breaks``.

        ``digest`` names its weights in signatures.
        """
        self._graph = graph
        self.signature = f"reader-{VERSION}+{digest}"
        self._kept: BoundedCache[tuple[str, ...], Read] = BoundedCache(KEPT_WORDS, len)

    def read(self, text: Text, states: Numbers) -> Read:
        """The unit senses (words, size) of a text's words and the probability of each to stand at a break (words)."""
        if not states.size:
            return np.zeros((len(text.words), 0), np.float32), np.zeros(len(text.words), np.float32)
        spans = [(start, end) for start, end in text.sentences if end > start]
        keys = [tuple(text.words[start:end]) for start, end in spans]
        known = self._kept.get(keys)
        for key, (start, end) in zip(keys, spans, strict=True):
            if key not in known:
                senses, breaks = self._graph.run(["senses", "breaks"], {"states": states[None, start:end]})
                known[key] = senses[0], breaks[0]
                self._kept.put(key, known[key])
        parts: Sequence[Read] = [known[key] for key in keys]
        return np.concatenate([senses for senses, _ in parts]), np.concatenate([breaks for _, breaks in parts])


def shipped_reader(folder: Path = WEIGHTS) -> Reader:
    """The reader of a folder of weights.

    Raises:
        ResourceError: a file is missing or damaged.
    """
    return Reader(session(folder / FILE), checked(folder, "weights of the reader", (FILE,)))
