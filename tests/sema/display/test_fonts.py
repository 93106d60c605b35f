"""Names in letters that matplotlib's font lacks: an installed font has them, or one line says that none does."""

import os
import sys
import tempfile
import warnings
from pathlib import Path

import pytest

from sema.errors import SemaWarning

pytest.importorskip("matplotlib", reason="figures need matplotlib (the extra `report`)")

from sema.display.reports import fonts
from sema.display.reports.charts import intervals_figure
from sema.display.reports.figures import page_svg, write_figure
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
    monkeypatch.setattr(fonts, "_installed", lambda: iter([serif.fname]))
    fonts._families.cache_clear()
    assert fonts._families(frozenset(CHINESE)) == (("DejaVu Serif",), frozenset())
    write_figure(figure(CHINESE), str(tmp_path / "figure.svg"))
    fonts._families.cache_clear()
    assert "DejaVu Serif" in (tmp_path / "figure.svg").read_text("utf-8")


def test_letters_of_its_own_font_change_nothing(no_fonts: None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        page_svg(figure("système", "ŝanĝo"), "title", "key")


def test_the_list_of_fonts_stays_out_of_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "matplotlib")
    monkeypatch.setenv(fonts.CACHE, "set by the user")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    fonts.cache_outside_home()
    assert os.environ[fonts.CACHE] == "set by the user" and not list(tmp_path.iterdir())
    monkeypatch.delenv(fonts.CACHE)
    fonts.cache_outside_home()
    (folder,) = tmp_path.iterdir()
    assert os.environ.pop(fonts.CACHE) == str(folder) and folder.stat().st_mode & 0o077 == 0
    folder.rename(tmp_path / "other")
    folder.symlink_to(tmp_path / "other")
    fonts.cache_outside_home()
    assert fonts.CACHE not in os.environ
