"""English tokens with character offsets, by the conventions of UD English EWT (the parser's training data).

Text already tokenized by the conventions of EWT, PTB or Moses stays unchanged, except that a contraction that was cut
at its apostrophe (``didn ' t``, Moses's ``didn 't``) is read like any other. Only white space and invisible characters
are left out, and the time is linear in the length of the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise

from sema.model.text import ENTITIES, ENTITY, SIGNS, Token
from sema.runtime.caching import remembered
from sema_english.words import table, word_list

Span = tuple[str, int, int]
"""A token inside a chunk: text, start, end."""

TITLES = word_list("segmentation", "titles")
"""Abbreviations that stand before a name and so hardly ever end a sentence (lower case, without the full stop)."""
ABBREVIATIONS = TITLES | word_list("segmentation", "abbreviations")
"""Words that keep their full stop wherever they stand (lower case, without it)."""
ABBREVIATIONS_WHEN_CAPITALISED = word_list("segmentation", "abbreviations when capitalised")
"""Of these, those that are ordinary words or fragments unless written with a capital."""
ABBREVIATIONS_BEFORE_NUMBER = word_list("segmentation", "abbreviations before a number")
"""Ordinary words that are abbreviations only before a number (``No. 5``), and keep their full stop only there."""
JOINED_PREFIXES = "|".join(table("segmentation")["joined prefixes"].split())
"""Prefixes that stay joined to the word after their hyphen; every other hyphen is a token of its own."""
SPLIT_WORDS: Mapping[str, Sequence[int]] = table("segmentation")["split words"]
"""Contractions without an apostrophe, and where they split."""
BEFORE_CUT_OFF_T = word_list("segmentation", "before a cut-off t")
"""Word parts before the apostrophe of *n't* (``didn ' t``)."""
CLOSED_CLASS = word_list("segmentation", "closed class")
"""Words that begin sentences and are seldom in names: a capital on one after an abbreviation marks a new sentence."""

CACHED_CHUNK = 64
"""The tokens of a run of at most this many characters are cached."""

LONG_CHUNK = 1000
"""A run of more characters without white space is not a word of any kind: only the plain rules cut it."""

# What separates tokens: white space, control characters and the invisible characters that stand for no sign.
_SEPARATORS = r"\s\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
_CHUNK = re.compile(rf"[^{_SEPARATORS}]+")


def _combining_marks() -> str:
    """Character class content for the marks that belong to the character before them (``\\w`` leaves them out)."""
    ranges: list[list[int]] = []
    for block in (range(0x300, 0x3100), range(0xA600, 0xAC00), range(0xFE00, 0xFE30), range(0x11000, 0x11800)):
        for code in block:
            if unicodedata.category(chr(code))[0] == "M":
                if ranges and ranges[-1][1] == code - 1:
                    ranges[-1][1] = code
                else:
                    ranges.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges) + "\U000e0100-\U000e01ef"


_M = _combining_marks() + "\u00ad\u200c\u200d"
_L = r"[^\W\d_]"
_HAN = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_W = rf"(?:[^\W{_HAN}]|[{_M}])"
_APOSTROPHE = "['’`´‘‛ʼ＇]"
_EMOJI_BASE = "\u2190-\u21ff\u231a-\u27bf\u2934-\u2b55\u3030\u303d\u3297\u3299\U0001f000-\U0001fbff"
_EMOJI_MOD = "\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f"

_URL = r"""(?:(?:https?|ftp|file|mailto)://?|mailto:|www\d?\.)[^<>"“”]*[^<>"“”.,;:!?)\]}'’…]"""
_EMAIL = r"[\w.+%#-]{0,64}\w\.{0,3}@\w[\w-]*(?:\.\w[\w-]*)*"
_DOMAIN = (
    r"\w[\w-]{0,63}(?:\.\w[\w-]{0,63}){0,6}\.(?:com|org|net|edu|gov|mil|info|biz|co\.uk|ac\.uk|org\.uk|gov\.uk|com\.au)"
    r"(?![\w-])(?:/[^<>\"“”]*[^<>\"“”.,;:!?)\]}'’…])?"
)
_FILE = (
    r"\w[\w#%-]{0,63}(?:\.[\w#-]{1,64}){0,4}\.(?:docx?|xlsx?|pdf|txt|html?|php|jpe?g|png|gif|zip|exe|pptx?|csv|mp3|avi|xml)"
    r"(?!\w)"
)
_EMOTICON = (
    r"(?:[<>]?[:;=][-'^oO]?(?:[()\[\]{}|/\\*]{1,5}|[DPpOo3](?!\w))(?![\w/])|[(\[]+-?[:;=](?!\w)|<3(?!\w)"
    r"|\^[_.-]?\^|[xX]D(?!\w))"
)
_NUMBER = (
    r"\d{3}-\d{4}(?![\w-])|\d{5}-\d{4}(?![\w-])|\d+(?:-\d+){2,}(?!\w)"  # telephone numbers, postcodes, dates
    rf"|\d+(?:[.,:/]\d+)*(?:st|nd|rd|th|s|{_APOSTROPHE}s)(?!\w)"
    r"|\d+(?:[.,:/]\d+)*(?=(?:[apAP][mM]|[apAP]\.[mM]|k|K|m|M|MM|mm|cm|km|nm|kg|mg|g|lbs?|oz|ft|mph|kph|GB|MB|KB|TB|MW|kW|MHz|GHz"
    r"|kHz|Hz|hrs?|mins?|secs?|yrs?|hp|ml|rpm|km²|m²|km2|m2)\b)"
    rf"|\d+(?:[.,:/]\d+)+(?!\w)|\d+(?:[.,]\d+)+(?={_L}+\b)"  # a scale or unit of any name stands apart: 9.8 bn
)
_ACRONYM = rf"(?:{_L}\.){{2,20}}{_L}?(?!\w)|(?:[Pp]h|[MBmb]\.?[Ss]c|[Ee]d|[Ll]t)\.[A-Za-z]{{1,3}}(?:\.|(?!\w))"
_AMPERSAND = r"[A-Za-z]{1,4}(?:&[A-Za-z]{1,3})+(?!\w)"
_PREFIXED = rf"(?<![\w-])(?i:{JOINED_PREFIXES})-{_L}(?:{_W}|{_APOSTROPHE}(?={_L}))*"
_WORD = rf"{_W}(?:{_W}|{_APOSTROPHE}(?={_L}))*"
_PUNCTUATION = (
    r"[.!?]+[!?][.!?]*|\.{2,}|…+\.*|''|’’|‘’|‘‘|``|<<+|>>+|--+|—+|–+|\*+|=+|_+|~+|\#(?=\w)|\#+|\++|\^+|\|[-+|>]+|->+"
    rf"|[\U0001f1e6-\U0001f1ff]{{2}}|[0-9]\ufe0f?\u20e3"
    rf"|[{_EMOJI_BASE}][{_EMOJI_MOD}]*(?:\u200d[{_EMOJI_BASE}\u2600-\u27bf][{_EMOJI_MOD}]*)*"
)
_ANY = rf"(?s:.)[{_M}\ufe0f]*"

_ADDRESSED = f"(?P<address>{_URL}|{_EMAIL}|{_DOMAIN}|(?i:{_FILE}))"
_ORDINARY = "|".join(
    (
        f"(?P<emoticon>{_EMOTICON})",
        rf"(?P<number>{_NUMBER}|(?<![\w.])\.\d+|(?<!\S)\+\d+(?:[.,]\d+)*(?!\w))",
        f"(?P<acronym>{_ACRONYM})",
        f"(?P<word>{_AMPERSAND}|{_PREFIXED}|{_WORD})",
        f"(?P<punctuation>{_PUNCTUATION})",
        f"(?P<any>{_ANY})",
    )
)
_WITH_ADDRESSES = f"{_ADDRESSED}|{_ORDINARY}"
_PLAIN = f"(?P<word>{_WORD})|(?P<punctuation>{_PUNCTUATION})|(?P<any>{_ANY})"
_compiled = cache(re.compile)
"""Compiles each of the three on first use: that takes a while, and few texts need more than one."""
_MAYBE_ADDRESS = re.compile(r"[@/]|\w\.\w|mailto:")

_SUFFIX = re.compile(rf"(?:{_APOSTROPHE}(?:s|m|d|ll|ve|re)|n{_APOSTROPHE}t)$", re.IGNORECASE)
_SUFFIX_ALONE = re.compile(rf"(?:{_APOSTROPHE}(?:s|m|d|ll|ve|re|em|t)|n{_APOSTROPHE}t)(?!\w)", re.IGNORECASE)
_APART = re.compile(
    rf"(?P<before>[{_SEPARATORS}]*){_APOSTROPHE}(?P<after>[{_SEPARATORS}]*)(?P<rest>t|s|m|d|ll|ve|re)(?![\w-])",
    re.IGNORECASE,
)
_CURLY = re.compile("[’´‘‛ʼ＇]")
_HOST = re.compile(rf"(?<![\w'’`´‘‛ʼ＇]){_L}+$")
_LONGEST_HOST = 40
_INITIAL = re.compile(r"[^\W\d_]\.")
_NAME = re.compile(r"[^\W\d_]\.|[A-Z][a-z]+")
_DECADE = re.compile(rf"{_APOSTROPHE}\d\ds?(?!\w)")


def tokenize(raw: str) -> list[Token]:
    """Cut ``raw`` into tokens; offsets are Python string indexes into ``raw``, and every visible character is covered.

    A token's text is the text between its offsets, with Penn Treebank's and Moses's escapes undone (``-LRB-`` is
    ``(``), curly apostrophes inside words made straight, soft hyphens taken out and lone surrogates replaced by U+FFFD.
    """
    together = _without_gaps(raw)
    if together is None:
        return _tokens(raw)
    text, places = together
    return [Token(token.text, places[token.start], places[token.end - 1] + 1) for token in _tokens(text)]


def _without_gaps(raw: str) -> tuple[str, list[int]] | None:
    """The text without the spaces inside contractions, and where each of its characters stood; ``None`` if none are."""
    parts: list[str] = []
    places: list[int] = []
    position = 0

    def take(start: int, end: int) -> None:
        parts.append(raw[start:end])
        places.extend(range(start, end))

    for match in _APART.finditer(raw):
        negates = match["rest"] in "tT"
        if not match["after"] and not (negates and match["before"]):
            continue
        host = _HOST.search(raw, max(0, match.start() - _LONGEST_HOST), match.start())
        if host is None or (negates and host[0].lower() not in BEFORE_CUT_OFF_T):
            continue
        if match["rest"].isupper() and not host[0].isupper():
            continue
        take(position, match.start())
        take(match.end("before"), match.start("after"))
        position = match.start("rest")
    if not parts:
        return None
    take(position, len(raw))
    return "".join(parts), places


def _tokens(raw: str) -> list[Token]:
    tokens: list[Token] = []
    append = tokens.append
    chunks = list(_CHUNK.finditer(raw))
    for index, match in enumerate(chunks):
        chunk = match.group()
        offset = match.start()
        spans = _cut_short(chunk) if len(chunk) <= CACHED_CHUNK else _cut(chunk)
        if chunk[-1] == "." and len(spans[-1][0]) > 1:
            following = chunks[index + 1].group() if index + 1 < len(chunks) else ""
            spans = _full_stop(spans, tokens[-1].text if tokens else "", following)
        for text, start, end in spans:
            append(Token(text, offset + start, offset + end))
    return tokens


def _full_stop(spans: tuple[Span, ...], preceding: str, following: str) -> tuple[Span, ...]:
    """Take the full stop off a last token that is an abbreviation only before a number or among a name's parts.

    ``preceding`` is the token before the run, ``following`` the next run.
    """
    text, start, end = spans[-1]
    word = text[:-1]
    if word.lower() in ABBREVIATIONS_BEFORE_NUMBER:
        keep = following[:1].isdigit() or following[:1] == "#"
    elif len(word) == 1 and word.isalpha():
        initials = _INITIAL.fullmatch(preceding) is not None
        if word in "aAiI":
            name = _NAME.match(following)
            keep = initials or (name is not None and name.group().lower() not in CLOSED_CLASS)
        else:
            keep = initials or following != ""
    else:
        return spans
    return spans if keep else (*spans[:-1], (word, start, end - 1), (".", end - 1, end))


def _cut(chunk: str) -> tuple[Span, ...]:
    """Cut a run without white space."""
    if len(chunk) > 1 and chunk in SIGNS:
        return ((SIGNS[chunk], 0, len(chunk)),)
    if "&" in chunk and ENTITY.search(chunk):
        return _cut_escaped(chunk)
    return _cut_plain(chunk)


def _cut_plain(chunk: str) -> tuple[Span, ...]:
    """Cut a run without white space and escapes."""
    if chunk.isascii() and chunk.isalpha() and chunk.lower() not in SPLIT_WORDS:
        return ((chunk, 0, len(chunk)),)
    spans: list[Span] = []
    position = 0
    whole = _WITH_ADDRESSES if _MAYBE_ADDRESS.search(chunk) else _ORDINARY
    cut = _compiled(_PLAIN if len(chunk) > LONG_CHUNK else whole)
    while position < len(chunk):
        match = _clitic(chunk, position) or cut.match(chunk, position)
        assert match is not None  # the last alternative matches any character
        end = match.end()
        if match.lastgroup == "word":
            end = _with_full_stop(chunk, position, end)
            _cut_word(chunk, position, end, spans)
        else:
            spans.append((_clean(chunk[position:end], match.lastgroup != "address"), position, end))
        position = end
    return tuple(spans)


def _clitic(chunk: str, position: int) -> re.Match[str] | None:
    """A contraction's or possessive's second part, or a year's short form, that starts at ``position``."""
    if chunk[position] in "'’`´":
        return _SUFFIX_ALONE.match(chunk, position) or (None if position else _DECADE.match(chunk))
    if chunk[position] in "nN" and not (position and chunk[position - 1].isalnum()):
        return _SUFFIX_ALONE.match(chunk, position)
    return None


_cut_short = remembered(_cut)


def _with_full_stop(chunk: str, start: int, end: int) -> int:
    """The end of the word ``chunk[start:end]`` with its full stop where it is an abbreviation."""
    if end >= len(chunk) or chunk[end] != "." or (end + 1 < len(chunk) and chunk[end + 1] in ".…"):
        return end
    word = chunk[start:end]
    lower = word.lower()
    if len(word) == 1 and word.isalpha():
        return end + 1
    if lower in ABBREVIATIONS_BEFORE_NUMBER and end + 1 < len(chunk) and not chunk[end + 1].isdigit():
        return end
    if lower in ABBREVIATIONS and (word != lower or lower not in ABBREVIATIONS_WHEN_CAPITALISED):
        return end + 1
    return end


def _cut_word(chunk: str, start: int, end: int, spans: list[Span]) -> None:
    """Cut contractions and possessives off a word."""
    word = chunk[start:end]
    splits = SPLIT_WORDS.get(word.lower())
    if splits is not None:
        marks = [start, *(start + split for split in splits), end]
        spans.extend((chunk[a:b], a, b) for a, b in pairwise(marks))
        return
    suffix = _SUFFIX.search(word)
    if suffix is not None and suffix.start() > 0:
        cut = start + suffix.start()
        spans.append((_clean(chunk[start:cut], True), start, cut))
        spans.append((_clean(chunk[cut:end], True), cut, end))
    else:
        spans.append((_clean(word, True), start, end))


def _clean(text: str, straighten: bool) -> str:
    """A token's normalized text."""
    if text.isascii():
        return text
    if straighten and len(text) > 1:
        text = _CURLY.sub("'", text)
        if text == "''":
            text = '"'
    if "\u00ad" in text:
        text = text.replace("\u00ad", "") or "-"
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def _cut_escaped(chunk: str) -> tuple[Span, ...]:
    """Cut a chunk with Moses's character entities: replace them by their characters, cut, and map the offsets back."""
    plain: list[str] = []
    starts: list[int] = []
    position = 0
    for match in ENTITY.finditer(chunk):
        plain.append(chunk[position : match.start()])
        starts.extend(range(position, match.start()))
        plain.append(ENTITIES[match.group()])
        starts.append(match.start())
        position = match.end()
    plain.append(chunk[position:])
    starts.extend(range(position, len(chunk) + 1))
    return tuple((text, starts[start], starts[end]) for text, start, end in _cut_plain("".join(plain)))
