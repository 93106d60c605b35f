"""The language of texts and readers, sentences or passages, and the metrics that fit."""

import re
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sema.languages import find_language
from sema.model.levels import CEFR
from sema.web.page import OFFERED
from sema.web.understanding import detect
from tests.cases import cases
from tests.esperanto import esperanto
from tests.sema.web.servers import done, files, finished, send

SENTENCES = "La kato dormas. La hundo manĝas."
ONE = "La kato dormas kaj la hundo manĝas."


def detected(text: str, *codes: str) -> tuple[str, bool] | None:
    """The language of a text among English, Chinese, and members of families."""
    members = [replace(esperanto(), code=code) for code in codes]
    return detect(text, [find_language("en"), find_language("zh"), *members])


@cases("detected_languages")
def test_a_language_is_detected_among_those_offered(text: str, offered: list[str], found: tuple[str, bool]) -> None:
    pytest.importorskip("py3langid")
    assert detected(text, *offered) == found


@pytest.mark.parametrize(
    ("source", "outputs", "level"),
    [
        (SENTENCES, [SENTENCES], "passage"),
        (ONE, [SENTENCES], "sentence"),
        (SENTENCES, [ONE], "sentence"),
        (SENTENCES, [ONE, SENTENCES], "passage"),
        (SENTENCES, [], "sentence"),
    ],
)
def test_more_than_one_sentence_on_both_sides_is_a_passage(web: TestClient, source: str, outputs: Any, level: str):
    asked = {"lang": "eo", "source": source, "outputs": outputs}
    answer = web.post("/detect", json=asked).json()
    assert answer == {"lang": "eo", "name": "Esperanto", "sure": True, "level": level}
    assert web.post("/detect", json={**asked, "level": "passage"}).json()["level"] == "passage"


def test_what_is_detected_is_scored_and_named(web: TestClient) -> None:
    pytest.importorskip("py3langid")
    asked = {"outputs": [SENTENCES], "metrics": ["sema", "samsa"]}
    shown = web.post("/show", json={"source": SENTENCES, **asked}).text
    assert "Read as Esperanto, sentence by sentence of a passage." in re.sub("<[^>]*>", "", shown)
    assert "samsa is left out: it is about single sentences" in shown
    one = web.post("/show", json={"source": ONE, **asked}).text
    assert "as one sentence." in one and "left out" not in one
    assert web.post("/show", json={"source": "12", "outputs": ["12"]}).json()["detail"] == (
        "the language cannot be told from the original; choose it"
    )


def test_a_file_is_detected_by_most_of_its_items(web: TestClient) -> None:
    pytest.importorskip("py3langid")
    text = f"{SENTENCES}\n{SENTENCES}\n{ONE}"
    job = done(web, files(text, text), lang="", level="detect", metrics="sema,samsa")
    assert (job["lang"], job["level"]) == ("eo", "passage")
    assert list(job["systems"][0]["scores"]) == ["sema"]
    assert job["warnings"] == ["samsa is left out: it is about single sentences, and these are passages."]


SOURCE, OUTPUT = "La hundo manĝas pomon kaj mi vidas la domon.", "Hundo manĝas pomon. Mi vidas domojn."
ASKED: dict[str, Any] = {"lang": "eo", "source": SOURCE, "outputs": [OUTPUT], "metrics": ["sema"]}


@cases("page_languages")
def test_the_page_is_in_the_chosen_or_preferred_language(web: TestClient, address: str, browser: str, language: str):
    page = web.get(address, headers={"accept-language": browser}).text
    assert f'<html lang="{language}">' in page
    assert ("粘贴文本" in page) == ('id="sema-words"' in page) == (language == "zh-Hans")
    assert f'href="?words={"en" if language == "zh-Hans" else "zh"}"' in page


def test_a_chinese_page_has_no_english_words_of_its_own(web: TestClient) -> None:
    page = web.get("/?words=zh").text
    text = re.sub(r"(?s)<script.*?</script>|<option[^>]*data-language.*?</option>|<[^>]*>", " ", page)
    known = {*OFFERED, *CEFR, "sema", "JSON", "openapi", "json", "UTF", "docx", "xlsx", "csv", "tsv", "jsonl"}
    known |= {"Ctrl", "Enter", "CEFR", "HSK", "English"}
    assert {*re.findall(r"[A-Za-z]\w+", text)} - known == set()


def test_results_and_errors_in_chinese_where_they_are_asked_for(web: TestClient) -> None:
    chinese = {"accept-language": "zh"}
    shown = web.post("/show?words=zh", json=ASKED).text
    assert "识别为" in shown and "<h5>简化文</h5>" in shown and "场景" in shown
    assert "<h5>Output</h5>" in web.post("/show", json=ASKED, headers=chinese).text
    unknown = {"source": "123", "outputs": ["123"]}
    assert web.post("/show?words=zh", json=unknown).json()["detail"] == "无法从原文判断是什么语言，请自行选择。"
    assert "choose it" in web.post("/show", json=unknown, headers=chinese).json()["detail"]


@pytest.mark.parametrize("metric", ["fkgl", "sari", "cefr", "fluency", "hsk_level", "cefr_hit"])
def test_a_metric_that_does_not_fit_is_named_in_chinese(web: TestClient, metric: str) -> None:
    code = "en" if metric == "cefr_hit" else "eo"
    asked = {"lang": code, "source": ONE, "outputs": [ONE], "metrics": [metric]}
    answer = web.post("/show?words=zh", json=asked)
    assert answer.status_code == 422 and english_in(answer.json()["detail"]) <= {metric, code}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("orig.txt", f"{ONE}\n{ONE}"),
        ("orig.txt", ""),
        ("orig.txt", b"\xb3\xfd"),
        ("orig.txt", "a" * 10_001),
        ("orig.pdf", ONE),
        ("orig.docx", "PK"),
        ("orig.xlsx", "PK"),
        ("orig.csv", "x,y\n1,2"),
        ("orig.jsonl", "{"),
        ("orig.jsonl", '{"source": 5}'),
        ("orig.jsonl", '{"source": "!"}'),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_chinese(web: TestClient, name: str, text: str | bytes) -> None:
    answer = send(web, [("source", (name, text)), ("outputs", ("ours.txt", ONE))], "/jobs?words=zh")
    said = answer.json()["detail"] if answer.status_code > 400 else finished(web, answer)["errors"][0]
    suffixes = {"txt", "docx", "jsonl", "csv", "tsv", "xlsx"}
    assert english_in(said) <= {"orig", "ours", "pdf", "Word", "Excel", "JSON", "UTF", "source", *suffixes}


def english_in(said: str) -> set[str]:
    """The English words of two letters or more in a Chinese text, other than numbers in hexadecimal."""
    assert re.search("[\u4e00-\u9fff]", said), said
    return {*re.findall(r"(?<![0-9A-Za-z])[A-Za-z]\w+", said)}
