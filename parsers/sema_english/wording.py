"""The wording of a text, from its word states: contextual embeddings, and where it looks cut off or broken."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
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
Words = tuple[str, ...]
"""A sentence."""

WEIGHTS = Path(__file__).parent / "weights" / "wording"
FILE = "reader.onnx"
VERSION = 1
BATCH_WORDS = 400
"""Most words that go through the graph together."""


class EnglishWording:
    """One graph over the states of a sentence (:class:`sema.model.language.WordingReader`); results are cached.

    Raises:
        ResourceError: the file of weights is missing or damaged.
    """

    def __init__(self) -> None:
        self.signature = f"reader-{VERSION}+{checked(WEIGHTS, 'weights of the wording reader', (FILE,))}"
        self._kept: Cache[Words, Read] = Cache()

    @cached_property
    def _graph(self) -> Any:
        return session(WEIGHTS / FILE)

    def read(self, text: Text, states: Numbers) -> Read:
        """The unit senses of a text's words (words, size) and their probabilities of standing at a break (words)."""
        if not states.size:
            return np.zeros((len(text.words), 0), np.float32), np.zeros(len(text.words), np.float32)
        known = self._known([(text, states)])
        parts = [known[words] for words in text.sentence_words if words]
        return np.concatenate([senses for senses, _ in parts]), np.concatenate([breaks for _, breaks in parts])

    def prepare(self, texts: Iterable[tuple[Text, Numbers | None]]) -> None:
        """Read many texts' sentences, batched by length, so that :meth:`read` finds them in the cache."""
        self._known(texts)

    def _known(self, texts: Iterable[tuple[Text, Numbers | None]]) -> dict[Words, Read]:
        given = {
            words: states[start:end]
            for text, states in texts
            if states is not None and states.size
            for words, (start, end) in zip(text.sentence_words, text.sentences, strict=True)
            if words
        }
        return self._kept.lookup(given, lambda missing: self._read({words: given[words] for words in missing}))

    def _read(self, sentences: Mapping[Words, Numbers]) -> list[Read]:
        """Batch stretches of equal length, so that the numbers of a sentence are the same as alone.

        A sentence too long for the encoder is read in stretches, as it is encoded: the graph compares every word with
        every other, and its memory would grow with the square.
        """
        lengths: dict[int, list[tuple[Words, int, Numbers]]] = defaultdict(list)
        for words, states in sentences.items():
            for begin, end in clause_cuts(words, range(len(words) + 1)):
                lengths[end - begin].append((words, begin, states[begin:end]))
        stretches: dict[Words, dict[int, Read]] = {words: {} for words in sentences}
        for length, alike in lengths.items():
            size = max(1, BATCH_WORDS // length)
            for start in range(0, len(alike), size):
                batch = alike[start : start + size]
                arrays = self._graph.run(["senses", "breaks"], {"states": np.stack([states for *_, states in batch])})
                for (words, begin, _), senses, breaks in zip(batch, *arrays, strict=True):
                    stretches[words][begin] = senses, breaks
        read = []
        for parts in stretches.values():
            senses, breaks = zip(*(parts[begin] for begin in sorted(parts)), strict=True)
            read.append((np.concatenate(senses), np.concatenate(breaks)))
        return read
