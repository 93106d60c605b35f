"""The documentation's pictures of the page and of a report: made here, and a test fails when they are old.

``make pictures`` draws them anew (``SEMA_PICTURES=write``). What a picture shows is kept beside it as text, without its
numbers, and with a digest of style sheets and templates: pictures of two browsers are never the same to the pixel.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sema import Scorer
from sema.display.reports.chapters import read_chapter
from sema.display.reports.report import report_html
from tests.conftest import ROOT
from tests.sema.web.servers import serving
from tests.stress.browser.browsing import Page

pytestmark = pytest.mark.stress

PICTURES = ROOT / "docs" / "pictures"
SHOWN = PICTURES / "shown.json"
EXAMPLES = ROOT / "examples" / "en"
OUTPUTS = ("split", "shortened", "changed")
METRICS = ["meaning", "sema", "samsa", "sari", "bleu", "fkgl"]
STYLES = {
    "page": ("web/templates/index.html", "web/templates/page.css", "display/templates/item.html"),
    "report": ("display/templates/report.html", "display/templates/report.css", "display/templates/items.css"),
}
"""Templates and style sheets of each picture, beside those of both."""
BOTH = ("display/templates/sema.css", "display/templates/pictures.css")
TEXT = """
const heads = [...document.querySelectorAll("h1, h2, th, button, label")];
const texts = heads.filter((one) => !one.closest("svg, select, .sema-item")).map((one) => one.textContent);
const result = document.querySelector("#result");
return [...texts, ...(result ? result.innerText.split("\\n") : [])].map((text) => text.trim()).filter((text) => text);
"""


@pytest.fixture(scope="module")
def english() -> Iterator[str]:
    """A server with the installed languages, in a thread of its own."""
    from sema.web.app import create_app

    with serving(create_app()) as (host, port):
        yield f"http://{host}:{port}/"


def shown(browser: Page, name: str) -> dict[str, object]:
    """What the browser shows, as it is kept beside the picture."""
    styles = b"".join((ROOT / "sema" / path).read_bytes() for path in (*STYLES[name], *BOTH))
    texts = [re.sub(r"[-−+]?\d+(?:[.,]\d+)*", "#", text) for text in browser.execute_script(TEXT)]
    return {"texts": texts, "styles": hashlib.sha256(styles).hexdigest()[:16]}


def check(browser: Page, name: str) -> None:
    """Compare what is shown with what the picture shows, or draw the picture."""
    known = json.loads(SHOWN.read_text(encoding="utf-8")) if SHOWN.exists() else {}
    drawn = shown(browser, name)
    if os.environ.get("SEMA_PICTURES") == "write":
        browser.execute_script("document.documentElement.style.overflow = 'hidden'")  # no scroll bars
        browser.get_screenshot_as_file(str(PICTURES / f"{name}.png"))
        text = json.dumps({**known, name: drawn}, ensure_ascii=False, indent=1, sort_keys=True)
        SHOWN.write_text(text + "\n", encoding="utf-8")
        return
    assert drawn == known.get(name), f"docs/pictures/{name}.png is old; draw it anew with `make pictures`"


def test_the_picture_of_the_page_is_what_the_page_shows(chrome: Page, english: str) -> None:
    chrome.size(1200, 1150)
    chrome.get(english)
    chrome.select("#paste-lang").select_by_value("en")
    chrome.one("[data-example=wrong]").click()
    chrome.score()
    chrome.until(lambda: chrome.one("#understood").text)
    chrome.execute_script("document.activeElement.blur(); window.scrollTo(0, 0)")
    check(chrome, "page")


def test_the_picture_of_a_report_is_what_a_report_shows(chrome: Page, tmp_path: Path) -> None:
    source, reference, *outputs = (
        (EXAMPLES / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        for name in ("original", "reference", *OUTPUTS)
    )
    systems = dict(zip(OUTPUTS, outputs, strict=True))
    Scorer("en", METRICS).write(tmp_path / "run", source, systems, reference)
    page = tmp_path / "report.html"
    page.write_text(report_html([read_chapter(str(tmp_path / "run"))]), encoding="utf-8")
    chrome.size(1200, 1500)
    chrome.get(page.as_uri())
    check(chrome, "report")
