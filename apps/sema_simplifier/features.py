"""Features of candidates, after section 3.3 of Xu et al. (TACL 2016); all but the language models' add up over rules.

The paper's own features are measures of both sides of a rule (:data:`MEASURES`): here, the right side's value, and the
left side's minus the right's. The shipped list lacks PPDB 1.0's 33 scores of a paraphrase; in their place are shares of
a rule's uses by people, in both directions.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from statistics import fmean

import numpy as np
from numpy import float64
from numpy.typing import NDArray
from sema_english.ngrams import NgramModel, ngram_model
from sema_english.syllables import count_vowel_runs
from sema_english.words import FUNCTION_WORDS, word_table

from sema_simplifier.rules import EMPTY, NOTHING, Contribution, Known, Phrase, RuleTable

MEASURES: Mapping[str, str] = {
    "letters": "tens of letters",
    "words": "words",
    "syllables": "fives of syllables",
    "longest": "syllables of the word that has most",
    "normal": "log10 probability by the model of normal text",
    "plain": "log10 probability by the model of simple text",
    "frequent": "share of words among the 3,000 most common",
}
"""Measures of a side of a rule (section 3.3)."""
FEATURES: Mapping[str, str] = {
    "rules": "rules applied",
    "learned": "of them, rules learned from people's simplifications",
    "phrase": "of them, rules that ship, learned from news and Wikipedia",
    "word": "of them, words replaced by PPDB",
    "synonym": "of them, those whose words are synonyms in WordNet too",
    "log_share": "log of the share of references that applied a learned rule",
    "share": "share of sentences in which a reference applied a learned rule",
    "log_reverse": "log of the share of the right side's uses that come from the left side",
    "rare": "one over the sentences that a learned rule is known from, plus 1",
    "deletion": "rules that only take words away",
    "shorter": "rules whose right side has fewer tokens",
    "removed": "tokens that are gone",
    "added": "tokens that are new",
    "kept": "for each token that is gone, the share of references that keep that word",
    "common": "how much more common the new words are than those that are gone, on the Zipf scale",
    "rare_removed": "how far the content words that are gone lie below 4.5 on the Zipf scale",
    "simple": "how much more the new words belong to simple than to normal text, log10",
    **{name: f"{what} saved: of the left side less of the right" for name, what in MEASURES.items()},
    **{f"{name}_right": f"{what} of the right side" for name, what in MEASURES.items()},
    "number": "rules that touch a word with a digit",
    "unknown": "new words that no list knows",
    "lm_normal": "log10 probability by the trigram model of normal text, gained on the source",
    "lm_simple": "log10 probability by the trigram model of simple text, gained on the source",
    "changed": "1 if anything was changed",
    "splits": "sentences split in two",
}
INDEX = {name: place for place, name in enumerate(FEATURES)}
UNSEEN_KEPT, PRIOR_WEIGHT = 0.85, 16
"""The prior share of references that keep a word, and its weight as a number of references."""
FREQUENT = 3000
USUAL = 4.5
"""Words above it on the Zipf scale are everyday words."""

Vector = NDArray[float64]


class RuleFeatures:
    """The features of rules applied to a sentence."""

    def __init__(self, table: RuleTable = EMPTY) -> None:
        """``table`` has the references' counts; words that it lacks are equally likely to be kept."""
        self._table = table
        self._words = word_table()
        self._frequent = sorted(map(self._words.zipf, self._words), reverse=True)[FREQUENT]
        self._models = (ngram_model("original"), ngram_model("simple"))

    def learned(self, known: Known, own: Contribution, *, shipped: bool = False) -> Vector:
        """The features of a learned rule, from the counts of other sentences."""
        counts = {
            "phrase" if shipped else "learned": 1.0,
            "log_share": math.log(known.share),
            "log_reverse": math.log(known.reverse),
            "share": known.sentences / (known.occurrences + 1),
            "rare": 1 / (1 + known.sentences),
        }
        return self.change(known.rule.source, known.rule.target, own, **counts)

    def change(self, source: Phrase, target: Phrase, own: Contribution = NOTHING, **more: float) -> Vector:
        """The features of every rule, from the removed and the new words, and ``more`` by name."""
        gone = list((Counter(source) - Counter(target)).elements())
        new = list((Counter(target) - Counter(source)).elements())
        zipf = self._words.zipf
        left, right = self._measures(source), self._measures(target)
        values = {
            **{name: left[name] - value for name, value in right.items()},
            **{f"{name}_right": value for name, value in right.items()},
            "rules": 1,
            "deletion": not new,
            "shorter": len(target) < len(source),
            "removed": len(gone),
            "added": len(new),
            "kept": sum(self._kept(word, own) for word in gone),
            "common": fmean(map(zipf, new)) - fmean(map(zipf, gone)) if gone and new else 0,
            "rare_removed": sum(max(0, USUAL - zipf(word)) for word in gone if word not in FUNCTION_WORDS),
            "simple": sum(map(self._simpler, new)) - sum(map(self._simpler, gone)),
            "number": any(char.isdigit() for word in (*gone, *new) for char in word),
            "unknown": sum(word not in self._words for word in new if word[:1].isalpha()),
            **more,
        }
        return np.array([values.get(name, 0) for name in FEATURES], float64)

    def _measures(self, phrase: Phrase) -> dict[str, float]:
        """The measures of one side of a rule by name, all 0 for an empty one."""
        syllables = list(map(count_vowel_runs, phrase))
        values = (
            sum(map(len, phrase)) / 10,
            len(phrase),
            sum(syllables) / 5,
            max(syllables, default=0),
            *(self._likelihood(model, phrase) for model in self._models),
            sum(self._words.zipf(word) >= self._frequent for word in phrase) / max(1, len(phrase)),
        )
        return dict(zip(MEASURES, values, strict=True))

    @staticmethod
    def _likelihood(model: NgramModel, phrase: Phrase) -> float:
        """The log10 probability of a phrase, its first word without a context."""
        return sum(map(model.unigram, phrase[:1])) + sum(model.bigram(*pair) for pair in pairwise(phrase))

    def _kept(self, word: str, own: Contribution) -> float:
        kept, seen = self._table.kept(word, own)
        return (kept + PRIOR_WEIGHT * UNSEEN_KEPT) / (seen + PRIOR_WEIGHT)

    def _simpler(self, word: str) -> float:
        normal, simple = self._models
        return simple.unigram(word) - normal.unigram(word) if word in simple and word in normal else 0.0
