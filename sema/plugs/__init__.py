"""Plugs into other ecosystems, each a thin layer over the scorer and importable where its library is installed.

* :func:`sema.hf_path`: Hugging Face ``evaluate``.
* :mod:`sema.plugs.torch`: ``torchmetrics``.
* :mod:`sema.plugs.lm_eval`: lm-evaluation-harness.
* :mod:`sema.plugs.inspect`: inspect-ai.
"""

from collections.abc import Sequence

from sema.model.item import Need
from sema.scoring.results import Report
from sema.scoring.scorer import Scorer


def score_pair(scorer: Scorer, source: str, output: str, references: Sequence[str] | str | None) -> Report:
    """The report of one pair; references are left out where no metric needs them."""
    needed = any(Need.REFERENCES in metric.requires for metric in scorer.metrics)
    given = [references] if references is not None and needed else None
    return scorer.score([source], [output], given, keep_items=False)
