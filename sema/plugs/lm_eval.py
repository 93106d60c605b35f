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
from sema.model.language import Language
from sema.plugs import score_pair
from sema.scoring.scorer import Scorer


def make_process_results(
    lang: str | Language = "en",
    metrics: Sequence[str] | None = None,
    *,
    source: str = "source",
    references: str | None = None,
) -> Callable[[Mapping[str, Any], Sequence[str]], dict[str, float | Row]]:
    """A function that scores one document's answer; models are loaded when the first is scored.

    A metric whose corpus score is the mean of its items' scores (meaning, Scenes) returns the score, for the harness's
    ``mean``; a pooled one (BLEU) returns the counts to be summed, for :func:`make_aggregation`.

    Args:
        lang, metrics: as :class:`sema.Scorer` takes them.
        source: the document's field with the original.
        references: its field with references, a text or a list of them; for metrics that need some.
    """
    scorer = Scorer(lang, metrics)

    def process_results(doc: Mapping[str, Any], results: Sequence[str]) -> dict[str, float | Row]:
        report = score_pair(scorer, doc[source], results[0], doc.get(references) if references else None)
        item = report.systems[0].items[0]
        return {
            metric.name: item.scores[metric.name] if isinstance(metric, MeanMetric) else item.rows[metric.name]
            for metric in scorer.metrics
        }

    return process_results


def make_aggregation(metric: str, lang: str | Language = "en") -> Callable[[Sequence[Row]], float]:
    """The corpus score of a pooled metric in a language, from what ``process_results`` returned for the documents."""
    (made,) = Scorer(lang, [metric]).metrics
    return made.corpus
