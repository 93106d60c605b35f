"""What the page understands of pasted texts, in a browser: language, level, length, rows, staleness, reloads."""

from pathlib import Path

import pytest

from tests.stress.browser.browsing import OUTPUT, SOURCE, By, Chrome, Select, fits, one, paste, score_files, size, until

pytestmark = pytest.mark.stress

SHOWN = "#result .sema-item"
PASSAGE = "La kato dormas.\n\n- La hundo manĝas pomon.\n- Mi vidas la domon."
SHORTER = "La kato dormas.\n\n- La hundo manĝas.\n- Mi vidas domon."


def fill(browser: Chrome, source: str, output: str) -> None:
    """Texts as if they were pasted."""
    script = """for (const [id, text] of [["source", arguments[0]], ["output1", arguments[1]]]) {
      document.getElementById(id).value = text;
      document.getElementById(id).dispatchEvent(new Event("input", { bubbles: true }));
    }"""
    browser.execute_script(script, source, output)


def score(browser: Chrome) -> None:
    one(browser, "#paste .go").click()
    until(browser, lambda found: found.find_elements(By.CSS_SELECTOR, SHOWN))


def test_language_and_passage_are_said_while_texts_are_pasted_and_set_by_hand(page: Chrome) -> None:
    pytest.importorskip("py3langid")
    Select(one(page, "#paste-lang")).select_by_value("")
    fill(page, SOURCE, OUTPUT)
    until(page, lambda _: one(page, "#understood").text == "Esperanto, a sentence")
    fill(page, PASSAGE, SHORTER)
    until(page, lambda _: one(page, "#understood").text == "Esperanto, a passage")
    score(page)
    assert "Read as Esperanto, sentence by sentence of a passage." in one(page, "#result").text
    page.execute_script("for (const part of document.querySelectorAll('#paste .more')) part.open = true")
    Select(one(page, "#paste-level")).select_by_value("sentence")
    until(page, lambda _: one(page, "#understood").text == "Esperanto, a sentence")


def test_paragraphs_and_bullets_stand_in_rows_side_by_side(page: Chrome) -> None:
    fill(page, PASSAGE, SHORTER)
    score(page)
    sides = [page.find_elements(By.CSS_SELECTOR, f"#result .{side} .cell") for side in ("source", "output")]
    assert [len(cells) for cells in sides] == [3, 3]
    heights = [[cell.rect["y"] for cell in cells] for cells in sides]
    assert heights[0] == heights[1] == sorted(set(heights[0]))
    size(page, 375, 800)
    lines = one(page, "#result .source").text.split("\n")
    assert [line.strip() for line in lines if line.strip()] == PASSAGE.replace("\n\n", "\n").split("\n")


def test_on_a_phone_each_row_has_the_source_above_the_output(page: Chrome) -> None:
    size(page, 375, 800)
    fill(page, PASSAGE, SHORTER)
    score(page)
    source, output = (page.find_elements(By.CSS_SELECTOR, f"#result .{side} .cell") for side in ("source", "output"))
    edges = [cell.rect["y"] + part * cell.rect["height"] for row in zip(source, output, strict=True) for cell in row
             for part in (0, 1)]  # fmt: skip
    assert edges == sorted(edges) and fits(page)
    word = source[2].find_elements(By.CSS_SELECTOR, ".w")[1]
    word.click()
    assert f"“{word.text}”" in one(page, "#result .said").text
    path = one(page, "#result .links path").rect
    assert source[2].rect["y"] < path["y"] < output[2].rect["y"] + output[2].rect["height"]


def test_the_page_in_chinese_keeps_texts_and_result_of_the_english_one(page: Chrome) -> None:
    size(page, 375, 800)
    paste(page)
    one(page, "#tongue").click()
    until(page, lambda _: "识别为世界语" in one(page, "#result").text)
    assert one(page, "#source").get_attribute("value") == SOURCE
    assert one(page, "#output1-count").text == f"{len(OUTPUT)} / 10,000 字"
    assert Select(one(page, "#paste-lang")).first_selected_option.text == "世界语" and fits(page)
    page.find_elements(By.CSS_SELECTOR, "#result .words .w")[1].click()
    assert one(page, "#result .said").text == "“hundo” — “Hundo” (变形，句子 1)"
    one(page, "#tongue").click()
    until(page, lambda _: "Read as Esperanto" in one(page, "#result").text)


def test_long_text_is_counted_kept_whole_and_refused_in_words(page: Chrome) -> None:
    fill(page, "La kato dormas. " * 700, OUTPUT)
    assert one(page, "#source-count").text == "11,200 of 10,000 characters"
    one(page, "#paste .go").click()
    until(page, lambda found: one(found, "#problem").is_displayed())
    assert "Original has 11,200 characters, and at most 10,000 are read at once" in one(page, "#problem").text
    assert len(str(one(page, "#source").get_attribute("value"))) == 11_200, "nothing is cut"


def test_a_result_is_grey_once_its_texts_are_others(page: Chrome) -> None:
    paste(page)
    assert not one(page, "#stale").is_displayed()
    one(page, "#output1").send_keys(" Mi.")
    assert one(page, "#stale").is_displayed() and "stale" in one(page, "#result").get_attribute("class")
    one(page, "#paste .go").click()
    until(page, lambda _: not one(page, "#stale").is_displayed())
    assert "stale" not in one(page, "#result").get_attribute("class")


def test_a_simplification_is_removed(page: Chrome) -> None:
    assert not one(page, ".remove").is_displayed()
    for text in ("Mi.", "Vi."):
        one(page, "#add").click()
        page.switch_to.active_element.send_keys(text)
    one(page, "#output1").send_keys(OUTPUT)
    page.find_elements(By.CSS_SELECTOR, ".remove")[1].click()
    values = [area.get_attribute("value") for area in page.find_elements(By.CSS_SELECTOR, "[name=output]")]
    assert values == [OUTPUT, "Vi."]
    labels = [label.text for label in page.find_elements(By.CSS_SELECTOR, "#outputs label")]
    assert labels == ["Simplification", "Simplification 2"]
    assert one(page, "#output2").get_attribute("value") == "Vi."


def test_a_reload_keeps_texts_choices_and_result_and_a_visit_begins_anew(page: Chrome, address: str) -> None:
    one(page, "#add").click()
    page.switch_to.active_element.send_keys("Mi vidas domon.")
    paste(page)
    before = one(page, "#result").text
    page.refresh()
    until(page, lambda found: found.find_elements(By.CSS_SELECTOR, SHOWN))
    assert one(page, "#result").text == before and not one(page, "#stale").is_displayed()
    assert one(page, "#source").get_attribute("value") == SOURCE
    assert one(page, "#output2").get_attribute("value") == "Mi vidas domon."
    assert one(page, "#paste-lang").get_attribute("value") == "eo"
    page.get(address)
    assert one(page, "#source").get_attribute("value") == "" and one(page, "#result").text == ""


def test_a_reload_keeps_a_job(page: Chrome, tmp_path: Path) -> None:
    score_files(page, tmp_path)
    page.refresh()
    until(page, lambda found: found.find_elements(By.CSS_SELECTOR, "#result .opened .sema-item"))
    assert one(page, "#files").is_displayed() and "3 items" in one(page, "#result").text


def test_languages_that_are_ready_are_offered_and_targets_have_their_scale(page: Chrome) -> None:
    codes = [option.get_attribute("value") for option in Select(one(page, "#paste-lang")).options]
    assert codes[0] == "" and {"en", "zh", "eo"} <= set(codes)
    groups = [group.get_attribute("label") for group in page.find_elements(By.CSS_SELECTOR, "#paste-target optgroup")]
    assert groups == ["CEFR", "HSK (Chinese)"]
    page.execute_script("for (const part of document.querySelectorAll('#paste .more')) part.open = true")
    Select(one(page, "#paste-target")).select_by_visible_text("HSK 3")
    ticked = [box.get_attribute("value") for box in page.find_elements(By.CSS_SELECTOR, "#paste [name=metric]:checked")]
    assert ticked == ["sema", "hsk_level"]
