"""What the page understands of pasted texts, in a browser: language, level, length, rows, staleness, reloads."""

from pathlib import Path

import pytest

from tests.stress.browser.browsing import OUTPUT, SOURCE, Page

pytestmark = pytest.mark.stress

PASSAGE = "La kato dormas.\n\n- La hundo manĝas pomon.\n- Mi vidas la domon."
SHORTER = "La kato dormas.\n\n- La hundo manĝas.\n- Mi vidas domon."


def fill(page: Page, source: str, output: str) -> None:
    """Texts as if they were pasted."""
    script = """for (const [id, text] of [["source", arguments[0]], ["output1", arguments[1]]]) {
      document.getElementById(id).value = text;
      document.getElementById(id).dispatchEvent(new Event("input", { bubbles: true }));
    }"""
    page.execute_script(script, source, output)


def test_language_and_passage_are_said_while_texts_are_pasted_and_set_by_hand(page: Page) -> None:
    pytest.importorskip("py3langid")
    page.select("#paste-lang").select_by_value("")
    fill(page, SOURCE, OUTPUT)
    page.until(lambda: page.one("#understood").text == "Esperanto, a sentence")
    fill(page, PASSAGE, SHORTER)
    page.until(lambda: page.one("#understood").text == "Esperanto, a passage")
    page.score()
    assert "Read as Esperanto, sentence by sentence of a passage." in page.one("#result").text
    page.unfold("#paste .more")
    page.select("#paste-level").select_by_value("sentence")
    page.until(lambda: page.one("#understood").text == "Esperanto, a sentence")


def test_paragraphs_and_bullets_stand_in_rows_side_by_side(page: Page) -> None:
    fill(page, PASSAGE, SHORTER)
    page.score()
    sides = [page.every(f"#result .{side} .cell") for side in ("source", "output")]
    assert [len(cells) for cells in sides] == [3, 3]
    heights = [[cell.rect["y"] for cell in cells] for cells in sides]
    assert heights[0] == heights[1] == sorted(set(heights[0]))
    page.size(375, 800)
    lines = page.one("#result .source").text.split("\n")
    assert [line.strip() for line in lines if line.strip()] == PASSAGE.replace("\n\n", "\n").split("\n")


def test_on_a_phone_each_row_has_the_source_above_the_output(page: Page) -> None:
    page.size(375, 800)
    fill(page, PASSAGE, SHORTER)
    page.score()
    source, output = (page.every(f"#result .{side} .cell") for side in ("source", "output"))
    edges = [cell.rect["y"] + part * cell.rect["height"] for row in zip(source, output, strict=True) for cell in row
             for part in (0, 1)]  # fmt: skip
    assert edges == sorted(edges) and page.fits()
    word = page.every(".w", source[2])[1]
    word.click()
    assert f"“{word.text}”" in page.one("#result .said").text
    path = page.one("#result .links path").rect
    assert source[2].rect["y"] < path["y"] < output[2].rect["y"] + output[2].rect["height"]


def test_the_page_in_chinese_keeps_texts_and_result_of_the_english_one(page: Page) -> None:
    page.size(375, 800)
    page.paste()
    page.one("#tongue").click()
    page.until(lambda: "识别为世界语" in page.one("#result").text)
    assert page.one("#source").get_attribute("value") == SOURCE
    assert page.one("#output1-count").text == f"{len(OUTPUT)} / 10,000 字"
    assert page.select("#paste-lang").first_selected_option.text == "世界语" and page.fits()
    page.every("#result .words .w")[1].click()
    assert page.one("#result .said").text == "“hundo” — “Hundo” (变形，句子 1)"
    page.one("#tongue").click()
    page.until(lambda: "Read as Esperanto" in page.one("#result").text)


def test_long_text_is_counted_kept_whole_and_refused_in_words(page: Page) -> None:
    fill(page, "La kato dormas. " * 700, OUTPUT)
    assert page.one("#source-count").text == "11,200 of 10,000 characters"
    page.one("#paste .go").click()
    page.until(lambda: page.one("#problem").is_displayed())
    assert "Original has 11,200 characters, and at most 10,000 are read at once" in page.one("#problem").text
    assert len(str(page.one("#source").get_attribute("value"))) == 11_200, "nothing is cut"


def test_a_result_is_grey_once_its_texts_are_others(page: Page) -> None:
    page.paste()
    assert not page.one("#stale").is_displayed()
    page.one("#output1").send_keys(" Mi.")
    assert page.one("#stale").is_displayed() and "stale" in page.one("#result").get_attribute("class")
    page.one("#paste .go").click()
    page.until(lambda: not page.one("#stale").is_displayed())
    assert "stale" not in page.one("#result").get_attribute("class")


def test_a_simplification_is_removed(page: Page) -> None:
    assert not page.one(".remove").is_displayed()
    for text in ("Mi.", "Vi."):
        page.add(text)
    page.one("#output1").send_keys(OUTPUT)
    page.every(".remove")[1].click()
    assert page.values("[name=output]") == [OUTPUT, "Vi."]
    assert page.texts("#outputs label") == ["Simplification", "Simplification 2"]
    assert page.one("#output2").get_attribute("value") == "Vi."


def test_a_reload_keeps_texts_choices_and_result_and_a_visit_begins_anew(page: Page, address: str) -> None:
    page.add("Mi vidas domon.")
    page.paste()
    before = page.one("#result").text
    page.refresh()
    page.appears("#result .sema-item")
    assert page.one("#result").text == before and not page.one("#stale").is_displayed()
    assert page.one("#source").get_attribute("value") == SOURCE
    assert page.one("#output2").get_attribute("value") == "Mi vidas domon."
    assert page.one("#paste-lang").get_attribute("value") == "eo"
    page.get(address)
    assert page.one("#source").get_attribute("value") == "" and page.one("#result").text == ""


def test_a_reload_keeps_a_job(page: Page, tmp_path: Path) -> None:
    page.score_files(tmp_path)
    page.refresh()
    page.appears("#result .opened .sema-item")
    assert page.one("#files").is_displayed() and "3 items" in page.one("#result").text


def test_languages_that_are_ready_are_offered_and_targets_have_their_scale(page: Page) -> None:
    codes = [option.get_attribute("value") for option in page.select("#paste-lang").options]
    assert codes[0] == "" and {"en", "zh", "eo"} <= set(codes)
    groups = [group.get_attribute("label") for group in page.every("#paste-target optgroup")]
    assert groups == ["CEFR", "HSK (Chinese)"]
    page.unfold("#paste .more")
    page.select("#paste-target").select_by_visible_text("HSK 3")
    assert page.values("#paste [name=metric]:checked") == ["sema", "hsk_level"]
