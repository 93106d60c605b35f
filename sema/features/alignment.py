"""Features of the word alignment: what was kept and added, order and confidence. Any language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

from sema.features.base import FeatureGroup, average, ratio
from sema.languages import home_of
from sema.model.item import Item, Need
from sema.model.links import Link, LinkKind
from sema.model.text import is_punctuation

if TYPE_CHECKING:
    from sema.model.language import Parts
    from sema.model.lexicon import WordTable

MOST_ZIPF = 7.8
"""About the frequency of the commonest word: rarer words weigh more by their distance from it."""


class AlignmentFeatures(FeatureGroup):
    """Recall and precision of words by links, plain, weighted by rarity and by the aligner's confidence."""

    name = "alignment"
    description = "words kept and added by the word alignment, rare ones weighing more; kinds, confidence and order"
    requires = frozenset({Need.LINKS, Need.LINK_WEIGHTS})
    features: ClassVar[Mapping[str, str]] = {
        "recall": "share of the source's words that are linked",
        "rare_recall": "the same, each word weighted by its rarity",
        "soft_recall": "rare_recall with each word counting as much as its likeliest link is likely",
        "precision": "share of the output's words that are linked",
        "rare_precision": "the same, each word weighted by its rarity",
        "soft_precision": "rare_precision with each word counting as much as its likeliest link is likely",
        **{f"{kind}": f"share of the links of kind {kind}" for kind in LinkKind},
        "confidence": "mean likelihood of the links that were chosen",
        "least_confidence": "mean likelihood of the least likely fifth of the links that were chosen",
        "least_support": "mean likelihood of any link for the fifth of the output's words that are supported least",
        "crossings": "share of neighbouring links inside a sentence that change the order",
        "runs": "runs of links that are adjacent on both sides, for each link",
        "repeated": "share of the linked source words that are linked in several sentences",
        "longest_loss": "most source words in a row that are not linked, for each source word",
        "longest_addition": "most output words in a row that are not linked, for each output word",
        "rarest_lost": "rarity of the rarest source word that is lost, 0 for none",
        "rarest_added": "rarity of the rarest output word that is added, 0 for none",
        "names_lost": "share of the source's names and numbers that are not linked",
        "names_added": "names and numbers of the output that are not linked, for each output word",
    }

    def __init__(self) -> None:
        self._table: WordTable | None = None

    def bind(self, parts: Parts) -> AlignmentFeatures:
        """The group with the language's word frequencies, where there are some."""
        home = home_of(parts.code)
        bound = AlignmentFeatures()
        bound._table = home.words() if home and home.words else None
        return bound

    @property
    def signature(self) -> str:
        """The word list."""
        return "" if self._table is None else self._table.signature

    def _rarity(self, word: str) -> float:
        if is_punctuation(word):
            return 0.0
        return 1.0 if self._table is None else max(0.1, MOST_ZIPF - self._table.zipf(word))

    def values(self, item: Item) -> Sequence[float]:
        """The alignment features of one item."""
        source, output = item.source.words, item.output.words
        starts = [start for start, _ in item.output.sentences]
        forward: dict[int, float] = {}
        backward: dict[int, float] = {}
        sentences_of: Counter[int] = Counter()
        links = [link for sentence in item.links for link in sentence]
        for start, sentence in zip(starts, item.links, strict=True):
            sentences_of.update({link.source for link in sentence if not is_punctuation(source[link.source])})
            forward.update((link.source, 1.0) for link in sentence)
            backward.update((start + link.output, 1.0) for link in sentence)
        kept, supported = _likelihoods(item)
        kinds = Counter(link.kind for link in links)
        weights = sorted(
            grid.weight(link.source, link.output)
            for grid, sentence in zip(item.link_weights, item.links, strict=True)
            for link in sentence
        )
        unsure = sorted(supported[index] for index, word in enumerate(output) if not is_punctuation(word))
        lost, added = self._unlinked(source, forward), self._unlinked(output, backward)
        names = [index for index, word in enumerate(source) if _is_name(word, index in _starts(item.source.sentences))]
        strange = [index for index in added if _is_name(output[index], index in starts)]
        return [
            *self._coverage(source, forward, kept),
            *self._coverage(output, backward, supported),
            *(ratio(kinds[kind], len(links)) for kind in LinkKind),
            average(weights),
            average(weights[: max(1, len(weights) // 5)]),
            average(unsure[: max(1, len(unsure) // 5)]),
            *_order(item.links),
            ratio(sum(count > 1 for count in sentences_of.values()), len(sentences_of)),
            ratio(_longest_run(lost), len(source)),
            ratio(_longest_run(added), len(output)),
            max((self._rarity(source[index]) for index in lost), default=0.0),
            max((self._rarity(output[index]) for index in added), default=0.0),
            ratio(sum(index not in forward for index in names), len(names)),
            ratio(len(strange), len(output)),
        ]

    def _coverage(self, words: Sequence[str], linked: dict[int, float], likely: Sequence[float]) -> list[float]:
        """Plain, by rarity, by rarity and likelihood."""
        rarity = [self._rarity(word) for word in words]
        places = [index for index, weight in enumerate(rarity) if weight]
        total = sum(rarity)
        return [
            ratio(sum(index in linked for index in places), len(places)),
            ratio(sum(rarity[index] for index in places if index in linked), total),
            ratio(sum(rarity[index] * likely[index] for index in places), total),
        ]

    def _unlinked(self, words: Sequence[str], linked: dict[int, float]) -> list[int]:
        return [index for index, word in enumerate(words) if index not in linked and not is_punctuation(word)]


def _likelihoods(item: Item) -> tuple[list[float], list[float]]:
    """For every source token and every output token the likelihood of its likeliest link."""
    kept = [0.0] * len(item.source.words)
    supported = [0.0] * len(item.output.words)
    for (start, _), grid in zip(item.output.sentences, item.link_weights, strict=True):
        if grid.weights.size:
            for row, best in zip(grid.rows.tolist(), grid.weights.max(axis=1).tolist(), strict=True):
                kept[row] = max(kept[row], best)
            supported[start : start + grid.weights.shape[1]] = grid.weights.max(axis=0).tolist()
    return kept, supported


def _starts(sentences: Sequence[tuple[int, int]]) -> set[int]:
    return {start for start, _ in sentences}


def _is_name(word: str, begins: bool) -> bool:
    return any(map(str.isdigit, word)) or (word[:1].isupper() and not begins and word != "I")


def _order(links: Sequence[Sequence[Link]]) -> tuple[float, float]:
    """Crossings and runs."""
    pairs = crossed = adjacent = total = 0
    for sentence in links:
        ordered = sorted(sentence, key=lambda link: link.source)
        total += len(ordered)
        for before, after in pairwise(ordered):
            pairs += 1
            crossed += after.output < before.output
            adjacent += after.source == before.source + 1 and after.output == before.output + 1
    return ratio(crossed, pairs), ratio(total - adjacent, total)


def _longest_run(places: Sequence[int]) -> int:
    longest = run = 0
    previous = -2
    for place in places:
        run = run + 1 if place == previous + 1 else 1
        longest, previous = max(longest, run), place
    return longest
