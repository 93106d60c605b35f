"""What ``run.json`` says of a run before it is scored: all that decides its numbers, and its inputs by their digest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from sema.scoring.engine import Engine
from sema.scoring.inputs import Inputs
from sema.scoring.run_files import FORMAT, text_rows


def run_head(engine: Engine, given: Inputs, chunk: int) -> dict[str, Any]:
    """The head of a run that is scored in chunks of ``chunk`` items."""
    plan = engine.plan
    return {
        "format": FORMAT,
        "signature": engine.signature(given),
        "lang": engine.language.code,
        "level": plan.level,
        "segment": plan.segment,
        **({"parse_whole": True} if plan.parse_whole else {}),
        "extractor": _name(plan.extractor),
        "aligner": _name(plan.aligner),
        "options": _plain_options(plan.settings.values),
        "defaults": _plain_options(plan.settings.defaults),
        "metrics": [{"name": metric.name, "higher_is_better": metric.higher_is_better} for metric in plan.metrics],
        "systems": list(given.systems),
        "items": len(given),
        "inputs": _digest(given),
        "chunk": chunk,
        "select_references": plan.select_references and list(plan.select_references),
        "finished": False,
    }


def _digest(given: Inputs) -> str:
    """A hash of all texts and targets, item by item."""
    digest = hashlib.sha256()
    for target in () if given.targets is None else given.targets:
        digest.update(f"target {target}\n".encode())
    for row in text_rows(given):
        digest.update(json.dumps(row, ensure_ascii=False).encode())
    return digest.hexdigest()


def _plain_options(values: Mapping[str, object]) -> dict[str, object]:
    """Options as JSON has them."""
    plain = str | int | float | None
    return {key: value if isinstance(value, plain) else str(value) for key, value in sorted(values.items())}


def _name(part: object) -> object:
    return part if isinstance(part, str | None) else type(part).__name__
