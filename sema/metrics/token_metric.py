"""Metrics that compare words; they share two options, the tokenizer and the case."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Self

from sema.metrics.base import Item, MeanMetric, Metric, Need, require_references
from sema.metrics.tokenizers import Tokenizer, TokenizerName, check_tokenizer, get_tokenizer
from sema.model.language import base_code

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
    """A metric over words; by default they are cut by ``13a``, in Chinese by the language's own segmenter."""

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
        lang = "en" if self._parts is None else self._parts.code
        name = self._tokenizer or default_tokenizer(lang, with_segmenter=self._parts is not None)
        segmenter = self._parts.segmenter if name == "words" and self._parts is not None else None
        return get_tokenizer(name, lowercase=lowercase, lang=lang, segmenter=segmenter)

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


def default_tokenizer(lang: str, *, with_segmenter: bool = True) -> TokenizerName:
    """``13a``, sacreBLEU's default; for Chinese the segmenter's ``words``, or ``zh`` (characters) without one."""
    if base_code(lang) != "zh":
        return "13a"
    return "words" if with_segmenter else "zh"
