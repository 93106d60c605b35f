"""What axe-core finds in the page, scored files and a report, in light and dark; the report on a phone too."""

import json
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from sema import Scorer
from tests.esperanto import esperanto
from tests.stress.browser.browsing import MEDICINE, OUTPUT, SOURCE, Page

pytestmark = pytest.mark.stress

AXE_VERSION = "4.10.3"


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script of axe-core, fetched by npm."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("accessibility checks need npm, to fetch axe-core")
    folder = tmp_path_factory.mktemp("axe")
    command = [npm, "pack", "--silent", f"axe-core@{AXE_VERSION}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("axe-core cannot be fetched by npm (is there a network?)")
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        script = archive.extractfile("package/axe.min.js")
        assert script is not None
        return script.read().decode()


def serious(browser: Page, axe: str) -> list[str]:
    """What axe-core finds that is serious or critical."""
    # Through the debugger, which the page's policy does not bind.
    browser.execute_cdp_cmd("Runtime.evaluate", {"expression": axe})
    answer = browser.execute_cdp_cmd(
        "Runtime.evaluate",
        {"expression": "axe.run().then((found) => JSON.stringify(found.violations))", "awaitPromise": True},
    )
    return [
        f"{rule['id']}: {rule['nodes'][0]['html'][:120]} {rule['nodes'][0].get('failureSummary', '')[:200]}"
        for rule in json.loads(answer["result"]["value"])
        if rule["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize(
    ("scheme", "words", "width"), [("light", "en", 1200), ("dark", "en", 1200), ("light", "zh", 375)]
)
def test_the_page_is_accessible(page: Page, axe: str, address: str, scheme: str, words: str, width: int) -> None:
    page.prefer(scheme)
    page.size(width, 900)
    page.get(f"{address}?words={words}")
    page.select("#paste-lang").select_by_value("eo")
    page.paste()
    page.unfold()
    assert serious(page, axe) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_problems_of_two_outputs_are_accessible(page: Page, axe: str, scheme: str) -> None:
    page.prefer(scheme)
    page.select("#paste-lang").select_by_value("en")
    page.tick("meaning")
    page.add("Use this medicine before the date.")
    page.paste(*MEDICINE)
    assert page.every("#result .shared mark, #result .shared del, #result .shared .half")
    page.one("#result .problems button").click()
    assert serious(page, axe) == []


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 375)])
def test_scored_files_are_accessible(page: Page, axe: str, tmp_path: Path, scheme: str, width: int) -> None:
    page.prefer(scheme)
    page.size(width, 900)
    page.score_files(tmp_path)
    page.unfold()
    assert serious(page, axe) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_report_is_accessible_searchable_and_fits_a_phone(
    chrome: Page, axe: str, tmp_path: Path, scheme: str
) -> None:
    from sema.cli.main import main

    sources = [SOURCE, "Mi vidas la katon.", "Vi kuras."]
    Scorer(esperanto(), ["sema", "samsa"]).write(
        tmp_path / "run", sources, {"a": [OUTPUT, "Mi.", "Vi kuras."], "b": sources}
    )
    assert main(["report", str(tmp_path / "run"), "-o", str(tmp_path / "report.html")]) == 0
    chrome.prefer(scheme)
    chrome.size(1200, 900)
    chrome.get_log("browser")
    chrome.get((tmp_path / "report.html").as_uri())
    assert serious(chrome, axe) == []
    chrome.one("#items0 [name=search]").send_keys("katon")
    chrome.until(lambda: chrome.one("#items0 [role=status]").text == "1 of 3")
    shown = [row for row in chrome.every("#items0 .row") if row.is_displayed()]
    assert len(shown) == 1 and "katon" in shown[0].text
    chrome.one("button", shown[0]).click()
    chrome.appears("#items0 .opened .duo .shared")
    assert serious(chrome, axe) == []
    chrome.execute_script("dispatchEvent(new Event('beforeprint'))")
    worst = chrome.every(".worst .pick")
    assert worst and all(pick.get_attribute("open") for pick in worst), "printed with their outputs"
    chrome.size(360, 740)
    assert chrome.fits()
    assert chrome.severe() == []
