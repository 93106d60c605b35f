"""A browser and a server, for tests in a browser; ``browsing`` says what they need."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.conftest import artifacts
from tests.esperanto import esperanto
from tests.sema.web.servers import serving

if TYPE_CHECKING:
    from tests.stress.browser.browsing import Page


@pytest.fixture(scope="module")
def chrome() -> Iterator[Page]:
    from tests.stress.browser.browsing import Page

    browser = Page()
    yield browser
    browser.quit()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server with small languages, in a thread of its own."""
    from sema.web.app import create_app
    from tests.stress.browser.browsing import Signs

    chinese = replace(esperanto(), code="zh", name="Chinese", segmenter=Signs)
    with serving(create_app(languages={"eo": esperanto(), "zh": chinese})) as (host, port):
        yield f"http://{host}:{port}/"


@pytest.fixture
def page(chrome: Page, address: str) -> Iterator[Page]:
    """The page, fresh; no test may leave an error on the console that it did not ask for."""
    chrome.size(1200, 900)
    chrome.get(address)
    chrome.select("#paste-lang").select_by_value("eo")
    chrome.execute_script(
        "for (const box of document.querySelectorAll('[name=metric]')) box.checked = box.value === 'sema'"
    )
    chrome.get_log("browser")
    yield chrome
    assert chrome.severe() == []


@pytest.fixture(autouse=True)
def screenshot(request: pytest.FixtureRequest) -> Iterator[None]:
    """Saves a picture of the browser at the end of each test, so that the results can be looked at."""
    yield
    if "chrome" in request.fixturenames:
        browser: Page = request.getfixturevalue("chrome")
        name = re.sub(r"\W+", "_", request.node.name.removeprefix("test_")).strip("_")
        browser.get_screenshot_as_file(str(artifacts("screenshots") / f"{name}.png"))
