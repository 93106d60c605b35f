"""Scores in one call; the scorer is kept for the next call."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sema.analysis.texts import RawText
from sema.errors import UsageError
from sema.metrics.base import Metric
from sema.model.language import Language
from sema.model.text import Text
from sema.scoring.chosen_metrics import metric_list
from sema.scoring.coerce import system_lists
from sema.scoring.engine import Level
from sema.scoring.scorer import Scorer

_kept_scorer = lru_cache(maxsize=4)(Scorer)


def score(
    source: RawText | Sequence[RawText],
    output: RawText | Sequence[RawText],
    references: str | Sequence[str] | Sequence[Sequence[str]] | None = None,
    *,
    lang: str | Language = "en",
    metrics: Sequence[str | Metric] | None = None,
    level: Level = "sentence",
) -> dict[str, float]:
    """Score one output, or lists of sources and outputs, in one call; the scorer is kept for the next.

    ``references`` are the references of the one source (or a single one), or have an entry for each source. Returns
    the (corpus) scores by metric.

    >>> import sema
    >>> sema.score("John got home and gave Mary a call.", "John got home. John gave Mary a call.", metrics=["samsa"])
    {'samsa': 100.0}

    Raises:
        InputError: as :meth:`~sema.scoring.scorer.Scorer.score`.
    """
    single = isinstance(source, str | Text)
    systems = system_lists([output] if isinstance(output, str | Text) else output)
    if len(systems) > 1:
        raise UsageError("sema.score() scores one system; use Scorer(…).score() for several")
    lists = [references] if single and references is not None else references
    chosen = None if metrics is None else tuple(metric_list(metrics))
    by_name = isinstance(lang, str) and all(isinstance(metric, str) for metric in chosen or ())
    scorer = (_kept_scorer if by_name else Scorer)(lang, chosen, level=level)
    sources = [source] if single else source
    report = scorer.score(sources, systems, lists, keep_items=False)  # type: ignore[arg-type]
    return report.systems[0].scores
