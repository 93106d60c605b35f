"""Tokenizers for the metrics that compare words, by the names that sacreBLEU and EASSE give them.

``13a``, ``intl``, ``zh`` and ``char`` are sacreBLEU's; ``moses`` and ``penn`` are sacremoses' (as EASSE calls them: no
escaping of special characters); ``none`` splits at white space; ``words`` uses the language's own segmenter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal, get_args

from sema.errors import UnknownNameError, UsageError
from sema.model.text import Segmenter, canonical

TokenizerName = Literal["13a", "intl", "moses", "penn", "none", "zh", "char", "words"]
NAMES: tuple[str, ...] = get_args(TokenizerName)
CACHED_TEXTS = 1 << 16
"""How many tokenized texts one tokenizer keeps; a repeated source or reference is tokenized once."""


class Tokenizer:
    """A tokenizer with its case setting and its cache.

    Lower-casing comes before tokenization, as in sacreBLEU and EASSE: it can change where a tokenizer cuts.
    """

    def __init__(self, name: str, cut: Callable[[Sequence[str]], list[str]], *, lowercase: bool) -> None:
        self.name = name
        self.lowercase = lowercase
        self._cut = cut
        self._known: dict[str, tuple[str, ...]] = {}

    @property
    def signature(self) -> str:
        """``tok=13a,case=mixed`` and the like, in sacreBLEU's words."""
        return f"tok={self.name},case={'lc' if self.lowercase else 'mixed'}"

    def __call__(self, text: str) -> tuple[str, ...]:
        """The tokens of one text."""
        return self.batch([text])[0]

    def batch(self, texts: Sequence[str]) -> list[tuple[str, ...]]:
        """The tokens of every text; each different text is tokenized once."""
        known = self._known
        fresh = [text for text in dict.fromkeys(texts) if text not in known]
        if fresh:
            if len(known) + len(fresh) > CACHED_TEXTS:
                known.clear()
                fresh = list(dict.fromkeys(texts))
            plain = [canonical(text).rstrip() for text in fresh]
            cases = [text.lower() for text in plain] if self.lowercase else plain
            known.update((text, tuple(cut.split())) for text, cut in zip(fresh, self._cut(cases), strict=True))
        return [known[text] for text in texts]


def check_tokenizer(name: str) -> None:
    """Check a tokenizer's name.

    Raises:
        UnknownNameError: there is no such tokenizer.
    """
    if name not in NAMES:
        raise UnknownNameError("tokenizer", name, list(NAMES))


def get_tokenizer(
    name: str, *, lowercase: bool = False, lang: str = "en", segmenter: Segmenter | None = None
) -> Tokenizer:
    """The tokenizer of that name; the same settings give the same object, so that its cache is shared.

    Args:
        name: one of :data:`NAMES`.
        lowercase: lower-case texts first.
        lang: language code for ``moses``, whose rules and abbreviations differ by language.
        segmenter: cuts the words for ``words``.

    Raises:
        UnknownNameError: there is no such tokenizer.
        InputError: ``words`` without a segmenter.
    """
    check_tokenizer(name)
    if name == "words":
        if segmenter is None:
            raise UsageError("tokenizer 'words' needs a language with a segmenter; use 'zh', '13a' or 'none' instead")
        return _words(_Same(segmenter), lowercase)
    return _shared(name, lowercase, lang if name == "moses" else "")


@lru_cache(maxsize=32)
def _shared(name: str, lowercase: bool, lang: str) -> Tokenizer:
    cut = _moses(name, lang) if name in ("moses", "penn") else _sacrebleu(name)
    return Tokenizer(name, lambda texts: [cut(text) for text in texts], lowercase=lowercase)


class _Same:
    """A segmenter compared by identity, however its class defines equality and hashing."""

    def __init__(self, segmenter: Segmenter) -> None:
        self.segmenter = segmenter

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.segmenter is self.segmenter

    def __hash__(self) -> int:
        return id(self.segmenter)


@lru_cache(maxsize=8)
def _words(same: _Same, lowercase: bool) -> Tokenizer:
    segmenter = same.segmenter

    def cut(texts: Sequence[str]) -> list[str]:
        # A segmenter's token may hold a space; a metric's may not.
        return [" ".join("_".join(word.split()) for word in text.words) for text in segmenter.segment(texts)]

    return Tokenizer("words", cut, lowercase=lowercase)


def _sacrebleu(name: str) -> Callable[[str], str]:
    if name == "none":
        return str
    from sacrebleu.metrics.bleu import _get_tokenizer

    cut: Callable[[str], str] = _get_tokenizer(name)()
    return cut


def _moses(name: str, lang: str) -> Callable[[str], str]:
    from sacremoses import MosesTokenizer

    moses = MosesTokenizer(lang=lang or "en")
    if name == "penn":
        # The rule for slashes inside a token is an uncompiled string in sacremoses, which fails on every text, and its
        # replacement is Perl's ("$1"), which would end up in the text.
        moses.MOSES_PENN_REGEXES_1 = [rule for rule in moses.MOSES_PENN_REGEXES_1 if not isinstance(rule[0], str)]
        return lambda text: str(moses.penn_tokenize(text, return_str=True))
    return lambda text: str(moses.tokenize(text, return_str=True, escape=False))
