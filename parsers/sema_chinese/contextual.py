"""Links between words that mean the same in their sentences, for those that the rules leave over.

Two words are linked if each is the other's nearest, as in SimAlign (Jalili Sabet et al., Findings of EMNLP 2020); near
are words with like vectors in a middle layer of the cross-encoder, and with links around them. Layer, weight and
threshold were chosen on half of the sentences that were linked by hand, with at most 10 links for 1,000 words between
unrelated sentences (``python -m benchmarks.alignment.chinese_contextual``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from sema.alignment.rules import NEAR, RuleAligner
from sema.model.links import Link, Pair
from sema_chinese.antonyms import are_opposed
from sema_chinese.relations import number_value, spell
from sema_chinese.token_encoder import ChineseTokenEncoder, Vectors

SUPPORT = 0.4
"""What links around two words count beside the cosine of their vectors."""
LEAST = 0.74
"""The nearness from which words are linked."""
MOST = 1000
"""Words left over in a sentence that are looked at, from its beginning."""
_CHUNK = 64
"""Pairs whose vectors are in memory at a time."""
Near = tuple[float, Link]
"""A possible link with the nearness of its words."""


class ContextualAligner:
    """The rule aligner's links, and those of words in context."""

    def __init__(
        self, rules: RuleAligner, encoder: ChineseTokenEncoder | None = None, *, support: float = SUPPORT
    ) -> None:
        """``encoder``: that of BERTScore by default."""
        self._rules, self._encoder, self._support = rules, encoder or ChineseTokenEncoder(), support
        self.signature = f"{rules.signature}|contextual:{support},{LEAST}|{self._encoder.signature}"

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links of each pair, ascending by source index; at most one link a source token."""
        links = self._rules.align(pairs)
        return [
            sorted([*some, *(link for nearness, link in more if nearness >= LEAST)])
            for some, more in zip(links, self.nearest(pairs, links), strict=True)
        ]

    def nearest(self, pairs: Sequence[Pair], links: Sequence[Sequence[Link]]) -> list[list[Near]]:
        """For each pair the words that are each other's nearest among those that have no link yet."""
        left = [
            (self._left(source, (link.source for link in some)), self._left(output, (link.output for link in some)))
            for (source, output), some in zip(pairs, links, strict=True)
        ]
        found: list[list[Near]] = [[] for _ in pairs]
        waiting = [place for place, (first, second) in enumerate(left) if first and second]
        for start in range(0, len(waiting), _CHUNK):
            chunk = waiting[start : start + _CHUNK]
            sentences = list(dict.fromkeys(tuple(words) for place in chunk for words in pairs[place]))
            vectors = dict(zip(sentences, self._encoder.words(sentences), strict=True))
            for place in chunk:
                (source, output), (first, second) = map(tuple, pairs[place]), left[place]
                near = vectors[source][first] @ vectors[output][second].T
                self._support_by(links[place], near, first, second)
                best = near.argmax(1)
                for row in np.flatnonzero(near.argmax(0)[best] == np.arange(len(first))).tolist():
                    i, j = first[row], second[best[row]]
                    kind = self._rules.relations.classify(source[i], output[j])
                    if kind is not None and not are_opposed(spell(source[i]), spell(output[j])):
                        found[place].append((float(near[row, best[row]]), Link(i, j, kind)))
        return found

    def _left(self, words: Sequence[str], linked: Iterable[int]) -> list[int]:
        """The content words without a link; numerals are left to the rules."""
        taken, is_function_word = set(linked), self._rules.relations.is_function_word
        left = [
            place
            for place, word in enumerate(words)
            if place not in taken and not is_function_word(word) and number_value(word) is None
        ]
        return left[:MOST]

    def _support_by(self, links: Sequence[Link], near: Vectors, first: list[int], second: list[int]) -> None:
        """Raise the nearness of words (first, second) that have links around them."""
        rows, columns = ({place: number for number, place in enumerate(places)} for places in (first, second))
        for link in links:
            for down, across, weight in NEAR:
                row, column = rows.get(link.source + down), columns.get(link.output + across)
                if row is not None and column is not None:
                    near[row, column] += self._support * weight
