"""The head of a run (``run.json``) before scoring: all that determines its numbers, with digests of its inputs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from sema.analysis.placing import digest as scenes_digest
from sema.model.links import digest as links_digest
from sema.scoring.coerce import Inputs
from sema.scoring.engine import Engine
from sema.scoring.run_files import FORMAT, metric_options, plain_options, text_rows

NO_NUMBERS = ("threads", "device")
"""Options that do not affect the numbers."""
PLAIN = (
    *("lang", "level", "segment", "parse_whole", "extractor", "aligner"),
    *("select_references", "systems", "items", "chunk"),
)
"""Other entries of the head that determine the numbers."""
SIGNED = "models or version"
SHOWN = 100
"""Characters of a value in an error."""


def run_head(engine: Engine, given: Inputs, chunk: int) -> dict[str, Any]:
    """The head of a run that is scored in chunks of ``chunk`` items."""
    plan = engine.plan
    return {
        "format": FORMAT,
        "signature": engine.signature(given),
        "lang": engine.language.code,
        "level": plan.level,
        "segment": plan.segment,
        "parse_whole": plan.parse_whole,
        "extractor": _name(plan.extractor),
        "aligner": _name(plan.aligner),
        "options": plain_options(plan.settings.values),
        "defaults": plain_options(plan.settings.defaults),
        "metrics": [
            {"name": metric.name, "options": metric_options(metric), "higher_is_better": metric.higher_is_better}
            for metric in plan.metrics
        ],
        "select_references": plan.select_references and list(plan.select_references),
        "systems": list(given.systems),
        "items": len(given),
        "inputs": _digests(given),
        "chunk": chunk,
        "finished": False,
    }


def difference(saved: Mapping[str, Any], head: Mapping[str, Any]) -> str | None:
    """The first difference of two heads that affects the numbers: ``level (there: passage; here: sentence)``."""
    before, now = dict(_deciding(saved)), dict(_deciding(head))
    name = next((name for name in {**now, **before} if before.get(name) != now.get(name)), None)
    if name is None or name in head["inputs"]:
        return name
    old, new = before.get(name), now.get(name)
    if name == SIGNED:  # of two long ones only the parts that differ
        old, new = (
            "|".join(part for part in one.split("|") if part not in other.split("|"))
            for one, other in ((str(old), str(new)), (str(new), str(old)))
        )
    return f"{name} (there: {_shown(old)}; here: {_shown(new)})"


def _deciding(head: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    yield from head["inputs"].items()
    yield "metrics", ", ".join(metric["name"] for metric in head["metrics"])
    for metric in head["metrics"]:
        yield from ((f"{metric['name']}.{name}", value) for name, value in metric["options"].items())
    yield from ((name, value) for name, value in head["options"].items() if name.split(".")[-1] not in NO_NUMBERS)
    yield from ((name, head.get(name)) for name in PLAIN)
    yield SIGNED, head["signature"]


def _shown(value: object) -> str:
    text = value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def _digests(given: Inputs) -> dict[str, str | None]:
    """A hash of each kind of input; ``None`` if there is none."""
    hashes = {name: hashlib.sha256() for name in ("source", "outputs", "references")}
    for row in text_rows(given):
        for name, digest in hashes.items():
            digest.update(json.dumps(row.get(name), ensure_ascii=False).encode() + b"\n")
    targets = hashlib.sha256("\n".join(map(str, given.targets or ())).encode())
    return {
        "sources": hashes["source"].hexdigest(),
        "outputs": hashes["outputs"].hexdigest(),
        "references": None if given.references is None else hashes["references"].hexdigest(),
        "targets": None if given.targets is None else targets.hexdigest(),
        "scenes": None if given.scenes is None else scenes_digest(given.scenes),
        "links": None if given.links is None else links_digest(given.links.values()),
    }


def _name(part: object) -> object:
    return part if isinstance(part, str | None) else type(part).__name__
