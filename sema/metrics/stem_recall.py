"""Stem recall: the share of the source's word stems that the output has, the simplest measure of meaning kept.

Words are the segmenter's tokens with a letter or a digit; each different stem counts once. Stems come from NLTK's
Snowball stemmers; in a language without one, the case-folded word is its own stem.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from functools import lru_cache
from typing import TYPE_CHECKING, Self

from sema.metrics.base import Item, MeanMetric
from sema.model.language import base_code
from sema.runtime.caching import remembered

if TYPE_CHECKING:
    from nltk.stem.snowball import SnowballStemmer

    from sema.model.language import Parts

STEMMERS = {
    "ar": "arabic", "da": "danish", "de": "german", "en": "english", "es": "spanish", "fi": "finnish", "fr": "french",
    "hu": "hungarian", "it": "italian", "nb": "norwegian", "nl": "dutch", "nn": "norwegian", "no": "norwegian",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish",
}  # fmt: skip
"""NLTK's Snowball stemmers by the code of the language."""


def stems(words: Iterable[str], lang: str) -> frozenset[str]:
    """The different stems of a text's words, without punctuation; lower-cased forms if the language has no stemmer."""
    stemmer = STEMMERS.get(base_code(lang))
    held = [word for word in words if any(map(str.isalnum, word))]
    return frozenset(map(str.casefold, held) if stemmer is None else (stem(word, stemmer) for word in held))


@remembered
def stem(word: str, stemmer: str) -> str:
    """The word's stem, in lower case, by one of NLTK's Snowball stemmers; ``porter`` is the Porter stemmer."""
    return str(_stemmer(stemmer).stem(word))


@lru_cache(maxsize=len(STEMMERS))
def _stemmer(name: str) -> SnowballStemmer:
    from nltk.stem.snowball import SnowballStemmer

    return SnowballStemmer(name)


class StemRecall(MeanMetric, name="stem_recall"):
    """Share of the source's word stems that the output has, in any language.

    A source without words scores 0.
    """

    one_language = True
    _lang = "en"

    def bind(self, parts: Parts) -> Self:
        bound = copy(self)
        bound._lang = parts.code
        return bound

    @property
    def signature(self) -> str:
        from nltk import __version__

        stemmer = STEMMERS.get(base_code(self._lang))
        return "stems=forms" if stemmer is None else f"stems=snowball-{stemmer},nltk={__version__}"

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        pairs = [[stems(text.words, self._lang) for text in (item.source, item.output)] for item in items]
        return [100 * len(source & output) / len(source) if source else 0.0 for source, output in pairs]
