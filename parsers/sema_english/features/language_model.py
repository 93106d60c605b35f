"""How likely the text is as English, by n-gram models of originals and of simple text (:mod:`sema_english.ngrams`)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import ClassVar

from sema.features.base import FeatureGroup, TextGroup, average, ratio
from sema.model.item import Item
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text, is_punctuation
from sema_english.features.readability import syllables
from sema_english.ngrams import Step, ngram_model, perplexity

MODELS = ("simple", "original")
PER_MODEL = {
    "logprob": "log10 probability of the text, unknown words left out (as SRILM does)",
    "logprob_per_word": "the same for each word",
    "oov": "unknown words",
    "oov_share": "share of unknown words",
    "ppl": "perplexity with ends of sentences counted, log10",
    "ppl1": "perplexity without ends of sentences, log10",
    "worst": "log10 probability of the least likely known word",
    "worst_fifth": "mean log10 probability of the least likely fifth of the words",
    "backed_off": "share of words that no bigram or trigram predicted",
    "trigrams": "share of words that a trigram predicted",
}


class LanguageModels(TextGroup, name="language_model"):
    """n-gram models of originals and of simple text: probability, perplexity, unknown words, complexity.

    The complexity is that of Mathias and Bhattacharyya (2016, section 5).
    """

    features: ClassVar[Mapping[str, str]] = {
        **{f"{model}_{name}": f"{what}; model of {model} text" for model in MODELS for name, what in PER_MODEL.items()},
        "complexity1": "sum over words of syllables times the ratio of log likelihoods, original to simple",
        "complexity": "lexical complexity: that sum over words plus half of it over pairs of words (Mathias 2016)",
        "complexity_per_word": "lexical complexity for each word",
        "simpler": "log10 probability by the simple model less that by the model of originals, for each word",
    }

    @property
    def signature(self) -> str:
        return "+".join(ngram_model(name).signature for name in MODELS)

    def measure(self, text: Text, graphs: Sequence[SceneGraph]) -> Mapping[str, float]:
        models = [ngram_model(name) for name in MODELS]
        values = {
            f"{name}_{measure}": value
            for name, model in zip(MODELS, models, strict=True)
            for measure, value in _summary([model.score(words) for words in text.sentence_words]).items()
        }
        ones, twos = lexical_complexity(text)
        complexity = ones + twos / 2
        first, second = (values[f"{name}_logprob_per_word"] for name in MODELS)
        return {
            **values,
            "complexity1": ones,
            "complexity": complexity,
            "complexity_per_word": ratio(complexity, sum(not is_punctuation(word) for word in text.words)),
            "simpler": first - second,
        }


def lexical_complexity(text: Text) -> tuple[float, float]:
    """Syllables times the ratio of log likelihoods, summed over words and over pairs of neighbours (Mathias 2016)."""
    simple, original = (ngram_model(name) for name in MODELS)
    sentences = [[word for word in sentence if not is_punctuation(word)] for sentence in text.sentence_words]
    ones = sum(
        syllables(word) * (original.unigram(word) / simple.unigram(word)) for sentence in sentences for word in sentence
    )
    twos = sum(
        sum(map(syllables, pair)) * (original.bigram(*pair) / min(simple.bigram(*pair), -0.01))
        for sentence in sentences
        for pair in pairwise(sentence)
    )
    return ones, twos


def _summary(sentences: Sequence[Sequence[Step]]) -> dict[str, float]:
    """The measures of one model, by their names without the model's."""
    steps = [step for sentence in sentences for step in sentence]
    words = len(steps) - len(sentences)
    known = sorted(step.logprob for step in steps if step.order)
    unknown = len(steps) - len(known)
    logprob = math.fsum(known)
    counted = words - unknown
    return {
        "logprob": logprob,
        "logprob_per_word": ratio(logprob, len(known)),
        "oov": unknown,
        "oov_share": ratio(unknown, words),
        "ppl": math.log10(max(1.0, perplexity(logprob, counted + len(sentences)))),
        "ppl1": math.log10(max(1.0, perplexity(logprob, counted))),
        "worst": known[0] if known else 0.0,
        "worst_fifth": average(known[: max(1, len(known) // 5)]),
        "backed_off": ratio(sum(step.order == 1 for step in steps), len(steps)),
        "trigrams": ratio(sum(step.order == 3 for step in steps), len(steps)),
    }


class Joints(FeatureGroup, name="joints"):
    """Pairs of neighbouring words that the source has not, and how likely the n-gram models find them.

    Features:
        new: share of the output's pairs of neighbours that the source has not
        new_unseen: share of the output's pairs that neither the source nor a model has
        likelihood: mean log10 gain of the second word over its own frequency in new pairs
        least_likelihood: the same for the least likely new pair
        triples_new: share of the output's sequences of three words that the source has not
        triples_unlikely: new sequences of three words with a log10 probability under -4, for each such sequence
    """

    @property
    def signature(self) -> str:
        return ngram_model("original").signature

    def values(self, item: Item) -> Mapping[str, float]:
        model = ngram_model("original")
        triples = {triple for words in item.source.sentence_words for triple in _triples(words)}
        pairs = {triple[1:] for triple in triples}
        steps: list[tuple[tuple[str, ...], Step]] = []
        for words in item.output.sentence_words:
            steps += zip(_triples(words), model.score(words), strict=True)
        new = [(triple, step) for triple, step in steps if triple[1:] not in pairs]
        gains = [step.logprob - model.unigram(step.word) for _, step in new if step.order]
        unlikely = [step for triple, step in steps if triple not in triples and step.logprob < -4]
        return {
            "new": ratio(len(new), len(steps)),
            "new_unseen": ratio(sum(step.order == 1 for _, step in new), len(steps)),
            "likelihood": average(gains),
            "least_likelihood": min(gains, default=0.0),
            "triples_new": ratio(sum(triple not in triples for triple, _ in steps), len(steps)),
            "triples_unlikely": ratio(len(unlikely), len(steps)),
        }


def _triples(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Each word of a sentence, and its end, with the two before it."""
    padded = ["<s>", "<s>", *(word.lower() for word in words), "</s>"]
    return list(zip(padded, padded[1:], padded[2:], strict=False))
