"""Detokenisation of English texts."""

from __future__ import annotations

from collections.abc import Mapping

from sacremoses import MosesDetokenizer

_DETOKENIZER = MosesDetokenizer("en")
_MARKS: Mapping[str, str] = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"', "--": "–"}


def detokenized(text: str) -> str:
    """A tokenised English text as people write it."""
    return str(_DETOKENIZER.detokenize([_MARKS.get(word, word) for word in text.split()]))
