"""What axe-core finds in the page, scored files and a report, in light and dark; the report on a phone too."""

import json
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from sema import Scorer
from tests.esperanto import esperanto
from tests.stress.browser.browsing import (
    MEDICINE,
    OUTPUT,
    SOURCE,
    By,
    Chrome,
    Select,
    fits,
    one,
    paste,
    prefer,
    score_files,
    severe,
    size,
    until,
)

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


def serious(browser: Chrome, axe: str) -> list[str]:
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
def test_the_page_is_accessible(page: Chrome, axe: str, address: str, scheme: str, words: str, width: int) -> None:
    prefer(page, scheme)
    size(page, width, 900)
    page.get(f"{address}?words={words}")
    Select(one(page, "#paste-lang")).select_by_value("eo")
    paste(page)
    page.execute_script("for (const part of document.querySelectorAll('details')) part.open = true")
    assert serious(page, axe) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_problems_of_two_outputs_are_accessible(page: Chrome, axe: str, scheme: str) -> None:
    prefer(page, scheme)
    Select(one(page, "#paste-lang")).select_by_value("en")
    page.execute_script("document.querySelector('#paste [name=metric][value=meaning]').checked = true")
    one(page, "#add").click()
    one(page, "#output2").send_keys("Use this medicine before the date.")
    paste(page, *MEDICINE)
    assert page.find_elements(By.CSS_SELECTOR, "#result .shared mark, #result .shared del, #result .shared .half")
    one(page, "#result .problems button").click()
    assert serious(page, axe) == []


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 375)])
def test_scored_files_are_accessible(page: Chrome, axe: str, tmp_path: Path, scheme: str, width: int) -> None:
    prefer(page, scheme)
    size(page, width, 900)
    score_files(page, tmp_path)
    page.execute_script("for (const part of document.querySelectorAll('details')) part.open = true")
    assert serious(page, axe) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_report_is_accessible_searchable_and_fits_a_phone(
    chrome: Chrome, axe: str, tmp_path: Path, scheme: str
) -> None:
    from sema.cli.main import main

    sources = [SOURCE, "Mi vidas la katon.", "Vi kuras."]
    Scorer(esperanto(), ["sema", "samsa"]).write(
        tmp_path / "run", sources, {"a": [OUTPUT, "Mi.", "Vi kuras."], "b": sources}
    )
    assert main(["report", str(tmp_path / "run"), "-o", str(tmp_path / "report.html")]) == 0
    prefer(chrome, scheme)
    size(chrome, 1200, 900)
    chrome.get_log("browser")
    chrome.get((tmp_path / "report.html").as_uri())
    assert serious(chrome, axe) == []
    one(chrome, "#items0 [name=search]").send_keys("katon")
    until(chrome, lambda found: one(found, "#items0 [role=status]").text == "1 of 3")
    shown = [row for row in chrome.find_elements(By.CSS_SELECTOR, "#items0 .row") if row.is_displayed()]
    assert len(shown) == 1 and "katon" in shown[0].text
    one(shown[0], "button").click()
    until(chrome, lambda found: found.find_elements(By.CSS_SELECTOR, "#items0 .opened .duo .shared"))
    assert serious(chrome, axe) == []
    chrome.execute_script("dispatchEvent(new Event('beforeprint'))")
    worst = chrome.find_elements(By.CSS_SELECTOR, ".worst .pick")
    assert worst and all(pick.get_attribute("open") for pick in worst), "printed with their outputs"
    size(chrome, 360, 740)
    assert fits(chrome)
    assert severe(chrome) == []
