"""Names in letters that matplotlib's font lacks: an installed font has them, or one line says that none does."""

import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from sema.errors import SemaWarning
from tests.conftest import ROOT

pytest.importorskip("matplotlib", reason="figures need matplotlib (the extra `report`)")

from sema.display.reports import fonts
from sema.display.reports.figures import intervals_figure, page_svg, write_figure
from sema.evaluation.significance import Estimate

CHINESE = "简化一"


def figure(*names: str):  # type: ignore[no-untyped-def]
    return intervals_figure({name: {"score": Estimate(50, 40, 60)} for name in names}, ["score"])


@pytest.fixture
def no_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "_installed", lambda: iter(()))
    fonts._families.cache_clear()


@pytest.mark.parametrize("suffix", [".svg", ".pdf"])
def test_names_without_a_font_are_warned_of_in_one_line(no_fonts: None, suffix: str, tmp_path: Path) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        write_figure(figure(CHINESE), str(tmp_path / f"figure{suffix}"))
        page_svg(figure(CHINESE), "title", "key")
    assert {warning.category for warning in caught} == {SemaWarning}
    (said,) = {str(warning.message) for warning in caught}
    assert said.startswith("no installed font has 一化简") and "\n" not in said and "site-packages" not in said


def test_a_font_that_has_the_letters_draws_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from matplotlib.font_manager import fontManager

    serif = next(font for font in fontManager.ttflist if font.name == "DejaVu Serif")
    plain = fonts._has

    def has(path: str) -> frozenset[str]:
        return plain(path) | frozenset(CHINESE if path == serif.fname else "")

    monkeypatch.setattr(fonts, "_has", has)
    monkeypatch.setattr(fonts, "_installed", lambda: iter([(serif.name, serif.fname)]))
    fonts._families.cache_clear()
    assert fonts._families(frozenset(CHINESE)) == (("DejaVu Serif",), frozenset())
    write_figure(figure(CHINESE), str(tmp_path / "figure.svg"))
    fonts._families.cache_clear()
    assert "DejaVu Serif" in (tmp_path / "figure.svg").read_text("utf-8")


def test_letters_of_its_own_font_change_nothing(no_fonts: None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        page_svg(figure("système", "ŝanĝo"), "title", "key")


def test_the_list_of_fonts_stays_out_of_the_home_folder(tmp_path: Path) -> None:
    home, temporary = tmp_path / "home", tmp_path / "tmp"
    home.mkdir()
    temporary.mkdir()
    code = (
        "from sema.display.reports.fonts import cache_outside_home; cache_outside_home(); "
        "import matplotlib.font_manager as found; print(found.fontManager.ttflist != [])"
    )
    environment = {key: value for key, value in os.environ.items() if key not in ("MPLCONFIGDIR", "XDG_CACHE_HOME")}
    environment |= {"HOME": str(home), "TMPDIR": str(temporary), "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
    assert list(home.iterdir()) == []
    (folder,) = temporary.iterdir()
    assert list(folder.iterdir()) and folder.stat().st_mode & 0o077 == 0
