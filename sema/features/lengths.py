"""Lengths, and the overlap with the source's wording: counts, ratios and edit distance. Any language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar

from rapidfuzz.distance import LCSseq, Levenshtein

from sema.features.base import FeatureGroup, ratio
from sema.model.item import Item
from sema.model.text import canonical, is_punctuation


class Lengths(FeatureGroup, name="lengths"):
    """Lengths, ratios of output to source, shares of words copied, added and deleted."""

    features: ClassVar[Mapping[str, str]] = {
        "words": "words of the output, punctuation left out",
        "characters": "characters of the output",
        "sentences": "sentences of the output",
        "words_per_sentence": "words in a sentence of the output",
        "longest_sentence": "words in the output's longest sentence",
        "shortest_sentence": "words in the output's shortest sentence",
        "words_per_sentence_change": "words in a sentence: output less source",
        "longest_sentence_change": "words in the longest sentence: output less source",
        "source_words": "words of the source",
        "word_ratio": "words of the output for each word of the source",
        "character_ratio": "characters of the output for each character of the source",
        "sentence_ratio": "sentences of the output for each sentence of the source",
        "copied": "share of the output's words that the source has",
        "kept": "share of the source's words that the output has",
        "added": "words of the output that the source lacks, for each word of the source",
        "identical": "1 if both have the same words in the same order",
        "similarity": "1 less the normalized edit distance between the words (Levenshtein)",
        "subsequence": "longest common subsequence for each word of the output: what stands in the source's order",
        "punctuation": "share of punctuation among the output's tokens",
        "commas": "commas for each word of the output",
    }

    def values(self, item: Item) -> Sequence[float]:
        """The lengths of one item."""
        source, output = _words(item.source.words), _words(item.output.words)
        per_source, per_output = (
            [len(_words(words)) for words in text.sentence_words] for text in (item.source, item.output)
        )
        longest, words_per_sentence = max(per_output, default=0), ratio(len(output), len(per_output))
        shared = (Counter(output) & Counter(source)).total()
        tokens = item.output.words
        source_characters, characters = (len(canonical(text.raw).strip()) for text in (item.source, item.output))
        return [
            len(output),
            characters,
            len(per_output),
            words_per_sentence,
            longest,
            min(per_output, default=0),
            words_per_sentence - ratio(len(source), len(per_source)),
            longest - max(per_source, default=0),
            len(source),
            ratio(len(output), len(source)),
            ratio(characters, source_characters),
            ratio(len(per_output), len(per_source)),
            ratio(shared, len(output)),
            ratio(shared, len(source)),
            ratio(len(output) - shared, len(source)),
            float(output == source),
            Levenshtein.normalized_similarity(source, output),
            ratio(LCSseq.similarity(source, output), len(output)),
            ratio(len(tokens) - len(output), len(tokens)),
            ratio(sum(word in (",", "，", "、") for word in tokens), len(output)),
        ]


def _words(words: Sequence[str]) -> list[str]:
    return [word.casefold() for word in words if not is_punctuation(word)]
