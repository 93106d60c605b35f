"""The rules of all languages around a segmenter: Unicode normalization, block markup, and sentences without words.

Combining accents are joined to their letters (NFC); ligatures, full-width or styled letters and digits, and Roman
numerals of one character become plain letters and digits; soft hyphens and other invisible characters are left out.
Punctuation, superscripts, subscripts and fractions stay: *10²* is not 102.

Segmenters see a text without its block markup, which ends a sentence. A sentence that they find without a letter
(``[3]``, ``• 9 .``, an emoji, a lone bracket) joins the sentence beside it. Offsets are those of the text as given.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import NamedTuple

from sema.model.text import INVISIBLE, UNSEEN, Segmenter, Text, Token

_FORMS = re.compile(
    f"[{INVISIBLE}"
    "\u0132\u0133\u01c4-\u01cc\u01f1-\u01f3\u2100-\u218f\u2f00-\u2fd5\ufb00-\ufdfb\ufe70-\ufefc"
    "\uff10-\uffdc\U0001d400-\U0001d7ff]"
)
"""Invisible characters, and the Unicode blocks with variants of plain letters and digits."""
_TAGS = ("<compat>", "<wide>", "<narrow>", "<font>", "<initial>", "<medial>", "<final>", "<isolated>")
_JAMO = re.compile("[\u1160-\u11ff]")
"""Vowels and final consonants of Hangul, which join the character before them."""
_BLOCKS = (
    "address|article|aside|blockquote|br|caption|dd|div|dl|dt|figcaption|figure|footer|h[1-6]|header|hr|li|main|nav|ol|p|pre"
    "|section|table|tbody|td|tfoot|th|thead|tr|ul"
)
_ATTRIBUTE = r"""\s+[\w:-]+=(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+)"""
_MARKUP = re.compile(rf"</?(?:{_BLOCKS})(?:{_ATTRIBUTE})*\s*/?>", re.IGNORECASE)


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
    if UNSEEN.match(char):
        return ""
    if _FORMS.match(char) and unicodedata.decomposition(char).startswith(_TAGS):
        plain = unicodedata.normalize("NFKC", char)
        return plain if plain.isalnum() else char
    return char


def without_markup(raw: str) -> str:
    """The text with an empty line for each block tag (``<br>``, ``</li>``), padded to the tag's length."""
    return _MARKUP.sub(lambda tag: "\n\n".ljust(len(tag[0])), raw) if "<" in raw else raw


def with_words(text: Text) -> Text:
    """The text with each sentence without a letter joined to the one before it.

    One that opens the text, or a line on which another sentence follows (a list number), joins the one after it.
    """
    worded = [any(map(str.isalpha, "".join(words))) for words in text.sentence_words]
    if all(worded) or not any(worded):
        return text
    starts: list[int] = []
    waiting: int | None = None
    for place, (start, _) in enumerate(text.sentences):
        if worded[place]:
            starts.append(start if waiting is None else waiting)
            waiting = None
        elif waiting is None and (not starts or _opens_line(text, place)):
            waiting = start
    return Text(text.raw, text.tokens, tuple(pairwise([*starts, len(text.tokens)])))


def _opens_line(text: Text, place: int) -> bool:
    """Whether a sentence starts a line on which another sentence follows."""
    start, end = text.sentences[place]
    if end == len(text.tokens):
        return False
    blanks = (text.raw[text.tokens[place - 1].end : text.tokens[place].start] for place in (start, end))
    before, after = (len(f"{blank}.".splitlines()) for blank in blanks)  # the sign stands on the next line
    return before > 1 == after


def segmented(segmenter: Segmenter, raw: list[str]) -> list[Text]:
    """The texts, segmented after normalization by the rules of all languages, with offsets into the texts as given."""
    plain = [without_markup(text) for text in raw]
    forms = [one_form(text) for text in plain]
    normal = [text if form is None else form.text for text, form in zip(plain, forms, strict=True)]
    read = map(_in_place, segmenter.segment(normal), normal)
    return [
        Text(given, text.tokens if form is None else tuple(_placed(token, form) for token in text.tokens), sentences)
        for text, given, form in zip(read, raw, forms, strict=True)
        for sentences in (with_words(text).sentences,)
    ]


def _in_place(text: Text, given: str) -> Text:
    """The text with its tokens' places in ``given``, which ``Text.from_sentences`` does not know.

    A token that is not there has an empty place.
    """
    if text.raw == given:
        return text
    tokens: list[Token] = []
    end = 0
    for token in text.tokens:
        found = given.find(token.text, end)
        start, end = (end, end) if found < 0 else (found, found + len(token.text))
        tokens.append(Token(token.text, start, end))
    return Text(given, tuple(tokens), text.sentences)


def _placed(token: Token, form: Form) -> Token:
    if token.end == token.start:
        return token
    return Token(token.text, form.starts[token.start], form.ends[token.end - 1])
