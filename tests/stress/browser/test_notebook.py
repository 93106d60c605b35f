"""Results in a notebook have the notebook's own theme rather than the system's."""

from pathlib import Path

import pytest

from sema import Scorer
from tests.esperanto import esperanto
from tests.stress.browser.browsing import Page

pytestmark = pytest.mark.stress

PAPER = "return getComputedStyle(document.querySelector('.sema-item')).backgroundColor"
EDGE = "return getComputedStyle(document.querySelector('.sema-svg path')).stroke"
EDGES = {"rgb(255, 255, 255)": "rgb(122, 134, 153)", "rgb(25, 29, 37)": "rgb(139, 151, 170)"}
"""The edges of pictures on light and dark: at least three times as bright, or as dark, as the paper."""
LIGHT, DARK = "rgb(255, 255, 255)", "rgb(25, 29, 37)"


def shown(browser: Page, folder: Path, body: str, scheme: str) -> None:
    """A notebook's page with an item, a table of systems and a scene graph."""
    report = Scorer(esperanto(), ["sema"]).score(
        ["La hundo manĝas pomon."], {"a": ["Hundo manĝas pomon."], "b": ["Hundo."]}
    )
    page = folder / "notebook.html"
    graph = esperanto().parts().extractor.extract([("Hundo", "manĝas", "pomon")])[0]
    cells = (report, report.item(0), graph)
    html = f"<!doctype html><meta charset=utf-8><body {body}>{''.join(cell._repr_html_() for cell in cells)}"
    page.write_text(html, encoding="utf-8")
    browser.prefer(scheme)
    browser.size(1000, 800)
    browser.get(page.as_uri())


@pytest.mark.parametrize(
    ("body", "scheme", "colour"),
    [
        ("", "light", LIGHT),
        ("", "dark", DARK),
        ("class=vscode-dark", "light", DARK),
        ("data-jp-theme-light=true", "dark", LIGHT),
    ],
)
def test_colours_follow_the_notebooks_theme(chrome: Page, tmp_path: Path, body: str, scheme: str, colour: str) -> None:
    shown(chrome, tmp_path, body, scheme)
    assert chrome.execute_script(PAPER) == colour
    assert chrome.execute_script(EDGE) == EDGES[colour]
