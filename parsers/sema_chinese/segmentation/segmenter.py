"""Chinese text: sentences by punctuation, words by the cutter of all languages; offsets are the user's.

A sentence ends at 。！？ or their half-width forms, with the quotes and brackets that close it. A semicolon or an
ellipsis ends none: of the semicolons in the Chinese treebanks' and the simplification data's development parts,
17 of 21 stand inside an annotated sentence, and of the ellipses about half do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sema_ud.segmenter import ADDRESSES, Parts, UniversalSegmenter

from sema.model.text import Text, Token
from sema.runtime.threads import ThreadsOption

CODE = "zh"
"""The language's code; its networks know simplified Chinese, and traditional text is converted for them."""
ENDS = "。！？!?｡"
CLOSERS = "”’」』）)】》〉〕\"'"
SENTENCE_END = re.compile(
    rf"[{ENDS}…⋯]*[{ENDS}][{CLOSERS}{ENDS}…⋯]*"  # 。！？ and what closes with them
    rf"|(?<=[A-Za-z]{{2}})\.[{CLOSERS}]*(?=\s+[A-Z\u4e00-\u9fff“「])"  # a full stop between Latin sentences
    r"|[\r\n]+"
)
HALF_TO_FULL = str.maketrans({",": "，", "?": "？", "!": "！", ":": "：", ";": "；", "(": "（", ")": "）"})
_NARROW = re.compile(rf"[\s{''.join(map(chr, HALF_TO_FULL))}]")
WHOLE = re.compile(
    r"(?:[A-Z]\.){2,}|[A-Za-z]+(?:['’.-][A-Za-z]+)*|\d+(?:[.,]\d+)*"
    r"|[零一二三四五六七八九]*〇[〇零一二三四五六七八九]*|[零一二三四五六七八九]{4,}"
)
"""Never split: Latin words and abbreviations, numbers in figures, numbers spelt digit by digit."""
CJK = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]")


def split_sentences(text: str) -> list[tuple[int, int]]:
    """The sentences of a text as half-open character ranges without surrounding white space, none of them empty."""
    spans = []
    start = 0
    addresses = [match.span() for match in ADDRESSES.finditer(text)]
    for match in SENTENCE_END.finditer(text):
        if any(begin <= match.start() < end for begin, end in addresses):
            continue
        spans.append((start, match.end()))
        start = match.end()
    spans.append((start, len(text)))
    trimmed = []
    for begin, end in spans:
        piece = text[begin:end]
        if piece.strip():
            begin += len(piece) - len(piece.lstrip())
            trimmed.append((begin, begin + len(piece.strip())))
    return trimmed


@lru_cache(maxsize=1)
def _converter() -> Any:
    from opencc import OpenCC

    return OpenCC("tw2s")


def to_model_characters(text: str) -> str:
    """The text as models expect it: simplified, with full-width punctuation beside Chinese; character for character.

    Characters that have no counterpart of their own length stay. White space becomes plain spaces.
    """
    converted = _converter().convert(text)
    if len(converted) != len(text):
        converted = "".join(one if len(one) == 1 else char for char in text for one in [_converter().convert(char)])
    characters = list(converted)
    for match in _NARROW.finditer(converted):
        index, char = match.start(), match[0]
        if char.isspace():
            characters[index] = " "
        elif CJK.search("".join(characters[max(0, index - 1) : index + 2])):
            characters[index] = char.translate(HALF_TO_FULL)
    return "".join(characters)


class ChineseSegmenter:
    """Segments Chinese, simplified or traditional, mixed with Latin words or not; words keep the user's characters."""

    def __init__(self, *, threads: ThreadsOption = None) -> None:
        self._cutter = UniversalSegmenter(CODE, threads=threads)
        self.signature = f"zh-sentences+{self._cutter.signature}"

    def segment(self, texts: Sequence[str]) -> list[Text]:
        """Segment each text; offsets are into the text as given, and every character but white space is in a token."""
        spans = [split_sentences(text) for text in texts]
        sentences = [
            to_model_characters(text[begin:end])
            for text, spans_here in zip(texts, spans, strict=True)
            for begin, end in spans_here
        ]
        parts = self._cutter.parts(sentences)
        words = iter([_ranges(sentence, _ends(one)) for sentence, one in zip(sentences, parts, strict=True)])
        segmented = []
        for text, spans_here in zip(texts, spans, strict=True):
            tokens: list[Token] = []
            ranges = []
            for begin, _ in spans_here:
                first = len(tokens)
                tokens.extend(
                    Token(text[begin + start : begin + end], begin + start, begin + end) for start, end in next(words)
                )
                ranges.append((first, len(tokens)))
            segmented.append(Text(text, tuple(tokens), tuple(ranges)))
        return segmented


def _ends(parts: Parts) -> set[int]:
    """The ends of words of a sentence."""
    whole = {atom.end for atom, joined in zip(parts.atoms[:-1], parts.joined[1:], strict=True) if not joined}
    return whole | {parts.atoms[-1].end}


def _ranges(sentence: str, ends: set[int]) -> list[tuple[int, int]]:
    """Words from their ends: a space always separates words, what matches ``WHOLE`` is never cut."""
    kept = [match.span() for pattern in (WHOLE, ADDRESSES) for match in pattern.finditer(sentence)]
    whole = {at for start, end in kept for at in range(start + 1, end)}
    edges = {at for span in kept for at in span} - whole
    forced = {at for at in edges if 0 < at < len(sentence) and not sentence[at - 1 : at + 1].isalnum()}
    cuts = sorted(((ends | forced) - whole) | {len(sentence)})
    ranges = []
    start = 0
    for cut in cuts:
        for match in re.finditer(r"\S+", sentence[start:cut]):
            ranges.append((start + match.start(), start + match.end()))
        start = cut
    return ranges
