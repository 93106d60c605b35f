"""Templates, styles and scripts of the pages; all inserted values are escaped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from sema.display.pictures.items import view_item
from sema.display.pictures.svg import KINDS, style

if TYPE_CHECKING:
    from jinja2 import Environment

ASSETS = ("sema.css", "sema.js")


@cache
def environment(*packages: str) -> Environment:
    """Jinja2 with autoescape over the templates of ``packages``, then those of this room."""
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

    loaders = [PackageLoader(package, "templates") for package in (*packages, "sema.display")]
    made = Environment(
        loader=ChoiceLoader(loaders), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    made.globals["kinds"] = KINDS
    made.filters["score"] = score_text
    return made


def asset(name: str) -> str:
    """One of :data:`ASSETS`; the style sheet has the pictures' colours too."""
    text = files("sema.display").joinpath("templates", name).read_text(encoding="utf-8")
    return text + style() if name.endswith(".css") else text


def score_text(value: float | None) -> str:
    """A score for people; a dash for none."""
    return "–" if value is None or value != value else f"{value:.1f}"


def item_html(
    evidence: Mapping[str, Any],
    scores: Mapping[str, float | None],
    *,
    name: str = "",
    source_text: str = "",
    output_text: str = "",
    shut: bool = False,
) -> str:
    """One output with its evidence as a fragment of a page that has :data:`ASSETS`.

    Args:
        evidence: as :func:`sema.scoring.item_scores.evidence_of` has it, or ``{"error": …}``.
        scores: by metric.
        name: the system's name.
        source_text, output_text: the texts as they were given.
        shut: whether the list of Scenes is folded away at first.
    """
    view = view_item(evidence, source_text=source_text, output_text=output_text) if "source" in evidence else None
    return (
        environment()
        .get_template("item.html")
        .render(view=view, scores=scores, name=name, error=evidence.get("error", ""), shut=shut)
    )


def scores_html(
    systems: Sequence[tuple[str, Mapping[str, float | None]]], better: Mapping[str, bool], *, note: str = ""
) -> str:
    """A table of systems by metrics, the best of each column marked, as a fragment.

    Args:
        systems: name and scores of each.
        better: for each metric, in the table's order, whether more is better.
        note: the text below.
    """
    best = {}
    for metric, more in better.items():
        known = [value for _, scores in systems if (value := scores.get(metric)) is not None and value == value]
        best[metric] = (max if more else min)(known, default=None)
    rows = [
        {
            "name": name,
            "cells": [
                {"value": scores.get(metric), "best": len(systems) > 1 and scores.get(metric) == best[metric]}
                for metric in better
            ],
        }
        for name, scores in systems
    ]
    return environment().get_template("scores.html").render(metrics=list(better.items()), rows=rows, note=note)


def in_notebook(fragment: str) -> str:
    """A fragment with its own style and script, scoped so that they do not affect the notebook's page."""
    css = asset("sema.css").replace(":root", ":scope")
    return (
        f'<div class="sema sema-cell"><style>@scope (.sema-cell) {{{css}}}</style>{fragment}'
        f"<script>{asset('sema.js')}</script></div>"
    )


def pictures_page(title: str, pictures: Sequence[tuple[int, str, str]]) -> str:
    """A page of pictures, which needs nothing else: item number, words and SVG of each."""
    return environment().get_template("pictures.html").render(title=title, pictures=pictures, css=asset("sema.css"))
