"""The JSON API."""

from __future__ import annotations

from typing import Annotated, Any, cast

from fastapi import APIRouter, Depends, Request

from sema.errors import InputError
from sema.languages import installed_languages
from sema.metrics.base import Metric
from sema.metrics.registry import installed_metrics
from sema.model.item import Need
from sema.model.levels import parse_level
from sema.plugins import Broken
from sema.scoring.chunk import Inputs
from sema.scoring.coerce import coerced
from sema.scoring.item_scores import plain_scores
from sema.web import schemas
from sema.web.limits import TooMuch, without_folders
from sema.web.service import Scored, Service
from sema.web.understanding import understand

router = APIRouter()


async def _service(request: Request) -> Service:
    return cast(Service, request.app.state.service)


Serving = Annotated[Service, Depends(_service)]  # the service of the request's application


@router.post("/score")
async def score(asked: schemas.ScoreRequest, service: Serving) -> dict[str, Any]:
    """Score outputs; the answer is the object of ``sema score --json`` with every item's scores."""
    if len(asked.sources) > (most := service.limits.items):
        raise TooMuch(f"{len(asked.sources)} items; send at most {most} at a time, or upload files as a job")
    inputs = coerced(asked.sources, asked.outputs, asked.references, targets=asked.targets)
    report, _ = await scored(service, asked, inputs)
    per_item = [item.to_dict() for item in report.systems[0].items]
    texts = {"source": asked.sources, "output": [text or "" for text in asked.outputs]}
    return {**report.to_dict(), "per_item": per_item, **_warnings(service, asked.lang, texts)}


@router.post("/explain")
async def explain(asked: schemas.ExplainRequest, service: Serving) -> dict[str, Any]:
    """Why one output scores as it does; the answer is the object of ``sema explain --json``."""
    report, (evidence,) = await scored(service, asked, one_source(asked, [asked.output]), explain=True)
    output = [word for sentence in evidence["sentences"] for word in sentence]
    scores = plain_scores(report.systems[0].items[0].scores)
    warned = _warnings(service, asked.lang, {"source": [asked.source], "output": [asked.output]})
    return {"item": 0, "source": evidence["source"], "output": output, "scores": scores, **evidence, **warned}


@router.post("/detect")
async def detect(asked: schemas.ReadRequest, service: Serving) -> schemas.Detected:
    """The language of texts, and whether they are sentences or passages; what is given stays."""
    return await understand(service, [asked.source], [[output] for output in asked.outputs], asked.lang, asked.level)


@router.get("/languages")
def languages(service: Serving) -> list[dict[str, Any]]:
    """The available languages, and broken ones with their errors."""
    rows: list[dict[str, Any]] = []
    for language in [*service.languages.values(), *installed_languages()]:
        if isinstance(language, Broken):
            rows.append({"code": language.name, **_error(language)})
            continue
        parts = {"extractors": list(language.extractors), "aligners": list(language.aligners)}
        members = [member.code for member in language.members()] if language.members else []
        rows.append({"code": language.code, "name": language.name, **parts} | ({"members": members} if members else {}))
    return rows


@router.get("/metrics")
def metrics() -> list[dict[str, Any]]:
    """The available metrics, and broken ones with their errors."""
    return [
        {"name": name, **_error(metric)} if isinstance(metric, Broken) else metric_row(name, metric)
        for name, metric in installed_metrics()
    ]


@router.get("/health")
def health() -> dict[str, str]:
    """Health check."""
    return {"status": "ok"}


def one_source(asked: schemas.ExplainRequest | schemas.ShowRequest, outputs: list[str]) -> Inputs:
    """Outputs of one source as items."""
    count = len(outputs)
    references = None if asked.references is None else [asked.references] * count
    targets = None if asked.target is None else [parse_level(asked.target)] * count
    return coerced([asked.source] * count, outputs, references, targets=targets)


async def scored(
    service: Service,
    asked: schemas.ScoreRequest | schemas.ExplainRequest | schemas.ShowRequest,
    inputs: Inputs,
    *,
    explain: bool = False,
) -> Scored:
    """The inputs of a request, scored; if there is no score at all, the first item's error is raised."""
    metrics = None if asked.metrics is None else tuple(asked.metrics)
    report, evidence = await service.score((asked.lang, metrics, asked.level or "sentence"), inputs, explain=explain)
    items = report.systems[0].items
    if items[0].cause is not None and not any(item.rows for item in items):
        raise InputError(items[0].error or "") from items[0].cause
    return report, evidence


def _warnings(service: Service, lang: str, texts: dict[str, list[str]]) -> dict[str, list[str]]:
    """The answer's ``warnings``, if any: nothing measured for the language, texts in another script."""
    warnings = service.warnings(lang, texts)
    return {"warnings": warnings} if warnings else {}


def _error(error: Broken) -> dict[str, str]:
    return {"error": without_folders(str(error))}


def metric_row(name: str, metric: type[Metric] | Metric) -> dict[str, Any]:
    """A metric as ``/metrics`` lists it."""
    return {
        "name": name,
        "description": metric.description,
        "default": metric.default,
        "needs_references": Need.REFERENCES in metric.requires,
        "higher_is_better": metric.higher_is_better,
    }
