"""Chinese text: sentences by punctuation, words by Stanza's tokenizer, offsets into the text as the user wrote it.

A sentence ends at 。！？ or their half-width forms, with the quotes and brackets that close it. A semicolon or an
ellipsis ends none: of the semicolons in the Chinese treebanks' and the simplification data's development parts,
17 of 21 stand inside an annotated sentence, and of the ellipses about half do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from sema_ud.models import find_models
from sema_ud.onnx_inference.tokenizer import LONGEST, shipped_tokenizer

from sema.model.text import Text, Token
from sema.runtime.threads import available_cores, torch_threads

MODEL_CODE = "zh-hans"
"""Stanza's code of the models, which are for simplified Chinese; traditional text is converted for them."""
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
ADDRESSES = re.compile(
    r"(?:https?://|www\.)[!-~]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\w+(?:\.\w+)*\.(?:gov|org|edu|net|com|co)(?:\.\w+)*",
    re.ASCII,
)
MARKS = "，；：、 "
"""What a stretch of a long sentence ends with."""
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

    def __init__(self, *, threads: int | None = None, prefer_shipped: bool = False) -> None:
        """Choose the tokenizer's models, the user's own unless ``prefer_shipped``; loaded when first needed.

        ``threads`` is that of :class:`~sema_ud.stanza_provider.StanzaProvider`.
        """
        self.models = find_models(MODEL_CODE, prefer_shipped=prefer_shipped)
        self.threads = threads
        origin = "shipped" if self.models.shipped else "installed"
        self.signature = f"zh-sentences+stanza:{origin}:{self.models.fingerprint}"

    def segment(self, texts: Sequence[str]) -> list[Text]:
        """Segment each text; offsets are into the text as given, and every character but white space is in a token."""
        spans = [split_sentences(text) for text in texts]
        sentences = [
            to_model_characters(text[begin:end])
            for text, spans_here in zip(texts, spans, strict=True)
            for begin, end in spans_here
        ]
        words = iter(self._words(sentences))
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

    def _words(self, sentences: list[str]) -> list[list[tuple[int, int]]]:
        """The words of each sentence as character ranges."""
        if not self.models.shipped:
            return [_ranges(*boundaries) for boundaries in zip(sentences, self._stanzas_ends(sentences), strict=True)]
        boundaries: list[set[int]] = [{end for _, end, _ in _stretches(sentence)} for sentence in sentences]
        read = [
            (number, start, sentences[number][start:end])
            for number, sentence in enumerate(sentences)
            for start, end, is_address in _stretches(sentence)
            if not is_address
        ]
        tokenizer, threads = shipped_tokenizer(self.models.folder), self.threads or available_cores()
        ends = tokenizer.ends([text for *_, text in read], threads=threads)
        for (number, start, _), places in zip(read, ends, strict=True):
            boundaries[number].update(start + place for place in places)
        return [_ranges(sentence, places) for sentence, places in zip(sentences, boundaries, strict=True)]

    def _stanzas_ends(self, sentences: list[str]) -> list[set[int]]:
        """The end of each word of the sentences, by Stanza."""
        from sema_ud.stanza_provider import tokenizing_pipeline

        if not sentences:
            return []
        with torch_threads(self.threads):
            document = tokenizing_pipeline(self.models, split=False)(sentences)
        ends: set[int] = {token.end_char for sentence in document.sentences for token in sentence.tokens}
        by_sentence = []
        offset = 0
        for sentence in sentences:
            by_sentence.append({at for at in range(1, len(sentence) + 1) if offset + at in ends})
            offset += len(sentence) + 2  # Stanza joins the sentences it is given by an empty line
        return by_sentence


def _stretches(sentence: str) -> Iterator[tuple[int, int, bool]]:
    """The stretches of a sentence that are read one by one, and whether each is a web or e-mail address, one word.

    The others hold no address and are at most as long as the tokenizer reads at once, cut after a mark if there is one.
    """
    at = 0
    for match in [*ADDRESSES.finditer(sentence), None]:
        end = match.start() if match else len(sentence)
        while at < end:
            stop = min(end, at + LONGEST)
            if stop < end:
                stop = max((sentence.rfind(mark, at, stop) + 1 for mark in MARKS), default=0) or stop
            text = sentence[at:stop]
            if text.strip():
                yield at + len(text) - len(text.lstrip()), at + len(text.rstrip()), False
            at = stop
        if match:
            yield match.start(), match.end(), True
            at = match.end()


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
