"""The page, fragments, jobs and errors in the language of the reader."""

import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sema.model.levels import CEFR
from sema.web.page import OFFERED
from tests.sema.web.servers import files, finished, send

SOURCE, OUTPUT = "La hundo manĝas pomon kaj mi vidas la domon.", "Hundo manĝas pomon. Mi vidas domojn."
ASKED: dict[str, Any] = {"lang": "eo", "source": SOURCE, "outputs": [OUTPUT], "metrics": ["sema"]}


@pytest.mark.parametrize(
    ("address", "browser", "language"),
    [
        ("/", "", "en"),
        ("/", "zh-CN,zh;q=0.9,en;q=0.8", "zh-Hans"),
        ("/", "de-DE,de;q=0.9,en;q=0.8,zh;q=0.7", "en"),
        ("/", "zh;q=nonsense", "en"),
        ("/?words=zh", "en", "zh-Hans"),
        ("/?words=en", "zh", "en"),
        ("/?words=xx", "zh", "zh-Hans"),
    ],
)
def test_the_page_is_in_the_language_that_is_chosen_or_that_the_browser_prefers(
    web: TestClient, address: str, browser: str, language: str
) -> None:
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


def test_a_job_is_reported_in_the_language_that_asked_for_it(web: TestClient) -> None:
    pytest.importorskip("matplotlib", reason="reports need matplotlib (the extra `report`)")
    sent = files(f"{SOURCE}\n{SOURCE}\n", f"{OUTPUT}\nMi.\n")
    job = finished(web, send(web, sent, "/jobs?words=zh", metrics=""))
    assert job["state"] == "done", job
    report = web.get(job["report"]).text
    for words in ('<html lang="zh-Hans">', "词的去留", "保留的场景", "占原文词数的百分比"):
        assert words in report, words
    assert "最差的在前" in web.get(f"/jobs/{job['id']}/items?words=zh").text
    assert "the worst first" in web.get(f"/jobs/{job['id']}/items").text
