"""Modules that moved: their old names work for one release, with a DeprecationWarning that names the new one."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType

MOVED = {
    "sema.features.registry": "sema.features.base",
    "sema.judges.bench": "sema.judges.metrics",
    "sema.judges.reading": "sema.judges.metrics",
    "sema.metrics.levenshtein": "sema.metrics.operations",
    "sema.metrics.scene_family": "sema.metrics.scene_metrics",
    "sema.metrics.structure": "sema.metrics.operations",
    "sema.model.nbest": "sema.rerank.nbest",
    "sema.model.simplifier": "sema.rerank.simplifiers",
    "sema.model.weights": "sema.rerank.simplifiers",
    "sema.simplifiers": "sema.rerank.simplifiers",
}
"""The new name of each module by its old one. Only modules that the documentation has named are listed."""


class OldNames:
    """Finds and loads a module by its old name, as :class:`importlib.abc.MetaPathFinder` and ``Loader`` do."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """The module of an old name, or ``None`` for any other."""
        return ModuleSpec(name, self) if name in MOVED else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """Use an empty module; :meth:`exec_module` fills it."""

    def exec_module(self, module: ModuleType) -> None:
        """Copy the contents of the module with the new name."""
        new = MOVED[module.__name__]
        message = f"{module.__name__} is now {new}; the old name goes with the next release"
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        found = vars(import_module(new)).items()
        vars(module).update({name: value for name, value in found if not name.startswith("__")})


def serve_old_names() -> None:
    """Make imports of old names find the modules."""
    sys.meta_path.append(OldNames())
