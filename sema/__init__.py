"""sema: does the simpler text still say what the original said, and is its structure really simpler?

``sema.score(source, output)`` scores one pair; :class:`sema.Scorer` loads once and scores batches, with the evidence.
The names listed here are stable: see the stability statement in CONTRIBUTING.md.
"""

TYPE_CHECKING = False
# This module imports nothing: the command does not handle Ctrl-C until it has run.
if TYPE_CHECKING:
    from sema.alignment.relations import WordRelations as WordRelations
    from sema.alignment.rules import RuleAligner as RuleAligner
    from sema.errors import InputError as InputError
    from sema.errors import ResourceError as ResourceError
    from sema.errors import SemaError as SemaError
    from sema.errors import UsageError as UsageError
    from sema.evaluation.comparison import compare as compare
    from sema.metrics.base import MeanMetric as MeanMetric
    from sema.metrics.base import Metric as Metric
    from sema.model.item import Item as Item
    from sema.model.item import Need as Need
    from sema.model.language import Language as Language
    from sema.model.links import Alignment as Alignment
    from sema.model.links import Link as Link
    from sema.model.links import LinkKind as LinkKind
    from sema.model.scene_graph import Scene as Scene
    from sema.model.scene_graph import SceneGraph as SceneGraph
    from sema.model.text import Text as Text
    from sema.model.text import Token as Token
    from sema.scoring.item_scores import ItemScore as ItemScore
    from sema.scoring.results import Report as Report
    from sema.scoring.results import SystemScore as SystemScore
    from sema.scoring.runs import Run as Run
    from sema.scoring.scorer import Scorer as Scorer
    from sema.scoring.scorer import score as score

_PROVIDED = {
    "Alignment.svg": "sema.display.pictures.arcs:alignment_svg",
    "ItemResults.html": "sema.display.pictures.pages:items_page",
    "ItemScore.html": "sema.display.pictures.pages:item_page",
    "Metric.score": "sema.scoring.scorer:score",
    "Pictured.html": "sema.display.pictures.pages:picture_page",
    "Report.html": "sema.display.pictures.pages:report_page",
    "SceneGraph.svg": "sema.display.pictures.trees:tree_svg",
}
"""Lazy registry of functions that higher layers provide (:mod:`sema.model.pictures`)."""

__version__ = "0.4.0.dev0"
"""Stated only here: the package's metadata is made from it."""

_NAMES = {
    "sema.alignment.relations": ("WordRelations",),
    "sema.alignment.rules": ("RuleAligner",),
    "sema.errors": ("InputError", "ResourceError", "SemaError", "UsageError"),
    "sema.evaluation.comparison": ("compare",),
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
}
"""The public names by the modules that define them."""

_HOMES = {name: home for home, names in _NAMES.items() for name in names}
__all__ = sorted([*_HOMES, "hf_path"])


def hf_path() -> str:
    """Where Hugging Face's ``evaluate`` finds sema's metrics: ``evaluate.load(sema.hf_path())``."""
    from importlib.resources import files

    return str(files("sema").joinpath("plugs", "hf", "sema_metrics.py"))


def __dir__() -> list[str]:
    return [*__all__, "__version__"]


def __getattr__(name: str) -> object:
    """Import the public names when they are first used, so that the command line's help need not wait for them."""
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'sema' has no attribute {name!r}")
