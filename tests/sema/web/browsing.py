"""A browser for tests, and what they do with the page in it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from sema import Text
from sema.web.app import create_app
from tests.conftest import artifacts
from tests.esperanto import esperanto
from tests.sema.web.servers import serving

SOURCE, OUTPUT = "La hundo manĝas pomon kaj mi vidas la domon.", "Hundo manĝas pomon. Mi vidas domojn."
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
FLAGS = (
    "headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking",
    "disable-component-update", "disable-sync", "disable-dev-shm-usage",
)  # fmt: skip


def skip_without_browser() -> None:
    """Skip the calling module where no browser is installed."""
    if not CHROMIUM or not DRIVER:
        pytest.skip("browser tests need Debian's packages chromium and chromium-driver", allow_module_level=True)


@pytest.fixture(scope="module")
def chrome() -> Iterator[Chrome]:
    options = ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in FLAGS:
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = Chrome(options=options, service=Service(DRIVER))
    browser.set_script_timeout(120)
    yield browser
    browser.quit()


def size(browser: Chrome, width: int, height: int) -> None:
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def until(browser: Chrome, condition: Callable[[Chrome], Any]) -> Any:
    return WebDriverWait(browser, 60).until(condition)


def one(browser: Chrome, css: str) -> Any:
    return browser.find_element(By.CSS_SELECTOR, css)


def prefer(browser: Chrome, scheme: str) -> None:
    """Let the browser's user prefer a colour scheme: ``light`` or ``dark``."""
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )


class Signs:
    """Every sign of a Chinese text is a word."""

    signature = "signs:1"

    def segment(self, texts: list[str]) -> list[Text]:
        return [Text.from_sentences(list(part) for part in re.findall(r"[^。]+。?", text)) for text in texts]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server with small languages, in a thread of its own."""
    chinese = replace(esperanto(), code="zh", name="Chinese", segmenter=Signs)
    with serving(create_app(languages={"eo": esperanto(), "zh": chinese})) as (host, port):
        yield f"http://{host}:{port}/"


@pytest.fixture
def page(chrome: Chrome, address: str) -> Iterator[Chrome]:
    """The page, fresh; no test may leave an error on the console that it did not ask for."""
    size(chrome, 1200, 900)
    chrome.get(address)
    Select(chrome.find_element(By.ID, "paste-lang")).select_by_value("eo")
    chrome.execute_script(
        "for (const box of document.querySelectorAll('[name=metric]')) box.checked = box.value === 'sema'"
    )
    chrome.get_log("browser")
    yield chrome
    assert [entry for entry in chrome.get_log("browser") if entry["level"] == "SEVERE"] == []


@pytest.fixture(autouse=True)
def screenshot(request: pytest.FixtureRequest) -> Iterator[None]:
    """What the browser shows at the end of each test, kept for whoever looks at the results."""
    yield
    if "chrome" in request.fixturenames:
        browser: Chrome = request.getfixturevalue("chrome")
        name = re.sub(r"\W+", "_", request.node.name.removeprefix("test_")).strip("_")
        browser.get_screenshot_as_file(str(artifacts("screenshots") / f"{name}.png"))


def paste(browser: Chrome, source: str = SOURCE, output: str = OUTPUT) -> None:
    one(browser, "#source").send_keys(source)
    one(browser, "#output1").send_keys(output)
    one(browser, "#paste .go").click()
    until(browser, lambda found: found.find_elements(By.CSS_SELECTOR, "#result .sema-item"))


def fits(browser: Chrome) -> bool:
    return bool(browser.execute_script("return document.documentElement.scrollWidth <= window.innerWidth"))


def score_files(browser: Chrome, folder: Path, count: int = 3, metrics: bool = False) -> None:
    """Score files of ``count`` items, the last one with the worst output; ``metrics``: by all metrics of Scenes."""
    (folder / "orig.txt").write_text(f"{SOURCE}\n" * count, encoding="utf-8")
    (folder / "ours.txt").write_text(f"{OUTPUT}\n" * (count - 1) + "Mi.\n", encoding="utf-8")
    one(browser, "#tab-files").click()
    Select(one(browser, "#files-lang")).select_by_value("eo")
    if metrics:
        chosen = "['sema', 'samsa', 'samsa_abl'].includes(box.value)"
        boxes = "document.querySelectorAll('#files [name=metric]')"
        browser.execute_script(f"for (const box of {boxes}) box.checked = {chosen}")
    one(browser, "#file-source").send_keys(str(folder / "orig.txt"))
    one(browser, "#file-outputs").send_keys(f"{folder / 'ours.txt'}\n{folder / 'orig.txt'}")
    one(browser, "#files .go").click()
    until(browser, lambda found: found.find_elements(By.CSS_SELECTOR, "#result .ranked"))
