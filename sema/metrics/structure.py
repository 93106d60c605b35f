"""What was done to the text, without judging it: splitting, compression, copying. All in percent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from sema.metrics.base import Item, MetricOptions, MetricScores, Registration
from sema.metrics.function_metric import Compute, by_tokens, register


def is_split(item: Item) -> bool:
    """Whether the output has more sentences than its source, by the language's own segmenter."""
    return len(item.output.sentences) > len(item.source.sentences)


def compression(source: str, output: str) -> float:
    """The output's length in percent of the source's, in characters without the white space around them (as EASSE)."""
    return 100 * len(output.strip()) / len(source.strip())


def copied(source: Sequence[str], output: Sequence[str]) -> float:
    """The percentage of the output's tokens that the source has, by occurrence; 0 for an empty output."""
    if not output:
        return 0.0
    return 100 * (Counter(output) & Counter(source)).total() / len(output)


def _of_item(score: Callable[[Item], float]) -> Callable[[MetricOptions], tuple[Compute, str]]:
    def compute(items: Sequence[Item]) -> MetricScores:
        return MetricScores.averaged(map(score, items))

    return lambda options: (compute, "")


def registrations() -> dict[str, Registration]:
    """The four for the registry."""
    return {
        **register(
            "splits",
            "share of the outputs with more sentences than their source (100 or 0 an item)",
            _of_item(lambda item: 100.0 * is_split(item)),
        ),
        **register(
            "compression",
            "length of the output in percent of the source's characters",
            _of_item(lambda item: compression(item.source.raw, item.output.raw)),
            higher_is_better=False,
        ),
        **register(
            "copied",
            "percentage of the output's words that the source has",
            by_tokens(lambda item: copied(item.source, item.output)),
            higher_is_better=False,
        ),
        **register(
            "exact_copies",
            "share of the outputs that repeat their source word for word (100 or 0 an item)",
            by_tokens(lambda item: 100.0 * (item.source == item.output)),
            higher_is_better=False,
        ),
    }
