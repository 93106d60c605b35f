"""English sentences and tokens of raw text."""

from __future__ import annotations

from collections.abc import Sequence

from sema.model.text import Text
from sema.runtime.checksums import digest_of
from sema_english.segmentation.sentences import WEIGHTS, split
from sema_english.segmentation.tokenizer import tokenize


class EnglishSegmenter:
    """Splits English text into sentences and tokens with character offsets (``sema.model.text.Segmenter``).

    The signature carries the version of the token rules and the hash of the sentence boundary weights.
    """

    def __init__(self) -> None:
        self.signature = f"ewt-tokens-2+boundaries-{digest_of(WEIGHTS)}"

    def segment(self, texts: Sequence[str]) -> list[Text]:
        """Segment each text; tokens follow UD English EWT; tokenized input stays unchanged."""
        results = []
        for raw in texts:
            tokens = tuple(tokenize(raw))
            results.append(Text(raw, tokens, tuple(split(raw, tokens))))
        return results
