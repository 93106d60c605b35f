"""lighteval: sema's metrics for a generative task, whose documents carry the original in ``specific``.

In the file of a custom task::

    from lighteval.tasks.lighteval_task import LightevalTaskConfig
    from lighteval.tasks.requests import Doc
    from sema.plugs.lighteval import simplification

    def prompt(line, task_name):
        return Doc(query=f"Simplify: {line['source']}", choices=line["references"], task_name=task_name,
                   gold_index=list(range(len(line["references"]))), specific={"source": line["source"]})

    TASKS_TABLE = [LightevalTaskConfig(..., prompt_function=prompt, metrics=[simplification("en", ["sema", "sari"])])]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from lighteval.metrics.metrics_sample import SampleLevelComputation
from lighteval.metrics.utils.metric_utils import CorpusLevelMetricGrouping
from lighteval.tasks.requests import SamplingMethod

from sema.metrics.base import Metric, Row
from sema.model.item import Need
from sema.model.language import Language
from sema.scoring.scorer import Scorer


class SimplificationRows(SampleLevelComputation):
    """The rows of each metric for one document; the corpus score is computed from their sum."""

    def __init__(self, scorer: Scorer, source: str) -> None:
        self.scorer = scorer
        self.source = source
        self.with_references = any(Need.REFERENCES in metric.requires for metric in scorer.metrics)

    def compute(self, doc: Any, model_response: Any, **_: Any) -> dict[str, Row]:
        """The rows by metric; the document's golds are the references."""
        original, answer = doc.specific[self.source], model_response.final_text[0]
        references = [doc.get_golds()] if self.with_references else None
        report = self.scorer.score([original], [answer], references, keep_items=False)
        return dict(report.systems[0].items[0].rows)


def simplification(
    lang: str | Language = "en", metrics: Sequence[str | Metric] | None = None, *, source: str = "source"
) -> CorpusLevelMetricGrouping:
    """The metrics as one lighteval metric, with sema's corpus scores; models are loaded when it is made.

    Args:
        lang: a language code, or a language of your own.
        metrics: names, or metrics of your own (default: sema's defaults).
        source: the key of ``Doc.specific`` that holds the original.
    """
    scorer = Scorer(lang, metrics)
    corpus: dict[str, Callable[[Sequence[Row]], float]] = {
        metric.name: partial(_corpus, metric) for metric in scorer.metrics
    }
    return CorpusLevelMetricGrouping(
        metric_name=list(corpus),
        higher_is_better={metric.name: metric.higher_is_better for metric in scorer.metrics},
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=SimplificationRows(scorer, source),
        corpus_level_fn=corpus,
    )


def _corpus(metric: Metric, rows: Sequence[Row]) -> float:
    return metric.corpus(rows)
