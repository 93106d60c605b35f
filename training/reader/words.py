"""The words of training texts: as they stand between spaces; Chinese ones in simplified characters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache

from rapidfuzz.distance import LCSseq
from sema_chinese.language import segmenter
from sema_chinese.relations import spell
from sema_reader.languages import UnicodeSegmenter
from sema_reader.pieces import UNSPACED

Words = tuple[str, ...]
Cut = Callable[[str], Sequence[str]]
"""The words of a text."""


def simplified(words: Iterable[str]) -> Words:
    """Chinese words in simplified characters; numerals stay as they are."""
    return tuple(word if word.isascii() else spell(word, numerals=False) for word in words)


@cache
def chinese_cut(text: str) -> Words:
    """The words of a Chinese text in simplified characters."""
    (found,) = segmenter().segment([text])
    return simplified(found.words)


def any_cut(text: str) -> Words:
    """The words of a text in any language: as they stand between spaces, or by Unicode's rules where none are."""
    if not UNSPACED.search(text):
        return tuple(text.split())
    (found,) = UnicodeSegmenter().segment([text])
    return found.words


CUTS: Mapping[str, Cut] = {"en": str.split, "zh": chinese_cut}


def shared(first: Sequence[str], second: Sequence[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """For the words of either text 1 where both have them in the same order, in any case, else 0."""
    kept, supported = [0] * len(first), [0] * len(second)
    for step in LCSseq.opcodes([word.lower() for word in first], [word.lower() for word in second]):
        if step.tag == "equal":
            kept[step.src_start : step.src_end] = supported[step.dest_start : step.dest_end] = [1] * (
                step.src_end - step.src_start
            )
    return tuple(kept), tuple(supported)
