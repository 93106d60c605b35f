"""sema: does the simpler text still say what the original said, and is its structure really simpler?

``sema.score(source, output)`` scores one pair; :class:`sema.Scorer` loads once and scores batches, with the evidence.
"""

from importlib.metadata import PackageNotFoundError, version

from sema.errors import InputError, ResourceError, SemaError
from sema.results import ItemScore, Report, SystemScore
from sema.scorer import Scorer, score

try:
    __version__ = version("sema-metrics")
except PackageNotFoundError:  # a checkout that is not installed
    __version__ = "0+unknown"

__all__ = ["InputError", "ItemScore", "Report", "ResourceError", "Scorer", "SemaError", "SystemScore", "score"]
