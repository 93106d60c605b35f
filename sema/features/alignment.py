"""Features of the word alignment: what was kept and added, order and confidence. Any language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from itertools import pairwise
from typing import TYPE_CHECKING

from sema.features.base import FeatureGroup, average, listed_words, ratio, worst_fifth
from sema.meaning.words import likelihoods
from sema.model.item import Item, Need
from sema.model.links import Link, LinkKind
from sema.model.text import is_punctuation

if TYPE_CHECKING:
    from sema.model.language import Parts
    from sema.model.lexicon import WordTable

MOST_ZIPF = 7.8
"""About the frequency of the most common word, on the Zipf scale; a word's rarity is its distance from it."""


class AlignmentFeatures(FeatureGroup, name="alignment"):
    """Words kept and added by the word alignment, rare ones weighing more; kinds, confidence and order.

    Features:
        recall: share of the source's words that are linked
        rare_recall: the same, each word weighted by its rarity
        soft_recall: rare_recall with each word counting as much as its likeliest link is likely
        precision: share of the output's words that are linked
        rare_precision: the same, each word weighted by its rarity
        soft_precision: rare_precision with each word counting as much as its likeliest link is likely
        exact: share of the links of kind exact
        form: share of the links of kind form
        synonym: share of the links of kind synonym
        paraphrase: share of the links of kind paraphrase
        contextual: share of the links of kind contextual
        hyponymy: share of the links of kind hyponymy
        confidence: mean likelihood of the links that were chosen
        least_confidence: mean likelihood of the least likely fifth of the links that were chosen
        least_support: mean likelihood of any link for the fifth of the output's words that are supported least
        crossings: share of neighbouring links inside a sentence that change the order
        runs: runs of links that are adjacent on both sides, for each link
        repeated: share of the linked source words that are linked in several sentences
        longest_loss: most source words in a row that are not linked, for each source word
        longest_addition: most output words in a row that are not linked, for each output word
        rarest_lost: rarity of the rarest source word that is lost, 0 for none
        rarest_added: rarity of the rarest output word that is added, 0 for none
        names_lost: share of the source's names and numbers that are not linked
        names_added: names and numbers of the output that are not linked, for each output word
    """

    requires = frozenset({Need.LINKS, Need.LINK_WEIGHTS})

    used: WordTable | None

    def uses(self, parts: Parts) -> WordTable | None:
        return listed_words(parts)

    def values(self, item: Item) -> Mapping[str, float]:
        source, output = item.source.words, item.output.words
        starts = [[start for start, _ in text.sentences] for text in (item.source, item.output)]
        links = [link for sentence in item.links for link in sentence]
        linked_source = {link.source for link in links}
        linked_output = {start + link.output for start, own in zip(starts[1], item.links, strict=True) for link in own}
        sentences_of = Counter(token for own in item.links for token in {link.source for link in own})
        repeated = [count > 1 for token, count in sentences_of.items() if not is_punctuation(source[token])]
        kept, supported = (chances.tolist() for chances in likelihoods(item))
        grids = zip(item.link_weights, item.links, strict=True)
        weights = [grid.weight(link.source, link.output) for grid, own in grids for link in own]
        lost, added = _unlinked(source, linked_source), _unlinked(output, linked_output)
        names = [index for index, word in enumerate(source) if _is_name(word, index in starts[0])]
        kinds = Counter(link.kind for link in links)
        crossings, runs = _order(item.links)
        return {
            **self._coverage("recall", source, linked_source, kept),
            **self._coverage("precision", output, linked_output, supported),
            **{f"{kind}": ratio(kinds[kind], len(links)) for kind in LinkKind},
            "confidence": average(weights),
            "least_confidence": worst_fifth(weights),
            "least_support": worst_fifth(
                supported[index] for index, word in enumerate(output) if not is_punctuation(word)
            ),
            "crossings": crossings,
            "runs": runs,
            "repeated": average(repeated),
            "longest_loss": ratio(_longest_run(lost), len(source)),
            "longest_addition": ratio(_longest_run(added), len(output)),
            "rarest_lost": max((self._rarity(source[index]) for index in lost), default=0.0),
            "rarest_added": max((self._rarity(output[index]) for index in added), default=0.0),
            "names_lost": average([index not in linked_source for index in names]),
            "names_added": ratio(sum(_is_name(output[index], index in starts[1]) for index in added), len(output)),
        }

    def _rarity(self, word: str) -> float:
        if is_punctuation(word):
            return 0.0
        return 1.0 if self.used is None else max(0.1, MOST_ZIPF - self.used.zipf(word))

    def _coverage(self, name: str, words: Sequence[str], linked: Set[int], likely: Sequence[float]) -> dict[str, float]:
        """Recall or precision: plain, by rarity, by rarity and likelihood."""
        rarity = [self._rarity(word) for word in words]
        places = [index for index, weight in enumerate(rarity) if weight]
        total = sum(rarity)
        return {
            name: average([index in linked for index in places]),
            f"rare_{name}": ratio(sum(rarity[index] for index in places if index in linked), total),
            f"soft_{name}": ratio(sum(rarity[index] * likely[index] for index in places), total),
        }


def _unlinked(words: Sequence[str], linked: Set[int]) -> list[int]:
    return [index for index, word in enumerate(words) if index not in linked and not is_punctuation(word)]


def _is_name(word: str, begins: bool) -> bool:
    return any(map(str.isdigit, word)) or (word[:1].isupper() and not begins and word != "I")


def _order(links: Sequence[Sequence[Link]]) -> tuple[float, float]:
    """The features ``crossings`` and ``runs``."""
    ordered = [sorted(sentence, key=lambda link: link.source) for sentence in links]
    steps = [step for sentence in ordered for step in pairwise(sentence)]
    crossed = [after.output < before.output for before, after in steps]
    adjacent = sum((before.source + 1, before.output + 1) == (after.source, after.output) for before, after in steps)
    total = sum(map(len, links))
    return average(crossed), ratio(total - adjacent, total)


def _longest_run(places: Sequence[int]) -> int:
    runs = Counter(place - index for index, place in enumerate(places))  # the difference is the same within a run
    return max(runs.values(), default=0)
