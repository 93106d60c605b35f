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

from collections.abc import Sequence
from typing import Any

from lighteval.metrics.metrics_sample import SampleLevelComputation
from lighteval.metrics.utils.metric_utils import CorpusLevelMetricGrouping
from lighteval.tasks.requests import SamplingMethod

from sema.metrics.base import Metric, Row
from sema.model.language import Language
from sema.plugs import needs_references, score_pair
from sema.scoring.scorer import Scorer


class SimplificationRows(SampleLevelComputation):
    """The rows of each metric for one document; the corpus score is computed from their sum."""

    def __init__(self, scorer: Scorer, source: str) -> None:
        self.scorer = scorer
        self.source = source

    def compute(self, doc: Any, model_response: Any, **_: Any) -> dict[str, Row]:
        """The rows by metric; the document's golds are the references."""
        golds = doc.get_golds() if needs_references(self.scorer) else None  # a document without golds has no such list
        report = score_pair(self.scorer, doc.specific[self.source], model_response.final_text[0], golds)
        return dict(report.systems[0].items[0].rows)


def simplification(
    lang: str | Language = "en", metrics: Sequence[str | Metric] | None = None, *, source: str = "source"
) -> CorpusLevelMetricGrouping:
    """The metrics as one lighteval metric, with sema's corpus scores; models are loaded when it is made.

    Args:
        lang, metrics: as :class:`sema.Scorer` takes them.
        source: the key of ``Doc.specific`` that holds the original.
    """
    scorer = Scorer(lang, metrics)
    return CorpusLevelMetricGrouping(
        metric_name=[metric.name for metric in scorer.metrics],
        higher_is_better={metric.name: metric.higher_is_better for metric in scorer.metrics},
        category=SamplingMethod.GENERATIVE,
        sample_level_fn=SimplificationRows(scorer, source),
        corpus_level_fn={metric.name: metric.corpus for metric in scorer.metrics},
    )
