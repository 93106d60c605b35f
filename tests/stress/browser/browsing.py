"""A browser, and what tests do with the page in it; a module that imports this is skipped where there is none."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("uvicorn", reason="the server needs uvicorn (the extra `web`)")
pytest.importorskip("selenium", reason="browser tests need selenium (the extra `dev`)")

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from sema import Text

__all__ = ["ActionChains", "By", "Chrome", "Keys", "Select"]

SOURCE, OUTPUT = "La hundo manĝas pomon kaj mi vidas la domon.", "Hundo manĝas pomon. Mi vidas domojn."
MEDICINE = (
    "Do not use this medicine after the expiry date. Tell your doctor if you have difficulty breathing.",
    "You can use this medicine after the date. Tell your doctor.",
)
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
if not CHROMIUM or not DRIVER:
    pytest.skip("browser tests need Debian's packages chromium and chromium-driver", allow_module_level=True)
FLAGS = (
    "headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-background-networking",
    "disable-component-update", "disable-sync", "disable-dev-shm-usage",
)  # fmt: skip


def open_chrome(downloads: Path | None = None) -> Chrome:
    """A browser with a user of its own, who keeps downloads in a folder."""
    options = ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in FLAGS:
        options.add_argument(f"--{flag}")
    options.add_experimental_option("prefs", {"download.default_directory": str(downloads)} if downloads else {})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = Chrome(options=options, service=Service(DRIVER))
    browser.set_script_timeout(120)
    return browser


def severe(browser: Chrome) -> list[dict[str, Any]]:
    """The errors on the console since they were last asked for."""
    return [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]


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
    until(browser, lambda found: found.find_elements(By.CSS_SELECTOR, "#result .opened .sema-item"))
