"""Features of the wording: lengths, words copied from the source, and METEOR of the output against it. Any language.

METEOR is that of Denkowski and Lavie (2014), with its weights and parameters for English: words are matched exactly,
then by stem, then as synonyms, then as paraphrases. Mathias and Bhattacharyya (2016) use the score as their only
feature of meaning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Self

from rapidfuzz.distance import LCSseq, Levenshtein

from sema.features.base import FeatureGroup, listed_words, ratio
from sema.metrics.meteor import QATS, Related, related_words, same_words
from sema.metrics.stem_recall import STEMMERS, stem
from sema.model.item import Item
from sema.model.language import base_code
from sema.model.text import canonical, is_punctuation

if TYPE_CHECKING:
    from sema.model.language import Parts
    from sema.model.lexicon import Lexicon

STAGES = {stage: float(getattr(QATS, stage)) for stage in ("exact", "stem", "synonym", "paraphrase")}
"""The matchers in their order, and the weight of a match."""
Match = tuple[int, int, str]
"""A source word, an output word, and the stage that matched them."""


class Lengths(FeatureGroup, name="lengths"):
    """Lengths, ratios of output to source, shares of words copied, added and deleted.

    Features:
        words: words of the output, punctuation left out
        characters: characters of the output
        sentences: sentences of the output
        words_per_sentence: words in a sentence of the output
        longest_sentence: words in the output's longest sentence
        shortest_sentence: words in the output's shortest sentence
        words_per_sentence_change: words in a sentence: output less source
        longest_sentence_change: words in the longest sentence: output less source
        source_words: words of the source
        word_ratio: words of the output for each word of the source
        character_ratio: characters of the output for each character of the source
        sentence_ratio: sentences of the output for each sentence of the source
        copied: share of the output's words that the source has
        kept: share of the source's words that the output has
        added: words of the output that the source lacks, for each word of the source
        identical: 1 if both have the same words in the same order
        similarity: 1 less the normalized edit distance between the words (Levenshtein)
        subsequence: longest common subsequence for each word of the output: what stands in the source's order
        punctuation: share of punctuation among the output's tokens
        commas: commas for each word of the output
    """

    def values(self, item: Item) -> Mapping[str, float]:
        source, output = _words(item.source.words), _words(item.output.words)
        per_source, per_output = (
            [len(_words(words)) for words in text.sentence_words] for text in (item.source, item.output)
        )
        longest, words_per_sentence = max(per_output, default=0), ratio(len(output), len(per_output))
        shared = (Counter(output) & Counter(source)).total()
        tokens = item.output.words
        source_characters, characters = (len(canonical(text.raw).strip()) for text in (item.source, item.output))
        return {
            "words": len(output),
            "characters": characters,
            "sentences": len(per_output),
            "words_per_sentence": words_per_sentence,
            "longest_sentence": longest,
            "shortest_sentence": min(per_output, default=0),
            "words_per_sentence_change": words_per_sentence - ratio(len(source), len(per_source)),
            "longest_sentence_change": longest - max(per_source, default=0),
            "source_words": len(source),
            "word_ratio": ratio(len(output), len(source)),
            "character_ratio": ratio(characters, source_characters),
            "sentence_ratio": ratio(len(per_output), len(per_source)),
            "copied": ratio(shared, len(output)),
            "kept": ratio(shared, len(source)),
            "added": ratio(len(output) - shared, len(source)),
            "identical": float(output == source),
            "similarity": Levenshtein.normalized_similarity(source, output),
            "subsequence": ratio(LCSseq.similarity(source, output), len(output)),
            "punctuation": ratio(len(tokens) - len(output), len(tokens)),
            "commas": ratio(sum(word in (",", "，", "、") for word in tokens), len(output)),
        }


def _words(words: Sequence[str]) -> list[str]:
    return [word.casefold() for word in words if not is_punctuation(word)]


class MeteorFeatures(FeatureGroup, name="meteor"):
    """METEOR of the output against its source, with precision, recall, chunks and matches by stage.

    Features:
        score: METEOR, 0-1
        precision: weighted precision: the output's words that are matched
        recall: weighted recall: the source's words that are matched
        f_mean: their weighted harmonic mean
        penalty: the penalty for matches that do not stand together
        chunks: runs of adjacent matches, for each match
        exact: share of the output's words matched by exact
        stem: share of the output's words matched by stem
        synonym: share of the output's words matched by synonym
        paraphrase: share of the output's words matched by paraphrase
    """

    used: Lexicon | None
    _stemmer: str | None = None
    _function_words: Collection[str] = ()

    def uses(self, parts: Parts) -> Lexicon | None:
        return parts.lexicon

    def bind(self, parts: Parts) -> Self:
        bound, table = super().bind(parts), listed_words(parts)
        bound._stemmer = STEMMERS.get(base_code(parts.code))
        bound._function_words = table.function_words if table else ()
        return bound

    def values(self, item: Item) -> Mapping[str, float]:
        source, output = (
            [word.lower() for word in text.words if not is_punctuation(word)] for text in (item.source, item.output)
        )
        matched = self._matches(source, output)
        precision = self._share([(output[place], stage) for _, place, stage in matched], output)
        recall = self._share([(source[place], stage) for place, _, stage in matched], source)
        f_mean = ratio(precision * recall, QATS.alpha * precision + (1 - QATS.alpha) * recall)
        pairs = {(i, j) for i, j, _ in matched}
        chunks = sum((i - 1, j - 1) not in pairs for i, j in pairs)
        penalty = 0.0
        if chunks > 1 or (matched and not len(matched) == len(source) == len(output)):
            penalty = float(QATS.gamma * (chunks / len(matched)) ** QATS.beta)
        stages = Counter(stage for _, _, stage in matched)
        return {
            "score": (1 - penalty) * f_mean,
            "precision": precision,
            "recall": recall,
            "f_mean": f_mean,
            "penalty": penalty,
            "chunks": ratio(chunks, len(matched)),
            **{stage: ratio(stages[stage], len(output)) for stage in STAGES},
        }

    def _matches(self, source: Sequence[str], output: Sequence[str]) -> list[Match]:
        """The matches in order, each word once: the one that continues the last match, else the nearest in place."""
        by_place: dict[int, tuple[int, str]] = {}
        free = dict.fromkeys(range(len(source)))
        for stage, (form, relate) in self._stages().items():
            places: dict[str, list[int]] = {}
            for index in free:
                places.setdefault(form(source[index]), []).append(index)
            related = relate(places)
            for place, word in enumerate(output):
                others = () if place in by_place else related(form(word))
                candidates = [index for other in others for index in places[other]]
                if candidates:
                    expected = (
                        by_place[place - 1][0] + 1 if place - 1 in by_place else place * len(source) / len(output)
                    )
                    best = min(candidates, key=lambda index: (abs(index - expected), index))
                    by_place[place] = best, stage
                    places[form(source[best])].remove(best)
                    del free[best]
        return [(index, place, stage) for place, (index, stage) in sorted(by_place.items())]

    def _stages(self) -> dict[str, tuple[Callable[[str], str], Callable[[Collection[str]], Related]]]:
        """The form of a word that each stage compares, and a function that finds the source's forms related to one."""
        stages: dict[str, tuple[Callable[[str], str], Callable[[Collection[str]], Related]]]
        stages = {"exact": (str, same_words)}
        stemmer, lexicon = self._stemmer, self.used
        if stemmer is not None:
            stages["stem"] = (lambda word: stem(word, stemmer)), same_words
        if lexicon is not None:
            for stage, ask in (("synonym", lexicon.are_synonyms), ("paraphrase", lexicon.are_paraphrases)):
                related = partial(lambda asked, word, other: asked(other, word), ask)  # the source's word first
                stages[stage] = str, partial(related_words, lexicon=lexicon, related=related)
        return stages

    def _share(self, matched: Sequence[tuple[str, str]], words: Sequence[str]) -> float:
        """Precision or recall; content words count 0.75, function words 0.25."""
        weights = {word: 1 - QATS.delta if word in self._function_words else QATS.delta for word in words}
        return ratio(
            sum(weights[word] * STAGES[stage] for word, stage in matched), sum(weights[word] for word in words)
        )
