"""sema: does the simpler text still say what the original said, and is its structure really simpler?

``sema.score(source, output)`` scores one pair; :class:`sema.Scorer` loads once and scores batches, with the evidence.
The names listed here are stable: see the stability statement in CONTRIBUTING.md.
"""

from importlib import import_module
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

__version__ = "0.3.0.dev0"
"""Stated here alone: the package's metadata is made from it."""

_HOMES = {
    name: home
    for home, names in {
        "sema.errors": ("InputError", "ResourceError", "SemaError"),
        "sema.metrics.base": ("MeanMetric", "Metric"),
        "sema.model.item": ("Item", "Need"),
        "sema.model.language": ("Language",),
        "sema.model.links": ("Alignment", "Link", "LinkKind"),
        "sema.model.scene_graph": ("Scene", "SceneGraph"),
        "sema.model.text": ("Text", "Token"),
        "sema.scoring.item_scores": ("ItemScore",),
        "sema.scoring.results": ("Report", "SystemScore"),
        "sema.scoring.runs": ("Run",),
        "sema.scoring.scorer": ("Scorer", "score"),
    }.items()
    for name in names
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
