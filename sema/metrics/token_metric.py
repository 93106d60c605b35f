"""Metrics that compare words; they share two options, the tokenizer and the case."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Self

from sema.metrics.base import Item, MeanMetric, Metric, Need, require_references
from sema.metrics.tokenizers import Tokenizer, TokenizerName, check_tokenizer, get_tokenizer

if TYPE_CHECKING:
    from sema.model.language import Parts

Tokens = tuple[str, ...]
TokenizerOption = Annotated[TokenizerName | None, "how texts are cut into words (by default as the language does)"]
LowercaseOption = Annotated[bool, "ignore case"]


@dataclass(frozen=True)
class TokenizedItem:
    """The tokens of one item's texts."""

    source: Tokens
    output: Tokens
    references: tuple[Tokens, ...]


class TokenMetric(Metric):
    """A metric over words; by default ``13a`` cuts them, in languages without spaces between words the segmenter."""

    def __init__(self, *, tokenizer: TokenizerOption = None, lowercase: LowercaseOption = False) -> None:
        if tokenizer is not None:
            check_tokenizer(tokenizer)
        self._tokenizer = tokenizer
        self._lowercase = lowercase
        self._parts: Parts | None = None

    def bind(self, parts: Parts) -> Self:
        """A copy that cuts words as the language does."""
        bound = copy(self)
        bound._parts = parts
        return bound

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer in use."""
        return self.tokenizer_for(lowercase=self._lowercase)

    def tokenizer_for(self, *, lowercase: bool) -> Tokenizer:
        """The tokenizer that was chosen, with a case setting of its own."""
        parts = self._parts
        if parts is None:
            return get_tokenizer(self._tokenizer or "13a", lowercase=lowercase)
        name = self._tokenizer or ("13a" if parts.language.spaced else "words")
        segmenter = parts.segmenter if name == "words" else None
        return get_tokenizer(name, lowercase=lowercase, lang=parts.code, segmenter=segmenter)

    @property
    def signature(self) -> str:
        """The tokenizer and the case."""
        return self.tokenizer.signature

    def tokenize(self, items: Sequence[Item]) -> list[TokenizedItem]:
        """Every item's tokens, all texts in one batch.

        Raises:
            InputError: the metric requires references, and an item has none.
        """
        if Need.REFERENCES in self.requires:
            require_references(self.name, items)
        texts = [text for item in items for text in (item.source.raw, item.output.raw, *item.references)]
        found = iter(self.tokenizer.batch(texts))
        return [TokenizedItem(next(found), next(found), tuple(next(found) for _ in item.references)) for item in items]


class TokenMeanMetric(TokenMetric, MeanMetric):
    """A metric over words whose corpus score is the mean of its items' scores."""

    @abstractmethod
    def score(self, item: TokenizedItem) -> float:
        """The score of one item."""

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        """The score of every item."""
        return [self.score(item) for item in self.tokenize(items)]
