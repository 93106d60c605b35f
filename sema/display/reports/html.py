"""The report as one self-contained HTML file."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from typing import Any

from sema.display.pictures.pages import item_html, rendered, score_text
from sema.display.pictures.svg import asset
from sema.display.reports.chapters import Chapter, works_of
from sema.display.reports.figures import distributions_figure, fates_figure, intervals_figure, page_svg, scatter_figure
from sema.display.reports.picks import Pick, pick_items
from sema.display.reports.statistics import comparison_tables, steps_table
from sema.scoring.results import short_signature

SHOWN = 6
"""Telling items of each kind, unless the reader wants more or fewer."""
LISTED_BYTES = 1_700_000
"""How large the list of all items may grow; the items that would come after that are left out, and it says so."""
CUT = 400

GROUPS = (
    ("best", "Best", "The highest scores of outputs that are no mere copies."),
    ("worst", "Worst", "The lowest scores of outputs that are no mere copies."),
    ("disputed", "Most disputed", "Where systems lie furthest apart; of a single system, where metrics disagree."),
)


def report_html(chapters: Sequence[Chapter], *, title: str = "", shown: int = SHOWN) -> str:
    """The page.

    Args:
        chapters: what to show (:func:`sema.display.reports.chapters.read_chapters`).
        title: its heading.
        shown: telling items of each kind.
    """
    script = asset("sema.js") + asset("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return rendered(
        "report.html",
        title=title or "How well do the simplifications keep the meaning?",
        chapters=[_chapter(chapter, number, shown) for number, chapter in enumerate(chapters)],
        css=asset("sema.css") + asset("report.css"),
        js=script,
        script_hash=f"sha256-{digest}",
    )


def _chapter(chapter: Chapter, number: int, shown: int) -> dict[str, Any]:
    report = chapter.report
    better = report.higher_is_better
    rows, left_out = _rows(chapter)
    sections = [("systems", "Systems"), ("spread", "Spread"), ("metrics", "Metrics"), ("words", "Words"),
                ("telling", "Telling items"), ("items", "All items"), ("cite", "Cite")]  # fmt: skip
    comparison = chapter.comparison
    return {
        "title": ", ".join(run.folder.name for run in chapter.runs),
        "sections": [entry for entry in sections if len(report.metrics) > 1 or entry[0] != "metrics"],
        "count": report.items,
        "lang": report.lang,
        "level": report.level,
        "metric": chapter.metric,
        "metrics": [{"name": name, "higher": better.get(name, True)} for name in report.metrics],
        "systems": [{"name": system.name, "cells": _cells(chapter, system.name)} for system in report.systems],
        "note": _note(chapter),
        "failed": [(system.name, item.index, item.error) for system, item in report.failed[:50]],
        "pairs": comparison_tables(comparison)[1] if comparison is not None else None,
        "steps": steps_table(report),
        "figures": _figures(chapter, number),
        "correlations": dict(zip(report.metrics, chapter.correlations, strict=True)),
        "operations": chapter.operations(),
        "groups": _groups(chapter, shown),
        "rows": rows,
        "left_out": left_out,
        "signature": report.signature,
        "short_signature": short_signature(report.signature),
        "works": works_of(report.metrics, report.signature),
    }


def _cells(chapter: Chapter, name: str) -> list[dict[str, str]]:
    cells = []
    for metric in chapter.report.metrics:
        found = chapter.estimates[name][metric]
        interval = "" if found.low != found.low else f"{found.low:.1f} – {found.high:.1f}"
        cells.append({"value": score_text(found.value), "interval": interval, "mark": chapter.mark(name, metric)})
    return cells


def _note(chapter: Chapter) -> str:
    found = chapter.comparison
    if found is None:
        return "95 % bootstrap intervals over items."
    left_out = f" {found.left_out} items that some system has no score for are left out." if found.left_out else ""
    return (
        f"{100 * found.confidence:g} % intervals: bootstrap over {found.items} items, {found.samples} samples, "
        f"seed {found.seed}.{left_out}"
    )


def _figures(chapter: Chapter, number: int) -> dict[str, str]:
    made = {
        "intervals": intervals_figure(chapter.estimates, chapter.report.metrics)
        if len(chapter.report.systems) > 1
        else None,
        "distributions": distributions_figure(chapter),
        "scatter": scatter_figure(chapter),
        "fates": fates_figure(chapter),
    }
    return {name: "" if figure is None else page_svg(figure, name, f"{name}{number}") for name, figure in made.items()}


def _groups(chapter: Chapter, shown: int) -> list[dict[str, Any]]:
    picked = pick_items(chapter, shown)
    wanted = {(pick.item, name) for picks in picked.values() for pick in picks for name in pick.systems}
    evidence = chapter.evidence(wanted)
    return [
        {
            "key": key,
            "title": title,
            "note": note,
            "picks": [
                {"item": pick.item, "why": pick.why, "html": "".join(_outputs(chapter, pick, evidence))}
                for pick in picked[key]
            ],
        }
        for key, title, note in GROUPS
    ]


def _outputs(chapter: Chapter, pick: Pick, evidence: dict[tuple[int, str], dict[str, Any]]) -> list[str]:
    texts = chapter.texts[pick.item]
    systems = {system.name: system for system in chapter.report.systems}
    return [
        item_html(
            evidence.get((pick.item, name), {}),
            systems[name].items[pick.item].scores,
            name=name,
            source_text=texts["source"],
            output_text=texts["outputs"][name],
            shut=len(pick.systems) > 1,
        )
        for name in pick.systems
    ]


def _rows(chapter: Chapter) -> tuple[list[dict[str, Any]], str]:
    """The list of all items, within :data:`LISTED_BYTES`, and what to say of what is not there."""
    systems = chapter.report.systems
    rows: list[dict[str, Any]] = []
    room = LISTED_BYTES
    for index, texts in enumerate(chapter.texts):
        values = [system.items[index].scores.get(chapter.metric, float("nan")) for system in systems]
        known = [value for value in values if value == value]
        mean = sum(known) / len(known) if known else None
        outputs = [
            (system.name, _cut(texts["outputs"].get(system.name, "")), _scores(system.items[index].scores))
            for system in systems
        ]
        row: dict[str, Any] = {
            "item": index,
            "value": "" if mean is None else f"{mean:.2f}",
            "shown": "" if mean is None else f"{mean:.0f}",
            "source": _cut(texts["source"]),
            "outputs": outputs,
            "references": [_cut(text) for text in texts["references"][:2]],
        }
        shown = [str(row["source"]), *row["references"], *(part for output in outputs for part in output)]
        room -= 220 + sum(len(text.encode()) + 24 for text in shown)
        if room < 0:
            return rows, f"The first {len(rows)} of {len(chapter.texts)} items are listed; the run's folder has all."
        rows.append(row)
    return rows, ""


def _cut(text: str) -> str:
    return text if len(text) <= CUT else f"{text[: CUT - 1]}…"


def _scores(scores: dict[str, float]) -> str:
    return " ".join(f"{name} {score_text(value)}" for name, value in list(scores.items())[:8])
