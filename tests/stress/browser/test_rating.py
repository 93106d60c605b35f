"""``sema forms``: the pages as a rater meets them in a browser."""

import csv
import io
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sema_raters.questionnaires import QUESTIONNAIRES
from sema_raters.ratings import RatingsTable

from sema.cli.main import main
from tests.rated import SOURCES, rated_texts
from tests.stress.browser.browsing import Keys, Page

pytestmark = pytest.mark.stress


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Page]:
    opened = Page(tmp_path / "saved")
    yield opened
    opened.quit()


def saved(folder: Path) -> Path:
    """The file of answers, once the browser has written it: an empty one holds its name until then."""
    while not (files := [file for file in folder.glob("*.csv") if file.stat().st_size]):
        time.sleep(0.1)
    return files[0]


def table_of(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"), newline="")))


def test_a_rater_answers_in_a_browser(browser: Page, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["forms", "da", *rated_texts(tmp_path), "-w", str(page)]) == 0
    browser.get(page.as_uri())

    def save() -> str:
        """The message that the page shows after its button is pressed."""
        browser.one("#save").click()
        message: str = browser.one("#message").text
        return message

    def restored() -> bool:
        browser.refresh()  # answers outlive the page; a busy browser hands storage to a new page late
        return browser.values("#rater") == ["Ann 1"]

    assert "slept & purred" in browser.one("body").text and not browser.every(".text b")
    assert save() == "Give your name or number first."
    browser.one("#rater").send_keys("Ann 1")
    sliders = browser.every("input[type=range]")
    assert len(sliders) == 3 * (3 + 3)
    for place, slider in enumerate(sliders[1:], start=1):
        slider.send_keys(Keys.ARROW_RIGHT * (place % 7 + 1))  # one step up from the middle each
    assert save() == "1 item is not answered yet and marked."
    assert [entry.get_attribute("data-entry") for entry in browser.every(".entry.open")] == ["0"]
    sliders[0].send_keys(Keys.ARROW_RIGHT)
    browser.until(restored)
    assert save() == ""
    answers = saved(tmp_path / "saved")
    assert answers.name == "answers-Ann_1.csv"
    rows = table_of(answers)
    assert [float(row["fluency"]) for row in rows] == [50 + place % 7 + 1 for place in range(0, 18, 3)]
    assert {row["source"] for row in rows} == set(SOURCES) and len(rows) == 6
    assert sorted(row["control"] for row in rows) == ["", "", "", "broken", "copy", "repeat"]
    table = RatingsTable.read(str(answers))
    assert list(table.columns) == ["fluency", "meaning", "simplicity"]
    assert sorted(table.columns["fluency"].items) == [(str(index), "system.txt") for index in range(3)]


def test_choices_counts_and_texts_in_a_browser(browser: Page, tmp_path: Path) -> None:
    page, texts = tmp_path / "page.html", rated_texts(tmp_path)
    for kind, selector, keys in (
        ("likert", "input[type=radio][value='4']", " "), ("edits", "input[type=number]", "2"),
        ("references", "textarea", 'Say "it", simply'),
    ):  # fmt: skip
        assert main(["forms", kind, *(texts[:2] if kind == "references" else texts), "-w", str(page)]) == 0
        browser.get(page.as_uri())
        browser.one("#rater").send_keys("Bo")
        for field in browser.every(selector):
            field.send_keys(keys)
        browser.one("#save").click()
        answers = saved(tmp_path / "saved")
        rows = table_of(answers)
        expected = {"likert": "4", "edits": "2"}.get(kind, keys)
        for question in QUESTIONNAIRES[kind].questions:
            assert [row[question.name] for row in rows] == [expected] * 3
        answers.unlink()
