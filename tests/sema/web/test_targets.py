"""A target level through the API, the page and jobs."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.sema.web.servers import files, finished, send

SOURCE = "Municipal authorities postponed the construction of the tramway."
EASY, HARD = "The city waits.", "Municipal authorities postponed the construction."
METRICS = ["cefr", "cefr_hit"]


def test_each_item_has_its_target(web: TestClient) -> None:
    asked = {"lang": "en", "sources": [SOURCE] * 3, "outputs": [HARD, HARD, EASY], "metrics": METRICS}
    answer = web.post("/score", json={**asked, "targets": ["A1", "C2", 2]})
    assert answer.status_code == 200, answer.text
    assert [item["scores"]["cefr_hit"] for item in answer.json()["per_item"]] == [0, 100, 100]


@pytest.mark.parametrize(
    ("targets", "said"),
    [
        (None, "cefr_hit needs a target level"),
        (["A2"], "2 sources but 1 targets"),
        (["Z", "A2"], "the target 'Z' is no level; write A1 to C2"),
    ],
)
def test_targets_that_do_not_fit(web: TestClient, targets: list[str] | None, said: str) -> None:
    asked = {"lang": "en", "sources": [SOURCE] * 2, "outputs": [HARD] * 2, "metrics": ["cefr_hit"], "targets": targets}
    answer = web.post("/score", json=asked)
    if targets and "Z" in targets:
        assert answer.status_code == 200 and said in answer.json()["failed"][0]["error"]
    else:
        assert answer.status_code == 422 and said in answer.json()["detail"]


def test_words_above_the_target_are_listed_and_underlined(web: TestClient) -> None:
    asked: dict[str, Any] = {"lang": "en", "source": SOURCE, "metrics": METRICS, "target": "A2"}
    answer = web.post("/explain", json={**asked, "output": HARD}).json()
    assert answer["levels"]["target"] == "A2"
    assert [answer["output"][at] for at in answer["levels"]["output"]["above"]][:2] == ["Municipal", "authorities"]
    shown = {**asked, "metrics": ["cefr"], "outputs": [HARD]}
    assert web.post("/show", json=shown).text.count(' above"') >= 2
    assert ' above"' not in web.post("/show", json={**shown, "target": None}).text


def test_a_job_with_a_target(web: TestClient) -> None:
    pytest.importorskip("matplotlib")
    asked = {"lang": "en", "metrics": "cefr,cefr_hit"}
    job = finished(web, send(web, files(SOURCE, EASY), **asked, target="A2"))
    assert job["state"] == "done", job
    assert job["systems"][0]["scores"]["cefr_hit"] == 100
    wrong = send(web, files(SOURCE, EASY), **asked, target="easy")
    assert wrong.status_code == 422 and "'easy' is no level" in wrong.json()["detail"]
