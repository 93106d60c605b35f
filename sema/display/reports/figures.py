"""Figures with matplotlib: their look, and SVG, PDF and PNG files."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sema.errors import SemaWarning, UsageError, required
from sema.files.replacing import replacing
from sema.model.text import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PALETTE = ("#0e7c86", "#b4610a", "#6941c6", "#3d7a1f", "#c11574", "#1c63c9", "#8a6d00", "#5d6675")
"""The colours of systems."""
INK, RULE, CARD = "#1d2430", "#d9d5cd", "#fffffe"
FILES = (".svg", ".pdf", ".png")
DOTS = 200  # dots per inch, in a PNG file and where a figure has too many points to be drawn one by one
SIZE = 8.5  # the font size, in points
OWN = "DejaVu Sans"  # matplotlib's font, which lacks Chinese, Japanese and Korean
EAST_ASIAN = (
    "Noto Sans CJK", "Noto Sans SC", "Source Han Sans", "WenQuanYi", "Droid Sans Fallback", "PingFang",
    "Hiragino Sans", "Apple SD Gothic", "Arial Unicode", "Microsoft YaHei", "SimHei", "Malgun Gothic",
)  # fmt: skip
"""How the families of usual fonts with these letters begin."""


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
    axes.set_title(title, loc="left", fontsize=SIZE + 0.5, fontweight="bold", color=INK)
    axes.set_xlabel(across, color=INK, fontsize=SIZE)
    axes.set_ylabel(up, color=INK, fontsize=SIZE)
    if grid:
        axes.grid(axis=grid, color=RULE, linewidth=0.6)


def check_figure_path(path: str) -> None:
    """Raise a ``UsageError`` for a file that is none of :data:`FILES`, a ``ResourceError`` without matplotlib."""
    if Path(path).suffix.lower() not in FILES:
        raise UsageError(f"a figure goes to {', '.join(FILES[:-1])} or {FILES[-1]}; name such a file", file=path)
    required("matplotlib")


def write_figure(figure: Figure, path: str) -> None:
    """Write a figure to an SVG, PDF or PNG file, by its suffix.

    SVG and PDF keep text as text; PNG has a white background. Letters that matplotlib's own font lacks are drawn in an
    installed font that has them.

    Raises:
        InputError: the suffix is none of :data:`FILES`, or the file cannot be written.

    Warns:
        SemaWarning: no installed font has some of the letters.
    """
    check_figure_path(path)
    from matplotlib import rc_context
    from matplotlib.font_manager import get_font_names
    from matplotlib.text import Text

    families = [OWN, *sorted(name for name in get_font_names() if name.startswith(EAST_ASIAN))]
    texts: list[Any] = figure.findobj(Text)
    for text in texts:
        text.set_family(families)
    kind = Path(path).suffix.lower()[1:]
    # Undated, so that the same figure is the same file.
    metadata = {"svg": {"Creator": "sema", "Date": None}, "pdf": {"Creator": "sema", "CreationDate": None}}
    ground = "white" if kind == "png" else "auto"
    options = {"svg.fonttype": "none", "pdf.fonttype": 42, "svg.hashsalt": "sema", "font.family": families}
    with rc_context(options), warnings.catch_warnings(record=True) as caught, replacing(Path(path)) as file:
        warnings.simplefilter("always")
        figure.savefig(file, format=kind, dpi=DOTS, metadata=metadata.get(kind, {"Software": "sema"}), facecolor=ground)
    said = "\n".join(str(warning.message) for warning in caught)
    if missing := {chr(int(code)) for code in re.findall(r"Glyph (\d+) .*missing", said)}:
        warnings.warn(
            f"no installed font has {''.join(sorted(missing))}, so that figures may cut names or show boxes; install "
            "one that does, such as Noto Sans CJK",
            SemaWarning,
            stacklevel=2,
        )
