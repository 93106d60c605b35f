"""Accepts word replacements that fit their sentence, by the encoder.

PPDB's pairs are paraphrases of some sentence: *engineer* may stand for *work*, and *love* for *honey*. A replacement is
accepted if WordNet calls the words synonyms, if the new word means in the sentence what the old one meant, and if the
sentence still reads as fluent. Of PPDB's replacements for sentences of TurkCorpus's tune part these limits keep about
one in fifty, nearly all of them correct.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sema_english.words import FUNCTION_WORDS

from sema.model.language import Encoder, WordingReader
from sema.model.lexicon import Lexicon
from sema.model.text import Text
from sema_simplifier.decoding import Option

LEAST_LIKENESS = 0.8
"""The least cosine between the senses of the old and the new word in their sentences."""
MOST_BREAK, MOST_BREAKS = 0.05, 0.2
"""How much likelier something is wrong at the new word, and in the whole sentence, summed over its words."""


class ReplacementCheck:
    """Accepts replacements of one word by another.

    Args:
        encoder: the language's.
        reader: the reader of the encoder's states.
        lexicon: the source of synonyms.
    """

    def __init__(self, encoder: Encoder, reader: WordingReader, lexicon: Lexicon) -> None:
        self._encoder, self._reader, self._lexicon = encoder, reader, lexicon

    def accepted(self, words: Sequence[str], options: Sequence[Option]) -> list[Option]:
        """The options for a sentence, in order, without word replacements that do not fit."""
        asked = [option for option in options if option.length == len(option.target) == 1]
        likely = [option for option in asked if self._may(words, option)]
        texts = [Text.from_sentences([changed]) for changed in (words, *(_changed(words, one) for one in likely))]
        fits = {id(option) for option in self._fitting(texts, likely)}
        refused = {id(option) for option in asked} - fits
        return [option for option in options if id(option) not in refused]

    def _may(self, words: Sequence[str], option: Option) -> bool:
        """Whether the words are content words and synonyms, and the old one no part of a name."""
        old, new = words[option.start], option.target[0]
        if option.start and old[:1].isupper():
            return False
        plain = old.lower()
        return FUNCTION_WORDS.isdisjoint((plain, new)) and self._lexicon.are_synonyms(plain, new)

    def _fitting(self, texts: Sequence[Text], options: Sequence[Option]) -> list[Option]:
        """The options whose sentence, one for each after the original, says the same and reads well."""
        if not options:
            return []
        states = self._encoder.states([text.words for text in texts])
        self._reader.prepare(zip(texts, states, strict=True))
        (source, wrong), *others = (self._reader.read(*read) for read in zip(texts, states, strict=True))
        fitting = []
        for option, (meanings, breaks) in zip(options, others, strict=True):
            place = option.start
            alike = float(np.dot(source[place], meanings[place]))
            more = breaks - wrong
            if alike >= LEAST_LIKENESS and more[place] <= MOST_BREAK and more.sum() <= MOST_BREAKS:
                fitting.append(option)
        return fitting


def _changed(words: Sequence[str], option: Option) -> list[str]:
    """The sentence after a replacement; a capital letter at its beginning stays."""
    old, (new,) = words[option.start], option.target
    return [*words[: option.start], new.capitalize() if old[:1].isupper() else new, *words[option.start + 1 :]]
