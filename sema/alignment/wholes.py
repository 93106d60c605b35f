"""Words of the lexicon that a text cuts into pieces: runs of tokens that spell one are linked as one.

For languages with a :class:`~sema.alignment.relations.Shape`, whose words are cut differently from text to text
(研讨 会, a seminar, beside 会议, a conference).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sema.alignment.relations import WordRelations
from sema.model.links import Link, LinkKind

_LONGEST = 3
"""Tokens that a word may be cut into."""
_KINDS = (LinkKind.SYNONYM, LinkKind.PARAPHRASE, LinkKind.HYPONYMY)
"""Relations that runs are linked by; what is written alike has its links already, piece by piece."""


class Whole(NamedTuple):
    """A word of the lexicon, or a token: its spelling and its tokens ``start:end``."""

    word: str
    start: int
    end: int


def whole_word_links(
    links: Sequence[Link], source: Sequence[str], output: Sequence[str], relations: WordRelations
) -> list[Link]:
    """Links for tokens that are left over, where a whole word which they are part of is related to another.

    One of the two is a run of tokens that spells a word of the lexicon. No other link may leave the two words. Tokens
    of a run link from the last one back to those of the other, those that find no partner to its first.
    """
    partners: dict[int, set[int]] = {}
    origins: dict[int, set[int]] = {}
    for i, j, *_ in links:
        partners.setdefault(i, set()).add(j)
        origins.setdefault(j, set()).add(i)
    sources = [
        whole for whole in _wholes(source, relations) if any(i not in partners for i in range(whole.start, whole.end))
    ]
    outputs = [
        whole for whole in _wholes(output, relations) if any(j not in origins for j in range(whole.start, whole.end))
    ]
    if not sources or not outputs:
        return []
    related = relations.related({whole.word for whole in sources}, {whole.word for whole in outputs})
    found: list[Link] = []
    for first in sources:
        for second in outputs:
            if second.word not in related[first.word] or max(first.end - first.start, second.end - second.start) == 1:
                continue
            own, other = set(range(first.start, first.end)), set(range(second.start, second.end))
            kind = relations.kind(first.word, second.word)
            if kind not in _KINDS:
                continue
            if any(partners.get(i, other) - other for i in own) or any(origins.get(j, own) - own for j in other):
                continue
            for i in sorted(own - partners.keys()):
                j = max(second.start, second.end - (first.end - i))
                found.append(Link(i, j, kind))
                partners[i] = {j}
                origins.setdefault(j, set()).add(i)
            break
    return found


def _wholes(sentence: Sequence[str], relations: WordRelations) -> list[Whole]:
    """The content words of a sentence, and the runs that spell a word of the lexicon, the longest first."""
    found = []
    for size in range(_LONGEST, 0, -1):
        for start in range(len(sentence) - size + 1):
            tokens = sentence[start : start + size]
            if all(map(relations.is_function_word, tokens)):
                continue
            word = "".join(tokens)
            if size == 1 or relations.is_listed(word):
                found.append(Whole(word, start, start + size))
    return found
