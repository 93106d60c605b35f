"""sema: does the simpler text still say what the original said, and is its structure really simpler?

``sema.score(source, output)`` scores one pair; :class:`sema.Scorer` loads once and scores batches, with the evidence.
The names listed here are stable: see the stability statement in CONTRIBUTING.md.
"""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from sema.moved import serve_old_names

if TYPE_CHECKING:
    from sema.errors import InputError, ResourceError, SemaError
    from sema.metrics.base import MeanMetric, Metric
    from sema.model.item import Item, Need
    from sema.model.language import Language
    from sema.model.links import Alignment, Link, LinkKind
    from sema.model.scene_graph import Scene, SceneGraph
    from sema.model.text import Text, Token
    from sema.scoring.item_scores import ItemScore
    from sema.scoring.results import Report, SystemScore
    from sema.scoring.runs import Run
    from sema.scoring.scorer import Scorer, score

serve_old_names()

try:
    __version__ = version("sema-metrics")
except PackageNotFoundError:  # a checkout that is not installed
    __version__ = "0+unknown"

_HOMES = {
    "Alignment": "sema.model.links",
    "InputError": "sema.errors",
    "Item": "sema.model.item",
    "ItemScore": "sema.scoring.item_scores",
    "Language": "sema.model.language",
    "Link": "sema.model.links",
    "LinkKind": "sema.model.links",
    "MeanMetric": "sema.metrics.base",
    "Metric": "sema.metrics.base",
    "Need": "sema.model.item",
    "Report": "sema.scoring.results",
    "ResourceError": "sema.errors",
    "Run": "sema.scoring.runs",
    "Scene": "sema.model.scene_graph",
    "SceneGraph": "sema.model.scene_graph",
    "Scorer": "sema.scoring.scorer",
    "SemaError": "sema.errors",
    "SystemScore": "sema.scoring.results",
    "Text": "sema.model.text",
    "Token": "sema.model.text",
    "score": "sema.scoring.scorer",
}

__all__ = [
    "Alignment",
    "InputError",
    "Item",
    "ItemScore",
    "Language",
    "Link",
    "LinkKind",
    "MeanMetric",
    "Metric",
    "Need",
    "Report",
    "ResourceError",
    "Run",
    "Scene",
    "SceneGraph",
    "Scorer",
    "SemaError",
    "SystemScore",
    "Text",
    "Token",
    "hf_path",
    "score",
]


def hf_path() -> str:
    """Where Hugging Face's ``evaluate`` finds sema's metrics: ``evaluate.load(sema.hf_path())``."""
    from importlib.resources import files

    return str(files("sema").joinpath("plugs", "hf", "sema_metrics.py"))


def __getattr__(name: str) -> Any:
    """Import the public names when they are first used, so that the command line's help need not wait for them."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'sema' has no attribute {name!r}")
