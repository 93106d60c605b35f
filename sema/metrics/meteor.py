"""METEOR through NLTK (Lavie and Agarwal 2007), with the language's lexicon in the place of NLTK's own WordNet.

Words match exactly, by Porter stem, or as synonyms, in that order. ``meteor`` takes the best reference;
``meteor_source`` scores the output against its source, as a measure of meaning kept (Mathias and Bhattacharyya 2016).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from sema.errors import ResourceError
from sema.metrics.base import Need
from sema.metrics.token_metric import LowercaseOption, TokenizedItem, TokenizerOption, TokenMeanMetric, Tokens
from sema.model.lexicon import Lexicon

if TYPE_CHECKING:
    from sema.model.language import Parts


@dataclass(frozen=True)
class _Lemma:
    word: str

    def name(self) -> str:
        return self.word


@dataclass(frozen=True)
class _Synset:
    words: tuple[str, ...]

    def lemmas(self) -> list[_Lemma]:
        return [_Lemma(word) for word in self.words]


@dataclass(frozen=True)
class _Synonyms:
    """What NLTK's METEOR asks of a WordNet reader: here, which words of the other text are synonyms of a word."""

    lexicon: Lexicon
    vocabulary: frozenset[str]

    def synsets(self, word: str) -> list[_Synset]:
        return [_Synset(tuple(other for other in self.vocabulary if self.lexicon.are_synonyms(word, other)))]


def meteor(output: Sequence[str], references: Iterable[Sequence[str]], lexicon: Lexicon) -> float:
    """METEOR of a tokenized output against the best of some tokenized references, 0-100; 0 for an empty output."""
    from nltk.translate.meteor_score import single_meteor_score

    best = 0.0
    for reference in references:
        synonyms = _Synonyms(lexicon, frozenset(word.lower() for word in reference))
        best = max(best, single_meteor_score(reference, output, wordnet=synonyms))
    return 100 * best


class MeteorMetric(TokenMeanMetric):
    """METEOR against some texts; its lexicon is the language's own unless one is given."""

    def __init__(
        self,
        *,
        tokenizer: TokenizerOption = None,
        lowercase: LowercaseOption = False,
        lexicon: Lexicon | None = None,
    ) -> None:
        super().__init__(tokenizer=tokenizer, lowercase=lowercase)
        self._lexicon = lexicon

    def bind(self, parts: Parts) -> Self:
        """A copy that cuts words as the language does and asks its lexicon.

        Raises:
            ResourceError: neither the language nor the metric has a lexicon.
        """
        bound = super().bind(parts)
        bound._lexicon = self._lexicon or parts.lexicon
        bound.lexicon  # noqa: B018 - a missing one is missed now and not after an hour of scoring
        return bound

    @property
    def lexicon(self) -> Lexicon:
        """The lexicon in use.

        Raises:
            ResourceError: there is none.
        """
        if self._lexicon is None:
            where = "" if self._parts is None else f", and language {self._parts.code!r} has none"
            raise ResourceError(f"{self.name} needs a lexicon{where}; give one, or leave {self.name} out")
        return self._lexicon

    @property
    def signature(self) -> str:
        """The tokenizer, the lexicon and NLTK's version."""
        from nltk import __version__

        words = "none" if self._lexicon is None else self._lexicon.signature.replace("|", "+")
        return f"{super().signature},lexicon={words},nltk={__version__}"

    @abstractmethod
    def against(self, item: TokenizedItem) -> Sequence[Tokens]:
        """The texts of which the best counts."""

    def score(self, item: TokenizedItem) -> float:
        """METEOR of one item."""
        return meteor(item.output, self.against(item), self.lexicon)


class Meteor(MeteorMetric):
    """METEOR against the best reference."""

    name = "meteor"
    description = "words matched exactly, by stem or as synonyms, in runs (NLTK), against the references"
    requires = frozenset({Need.REFERENCES})

    def against(self, item: TokenizedItem) -> Sequence[Tokens]:
        """The references."""
        return item.references


class MeteorSource(MeteorMetric):
    """METEOR against the source."""

    name = "meteor_source"
    description = "METEOR of the output against its source: meaning kept"

    def against(self, item: TokenizedItem) -> Sequence[Tokens]:
        """The source."""
        return (item.source,)
