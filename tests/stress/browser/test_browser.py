"""The page in a real browser: score, hover, levels, upload, errors, Chinese, phones, keyboard."""

from pathlib import Path

import pytest

from sema import Scorer
from tests.esperanto import esperanto
from tests.stress.browser.browsing import MEDICINE, OUTPUT, SOURCE, Keys, Page

pytestmark = pytest.mark.stress

LOST = ["La", "kaj", "la", "domon"]
HARD, EASY = "Municipal authorities postponed the construction.", "The town made it later."


def test_paste_score_and_see_why(page: Page) -> None:
    page.paste()
    score = float(page.one("#result .mark b").text)
    assert score == pytest.approx(
        Scorer(esperanto(), ["sema"]).score([SOURCE], [OUTPUT]).systems[0].scores["sema"], abs=0.06
    )
    assert page.texts("#result .source del") == LOST
    page.hover(next(node for node in page.every(".source .w") if node.text == "pomon"))
    page.appears(".links path")
    assert "pomon" in page.one(".said").text and "exact" in page.one(".said").text
    assert page.one(".output .w.lit").text == "pomon"
    assert page.focused().get_attribute("id") == "result", "who cannot see is taken to the result"


SCENES = "return getComputedStyle(document.querySelector('#result .sent')).backgroundColor"
CLEAR = "rgba(0, 0, 0, 0)"


def test_scenes_links_and_their_scores_are_shown_with_the_details(page: Page) -> None:
    page.tick("samsa")
    page.paste()
    assert "samsa" not in page.one("#result .sema-item").text and not page.one("#result .scenes").is_displayed()
    assert page.execute_script(SCENES) == CLEAR and not page.one("#result sup.to").is_displayed()
    page.unfold("#result .inside")
    assert "samsa" in page.one("#result .sema-item").text and page.one("#result .scenes").is_displayed()
    assert page.execute_script(SCENES) != CLEAR and page.one("#result sup.to").is_displayed()
    parts = [page.one(f"#result .sema-item {css}") for css in (".verdict", ".pair", ".inside .chips", ".scenes")]
    heights = [part.rect["y"] for part in parts]
    assert heights == sorted(heights) and parts[0].text.endswith("kept whole; 4 words lost, 1 word added.")


def test_a_problem_is_chosen_by_click_or_enter_and_its_places_are_joined(page: Page) -> None:
    page.select("#paste-lang").select_by_value("en")
    page.tick("meaning")
    page.paste(*MEDICINE)
    problems = page.every("#result .problems button")
    assert page.one("#result .problems").rect["y"] < page.one("#result .pair").rect["y"]
    kinds = [problem.text.split(":")[0] for problem in problems]
    assert "Wrong" in kinds
    wrong = problems[kinds.index("Wrong")]
    number = wrong.get_attribute("data-f")
    for side in ("source", "output"):
        marks = page.every(f"#result .{side} mark[data-f='{number}']")
        assert marks and all(mark.text in wrong.text for mark in marks)
        assert page.one(f"#result .{side} sup.wrong").text == number
    wrong.click()
    lit = page.every("#result .w.lit")
    assert {word.get_attribute("data-f") for word in lit} == {number}
    assert page.one("#result .links path").get_attribute("class") == "k-wrong"
    assert page.one("#result .said").text == wrong.text
    page.hover(page.one("h1"))
    assert page.every("#result .w.lit"), "they stay lit while the pointer goes there"
    wrong.send_keys(Keys.ESCAPE)
    assert not page.every("#result .w.lit")
    wrong.send_keys(Keys.ENTER)
    assert page.every("#result .w.lit")
    page.hover(page.one(f"#result .source mark[data-f='{number}']"))
    assert f"problem {number}: {wrong.text}" in page.one("#result .said").text


def test_two_outputs_stand_side_by_side_and_on_a_phone_one_below_the_other(page: Page) -> None:
    page.add("Mi vidas domon.")
    page.paste()
    assert page.texts("#result h4") == ["Output 1", "Output 2"]
    sources = [node for node in page.every("#result .words.source") if node.is_displayed()]
    assert len(sources) == 1, "the source stands there once"
    assert page.texts(".half", sources[0]) == ["hundo", "manĝas", "pomon", "domon"]
    assert page.texts("#result .diff") == ["Hundo", "manĝas", "pomon", ".", "domojn", "domon"]
    page.hover(page.one("[data-n='8']", sources[0]))
    assert page.texts("#result .output .lit") == ["domon"]
    first, second = (node.rect for node in page.every("#result .sema-item"))
    assert first["y"] == second["y"] and first["x"] + first["width"] < second["x"]
    page.size(375, 800)
    first, second = (node.rect for node in page.every("#result .sema-item"))
    assert first["x"] == second["x"] and first["y"] + first["height"] < second["y"]


SCROLLING = """
return [...document.querySelectorAll("body *")].filter((one) => one.scrollWidth > one.clientWidth + 1
  && ["auto", "scroll"].includes(getComputedStyle(one).overflowX)).map((one) => one.className || one.id);
"""


@pytest.mark.parametrize("width", [375, 768, 1280])
def test_nothing_scrolls_sideways(page: Page, tmp_path: Path, width: int) -> None:
    page.size(width, 900)
    page.add("Mi vidas domon.")
    page.paste()
    assert page.fits() and page.execute_script(SCROLLING) == []
    page.score_files(tmp_path, metrics=True)
    assert page.fits() and page.execute_script(SCROLLING) == []


def listed(page: Page) -> list[int]:
    """The items that the table shows, in its order."""
    rows = page.every("#result .row")
    return [int(str(row.get_attribute("data-item"))) for row in rows if row.is_displayed()]


def test_files_end_in_a_table_whose_rows_open_their_evidence(page: Page, tmp_path: Path) -> None:
    page.score_files(tmp_path, count=13)
    assert listed(page) == [12, *range(12)], "the worst first"
    (opened,) = page.every("#result .opened")
    page.until(lambda: page.every(".duo .shared", opened))
    assert len(page.every(".sema-item .verdict", opened)) == 2
    row = page.one("#result .row[data-item='3'] button")
    row.send_keys(Keys.ENTER)
    page.until(lambda: len(page.every("#result .opened .duo")) == 2)
    assert row.get_attribute("aria-expanded") == "true"
    row.send_keys(Keys.ENTER)
    assert len(page.every("#result .opened")) == 1
    script = "fetch(arguments[0]).then(async (found) => arguments[1]([found.status, (await found.blob()).size]))"
    for link in page.every("#result a"):
        status, length = page.execute_async_script(script, link.get_attribute("href"))
        assert status == 200 and length > 1000


def test_the_table_is_sorted_filtered_and_searched(page: Page, tmp_path: Path) -> None:
    page.score_files(tmp_path, count=4, metrics=True)

    def choose(name: str, text: str) -> None:
        page.select(f"#result [name={name}]").select_by_visible_text(text)

    def metrics() -> list[str | None]:
        shown = [head for head in page.every("th[data-metric]") if head.is_displayed()]
        return [head.get_attribute("data-metric") for head in shown]

    high, search = (page.one(f"#result [name={name}]") for name in ("high", "search"))
    page.one("#result thead [data-key=item]").click()
    assert listed(page) == [0, 1, 2, 3]
    page.one("#result thead [data-key='0']").click()
    page.one("#result thead [data-key='0']").click()
    assert listed(page)[-1] == 3 and page.values("#result [name=order]") == ["0 down"]
    high.send_keys("20")
    page.until(lambda: listed(page) == [3])
    choose("system", "orig.txt")
    assert listed(page) == [], "a copy scores more"
    high.clear()
    page.until(lambda: len(listed(page)) == 4)
    search.send_keys("Mi.")
    page.until(lambda: listed(page) == [3])
    assert page.one("#result .find [role=status]").text == "1 of 4"
    assert metrics() == ["sema", "sema"]
    choose("metric", "all")
    assert len(metrics()) == 6
    search.clear()
    page.select("#result [name=order]").select_by_value("gap down")
    page.until(lambda: listed(page)[0] == 3)


def test_errors_are_shown_and_disappear(page: Page) -> None:
    page.one("#source").send_keys("   ")
    page.one("#paste .go").click()
    page.until(lambda: page.one("#problem").is_displayed())
    assert "the source is empty" in page.one("#problem").text
    page.get_log("browser")  # the browser notes the 422 itself
    page.one("#source").clear()
    page.paste()
    assert not page.one("#problem").is_displayed()


def test_a_target_level_is_chosen_and_words_above_it_are_underlined(page: Page) -> None:
    page.select("#paste-lang").select_by_value("en")
    page.execute_script("arguments[0].closest('details').open = true", page.one("#paste-target"))
    target = page.select("#paste-target")
    target.select_by_visible_text("A2")
    assert [node.text for node in target.options][:7] == ["any level", "A1", "A2", "B1", "B2", "C1", "C2"]
    assert page.values("#paste [name=metric]:checked") == ["sema", "cefr", "cefr_hit"]
    page.add(EASY)
    page.paste(HARD, HARD)
    hits = [chip.text for chip in page.every("#result .chips li") if "cefr_hit" in chip.text]
    assert hits == ["cefr_hit 0.0", "cefr_hit 100.0"]
    hard, easy = page.every("#result .sema-item")
    above = page.every(".output .w.above", hard)
    assert [word.text for word in above][:2] == ["Municipal", "authorities"]
    assert "underline" in above[0].value_of_css_property("text-decoration-line")
    assert "target: A2" in page.one(".level", hard).text
    assert not page.every(".output .w.above", easy)


def test_by_keyboard_alone(page: Page) -> None:
    def focus_on(name: str) -> None:
        for _ in range(40):
            if page.focused().get_attribute("id") == name:
                return
            page.press(Keys.TAB)
        raise AssertionError(f"{name} cannot be reached")

    page.one("body").send_keys(Keys.TAB)
    focus_on("tab-paste")
    page.press(Keys.ARROW_RIGHT)
    assert page.one("#files").is_displayed() and not page.one("#paste").is_displayed()
    page.press(Keys.ARROW_LEFT)
    focus_on("source")
    page.press(SOURCE)
    focus_on("output1")
    page.press(OUTPUT)
    page.focused().send_keys(Keys.CONTROL, Keys.ENTER)
    page.appears("#result .sema-item")
    page.press(Keys.TAB)
    assert "source" in page.focused().get_attribute("class")
    page.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert "hundo" in page.one(".said").text and page.every(".links path")
    page.press(Keys.ESCAPE)
    assert page.one(".said").text == ""
