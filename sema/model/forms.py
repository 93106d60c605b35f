"""Unicode normalization of texts, with offsets into the text as given.

Combining accents are joined to their letters (NFC); ligatures, full-width or styled letters and digits, and Roman
numerals of one character become plain letters and digits; soft hyphens are left out. Punctuation, superscripts,
subscripts and fractions stay: *10²* is not 102.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import NamedTuple

from sema.model.boundaries import with_words, without_markup
from sema.model.text import Segmenter, Text, Token

_FORMS = re.compile(
    "[\u00ad\u0132\u0133\u01c4-\u01cc\u01f1-\u01f3\u2100-\u218f\u2f00-\u2fd5\ufb00-\ufdfb\ufe70-\ufefc"
    "\uff10-\uffdc\U0001d400-\U0001d7ff]"
)
"""The Unicode blocks with variants of plain letters and digits."""
_TAGS = ("<compat>", "<wide>", "<narrow>", "<font>", "<initial>", "<medial>", "<final>", "<isolated>")
_JAMO = re.compile("[\u1160-\u11ff]")
"""Vowels and final consonants of Hangul, which join the character before them."""


class Form(NamedTuple):
    """A normalized text; for each character its start and end in the text as given."""

    text: str
    starts: list[int]
    ends: list[int]


def one_form(raw: str) -> Form | None:
    """The normalized text; ``None`` if it is unchanged."""
    if raw.isascii() or (unicodedata.is_normalized("NFC", raw) and not _FORMS.search(raw)):
        return None
    begins = [at for at, char in enumerate(raw) if at == 0 or not _continues(char)]
    text, starts, ends = "", list[int](), list[int]()
    for start, end in pairwise([*begins, len(raw)]):
        plain = unicodedata.normalize("NFC", "".join(map(_plain, raw[start:end])))
        same = plain == raw[start:end]  # then each character keeps its own place
        text += plain
        starts += range(start, end) if same else [start] * len(plain)
        ends += range(start + 1, end + 1) if same else [end] * len(plain)
    return Form(text, starts, ends)


def _continues(char: str) -> bool:
    return unicodedata.category(char)[0] == "M" or _JAMO.match(char) is not None


def _plain(char: str) -> str:
    if char == "\u00ad":  # a soft hyphen
        return ""
    if _FORMS.match(char) and unicodedata.decomposition(char).startswith(_TAGS):
        plain = unicodedata.normalize("NFKC", char)
        return plain if plain.isalnum() else char
    return char


def segmented(segmenter: Segmenter, raw: list[str]) -> list[Text]:
    """The texts, segmented after normalization by the rules of all languages, with offsets into the texts as given."""
    plain = [without_markup(text) for text in raw]
    forms = [one_form(text) for text in plain]
    read = segmenter.segment([text if form is None else form.text for text, form in zip(plain, forms, strict=True)])
    return [
        Text(given, text.tokens if form is None else tuple(_placed(token, form) for token in text.tokens), sentences)
        for text, given, form in zip(read, raw, forms, strict=True)
        for sentences in (with_words(text).sentences,)
    ]


def _placed(token: Token, form: Form) -> Token:
    if token.end == token.start:
        return token
    return Token(token.text, form.starts[token.start], form.ends[token.end - 1])
