"""Links between words that mean the same in their sentences, for those that the rules leave over.

Two words are linked if each is the other's nearest, as in SimAlign (Jalili Sabet et al., Findings of EMNLP 2020), by
the cosine of their vectors in a middle layer of the cross-encoder. Layer and threshold were chosen on half of the
sentences that were linked by hand, with at most 10 links for 1,000 words between unrelated sentences and at most 10 %
of wrong words in place of a right one linked (``benchmarks/results/finished.md``). Links around two
words say nothing here: with their support a word is linked to any other in the same place, whatever it means.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from sema.alignment.rules import RuleAligner
from sema.model.links import Link, Pair
from sema_chinese.antonyms import are_opposed
from sema_chinese.relations import number_value, spell
from sema_chinese.token_encoder import ChineseTokenEncoder, Vectors

LEAST = 0.68
"""The cosine from which words are linked."""
MOST = 1 << 22
"""Pairs of words that are compared; longer sentences are left to the rules."""
_CHUNK = 64
"""Pairs whose vectors are in memory at a time."""
Near = tuple[float, Link]
"""A possible link with the cosine of its words."""


class ContextualAligner:
    """The rule aligner's links, and those of words in context."""

    reads_states = False

    def __init__(self, rules: RuleAligner, encoder: ChineseTokenEncoder | None = None) -> None:
        """``encoder``: that of BERTScore by default."""
        self._rules, self._encoder = rules, encoder or ChineseTokenEncoder()
        self.signature = f"{rules.signature}|contextual:{LEAST}|{self._encoder.signature}"

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links of each pair, ascending by source index; at most one link a source token."""
        links = self._rules.align(pairs)
        return [
            sorted([*some, *(link for cosine, link in more if cosine >= LEAST)])
            for some, more in zip(links, self.nearest(pairs, links), strict=True)
        ]

    def nearest(self, pairs: Sequence[Pair], links: Sequence[Sequence[Link]]) -> list[list[Near]]:
        """For each pair the words that are each other's nearest among those that have no link yet."""
        left = [
            (self._left(source, (link.source for link in some)), self._left(output, (link.output for link in some)))
            for (source, output), some in zip(pairs, links, strict=True)
        ]
        found: list[list[Near]] = [[] for _ in pairs]
        waiting = [place for place, (first, second) in enumerate(left) if 0 < len(first) * len(second) <= MOST]
        vectors: dict[tuple[str, ...], Vectors] = {}
        for start in range(0, len(waiting), _CHUNK):
            chunk = waiting[start : start + _CHUNK]
            wanted = dict.fromkeys(tuple(words) for place in chunk for words in pairs[place])
            vectors = {words: vectors[words] for words in wanted if words in vectors}
            new = [words for words in wanted if words not in vectors]
            vectors.update(zip(new, self._encoder.words(new), strict=True))
            for place in chunk:
                (source, output), (first, second) = map(tuple, pairs[place]), left[place]
                near = vectors[source][first] @ vectors[output][second].T
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
        return [
            place
            for place, word in enumerate(words)
            if place not in taken and not is_function_word(word) and number_value(word) is None
        ]
