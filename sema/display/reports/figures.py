"""Figures with matplotlib: their look, SVG that takes its colours from the page, and SVG, PDF and PNG files."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sema.display.pictures.words import say
from sema.display.reports.fonts import fonts_for
from sema.errors import UsageError, required
from sema.files.replacing import replacing
from sema.model.text import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PALETTE = ("#0e7c86", "#b4610a", "#6941c6", "#3d7a1f", "#c11574", "#1c63c9", "#8a6d00", "#5d6675")
"""The colours of systems; pages map them to variables, which are lighter in dark mode."""
KIND_COLOURS = {
    "exact": "#5b6472", "form": "#0b7285", "synonym": "#2b59c3", "paraphrase": "#8437b5", "contextual": "#8f5206",
    "hyponymy": "#b42346", "kept": "#5b6473", "wrong": "#9a1f00", "lost": "#a61b3c", "added": "#8a4b00",
}  # fmt: skip
INK, RULE, CARD = "#1d2430", "#d9d5cd", "#fffffe"
PAGE_COLOURS = {
    **{colour: f"s{place}" for place, colour in enumerate(PALETTE)},
    **{colour: f"k-{kind}" for kind, colour in KIND_COLOURS.items()},
    **{KIND_COLOURS[fate]: fate for fate in ("wrong", "lost", "added")},
    KIND_COLOURS["kept"]: "good",
    INK: "ink",
    RULE: "rule",
    CARD: "card",
    "#000000": "ink",
}
"""The page's CSS variable for each colour of a figure."""
FILES = (".svg", ".pdf", ".png")
DOTS = 200  # dots per inch, in a PNG file and where a figure has too many points to be drawn one by one
SIZE = 8.5  # the font size, in points


def plain(name: str) -> str:
    """A name as a figure shows it: no control characters, and no formula between dollars."""
    return visible(name).replace("$", r"\$")


def figure_of(height: float) -> Figure:
    """A figure of that height in inches, with a transparent background."""
    figure: Figure = required("matplotlib.figure").Figure(figsize=(9.2, height), layout="constrained")
    figure.patch.set_alpha(0)
    return figure


def calm(axes: Any, title: str = "", grid: str = "", across: str = "", up: str = "") -> None:
    """Axes without frame, background or ticks; the title on the left; ``grid`` names the axes whose grid is shown.

    ``across`` and ``up`` are the names of the axes.
    """
    axes.patch.set_alpha(0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(RULE)
    axes.tick_params(colors=INK, length=0, labelsize=SIZE)
    if title:
        axes.set_title(title, loc="left", fontsize=SIZE + 0.5, fontweight="bold", color=INK)
    if grid:
        axes.grid(axis=grid, color=RULE, linewidth=0.6)
    if across:
        axes.set_xlabel(across, color=INK, fontsize=SIZE)
    if up:
        axes.set_ylabel(up, color=INK, fontsize=SIZE)


def legend(figure: Any, *entries: Any, **options: Any) -> None:
    """A legend below the panels."""
    figure.legend(*entries, loc="outside lower left", frameon=False, fontsize=SIZE - 0.5, labelcolor=INK, **options)


def page_svg(figure: Figure, title: str, key: str) -> str:
    """The figure as part of a page: with CSS variables as colours, ids starting with ``key``, and the page's width.

    Title and labels are translated (:func:`sema.display.pictures.words.say`).
    """
    from matplotlib import rc_context

    out = io.StringIO()
    options = {"svg.fonttype": "none", "svg.hashsalt": key, "font.family": ["sans-serif"], "hatch.linewidth": 0.5}
    with rc_context(options), fonts_for(figure):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Title": title})
    svg = out.getvalue()[out.getvalue().index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r' (width|height)="[^"]*"', "", svg, count=2)  # those of the svg element
    svg = re.sub(r"<[^>]+>", lambda tag: _page_tag(tag[0], key), svg)
    # Translated only now, since matplotlib would need a font for the words of another language.
    svg = re.sub(r"(?<=>)[^<>\n]+(?=</(?:text|title)>)", lambda text: say(text[0]), svg)
    return svg.replace("<svg", '<svg role="img"', 1)


def _page_tag(tag: str, key: str) -> str:
    """A tag of a figure as a page has it; labels are no tags and stay as they are."""
    tag = re.sub(r'\b(id|xlink:href|href)="(#?)', rf'\1="\2{key}-', tag)
    tag = tag.replace("url(#", f"url(#{key}-")
    for colour, name in PAGE_COLOURS.items():
        tag = tag.replace(colour, f"var(--{name})")
    tag = re.sub(r"font: ([0-9.]+)px [^;\"]*", r"font-size: \1px; font-family: inherit", tag)
    return re.sub(r"(\d+\.\d\d)\d+", r"\1", tag)


def check_figure_path(path: str) -> None:
    """Raise ``UsageError`` for a file that is none of :data:`FILES`."""
    if Path(path).suffix.lower() not in FILES:
        raise UsageError(f"a figure goes to {', '.join(FILES[:-1])} or {FILES[-1]}; name such a file", file=path)


def write_figure(figure: Figure, path: str) -> None:
    """Write a figure to an SVG, PDF or PNG file, by its suffix.

    SVG and PDF keep text as text; PNG has a white background.

    Raises:
        InputError: the suffix is none of :data:`FILES`, or the file cannot be written.
    """
    from matplotlib import rc_context

    check_figure_path(path)
    with (
        rc_context({"svg.fonttype": "none", "pdf.fonttype": 42, "svg.hashsalt": "sema"}),
        fonts_for(figure),
        replacing(Path(path)) as file,
    ):
        kind = Path(path).suffix.lower()[1:]
        # Undated, so that the same figure is the same file.
        metadata = {"svg": {"Creator": "sema", "Date": None}, "pdf": {"Creator": "sema", "CreationDate": None}}
        ground = "white" if kind == "png" else "auto"
        figure.savefig(file, format=kind, dpi=DOTS, metadata=metadata.get(kind, {"Software": "sema"}), facecolor=ground)
