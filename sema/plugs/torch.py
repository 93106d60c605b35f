"""sema's metrics as one ``torchmetrics`` metric, whose states are sums and so merge over processes and devices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import torch
from torchmetrics import Metric

from sema.metrics.base import Metric as SemaMetric
from sema.metrics.base import sum_rows
from sema.model.language import Language
from sema.scoring.scorer import Scorer


class _SharedScorer(Scorer):
    """A scorer shared by copies of a metric, so that models are loaded once."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self


class Simplification(Metric):
    """Corpus scores of simplifications, summed up batch by batch.

    >>> metric = Simplification("en", ["sema", "samsa"])
    >>> metric.update(["John got home."], ["John came home."])
    >>> metric.compute()
    {'sema': tensor(...), 'samsa': tensor(...)}

    Args:
        lang, metrics, scoring: arguments of :class:`sema.Scorer`.
        options: arguments of ``torchmetrics.Metric``.
    """

    full_state_update = False
    is_differentiable = False

    def __init__(
        self,
        lang: str | Language = "en",
        metrics: Sequence[str | SemaMetric] | None = None,
        *,
        scoring: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.scorer = _SharedScorer(lang=lang, metrics=metrics, **(scoring or {}))
        # An item that every metric can score shows how many numbers each metric sums.
        (probe,) = self.scorer.score(["1."], ["1."], [["1."]], keep_items=False).systems
        for name, row in probe.items[0].rows.items():
            self.add_state(self._state(name), torch.zeros(len(row), dtype=torch.float64), dist_reduce_fx="sum")

    @staticmethod
    def _state(metric: str) -> str:
        return "rows_of_" + "".join(char if char.isalnum() else "_" for char in metric)

    def update(
        self, sources: Sequence[str], outputs: Sequence[str], references: Sequence[Sequence[str]] | None = None
    ) -> None:
        """Add a batch; it is checked as by :meth:`sema.Scorer.score`."""
        (system,) = self.scorer.score(sources, outputs, references, keep_items=False).systems
        for metric in self.scorer.metrics:
            state = getattr(self, self._state(metric.name))
            total = torch.tensor(sum_rows(system.rows(metric.name)), dtype=torch.float64, device=state.device)
            setattr(self, self._state(metric.name), state + total)

    def compute(self) -> dict[str, torch.Tensor]:
        """The corpus scores of all batches, by metric."""
        return {
            metric.name: torch.tensor(metric.value(tuple(getattr(self, self._state(metric.name)).tolist())))
            for metric in self.scorer.metrics
        }
