"""sema's metrics for Hugging Face ``evaluate``; loaded from here by ``evaluate.load(sema.hf_path())``."""

from typing import Any

import datasets
import evaluate

DESCRIPTION = "Does the simpler text still say what the original said? Any metric of sema, by name."
INPUTS = """
Args:
    sources: the original texts.
    predictions: their simplifications.
    references: for each source what people wrote for it; only some metrics need any.
    lang: language code (default: en).
    metrics: names, as `sema metrics` lists them (default: sema's defaults).
    level: sentence or passage.

Returns: the corpus scores by name, and `signature`, to be given with them.
"""


class SemaMetrics(evaluate.Metric):
    """sema as a metric of ``evaluate``."""

    def _info(self) -> Any:
        text = datasets.Value("string")
        features = {"sources": text, "predictions": text, "references": datasets.Sequence(text)}
        return evaluate.MetricInfo(
            description=DESCRIPTION, citation="", inputs_description=INPUTS, features=datasets.Features(features)
        )

    def compute(self, *, predictions: Any = None, references: Any = None, **inputs: Any) -> Any:
        """The scores; references may be left out."""
        if references is None and predictions is not None:
            references = [[] for _ in predictions]
        return super().compute(predictions=predictions, references=references, **inputs)

    def _compute(
        self,
        sources: Any,
        predictions: Any,
        references: Any = None,
        lang: str = "en",
        metrics: Any = None,
        level: Any = "sentence",
    ) -> Any:
        from sema import Scorer

        given = references if any(references or []) else None
        report = Scorer(lang, metrics, level=level).score(sources, predictions, given, keep_items=False)
        return {**report.systems[0].scores, "signature": report.signature}
