"""Links between words that mean the same in their sentences, for words that the rules leave unlinked.

Two words are linked if each is the other's nearest, as in SimAlign (Jalili Sabet et al., Findings of EMNLP 2020), by
the cosine of their vectors in a middle layer of the cross-encoder. Layer and threshold were chosen on half of the
sentences that were linked by hand, with at most 10 links for 1,000 words between unrelated sentences and at most 10 %
of wrong words in place of a right one linked (``benchmarks/results/finished.md``). Links around two words are not
evidence here: they would support any word in the same place, whatever it means.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sema_reader.nearest import nearest

from sema.alignment.rules import RuleAligner
from sema.model.links import Link, Pair
from sema_chinese.antonyms import are_opposed
from sema_chinese.relations import number_value, spell
from sema_chinese.token_encoder import ChineseTokenEncoder

LEAST = 0.68
"""The least cosine of a link."""
MOST = 1 << 22
"""Most pairs of words that are compared; longer sentences are left to the rules."""
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
        """For each pair the mutual nearest neighbours among the words that have no link yet."""
        left = [
            (self._left(source, (link.source for link in some)), self._left(output, (link.output for link in some)))
            for (source, output), some in zip(pairs, links, strict=True)
        ]
        kind_of = self._rules.relations.classify
        return [
            [
                (cosine, Link(i, j, kind))
                for cosine, i, j in near
                if (kind := kind_of(source[i], output[j])) is not None
                and not are_opposed(spell(source[i]), spell(output[j]))
            ]
            for (source, output), near in zip(pairs, nearest(self._encoder, pairs, left, MOST), strict=True)
        ]

    def _left(self, words: Sequence[str], linked: Iterable[int]) -> list[int]:
        """The content words without a link; numerals are left to the rules."""
        taken, is_function_word = set(linked), self._rules.relations.is_function_word
        return [
            place
            for place, word in enumerate(words)
            if place not in taken and not is_function_word(word) and number_value(word) is None
        ]
