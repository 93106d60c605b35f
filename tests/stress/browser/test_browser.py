"""The page in a real browser: score, hover, levels, upload, errors, Chinese, phones, keyboard."""

from pathlib import Path

import pytest

from sema import Scorer
from tests.esperanto import esperanto
from tests.stress.browser.browsing import (
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
    score = float(one(page, "#result .chips b").text)
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


def test_the_verdict_comes_first_then_the_texts_the_scenes_and_the_numbers(page: Chrome) -> None:
    paste(page)
    parts = [one(page, f"#result .sema-item {css}") for css in (".verdict", ".pair", ".scenes", ".chips")]
    heights = [part.rect["y"] for part in parts]
    assert heights == sorted(heights)
    assert parts[0].text.endswith("kept whole; 4 words lost, 1 word added.")
    assert float(one(parts[0], ".mark b").text) == float(one(page, "#result .chips b").text)
    size_of = "return parseFloat(getComputedStyle(arguments[0]).fontSize)"
    assert page.execute_script(size_of, parts[0]) > page.execute_script(size_of, one(page, "#result .words"))


def test_what_the_meaning_model_says_is_folded(page: Chrome) -> None:
    Select(one(page, "#paste-lang")).select_by_value("en")
    page.execute_script("document.querySelector('#paste [name=metric][value=meaning]').checked = true")
    one(page, "[data-example=wrong]").click()
    one(page, "#paste .go").click()
    until(page, lambda node: node.find_elements(By.CSS_SELECTOR, "#result .sema-item"))
    folded = {node.text.split(":")[0]: node for node in page.find_elements(By.CSS_SELECTOR, ".sema-item summary")}
    assert not page.execute_script("return arguments[0].parentElement.open", folded["What the meaning model says"])
    assert "one fact is wrong: 'closed' became 'open'" in one(page, "#result .verdict").text


def test_two_outputs_stand_side_by_side_and_on_a_phone_one_below_the_other(page: Chrome) -> None:
    one(page, "#add").click()
    one(page, "#output2").send_keys("Mi vidas domon.")
    paste(page)
    names = [node.text for node in page.find_elements(By.CSS_SELECTOR, "#result h4")]
    assert names == ["Output 1", "Output 2"]
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
    pytest.importorskip("matplotlib")
    size(page, width, 900)
    one(page, "#add").click()
    one(page, "#output2").send_keys("Mi vidas domon.")
    paste(page)
    assert fits(page) and page.execute_script(SCROLLING) == []
    score_files(page, tmp_path, metrics=True)
    assert fits(page) and page.execute_script(SCROLLING) == []


def test_files_end_in_the_evidence_of_every_item_the_worst_first(page: Chrome, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    score_files(page, tmp_path, count=13)
    items = page.find_elements(By.CSS_SELECTOR, "#result .ranked")
    assert [node.find_element(By.TAG_NAME, "b").text for node in items] == [
        "Item 12",
        *(f"Item {n}" for n in range(9)),
    ]
    assert len(items[0].find_elements(By.CSS_SELECTOR, ".compare .sema-item .verdict")) == 2
    assert items[0].get_attribute("open") and not items[1].get_attribute("open")
    one(page, "#result [data-more]").click()
    until(page, lambda node: len(node.find_elements(By.CSS_SELECTOR, "#result .ranked")) == 13)
    assert not page.find_elements(By.CSS_SELECTOR, "#result [data-more]")
    assert page.switch_to.active_element.text.startswith("Item 9")


def test_pasted_texts_are_escaped(page: Chrome) -> None:
    paste(page, "La <img src=x onerror=alert(1)> kato dormas.", "<script>alert(1)</script> kato.")
    assert not page.find_elements(By.CSS_SELECTOR, "#result img, #result script")
    assert "onerror" in one(page, "#result .source").text


def test_errors_are_shown_and_disappear(page: Chrome) -> None:
    one(page, "#source").send_keys("   ")
    one(page, "#paste .go").click()
    until(page, lambda found: one(found, "#problem").is_displayed())
    assert "the source is empty" in one(page, "#problem").text
    page.get_log("browser")  # the browser notes the 422 itself
    one(page, "#source").clear()
    paste(page)
    assert not one(page, "#problem").is_displayed()


def choose_target(browser: Chrome, target: str, form: str = "paste") -> Select:
    """Open what holds the choice of a target level, and choose one."""
    browser.execute_script("arguments[0].closest('details').open = true", one(browser, f"#{form}-target"))
    select = Select(one(browser, f"#{form}-target"))
    select.select_by_visible_text(target)
    return select


def ticked(browser: Chrome, form: str = "#paste") -> list[str]:
    """The metrics that are chosen in a form."""
    return [
        box.get_attribute("value") for box in browser.find_elements(By.CSS_SELECTOR, f"{form} [name=metric]:checked")
    ]


def chips(browser: Chrome) -> list[dict[str, str]]:
    """The scores shown of each output, by metric."""
    rows = browser.find_elements(By.CSS_SELECTOR, "#result .chips")
    return [dict(chip.text.split() for chip in row.find_elements(By.TAG_NAME, "li")) for row in rows]


def test_a_target_level_is_chosen_and_words_above_it_are_underlined(page: Chrome) -> None:
    Select(one(page, "#paste-lang")).select_by_value("en")
    target = choose_target(page, "A2")
    assert [node.text for node in target.options] == ["any level", "A1", "A2", "B1", "B2", "C1", "C2"]
    assert ticked(page) == ["sema", "cefr", "cefr_hit"]
    one(page, "#add").click()
    one(page, "#output2").send_keys(EASY)
    paste(page, HARD, HARD)
    assert [scores["cefr_hit"] for scores in chips(page)] == ["0.0", "100.0"]
    hard, easy = page.find_elements(By.CSS_SELECTOR, "#result .sema-item")
    above = hard.find_elements(By.CSS_SELECTOR, ".output .w.above")
    assert [word.text for word in above][:2] == ["Municipal", "authorities"]
    assert "underline" in above[0].value_of_css_property("text-decoration-line")
    assert "target: A2" in one(hard, ".level").text
    assert not easy.find_elements(By.CSS_SELECTOR, ".output .w.above")


def test_without_a_target_nothing_is_underlined(page: Chrome) -> None:
    Select(one(page, "#paste-lang")).select_by_value("en")
    choose_target(page, "A2").select_by_visible_text("any level")
    assert ticked(page) == ["sema"]
    one(page, "#paste [name=metric][value=cefr]").click()
    paste(page, HARD, HARD)
    assert "Level of the output" in one(page, "#result .level").text
    assert not page.find_elements(By.CSS_SELECTOR, "#result .side .w.above")


def test_targets_in_languages_without_levels_are_refused(page: Chrome) -> None:
    choose_target(page, "B1")
    one(page, "#source").send_keys(SOURCE)
    one(page, "#output1").send_keys(OUTPUT)
    one(page, "#paste .go").click()
    until(page, lambda found: one(found, "#problem").is_displayed())
    assert "nothing reads CEFR levels in language 'eo'" in one(page, "#problem").text
    page.get_log("browser")  # the browser notes the 422 itself


def test_chinese(page: Chrome) -> None:
    Select(one(page, "#paste-lang")).select_by_value("zh")
    one(page, "#example").click()
    one(page, "#paste .go").click()
    until(page, lambda found: found.find_elements(By.CSS_SELECTOR, "#result .sema-item"))
    assert (
        one(page, "#result .source")
        .text.replace("\n", "")
        .endswith("由于暴雨冲毁了道路，学校停课两天，学生们在家里上网课。")
    )


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


def test_upload_watch_and_download(page: Chrome, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "orig.txt").write_text(f"{SOURCE}\n" * 40, encoding="utf-8")
    (tmp_path / "ours.txt").write_text(f"{OUTPUT}\n" * 40, encoding="utf-8")
    one(page, "#tab-files").click()
    Select(one(page, "#files-lang")).select_by_value("eo")
    one(page, "#file-source").send_keys(str(tmp_path / "orig.txt"))
    one(page, "#file-outputs").send_keys(f"{tmp_path / 'ours.txt'}\n{tmp_path / 'orig.txt'}")
    one(page, "#files .go").click()
    until(page, lambda node: node.find_elements(By.CSS_SELECTOR, "#result .done"))
    assert [node.text for node in page.find_elements(By.CSS_SELECTOR, "#result tbody th")] == ["ours.txt", "orig.txt"]
    links = [node.get_attribute("href") for node in page.find_elements(By.CSS_SELECTOR, "#result a")]
    script = "fetch(arguments[0]).then(async (found) => arguments[1]([found.status, (await found.blob()).size]))"
    for link in links:
        status, length = page.execute_async_script(script, link)
        assert status == 200 and length > 1000


def test_files_are_scored_against_a_target(page: Chrome, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for name, text in (("hard.txt", HARD), ("easy.txt", EASY)):
        (tmp_path / name).write_text(f"{text}\n", encoding="utf-8")
    one(page, "#tab-files").click()
    Select(one(page, "#files-lang")).select_by_value("en")
    choose_target(page, "A2", "files")
    assert ticked(page, "#files") == ["sema", "cefr", "cefr_hit"]
    one(page, "#file-source").send_keys(str(tmp_path / "hard.txt"))
    one(page, "#file-outputs").send_keys(f"{tmp_path / 'hard.txt'}\n{tmp_path / 'easy.txt'}")
    one(page, "#files .go").click()
    until(page, lambda node: node.find_elements(By.CSS_SELECTOR, "#result .done"))
    heads = [node.text for node in page.find_elements(By.CSS_SELECTOR, "#result thead th")]
    at = next(place for place, head in enumerate(heads) if head.startswith("cefr_hit"))
    rows = page.find_elements(By.CSS_SELECTOR, "#result tbody tr")
    assert [row.find_elements(By.XPATH, "./*")[at].text for row in rows] == ["0.0", "100.0"]
