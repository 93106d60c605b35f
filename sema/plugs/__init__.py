"""Plugs into other ecosystems, each a thin layer over the scorer and importable where its library is installed.

* :func:`sema.hf_path`: Hugging Face ``evaluate``.
* :mod:`sema.plugs.torch`: ``torchmetrics``.
* :mod:`sema.plugs.lm_eval`: lm-evaluation-harness.
* :mod:`sema.plugs.inspect`: inspect-ai.
* :mod:`sema.plugs.lighteval`: lighteval.
* :mod:`sema.plugs.mbrs`: mbrs.
* :mod:`sema.plugs.pandas`: ``df.sema``.
* :mod:`sema.plugs.sklearn`: a transformer.
"""

from collections.abc import Sequence

from sema.model.item import Need
from sema.scoring.results import Report
from sema.scoring.scorer import Scorer


def needs_references(scorer: Scorer) -> bool:
    """Whether any metric of the scorer needs references."""
    return any(Need.REFERENCES in metric.requires for metric in scorer.metrics)


def score_pair(scorer: Scorer, source: str, output: str, references: Sequence[str] | str | None) -> Report:
    """The report of one pair; references are left out where no metric needs them."""
    given = [references] if references is not None and needs_references(scorer) else None
    return scorer.score([source], [output], given, keep_items=False)
