"""Greedy matching of texts by the vectors of their tokens, with the encoder that a language brings (BERTScore)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sema.metrics.base import f1
from sema.model.language import TokenEncoder
from sema.model.text import Segmenter
from sema.runtime.caching import Cache

Encoded = TypeVar("Encoded")
Vectors = NDArray[np.float32]
Texts = tuple[str, tuple[str, ...]]
"""An output and its references."""


class TokenMatch(NamedTuple):
    """Precision, recall and F1, 0-100."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, precision: float, recall: float) -> TokenMatch:
        """From precision and recall in [-1, 1]."""
        return cls(100 * precision, 100 * recall, 100 * f1(precision, recall))


NOTHING = TokenMatch(0.0, 0.0, 0.0)


class Matcher(ABC, Generic[Encoded]):
    """Scores outputs against references by the vectors of their tokens, with a cache of its last scores."""

    def __init__(self) -> None:
        self._known: Cache[Texts, TokenMatch] = Cache()

    def scores(self, pairs: Sequence[Texts]) -> list[TokenMatch]:
        """The scores of outputs against their references; every different text is encoded once in a call."""
        by_pair = self._known.lookup(pairs, self._matches)
        return [by_pair[pair] for pair in pairs]

    def _matches(self, pairs: list[Texts]) -> list[TokenMatch]:
        encoded = self._encoded(list(dict.fromkeys(text for output, others in pairs for text in (output, *others))))
        matches = ([self._match(encoded[output], encoded[text]) for text in texts] for output, texts in pairs)
        return [TokenMatch(*map(max, zip(*of_pair, strict=True))) for of_pair in matches]  # each its own best reference

    @abstractmethod
    def _encoded(self, texts: list[str]) -> Mapping[str, Encoded]:
        """The vectors of each text's tokens."""

    @abstractmethod
    def _match(self, output: Encoded, reference: Encoded) -> TokenMatch: ...


class TokenMatcher(Matcher[Vectors]):
    """A matcher with a language's segmenter and encoder; every piece counts alike."""

    def __init__(self, encoder: TokenEncoder, segmenter: Segmenter) -> None:
        super().__init__()
        self._encoder, self._segmenter = encoder, segmenter
        self._kept: Cache[str, Vectors] = Cache()

    @property
    def signature(self) -> str:
        """The encoder's signature."""
        return self._encoder.signature

    def _encoded(self, texts: list[str]) -> Mapping[str, Vectors]:
        return self._kept.lookup(texts, self._encode)

    def _encode(self, texts: list[str]) -> list[Vectors]:
        """The vectors of each text's pieces; an array without rows for a text without words."""
        segmented = self._segmenter.segment(texts)
        sentences = [[text.words[start:end] for start, end in text.sentences if end > start] for text in segmented]
        vectors = iter(self._encoder.vectors([sentence for text in sentences for sentence in text]))
        rows = [[next(vectors) for _ in text] for text in sentences]
        return [np.concatenate(parts) if parts else np.zeros((0, 0), np.float32) for parts in rows]

    def _match(self, output: Vectors, reference: Vectors) -> TokenMatch:
        if not len(output) or not len(reference):
            return NOTHING
        similar = self._encoder.similarity(np.clip(output @ reference.T, -1, 1))
        return TokenMatch.of(float(similar.max(1).mean()), float(similar.max(0).mean()))
