"""A metric made of a function over items, and what such functions share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from sema.errors import InputError
from sema.metrics.base import Item, Metric, MetricOptions, MetricScores, Registration
from sema.metrics.tokenizers import Tokenizer, get_tokenizer

Tokens = tuple[str, ...]
Compute = Callable[[Sequence[Item]], MetricScores]


@dataclass(frozen=True)
class FunctionMetric:
    """A metric that hands its items to a function (:class:`sema.metrics.base.Metric`)."""

    name: str
    description: str
    compute: Compute
    signature: str = ""
    higher_is_better: bool = True
    needs_scenes: bool = False
    needs_references: bool = False

    def score(self, items: Sequence[Item]) -> MetricScores:
        """Score every item.

        Raises:
            InputError: the metric needs references and an item has none but blank ones.
        """
        if self.needs_references:
            for index, item in enumerate(items):
                if not has_references(item):
                    raise InputError(
                        f"{self.name} needs a reference, and item {index} has none; give one, or leave the metric out"
                    )
        return self.compute(items)


def register(
    name: str,
    description: str,
    build: Callable[[MetricOptions], tuple[Compute, str]],
    *,
    higher_is_better: bool = True,
    needs_scenes: bool = False,
    needs_references: bool = False,
) -> dict[str, Registration]:
    """A registry entry for a metric; ``build`` gives its function and its signature for some options."""

    def create(options: MetricOptions) -> Metric:
        compute, signature = build(options)
        return FunctionMetric(name, description, compute, signature, higher_is_better, needs_scenes, needs_references)

    return {name: Registration(create, description, needs_references=needs_references)}


def has_references(item: Item) -> bool:
    """Whether the item has a reference that is not blank.

    Blank ones beside others are kept as they are: sacreBLEU and EASSE count them too.
    """
    return any(reference.strip() for reference in item.references)


def tokenizer_of(options: MetricOptions, *, lowercase: bool | None = None) -> Tokenizer:
    """The tokenizer that the options name: by default ``13a``, or the segmenter's words for Chinese."""
    name = options.tokenizer or default_tokenizer(options)
    case = options.lowercase if lowercase is None else lowercase
    return get_tokenizer(name, lowercase=case, lang=options.lang, segmenter=options.segmenter)


def default_tokenizer(options: MetricOptions) -> str:
    """``13a``, sacreBLEU's default; for Chinese the segmenter's ``words``, or ``zh`` (characters) without one."""
    if options.lang.split(":")[-1].split("-")[0] != "zh":
        return "13a"
    return "zh" if options.segmenter is None else "words"


@dataclass(frozen=True)
class TokenizedItem:
    """The tokens of one item's texts."""

    source: Tokens
    output: Tokens
    references: tuple[Tokens, ...]


def tokenize(items: Sequence[Item], tokenizer: Tokenizer) -> list[TokenizedItem]:
    """Every item's tokens, all texts in one batch."""
    texts = [text for item in items for text in (item.source.raw, item.output.raw, *item.references)]
    found = iter(tokenizer.batch(texts))
    return [TokenizedItem(next(found), next(found), tuple(next(found) for _ in item.references)) for item in items]


def by_tokens(score: Callable[[TokenizedItem], float]) -> Callable[[MetricOptions], tuple[Compute, str]]:
    """Build a metric whose corpus score is the mean of a function of an item's tokens."""

    def compute(tokenizer: Tokenizer, items: Sequence[Item]) -> MetricScores:
        return MetricScores.averaged(score(item) for item in tokenize(items, tokenizer))

    def build(options: MetricOptions) -> tuple[Compute, str]:
        tokenizer = tokenizer_of(options)
        return partial(compute, tokenizer), tokenizer.signature

    return build
