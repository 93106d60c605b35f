"""sema: does the simpler text still say what the original said, and is its structure really simpler?

``sema.score(source, output)`` scores one pair; :class:`sema.Scorer` loads once and scores batches, with the evidence.
"""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sema.errors import InputError, ResourceError, SemaError
    from sema.scoring.results import ItemScore, Report, SystemScore
    from sema.scoring.scorer import Scorer, score

try:
    __version__ = version("sema-metrics")
except PackageNotFoundError:  # a checkout that is not installed
    __version__ = "0+unknown"

_HOMES = {
    "InputError": "sema.errors",
    "ItemScore": "sema.scoring.results",
    "Report": "sema.scoring.results",
    "ResourceError": "sema.errors",
    "Scorer": "sema.scoring.scorer",
    "SemaError": "sema.errors",
    "SystemScore": "sema.scoring.results",
    "score": "sema.scoring.scorer",
}

__all__ = ["InputError", "ItemScore", "Report", "ResourceError", "Scorer", "SemaError", "SystemScore", "score"]


def __getattr__(name: str) -> Any:
    """Import the public names when they are first used, so that the command line's help need not wait for them."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'sema' has no attribute {name!r}")
