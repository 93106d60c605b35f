"""Numbers that the two texts of a pair state in different notation: 三十 is 30, 超过三十天 is 超过30日."""

from __future__ import annotations

from collections.abc import Iterator

from sema_reader.languages import shipped
from sema_reader.normalisation import Match, unbroken
from sema_reader.quantities import alike
from sema_reader.reader import NetworkReader

from sema.model.reading import CrossEncoder
from sema.model.text import Text
from sema_chinese.notation.measures import measures
from sema_chinese.notation.quantities import numbers
from sema_chinese.notation.spelling import Spelling
from sema_chinese.segmentation.segmenter import to_model_characters


def cross_encoder() -> CrossEncoder:
    """Source and output in one pass, in simplified characters; numbers in different signs are read in the source's."""
    return NetworkReader(shipped(), notation=matches, spelling=to_model_characters)


def matches(source: Text, output: Text) -> Iterator[Match]:
    """The numbers and measures of the output that the source has with the same value.

    日 is also a day of the month: a match includes this unit only if the words around it are the same in both texts.
    """
    spellings = Spelling(source.words), Spelling(output.words)
    yield from _numbers(source, output, *spellings)
    yield from alike(*map(measures, spellings))


def _numbers(source: Text, output: Text, first: Spelling, second: Spelling) -> Iterator[Match]:
    known = {number: number for number in numbers(first) if number.whole}
    for new in (number for number in numbers(second) if number.whole):
        if (old := known.get(new)) is None:
            continue
        run, other = (unbroken(sorted({*one.tokens, *one.unit})) for one in (old, new))
        if run and other and old.kind == "日" and _beside(source, run) != _beside(output, other):
            apart = {*old.tokens}.isdisjoint(old.unit) and {*new.tokens}.isdisjoint(new.unit)
            run, other = (unbroken(old.tokens), unbroken(new.tokens)) if apart else (None, None)
        if run and other:
            yield run, other


def _beside(text: Text, run: range) -> tuple[str, str]:
    """The words before and after a run of tokens."""
    words = ("", *text.words, "")
    return words[run.start], words[run.stop + 1]
