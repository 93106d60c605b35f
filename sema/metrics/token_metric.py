"""Metrics that compare words: they share two options, the tokenizer and the case.

Tokenizers have the names that sacreBLEU and EASSE give them: ``13a``, ``intl``, ``zh`` and ``char`` are sacreBLEU's;
``moses`` and ``penn`` are sacremoses' (as EASSE calls them: no escaping of special characters); ``none`` splits at
white space; ``words`` uses the language's own segmenter.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self

from sema.errors import UsageError
from sema.metrics.base import Item, MeanMetric, Metric, Need, check_choice, require_references
from sema.model.language import base_code
from sema.model.text import canonical
from sema.runtime.caching import Cache

if TYPE_CHECKING:
    from sema.model.language import Parts

Tokens = tuple[str, ...]
TokenizerName = Literal["13a", "intl", "moses", "penn", "none", "zh", "char", "words"]
TokenizerOption = Annotated[TokenizerName | None, "how texts are cut into words (by default as the language does)"]
LowercaseOption = Annotated[bool, "ignore case"]


class Tokenizer:
    """A tokenizer with its cache; it lower-cases first, as sacreBLEU and EASSE do, which can change its cuts."""

    def __init__(self, name: str, cut: Callable[[Sequence[str]], list[str]], *, lowercase: bool) -> None:
        self.signature = f"tok={name},case={'lc' if lowercase else 'mixed'}"
        """In sacreBLEU's notation."""
        self._lowercase = lowercase
        self._cut = cut
        self._known: Cache[str, Tokens] = Cache()

    def __call__(self, text: str) -> Tokens:
        """The tokens of one text."""
        return self.batch([text])[0]

    def batch(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of every text; each different text is tokenized once."""
        by_text = self._known.lookup(texts, self._tokens)
        return [by_text[text] for text in texts]

    def _tokens(self, texts: list[str]) -> list[Tokens]:
        plain = [canonical(text).rstrip() for text in texts]
        return [tuple(cut.split()) for cut in self._cut(list(map(str.lower, plain)) if self._lowercase else plain)]


@lru_cache(maxsize=32)
def get_tokenizer(name: str, *, lowercase: bool = False, lang: str = "en") -> Tokenizer:
    """The tokenizer of that name; the same settings give the same object, so that its cache is shared.

    Args:
        name: one of :data:`TokenizerName` but ``words``.
        lowercase: lower-case texts first.
        lang: language code for ``moses``, whose rules and abbreviations differ by language.
    """
    check_choice("tokenizer", name, TokenizerName)
    if name == "words":
        raise UsageError("tokenizer 'words' needs a language with a segmenter; use 'zh', '13a' or 'none' instead")
    cut = _moses(name, lang) if name in ("moses", "penn") else _sacrebleu(name)
    return Tokenizer(name, lambda texts: [cut(text) for text in texts], lowercase=lowercase)


def segmenter_tokenizer(parts: Parts, *, lowercase: bool) -> Tokenizer:
    """The tokenizer ``words``: the words of a language's segmenter."""

    def cut(texts: Sequence[str]) -> list[str]:
        # A segmenter's token may hold a space; a metric's may not.
        return [" ".join("_".join(word.split()) for word in text.words) for text in parts.segmenter.segment(texts)]

    return Tokenizer("words", cut, lowercase=lowercase)


_WORDS = {lowercase: partial(segmenter_tokenizer, lowercase=lowercase) for lowercase in (False, True)}


def _sacrebleu(name: str) -> Callable[[str], str]:
    if name == "none":
        return str
    from sacrebleu.metrics.bleu import _get_tokenizer

    cut: Callable[[str], str] = _get_tokenizer(name)()
    return cut


def _moses(name: str, lang: str) -> Callable[[str], str]:
    from sacremoses import MosesTokenizer

    moses = MosesTokenizer(lang=lang)
    if name == "penn":
        # The rule for slashes inside a token is an uncompiled string in sacremoses, which fails on every text, and its
        # replacement is Perl's ("$1"), which would end up in the text.
        moses.MOSES_PENN_REGEXES_1 = [rule for rule in moses.MOSES_PENN_REGEXES_1 if not isinstance(rule[0], str)]
        return lambda text: str(moses.penn_tokenize(text, return_str=True))
    return lambda text: str(moses.tokenize(text, return_str=True, escape=False))


@dataclass(frozen=True)
class TokenizedItem:
    """The tokens of one item's texts."""

    source: Tokens
    output: Tokens
    references: tuple[Tokens, ...]


class TokenMetric(Metric):
    """A metric over words, by default of ``spaced_tokenizer``, in languages without spaces of the segmenter."""

    spaced_tokenizer: ClassVar[TokenizerName] = "13a"

    def __init__(self, *, tokenizer: TokenizerOption = None, lowercase: LowercaseOption = False) -> None:
        if tokenizer is not None:
            check_choice("tokenizer", tokenizer, TokenizerName)
        self._tokenizer = tokenizer
        self._lowercase = lowercase
        self._parts: Parts | None = None

    def bind(self, parts: Parts) -> Self:
        bound = copy(self)
        bound._parts = parts
        return bound

    @property
    def tokenizer(self) -> Tokenizer:
        """The tokenizer in use."""
        return self.tokenizer_for(lowercase=self._lowercase)

    def tokenizer_for(self, *, lowercase: bool) -> Tokenizer:
        """The chosen tokenizer with the given case setting."""
        parts = self._parts
        if parts is None:
            return get_tokenizer(self._tokenizer or self.spaced_tokenizer, lowercase=lowercase)
        name = self._tokenizer or (self.spaced_tokenizer if parts.language.spaced else "words")
        if name == "words":
            return parts.once(_WORDS[lowercase])
        return get_tokenizer(name, lowercase=lowercase, lang=base_code(parts.code) if name == "moses" else "en")

    @property
    def signature(self) -> str:
        return self.tokenizer.signature

    def tokenize(self, items: Sequence[Item]) -> list[TokenizedItem]:
        """Every item's tokens, all texts in one batch; a required reference that is missing is an error."""
        if Need.REFERENCES in self.requires:
            require_references(self.name, items)
        texts = [text for item in items for text in (item.source.raw, item.output.raw, *item.references)]
        tokenized = iter(self.tokenizer.batch(texts))
        return [
            TokenizedItem(next(tokenized), next(tokenized), tuple(next(tokenized) for _ in item.references))
            for item in items
        ]


class TokenMeanMetric(TokenMetric, MeanMetric):
    """A metric over words whose corpus score is the mean of its items' scores."""

    @abstractmethod
    def _score(self, item: TokenizedItem) -> float: ...

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        return list(map(self._score, self.tokenize(items)))
