"""The wording of a text, from its word states: contextual embeddings, and where it looks cut off or broken."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sema_ucca.network import clause_cuts

from sema.model.text import Text
from sema.runtime.caching import Cache
from sema.runtime.checksums import checked
from sema.runtime.forks import cached_property
from sema.runtime.onnx import session

Numbers = NDArray[np.float32]
Read = tuple[Numbers, Numbers]

WEIGHTS = Path(__file__).parent / "weights" / "wording"
FILE = "reader.onnx"
VERSION = 1
BATCH_WORDS = 400
"""Most words that go through the graph together."""


class EnglishWording:
    """One graph over the states of a sentence (:class:`sema.model.language.WordingReader`); results are cached."""

    def __init__(self, load: Callable[[], Any], digest: str = "") -> None:
        """``load`` makes, on first use, a session from ``states`` (batch, words, width) to its outputs.

        These are ``senses`` (batch, words, size) and ``breaks``. ``digest`` names the weights in signatures.
        """
        self._load = load
        self.signature = f"reader-{VERSION}+{digest}"
        self._kept: Cache[tuple[str, ...], Read] = Cache()

    @cached_property
    def _graph(self) -> Any:
        return self._load()

    def read(self, text: Text, states: Numbers) -> Read:
        """The unit senses of a text's words (words, size) and their probabilities of standing at a break (words)."""
        if not states.size:
            return np.zeros((len(text.words), 0), np.float32), np.zeros(len(text.words), np.float32)
        keys = [key for key, _ in _sentences(text, states)]
        known = self._kept.known(keys)
        if len(known) < len(set(keys)):
            known |= self._read([(key, part) for key, part in _sentences(text, states) if key not in known])
        parts: Sequence[Read] = [known[key] for key in keys]
        return np.concatenate([senses for senses, _ in parts]), np.concatenate([breaks for _, breaks in parts])

    def prepare(self, texts: Iterable[tuple[Text, Numbers | None]]) -> None:
        """Read many texts' sentences, batched by length, so that :meth:`read` finds them in the cache."""
        given = {key: part for text, states in texts if states is not None for key, part in _sentences(text, states)}
        known = self._kept.known(given)
        self._read([(key, part) for key, part in given.items() if key not in known])

    def _read(self, sentences: Iterable[tuple[tuple[str, ...], Numbers]]) -> dict[tuple[str, ...], Read]:
        """Batch stretches of equal length, so that the numbers of a sentence are the same as alone.

        A sentence too long for the encoder is read in stretches, as it is encoded: the graph compares every word with
        every other, and its memory would grow with the square.
        """
        given = dict(sentences)
        lengths: dict[int, list[tuple[tuple[str, ...], int, Numbers]]] = defaultdict(list)
        for key, states in given.items():
            for begin, end in clause_cuts(key, range(len(key) + 1)):
                lengths[end - begin].append((key, begin, states[begin:end]))
        stretches: dict[tuple[str, ...], dict[int, Read]] = {key: {} for key in given}
        for length, alike in lengths.items():
            size = max(1, BATCH_WORDS // length)
            for start in range(0, len(alike), size):
                batch = alike[start : start + size]
                arrays = self._graph.run(["senses", "breaks"], {"states": np.stack([states for *_, states in batch])})
                for (key, begin, _), senses, breaks in zip(batch, *arrays, strict=True):
                    stretches[key][begin] = senses, breaks
        read: dict[tuple[str, ...], Read] = {}
        for key, parts in stretches.items():
            senses, breaks = zip(*(parts[begin] for begin in sorted(parts)), strict=True)
            read[key] = np.concatenate(senses), np.concatenate(breaks)
            self._kept.put(key, read[key])
        return read


def _sentences(text: Text, states: Numbers) -> Iterator[tuple[tuple[str, ...], Numbers]]:
    if states.size:
        yield from ((tuple(text.words[a:b]), states[a:b]) for a, b in text.sentences if b > a)


def wording_reader(folder: Path = WEIGHTS) -> EnglishWording:
    """The wording reader of a folder of weights. Raises ``ResourceError`` if a file is missing or damaged."""
    digest = checked(folder, "weights of the wording reader", (FILE,))
    return EnglishWording(partial(session, folder / FILE), digest)
