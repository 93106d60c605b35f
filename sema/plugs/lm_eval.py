"""lm-evaluation-harness: a ``process_results`` for a task that simplifies, and sema's scores in its ``metric_list``.

In the folder of the task, ``utils.py``::

    from sema.plugs.lm_eval import make_aggregation, make_process_results

    process_results = make_process_results("en", ["sema", "bleu"], source="source", references="references")
    bleu = make_aggregation("bleu")

and in its YAML::

    process_results: !function utils.process_results
    metric_list:
      - metric: sema
        aggregation: mean
        higher_is_better: true
      - metric: bleu
        aggregation: !function utils.bleu
        higher_is_better: true
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sema.metrics.base import MeanMetric, Row
from sema.model.item import Need
from sema.model.language import Language
from sema.scoring.scorer import Scorer

ProcessResults = Callable[[Mapping[str, Any], Sequence[str]], dict[str, float | Row]]


def make_process_results(
    lang: str | Language = "en",
    metrics: Sequence[str] | None = None,
    *,
    source: str = "source",
    references: str | None = None,
) -> ProcessResults:
    """A function that scores one document's answer; models are loaded when the first is scored.

    A metric whose corpus score is the mean of its items' scores (meaning, Scenes) returns the score, for the harness's
    ``mean``; a pooled one (BLEU) returns the counts to be summed, for :func:`make_aggregation`.

    Args:
        lang: a language code, or a language of your own.
        metrics: names (default: sema's defaults).
        source: the document's field with the original.
        references: its field with references, a text or a list of them; for metrics that need some.
    """
    scorer = Scorer(lang, metrics)
    with_references = any(Need.REFERENCES in metric.requires for metric in scorer.metrics)

    def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float | Row]:
        given = [doc[references]] if references is not None and with_references else None
        (item,) = scorer.score([doc[source]], [results[0]], given, keep_items=False).systems[0].items
        return {
            metric.name: item.scores[metric.name] if isinstance(metric, MeanMetric) else item.rows[metric.name]
            for metric in scorer.metrics
        }

    return process_results


def make_aggregation(metric: str, lang: str | Language = "en") -> Callable[[Sequence[Row]], float]:
    """The corpus score of a pooled metric, from what ``process_results`` returned for the documents.

    Args:
        metric: its name.
        lang: the language, as given to :func:`make_process_results`.
    """
    (made,) = Scorer(lang, [metric]).metrics

    def aggregate(rows: Sequence[Row]) -> float:
        return made.corpus(rows)

    return aggregate
