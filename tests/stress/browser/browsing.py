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
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from sema import Text

__all__ = ["Keys"]

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


class Page(Chrome):
    """A browser with a user of its own, who keeps downloads in a folder; elements are named by CSS selectors."""

    def __init__(self, downloads: Path | None = None) -> None:
        options = ChromeOptions()
        options.binary_location = str(CHROMIUM)
        for flag in FLAGS:
            options.add_argument(f"--{flag}")
        options.add_experimental_option("prefs", {"download.default_directory": str(downloads)} if downloads else {})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        super().__init__(options=options, service=Service(DRIVER))
        self.set_script_timeout(120)

    def severe(self) -> list[dict[str, Any]]:
        """The errors on the console since they were last asked for."""
        return [entry for entry in self.get_log("browser") if entry["level"] == "SEVERE"]

    def size(self, width: int, height: int) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def prefer(self, scheme: str) -> None:
        """Let the browser's user prefer a colour scheme: ``light`` or ``dark``."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def fits(self) -> bool:
        return bool(self.execute_script("return document.documentElement.scrollWidth <= window.innerWidth"))

    def until(self, condition: Callable[[], Any]) -> Any:
        return WebDriverWait(self, 60).until(lambda _: condition())

    def one(self, css: str, within: Any = None) -> Any:
        return (within or self).find_element("css selector", css)

    def every(self, css: str, within: Any = None) -> list[Any]:
        found: list[Any] = (within or self).find_elements("css selector", css)
        return found

    def appears(self, css: str) -> list[Any]:
        """The elements of a selector, once there are any."""
        found: list[Any] = self.until(lambda: self.every(css))
        return found

    def texts(self, css: str, within: Any = None) -> list[str]:
        return [element.text for element in self.every(css, within)]

    def values(self, css: str) -> list[str | None]:
        return [element.get_attribute("value") for element in self.every(css)]

    def select(self, css: str) -> Select:
        return Select(self.one(css))

    def hover(self, element: Any) -> None:
        ActionChains(self).move_to_element(element).perform()

    def press(self, *keys: str) -> None:
        ActionChains(self).send_keys(*keys).perform()

    def focused(self) -> Any:
        return self.switch_to.active_element

    def tick(self, metric: str) -> None:
        self.execute_script(f"document.querySelector('#paste [name=metric][value={metric}]').checked = true")

    def unfold(self, css: str = "details") -> None:
        self.execute_script(f"for (const part of document.querySelectorAll('{css}')) part.open = true")

    def paste(self, source: str = SOURCE, output: str = OUTPUT) -> None:
        self.one("#source").send_keys(source)
        self.one("#output1").send_keys(output)
        self.score()

    def score(self) -> None:
        self.one("#paste .go").click()
        self.appears("#result .sema-item")

    def add(self, output: str) -> None:
        """Another output."""
        self.one("#add").click()
        self.focused().send_keys(output)

    def score_files(self, folder: Path, count: int = 3, metrics: bool = False) -> None:
        """Score files of ``count`` items, the last one with the worst output; ``metrics``: by all metrics of Scenes."""
        (folder / "orig.txt").write_text(f"{SOURCE}\n" * count, encoding="utf-8")
        (folder / "ours.txt").write_text(f"{OUTPUT}\n" * (count - 1) + "Mi.\n", encoding="utf-8")
        self.one("#tab-files").click()
        self.select("#files-lang").select_by_value("eo")
        if metrics:
            chosen = "['sema', 'samsa', 'samsa_abl'].includes(box.value)"
            boxes = "document.querySelectorAll('#files [name=metric]')"
            self.execute_script(f"for (const box of {boxes}) box.checked = {chosen}")
        self.one("#file-source").send_keys(str(folder / "orig.txt"))
        self.one("#file-outputs").send_keys(f"{folder / 'ours.txt'}\n{folder / 'orig.txt'}")
        self.one("#files .go").click()
        self.appears("#result .opened .sema-item")


class Signs:
    """Every sign of a Chinese text is a word."""

    signature = "signs:1"

    def segment(self, texts: list[str]) -> list[Text]:
        return [Text.from_sentences(list(part) for part in re.findall(r"[^。]+。?", text)) for text in texts]
