"""Sentence boundaries in any language: block markup ends a sentence, and every sentence has a word.

Segmenters see a text without its block markup. A sentence that they find without a letter (``[3]``, ``• 9 .``, an
emoji, a lone bracket) joins the sentence beside it.
"""

from __future__ import annotations

import re
from itertools import pairwise

from sema.model.text import Text

_BLOCKS = (
    "address|article|aside|blockquote|br|caption|dd|div|dl|dt|figcaption|figure|footer|h[1-6]|header|hr|li|main|nav|ol|p|pre"
    "|section|table|tbody|td|tfoot|th|thead|tr|ul"
)
_ATTRIBUTE = r"""\s+[\w:-]+=(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>]+)"""
_MARKUP = re.compile(rf"</?(?:{_BLOCKS})(?:{_ATTRIBUTE})*\s*/?>", re.IGNORECASE)


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
