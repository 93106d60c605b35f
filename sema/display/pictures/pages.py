"""Templates, styles and scripts of the pages, and of objects in notebooks; all inserted values are escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from sema.display.pictures.items import view_item
from sema.display.pictures.svg import asset
from sema.display.pictures.verdicts import Problem, points_text, problems_of, verdict_of
from sema.display.pictures.words import capitalized, say, spoken, table
from sema.errors import counted
from sema.metrics.scene_metrics import FAMILY
from sema.model.links import LinkKind
from sema.model.pictures import Pictured
from sema.model.text import visible
from sema.scoring.item_scores import ItemScore
from sema.scoring.results import ItemResults, Report, short_signature

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def _environment(package: str) -> Environment:
    from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, select_autoescape

    loaders = [PackageLoader(name, "templates") for name in dict.fromkeys([package, "sema.display"])]
    made = Environment(
        loader=ChoiceLoader(loaders),
        autoescape=select_autoescape(),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_harmless,
    )
    made.globals |= {"kinds": list(LinkKind), "_": say, "spoken": spoken, "words": lambda: table(spoken())}
    made.filters["capitalized"] = capitalized
    made.filters["score"] = score_text
    made.filters["points"] = points_text
    made.filters["isolated"] = _isolated
    return made


def _isolated(value: object) -> Any:
    """A problem with its words isolated (``bdi``), or a text with each side of an arrow.

    Beside Arabic words, an arrow would point backwards, and ``…`` would stand where they begin.
    """
    from markupsafe import Markup

    def isolated(text: str) -> Markup:
        return Markup("<bdi>{}</bdi>").format(_harmless(text))

    if isinstance(value, Problem):
        return Markup(value.said(isolated))
    sides = str(value).split(ARROW)
    return sides[0] if len(sides) == 1 else Markup(ARROW).join(map(isolated, sides))


ARROW = " → "
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that no page may contain: controls except tab and line feed, changes of direction, and surrogates."""


def _harmless(value: Any) -> Any:
    """A value for a template: characters that no page may hold are written as escapes."""
    is_text = isinstance(value, str) and not hasattr(value, "__html__")
    return _CONTROLS.sub(lambda match: visible(match[0]), value) if is_text else value


def rendered(template: str, package: str = "sema.display", **values: Any) -> str:
    """Render a template of ``package``, or else of ``sema.display``; ``values`` are escaped if it is HTML."""
    return _environment(package).get_template(template).render(values)


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
) -> str:
    """One output with its evidence as a fragment of a page that has ``sema.css`` and ``sema.js``.

    The score, the problems and the texts are always visible; Scenes, links and their scores are folded away.
    ``evidence`` is :func:`sema.scoring.item_scores.evidence_of`'s, or ``{"error": …}``; ``name`` is the system's.
    """
    view = view_item(evidence, source_text=source_text, output_text=output_text) if "source" in evidence else None
    verdict = verdict_of(evidence, scores, view)
    plain = {metric: value for metric, value in scores.items() if metric not in (verdict.metric, *FAMILY)}
    folded = {metric: value for metric, value in scores.items() if metric not in plain}
    return rendered(
        "item.html", evidence=evidence, view=view, plain=plain, folded=folded, verdict=verdict,
        problems=problems_of(evidence), name=name,
    )  # fmt: skip


def items_html(parts: Sequence[str]) -> str:
    """Outputs of one source, as :func:`item_html` shows them, side by side where there is room."""
    return "".join(parts) if len(parts) == 1 else f'<div class="compare">{"".join(parts)}</div>'


def in_notebook(fragment: str) -> str:
    """A fragment with its own style and script, scoped so that they do not affect the notebook's page.

    Its colours follow the notebook's theme (VS Code's, JupyterLab's) where that is known, otherwise the system's.
    """
    css = asset("sema.css").replace(":root", ":scope")
    bodies = {scheme: ", ".join(f"{body} .sema-cell" for body in known) for scheme, known in THEMES.items()}
    themes = "".join(f"{selectors} {{color-scheme: {scheme}}}" for scheme, selectors in bodies.items())
    return (
        f'<div class="sema sema-cell"><style>@scope (.sema-cell) {{{css}}}{themes}</style>{fragment}'
        f"<script>{asset('sema.js')}</script></div>"
    )


THEMES = {
    "light": ("body.vscode-light", 'body[data-jp-theme-light="true"]'),
    "dark": ("body.vscode-dark", "body.vscode-high-contrast", 'body[data-jp-theme-light="false"]'),
}
"""The CSS selectors of a notebook's page in each theme."""


def pictures_page(title: str, pictures: Sequence[tuple[int, str, str]]) -> str:
    """A self-contained page of pictures: item number, words and SVG of each."""
    return rendered("pictures.html", title=title, pictures=pictures, css=asset("sema.css"))


def picture_page(shown: Pictured) -> str:
    """A picture in the colours of the notebook's theme."""
    return in_notebook(f'<div style="overflow-x:auto">{shown.to_svg(styled=False)}</div>')


def item_page(shown: ItemScore) -> str:
    """An item's scores and evidence."""
    return in_notebook(_scored(shown, shown.evidence()))


def items_page(shown: ItemResults) -> str:
    """All systems' scores and evidence of an item, side by side where there is room."""
    return in_notebook(items_html([_scored(one, shown.evidence[name], name) for name, one in shown.systems.items()]))


def _scored(shown: ItemScore, evidence: Mapping[str, Any], name: str = "") -> str:
    source, output = ("", "") if shown.item is None else (shown.item.source.raw, shown.item.output.raw)
    return item_html(evidence, shown.scores, name=name, source_text=source, output_text=output)


def report_page(shown: Report) -> str:
    """The corpus scores as a table of systems by metrics."""
    better = {name: shown.higher_is_better.get(name, True) for name in shown.metrics}
    note = f"{counted(shown.items, 'item')} | {short_signature(shown.signature)}"
    return in_notebook(rendered("scores.html", systems=shown.systems, better=better, note=note))
