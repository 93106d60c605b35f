"""Weights of a linear model on disk: one JSON object, as ``sema tune`` writes it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sema.errors import InputError


def read_weights(path: Path) -> dict[str, float]:
    """The weights by feature of a file that :func:`weights_text` filled.

    Raises:
        InputError: the file cannot be read, or holds no weights.
    """
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror}); check the name", file=path) from error
    except ValueError as error:
        raise InputError("is no JSON; give a file of weights that `sema tune` wrote", file=path) from error
    weights = plain.get("weights") if isinstance(plain, dict) else None
    if not isinstance(weights, dict) or not all(
        isinstance(value, int | float) and math.isfinite(value) for value in weights.values()
    ):
        raise InputError("holds no weights; give a file of weights that `sema tune` wrote", file=path)
    return {name: float(value) for name, value in weights.items()}


def weights_text(weights: Mapping[str, float], about: Mapping[str, Any]) -> str:
    """The object as text: the weights, and what they were tuned to and on."""
    rounded = {name: round(value, 6) for name, value in weights.items()}
    return json.dumps({"weights": rounded, **about}, indent=1, ensure_ascii=False) + "\n"
