"""Reads the level of English texts from the encoder's word states (:class:`sema.model.levels.LevelReader`)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from sema.model.levels import Hard, TextLevel, listed_runs, parse_level
from sema.model.lexicon import IndexedLexicon, Lexicon
from sema.model.text import Text
from sema.runtime.caching import Cache, remembered
from sema.runtime.threads import one_blas_thread
from sema_english.levels.features import find, is_word, patterns, sentence_features, word_features
from sema_english.levels.network import VERSION, load, load_passages
from sema_english.words import read_lines

LONGEST = 5
"""Most tokens that a listed word is cut into: *brother - in - law*."""
Sentence = tuple[str, ...]


class EnglishLevels:
    """Estimates the level that teachers would give a sentence; a model of passages combines those of a text.

    A word, hyphenated or not, has its level in the lists of learners' words; the level of an unlisted word is estimated
    from its form and frequency. Names and numbers have none.
    """

    def __init__(self, lexicon: Lexicon | None = None) -> None:
        """Raises ``ResourceError`` if the weights are missing or damaged."""
        (self._levels, digest), self._passages = load(), load_passages()
        self._indexed = lexicon if isinstance(lexicon, IndexedLexicon) else None
        self.signature = f"levels-{VERSION}+{digest}"
        self._constructions = dict(zip(patterns(), self._levels.constructions.tolist(), strict=True))
        self._kept: Cache[Sentence, TextLevel] = Cache()
        self._listed = remembered(partial(listed_level, lexicon=lexicon))

    def read(self, texts: Iterable[tuple[Text, NDArray[np.float32] | None]]) -> Sequence[TextLevel]:
        """The level of each text, its words' and its constructions'; NaN for a text without words."""
        with one_blas_thread():
            return [self._text(text, states) for text, states in texts]

    def _text(self, text: Text, states: NDArray[np.float32] | None) -> TextLevel:
        """The level of a text from those of its sentences."""
        sentences: list[tuple[float, int]] = []
        levels: list[float | None] = []
        constructions: list[Hard] = []
        runs: dict[int, int] = {}
        places = dict(zip(text.sentence_words, text.sentences, strict=True))

        def read(missing: Sequence[Sentence]) -> list[TextLevel]:
            assert states is not None  # the metric asks for them
            return [self._sentence(words, states[slice(*places[words])]) for words in missing]

        known = self._kept.lookup(places, read)
        for (start, end), found in zip(text.sentences, map(known.__getitem__, text.sentence_words), strict=True):
            if not math.isnan(found.value):
                sentences.append((found.value, end - start))
            levels += found.words
            runs |= {at + start: size for at, size in found.runs.items()}
            constructions += [
                Hard(part.what, tuple(token + start for token in part.tokens), part.level)
                for part in found.constructions
            ]
        words = {
            "".join(text.words[at : at + runs.get(at, 1)]).lower(): level
            for at, level in enumerate(levels)
            if level is not None
        }
        return TextLevel(self._passages.level(sentences, words), tuple(levels), tuple(constructions), runs)

    def _sentence(self, words: Sentence, states: NDArray[np.float32]) -> TextLevel:
        forms = word_features(words)
        if not any(any(map(str.isalnum, word)) for word in words):
            return TextLevel(math.nan, (None,) * len(words))
        known = find(words)
        value = self._levels.sentence(states, forms, sentence_features(words, self._indexed, known))
        shown: list[float | None] = [None] * len(words)
        for at, (word, predicted) in enumerate(zip(words, self._levels.word_levels(forms).tolist(), strict=True)):
            if is_word(word) and not (at and word[:1].isupper()):  # a capital within the sentence: a name
                listed = self._listed(word)
                shown[at] = predicted if listed is None else listed
        runs = listed_runs(words, lambda run: run.lower() in listed_levels(), LONGEST)
        for at, size in runs.items():
            shown[at : at + size] = [self._listed("".join(words[at : at + size])), *[None] * (size - 1)]
        constructions = [Hard(name, tokens, self._constructions[name]) for name, tokens in known]
        found = [part for part in constructions if not math.isnan(part.level)]
        return TextLevel(value, tuple(shown), tuple(found), runs)


@cache
def listed_levels() -> Mapping[str, float]:
    """The level of every word that learners' courses list: CEFR-J (A1 to B2), Octanove (C1, C2)."""
    return {word: parse_level(level) for level, word in map(str.split, read_lines("cefr_words.txt"))}


def listed_level(word: str, lexicon: Lexicon | None) -> float | None:
    """The level of a word, or the lowest of its lemmas'; ``None`` for a word in no list."""
    known, form = listed_levels(), word.lower()
    forms = {form} if form in known or lexicon is None else lexicon.lemmas(form)
    return min((known[one] for one in forms if one in known), default=None)
