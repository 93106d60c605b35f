"""Texts as callers give them, and checks that they can be scored."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sema.errors import InputError, MissingText, SemaError, kind_of
from sema.model.text import UNSEEN, Text, Token

RawText = str | Sequence[str] | Text
"""A text to be segmented; or its sentences, to be tokenized only; or a text that is segmented already."""

Readable = RawText | InputError
"""A text, or the error that kept it from being read."""

ProgressCallback = Callable[[int, int], None]
"""Called with the number of items done and their total."""

LONGEST = 1_000_000
"""The most characters of one text, about a novel. Time and memory grow with length, so longer ones are refused."""

_SURROGATE = re.compile("[\ud800-\udfff]")


def check_text(text: object, role: str, item: int | None = None) -> Readable:
    """The text, or the error that says why it cannot be scored; only a ``role`` other than source may be blank.

    ``item`` is the number of the item, for the error. A blank output is the text of a system that wrote nothing; a
    missing one is a :class:`~sema.errors.MissingText`.
    """
    if isinstance(text, InputError):
        return text
    if is_missing(text):
        kind = MissingText if role == "output" else InputError
        return kind(f"the {role} is missing; give a text, or take the item out of every file", item=item)
    if isinstance(text, Text):
        strings: Sequence[object] = text.words
    elif isinstance(text, str):
        strings = [text]
    elif isinstance(text, Sequence) and not isinstance(text, bytes | bytearray):
        strings = text
    else:
        return InputError(f"the {role} is {_kind(text)}; give a string or a list of sentences", item=item)
    size = sum(len(string) for string in strings if isinstance(string, str))
    if size > LONGEST:
        message = f"the {role} has {size:,} characters, and a text may have {LONGEST:,}; divide it into several items"
        return InputError(message, item=item)
    for string in strings:
        if not isinstance(string, str):
            return InputError(f"the {role} holds {_kind(string)} among its sentences; give strings", item=item)
        if "\0" in string:
            return InputError(f"the {role} holds a NUL byte; remove it (is this a text file?)", item=item)
        if _SURROGATE.search(string):
            return InputError(f"the {role} holds half of a surrogate pair; decode it as UTF-8 again", item=item)
    if role == "source" and not any(UNSEEN.sub("", string).strip() for string in strings if isinstance(string, str)):
        return InputError("the source is empty; give it a text, or take the item out of every file", item=item)
    return text if isinstance(text, str | Text) else [str(string) for string in strings]


def placed_text(text: object, role: str, file: str, line: int) -> Readable:
    """:func:`check_text` for a text of a file; the error names file and line, unless it names a place already."""
    checked = check_text(text, role)
    if isinstance(checked, InputError) and checked.file is None:
        return type(checked)(checked.message, file=file, line=line)
    return checked


def is_missing(value: object) -> bool:
    """Whether a value is missing: ``None``, NaN, or the missing value of pandas."""
    return value is None or type(value).__name__ == "NAType" or (isinstance(value, float) and value != value)


def _kind(value: object) -> str:
    if is_missing(value):
        return "missing"
    return "bytes" if isinstance(value, bytes | bytearray) else kind_of(value)


def join_sentences(texts: Sequence[Text]) -> Text:
    """Several texts as the sentences of one; ``raw`` joins theirs with single spaces."""
    tokens: list[Token] = []
    spans: list[tuple[int, int]] = []
    position = 0
    for text in texts:
        if text.tokens:
            spans.append((len(tokens), len(tokens) + len(text.tokens)))
            tokens.extend(Token(token.text, token.start + position, token.end + position) for token in text.tokens)
        position += len(text.raw) + 1
    return Text(" ".join(text.raw for text in texts), tuple(tokens), tuple(spans))


def around_errors(values: Sequence[Any], work: Callable[[list[Any]], Iterable[Any]]) -> list[Any]:
    """Apply ``work`` to the values that are not errors; errors stay in place."""
    sound = [value for value in values if not isinstance(value, SemaError)]
    made = iter(work(sound) if sound else ())
    return [value if isinstance(value, SemaError) else next(made) for value in values]


def first_error(*values: object) -> SemaError | None:
    """The first of the values that is an error."""
    return next((value for value in values if isinstance(value, SemaError)), None)
