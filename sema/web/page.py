"""The page, its assets, and fragments that show scored outputs with their evidence."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from sema.analysis.texts import check_text
from sema.display.pictures.pages import item_html, items_html, rendered
from sema.display.pictures.svg import asset
from sema.display.pictures.words import NAMES, say
from sema.errors import InputError
from sema.metrics.registry import installed_metrics
from sema.model.levels import CEFR
from sema.plugins import Broken
from sema.web.api import Serving, metric_row, one_source, scored
from sema.web.limits import CHARACTERS
from sema.web.schemas import ShowRequest
from sema.web.understanding import fitting, understand

router = APIRouter(include_in_schema=False)
KINDS = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}
ASSETS = {
    **dict.fromkeys(("sema.css", "sema.js", "items.css", "items.js"), "sema.display"),
    **dict.fromkeys(("page.css", "page.js", "icon.svg"), "sema.web"),
}
"""The package of each file that the page loads."""
OFFERED = (
    "meaning", "meaning_recall", "meaning_precision", "sema", "samsa", "samsa_abl", "fluency", "simplicity", "overall",
    "cefr", "cefr_hit", "hsk_level", "fkgl", "sari", "bleu",
)  # fmt: skip
"""The metrics that the page offers, where they are installed; the API takes all."""

SCALES: dict[str, dict[str, Any]] = {
    "CEFR": {"levels": {level: level for level in CEFR}, "metrics": ["cefr", "cefr_hit"]},
    "HSK (Chinese)": {"levels": {str(level): f"HSK {level}" for level in range(1, 7)} | {"7": "HSK 7-9"},
                      "metrics": ["hsk_level"]},
}  # fmt: skip
"""Target levels by scale, and the metrics that read them."""


@router.get("/", response_class=HTMLResponse)
def index(service: Serving) -> str:
    """The page."""
    listed = dict(installed_metrics())
    metrics = [
        metric_row(name, metric) for name in OFFERED if not isinstance(metric := listed.get(name), Broken | None)
    ]
    offered = {metric["name"] for metric in metrics}
    scales = {name: scale for name, scale in SCALES.items() if offered.issuperset(scale["metrics"])}
    return rendered(
        "index.html", "sema.web", languages=service.offered, metrics=metrics, scales=scales, most=CHARACTERS,
        items=service.limits.job_items, tongues=NAMES,
    )  # fmt: skip


@router.get("/assets/{name}")
def asset_file(name: str) -> Response:
    """A style sheet, a script or the icon."""
    if name not in ASSETS:
        raise HTTPException(404, "there is no such file")
    kind = KINDS[name.rpartition(".")[2]]
    return Response(asset(name, ASSETS[name]), media_type=kind, headers={"cache-control": "max-age=300"})


@router.post("/show", response_class=HTMLResponse)
async def show(asked: ShowRequest, service: Serving) -> str:
    """Scored outputs with their evidence as a fragment of the page."""
    if isinstance(unusable := check_text(asked.source, "source"), InputError):
        raise unusable
    read = await understand(service, [asked.source], [[output] for output in asked.outputs], asked.lang, asked.level)
    names, notes = fitting(asked.metrics, service.language(read.lang), read.level)
    asked = asked.model_copy(update={"lang": read.lang, "level": read.level, "metrics": names})
    report, explained = await scored(service, asked, one_source(asked, asked.outputs), explain=True)
    items = report.systems[0].items
    names = [say("Output {n}", n=place) for place in range(1, len(items) + 1)] if len(items) > 1 else [""]
    parts = [
        item_html(evidence, item.scores, name=name, source_text=asked.source, output_text=output)
        for item, evidence, output, name in zip(items, explained, asked.outputs, names, strict=True)
    ]
    texts = {"source": [asked.source], **{f"output {place}": [text] for place, text in enumerate(asked.outputs, 1)}}
    warnings = service.warnings(asked.lang, texts, start=None)
    return rendered(
        "shown.html", "sema.web", shown=items_html(parts), read=read, notes=notes, warnings=warnings,
        signature=report.signature,
    )  # fmt: skip
