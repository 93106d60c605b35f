"""The page in a real browser: score, hover, levels, upload, errors, Chinese, phones, keyboard."""

from pathlib import Path

import pytest

from sema import Scorer
from tests.esperanto import esperanto
from tests.stress.browser.browsing import (
    MEDICINE,
    OUTPUT,
    SOURCE,
    ActionChains,
    By,
    Chrome,
    Keys,
    Select,
    fits,
    one,
    paste,
    score_files,
    size,
    until,
)

pytestmark = pytest.mark.stress

LOST = ["La", "kaj", "la", "domon"]
HARD, EASY = "Municipal authorities postponed the construction.", "The town made it later."


def test_paste_score_and_see_why(page: Chrome) -> None:
    paste(page)
    score = float(one(page, "#result .mark b").text)
    assert score == pytest.approx(
        Scorer(esperanto(), ["sema"]).score([SOURCE], [OUTPUT]).systems[0].scores["sema"], abs=0.06
    )
    assert [word.text for word in page.find_elements(By.CSS_SELECTOR, "#result .source del")] == LOST
    word = next(node for node in page.find_elements(By.CSS_SELECTOR, ".source .w") if node.text == "pomon")
    ActionChains(page).move_to_element(word).perform()
    until(page, lambda node: node.find_elements(By.CSS_SELECTOR, ".links path"))
    assert "pomon" in one(page, ".said").text and "exact" in one(page, ".said").text
    assert one(page, ".output .w.lit").text == "pomon"
    assert page.switch_to.active_element.get_attribute("id") == "result", "who cannot see is taken to the result"


SCENES = "return getComputedStyle(document.querySelector('#result .sent')).backgroundColor"
CLEAR = "rgba(0, 0, 0, 0)"


def test_scenes_links_and_their_scores_are_shown_with_the_details(page: Chrome) -> None:
    page.execute_script("document.querySelector('#paste [name=metric][value=samsa]').checked = true")
    paste(page)
    assert "samsa" not in one(page, "#result .sema-item").text and not one(page, "#result .scenes").is_displayed()
    assert page.execute_script(SCENES) == CLEAR and not one(page, "#result sup.to").is_displayed()
    page.execute_script("for (const part of document.querySelectorAll('#result .inside')) part.open = true")
    assert "samsa" in one(page, "#result .sema-item").text and one(page, "#result .scenes").is_displayed()
    assert page.execute_script(SCENES) != CLEAR and one(page, "#result sup.to").is_displayed()
    parts = [one(page, f"#result .sema-item {css}") for css in (".verdict", ".pair", ".inside .chips", ".scenes")]
    heights = [part.rect["y"] for part in parts]
    assert heights == sorted(heights) and parts[0].text.endswith("kept whole; 4 words lost, 1 word added.")


def test_a_problem_is_chosen_by_click_or_enter_and_its_places_are_joined(page: Chrome) -> None:
    Select(one(page, "#paste-lang")).select_by_value("en")
    page.execute_script("document.querySelector('#paste [name=metric][value=meaning]').checked = true")
    paste(page, *MEDICINE)
    problems = page.find_elements(By.CSS_SELECTOR, "#result .problems button")
    assert one(page, "#result .problems").rect["y"] < one(page, "#result .pair").rect["y"]
    kinds = [problem.text.split(":")[0] for problem in problems]
    assert "Wrong" in kinds
    wrong = problems[kinds.index("Wrong")]
    number = wrong.get_attribute("data-f")
    for side in ("source", "output"):
        marks = page.find_elements(By.CSS_SELECTOR, f"#result .{side} mark[data-f='{number}']")
        assert marks and all(mark.text in wrong.text for mark in marks)
        assert one(page, f"#result .{side} sup.wrong").text == number
    wrong.click()
    lit = page.find_elements(By.CSS_SELECTOR, "#result .w.lit")
    assert {word.get_attribute("data-f") for word in lit} == {number}
    assert one(page, "#result .links path").get_attribute("class") == "k-wrong"
    assert one(page, "#result .said").text == wrong.text
    ActionChains(page).move_to_element(one(page, "h1")).perform()
    assert page.find_elements(By.CSS_SELECTOR, "#result .w.lit"), "they stay lit while the pointer goes there"
    wrong.send_keys(Keys.ESCAPE)
    assert not page.find_elements(By.CSS_SELECTOR, "#result .w.lit")
    wrong.send_keys(Keys.ENTER)
    assert page.find_elements(By.CSS_SELECTOR, "#result .w.lit")
    ActionChains(page).move_to_element(one(page, f"#result .source mark[data-f='{number}']")).perform()
    assert f"problem {number}: {wrong.text}" in one(page, "#result .said").text


def test_two_outputs_stand_side_by_side_and_on_a_phone_one_below_the_other(page: Chrome) -> None:
    one(page, "#add").click()
    one(page, "#output2").send_keys("Mi vidas domon.")
    paste(page)
    names = [node.text for node in page.find_elements(By.CSS_SELECTOR, "#result h4")]
    assert names == ["Output 1", "Output 2"]
    sources = [node for node in page.find_elements(By.CSS_SELECTOR, "#result .words.source") if node.is_displayed()]
    assert len(sources) == 1, "the source stands there once"
    assert [node.text for node in sources[0].find_elements(By.CSS_SELECTOR, ".half")] == [
        "hundo", "manĝas", "pomon", "domon",
    ]  # fmt: skip
    assert [node.text for node in page.find_elements(By.CSS_SELECTOR, "#result .diff")] == [
        "Hundo", "manĝas", "pomon", ".", "domojn", "domon",
    ]  # fmt: skip
    word = sources[0].find_element(By.CSS_SELECTOR, "[data-n='8']")
    ActionChains(page).move_to_element(word).perform()
    assert [node.text for node in page.find_elements(By.CSS_SELECTOR, "#result .output .lit")] == ["domon"]
    first, second = (node.rect for node in page.find_elements(By.CSS_SELECTOR, "#result .sema-item"))
    assert first["y"] == second["y"] and first["x"] + first["width"] < second["x"]
    size(page, 375, 800)
    first, second = (node.rect for node in page.find_elements(By.CSS_SELECTOR, "#result .sema-item"))
    assert first["x"] == second["x"] and first["y"] + first["height"] < second["y"]


SCROLLING = """
return [...document.querySelectorAll("body *")].filter((one) => one.scrollWidth > one.clientWidth + 1
  && ["auto", "scroll"].includes(getComputedStyle(one).overflowX)).map((one) => one.className || one.id);
"""


@pytest.mark.parametrize("width", [375, 768, 1280])
def test_nothing_scrolls_sideways(page: Chrome, tmp_path: Path, width: int) -> None:
    size(page, width, 900)
    one(page, "#add").click()
    one(page, "#output2").send_keys("Mi vidas domon.")
    paste(page)
    assert fits(page) and page.execute_script(SCROLLING) == []
    score_files(page, tmp_path, metrics=True)
    assert fits(page) and page.execute_script(SCROLLING) == []


def listed(page: Chrome) -> list[int]:
    """The items that the table shows, in its order."""
    rows = page.find_elements(By.CSS_SELECTOR, "#result .row")
    return [int(str(row.get_attribute("data-item"))) for row in rows if row.is_displayed()]


def test_files_end_in_a_table_whose_rows_open_their_evidence(page: Chrome, tmp_path: Path) -> None:
    score_files(page, tmp_path, count=13)
    assert listed(page) == [12, *range(12)], "the worst first"
    (opened,) = page.find_elements(By.CSS_SELECTOR, "#result .opened")
    until(page, lambda _: opened.find_elements(By.CSS_SELECTOR, ".duo .shared"))
    assert len(opened.find_elements(By.CSS_SELECTOR, ".sema-item .verdict")) == 2
    row = one(page, "#result .row[data-item='3'] button")
    row.send_keys(Keys.ENTER)
    until(page, lambda node: len(node.find_elements(By.CSS_SELECTOR, "#result .opened .duo")) == 2)
    assert row.get_attribute("aria-expanded") == "true"
    row.send_keys(Keys.ENTER)
    assert len(page.find_elements(By.CSS_SELECTOR, "#result .opened")) == 1
    script = "fetch(arguments[0]).then(async (found) => arguments[1]([found.status, (await found.blob()).size]))"
    for link in page.find_elements(By.CSS_SELECTOR, "#result a"):
        status, length = page.execute_async_script(script, link.get_attribute("href"))
        assert status == 200 and length > 1000


def test_the_table_is_sorted_filtered_and_searched(page: Chrome, tmp_path: Path) -> None:
    score_files(page, tmp_path, count=4, metrics=True)
    field = lambda name: one(page, f"#result [name={name}]")  # noqa: E731
    one(page, "#result thead [data-key=item]").click()
    assert listed(page) == [0, 1, 2, 3]
    one(page, "#result thead [data-key='0']").click()
    one(page, "#result thead [data-key='0']").click()
    assert listed(page)[-1] == 3 and field("order").get_attribute("value") == "0 down"
    field("high").send_keys("20")
    until(page, lambda _: listed(page) == [3])
    Select(field("system")).select_by_visible_text("orig.txt")
    assert listed(page) == [], "a copy scores more"
    field("high").clear()
    until(page, lambda _: len(listed(page)) == 4)
    field("search").send_keys("Mi.")
    until(page, lambda _: listed(page) == [3])
    assert one(page, "#result .find [role=status]").text == "1 of 4"
    heads = lambda: [node for node in page.find_elements(By.CSS_SELECTOR, "th[data-metric]") if node.is_displayed()]  # noqa: E731
    assert [head.get_attribute("data-metric") for head in heads()] == ["sema", "sema"]
    Select(field("metric")).select_by_visible_text("all")
    assert len(heads()) == 6
    field("search").clear()
    Select(field("order")).select_by_value("gap down")
    until(page, lambda _: listed(page)[0] == 3)


def test_errors_are_shown_and_disappear(page: Chrome) -> None:
    one(page, "#source").send_keys("   ")
    one(page, "#paste .go").click()
    until(page, lambda found: one(found, "#problem").is_displayed())
    assert "the source is empty" in one(page, "#problem").text
    page.get_log("browser")  # the browser notes the 422 itself
    one(page, "#source").clear()
    paste(page)
    assert not one(page, "#problem").is_displayed()


def test_a_target_level_is_chosen_and_words_above_it_are_underlined(page: Chrome) -> None:
    Select(one(page, "#paste-lang")).select_by_value("en")
    page.execute_script("arguments[0].closest('details').open = true", one(page, "#paste-target"))
    target = Select(one(page, "#paste-target"))
    target.select_by_visible_text("A2")
    assert [node.text for node in target.options][:7] == ["any level", "A1", "A2", "B1", "B2", "C1", "C2"]
    ticked = page.find_elements(By.CSS_SELECTOR, "#paste [name=metric]:checked")
    assert [box.get_attribute("value") for box in ticked] == ["sema", "cefr", "cefr_hit"]
    one(page, "#add").click()
    one(page, "#output2").send_keys(EASY)
    paste(page, HARD, HARD)
    hits = [chip.text for chip in page.find_elements(By.CSS_SELECTOR, "#result .chips li") if "cefr_hit" in chip.text]
    assert hits == ["cefr_hit 0.0", "cefr_hit 100.0"]
    hard, easy = page.find_elements(By.CSS_SELECTOR, "#result .sema-item")
    above = hard.find_elements(By.CSS_SELECTOR, ".output .w.above")
    assert [word.text for word in above][:2] == ["Municipal", "authorities"]
    assert "underline" in above[0].value_of_css_property("text-decoration-line")
    assert "target: A2" in one(hard, ".level").text
    assert not easy.find_elements(By.CSS_SELECTOR, ".output .w.above")


def test_on_a_phone(page: Chrome) -> None:
    size(page, 360, 740)
    paste(page)
    assert fits(page)
    sides = [node.rect for node in page.find_elements(By.CSS_SELECTOR, "#result .side")]
    assert sides[0]["y"] < sides[1]["y"] and sides[0]["x"] == sides[1]["x"], "one below the other"
    page.find_elements(By.CSS_SELECTOR, ".source .w[data-l]")[0].click()
    assert page.find_elements(By.CSS_SELECTOR, ".links path")


def test_by_keyboard_alone(page: Chrome) -> None:
    def press(*keys: str) -> None:
        ActionChains(page).send_keys(*keys).perform()

    def focus_on(name: str) -> None:
        for _ in range(40):
            if page.switch_to.active_element.get_attribute("id") == name:
                return
            press(Keys.TAB)
        raise AssertionError(f"{name} cannot be reached")

    one(page, "body").send_keys(Keys.TAB)
    focus_on("tab-paste")
    press(Keys.ARROW_RIGHT)
    assert one(page, "#files").is_displayed() and not one(page, "#paste").is_displayed()
    press(Keys.ARROW_LEFT)
    focus_on("source")
    press(SOURCE)
    focus_on("output1")
    press(OUTPUT)
    ActionChains(page).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(Keys.CONTROL).perform()
    until(page, lambda found: found.find_elements(By.CSS_SELECTOR, "#result .sema-item"))
    press(Keys.TAB)
    assert "source" in page.switch_to.active_element.get_attribute("class")
    press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert "hundo" in one(page, ".said").text and page.find_elements(By.CSS_SELECTOR, ".links path")
    press(Keys.ESCAPE)
    assert one(page, ".said").text == ""
