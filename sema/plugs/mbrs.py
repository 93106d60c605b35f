"""mbrs: a metric without references, for its reranking decoder."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from mbrs.metrics import MetricReferenceless, register

from sema.errors import InputError
from sema.metrics.base import Metric
from sema.model.item import Need
from sema.model.language import Language
from sema.scoring.results import SystemScore
from sema.scoring.scorer import Scorer


@register("sema")
class MetricSema(MetricReferenceless):
    """One of sema's metrics as the quality of a hypothesis given its source.

    >>> metric = MetricSema(MetricSema.Config(lang="en", metric="meaning"))
    >>> DecoderRerank(DecoderRerank.Config(), metric).decode(hypotheses, source)

    Raises:
        InputError: the metric needs references.
    """

    @dataclass
    class Config(MetricReferenceless.Config):
        """Configuration.

        Attributes:
            lang: a language code, or a language of your own.
            metric: the metric's name, or a metric of your own.
        """

        lang: str | Language = "en"
        metric: str | Metric = "meaning"

    def __init__(self, cfg: MetricSema.Config) -> None:
        super().__init__(cfg)
        self.scorer = Scorer(cfg.lang, [cfg.metric])
        (metric,) = self.scorer.metrics
        if Need.REFERENCES in metric.requires:
            raise InputError(f"{metric.name} needs references, and reranking has none; name a metric without")
        self.name = metric.name
        self.HIGHER_IS_BETTER = metric.higher_is_better

    def score(self, hypothesis: str, source: str) -> float:
        """The score of one hypothesis."""
        return float(self.scores([hypothesis], [source])[0])

    def scores(self, hypotheses: list[str], sources: list[str]) -> torch.Tensor:
        """The scores of hypotheses, each with its source: a tensor as long as the lists."""
        return torch.tensor([item.scores[self.name] for item in self._system(hypotheses, sources).items])

    def corpus_score(self, hypotheses: list[str], sources: list[str]) -> float:
        """The corpus score, as the scorer computes it."""
        return self._system(hypotheses, sources).scores[self.name]

    def _system(self, hypotheses: list[str], sources: list[str]) -> SystemScore:
        return self.scorer.score(sources, hypotheses, keep_items=False).systems[0]
