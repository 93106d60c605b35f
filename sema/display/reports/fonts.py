"""Fonts for the letters of a figure: matplotlib's own lacks Chinese and many other scripts."""

from __future__ import annotations

import logging
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sema.errors import SemaWarning

if TYPE_CHECKING:
    from matplotlib.figure import Figure

OWN = "DejaVu Sans"  # comes with matplotlib
USUAL = "Regular"  # in the names of files of fonts that are neither bold nor italic
BLANK = "LastResort"  # the file of a font that has a box for every character
SHOWN = 12  # how many characters without a font a warning names
CACHE = "MPLCONFIGDIR"  # the variable that names matplotlib's folder for its list of fonts


def cache_outside_home() -> None:
    """Let matplotlib cache its list of fonts in the temporary folder; only for our own processes, before it is loaded.

    A folder set by the user stays in use. A folder owned by another user is not used.
    """
    if CACHE in os.environ or "matplotlib" in sys.modules:
        return
    user = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"sema-fonts-{user}"
    with suppress(OSError):  # no folder for temporary files: matplotlib looks for a place by itself
        folder.mkdir(mode=0o700, exist_ok=True)
        if folder.lstat().st_uid == user and not folder.is_symlink():
            os.environ[CACHE] = str(folder)


@contextmanager
def fonts_for(figure: Figure) -> Iterator[None]:
    """Draw the figure's letters in matplotlib's own font, and those it lacks in installed fonts that have them.

    Warns:
        SemaWarning: no installed font has some of the letters.
    """
    from matplotlib import rc_context
    from matplotlib.text import Text

    texts: list[Any] = figure.findobj(Text)
    letters = frozenset(letter for text in texts for letter in text.get_text() if not letter.isspace())
    families, missing = _families(letters)
    if missing:
        shown = "".join(sorted(missing)[:SHOWN]) + ("…" if len(missing) > SHOWN else "")
        warnings.warn(
            f"no installed font has {shown}, so that figures may cut names or show boxes; install one that does, such "
            "as Noto Sans CJK",
            SemaWarning,
            stacklevel=2,
        )
    used = [OWN, *families]
    for text in texts if families else ():
        text.set_family(used)
    log = logging.getLogger("matplotlib.font_manager")
    level = log.level
    with rc_context({"font.family": used} if families else {}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")  # said above, once and in one line
        log.setLevel(logging.ERROR)  # a family without the usual weight will do
        try:
            yield
        finally:
            log.setLevel(level)


@lru_cache(16)
def _families(letters: frozenset[str]) -> tuple[tuple[str, ...], frozenset[str]]:
    """Families that have the letters which matplotlib's own font lacks, and the letters that no font has."""
    from matplotlib.font_manager import findfont, findSystemFonts, fontManager

    missing = letters - _has(findfont(OWN))
    families: list[str] = []
    # Usual weights first. The system is asked, since matplotlib's cached list lacks fonts installed since.
    for path in sorted(findSystemFonts(), key=lambda path: (USUAL not in path, path)) if missing else ():
        if missing and BLANK not in path and (found := missing & _has(path)):
            fontManager.addfont(path)  # its list may lack the font, and says which family it is
            families.append(fontManager.ttflist[-1].name)
            missing -= found
    return tuple(families), missing


def _has(path: str) -> frozenset[str]:
    """The characters of a font file; none if it cannot be read."""
    from matplotlib.ft2font import FT2Font

    try:
        return frozenset(map(chr, FT2Font(path).get_charmap()))
    except (OSError, RuntimeError):
        return frozenset()
