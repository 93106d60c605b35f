"""Accepts rewrites that fit their sentence, by the encoder.

PPDB's pairs are paraphrases of some sentence: *engineer* may stand for *work*, and *love* for *honey*. A replacement is
accepted if WordNet calls the words synonyms, if the new word means in the sentence what the old one meant, and if the
sentence still reads as fluent. The first condition does not apply to phrases, whose rules were learned from people. Of
PPDB's replacements for sentences of TurkCorpus's tune part, these limits keep about one in fifty, nearly all correct.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sema_english.words import FUNCTION_WORDS

from sema.model.language import Parts
from sema.model.lexicon import Lexicon
from sema.model.text import Text
from sema_simplifier.decoding import Option

LEAST_LIKENESS = 0.8
"""The least cosine between the mean senses of the old and the new words in their sentences."""
MOST_BREAK, MOST_BREAKS = 0.05, 0.2
"""The largest rise in the probability of a break: at the new word, and summed over the words of the sentence."""


def accepted(words: Sequence[str], options: Sequence[Option], parts: Parts, lexicon: Lexicon) -> list[Option]:
    """The options for a sentence, in order, without those that do not fit; ``lexicon`` has the synonyms."""
    assert parts.encoder is not None and parts.wording is not None
    likely = [option for option in options if _may_replace(words, option, lexicon)]
    if not likely:
        return []
    texts = [Text.from_sentences([changed]) for changed in (words, *(_changed(words, one) for one in likely))]
    states = parts.encoder.states([text.words for text in texts])
    parts.wording.prepare(zip(texts, states, strict=True))
    (source, wrong), *others = (parts.wording.read(*read) for read in zip(texts, states, strict=True))
    fitting = []
    for option, (meanings, breaks) in zip(likely, others, strict=True):
        old = slice(option.start, option.start + option.length)
        new = slice(option.start, option.start + len(option.target))
        before, after = source[old].mean(axis=0), meanings[new].mean(axis=0)
        alike = float(before @ after / (np.linalg.norm(before) * np.linalg.norm(after)))
        more = float(breaks[new].max() - wrong[old].max())
        if alike >= LEAST_LIKENESS and more <= MOST_BREAK and float(breaks.sum() - wrong.sum()) <= MOST_BREAKS:
            fitting.append(option)
    return fitting


def _may_replace(words: Sequence[str], option: Option, lexicon: Lexicon) -> bool:
    """Whether nothing replaced is part of a name, and a word's replacement is a synonym and a content word."""
    replaced = words[option.start : option.start + option.length]
    if any(word[:1].isupper() for word in (replaced[1:] if option.start == 0 else replaced)):
        return False
    if not option.length == len(option.target) == 1:
        return bool(option.target)
    plain, new = replaced[0].lower(), option.target[0]
    return FUNCTION_WORDS.isdisjoint((plain, new)) and lexicon.are_synonyms(plain, new)


def _changed(words: Sequence[str], option: Option) -> list[str]:
    """The sentence after a replacement; a capital letter at its beginning stays."""
    first, *rest = option.target
    first = first.capitalize() if words[option.start][:1].isupper() else first
    return [*words[: option.start], first, *rest, *words[option.start + option.length :]]
