"""A target level through the API, the page and jobs."""

from collections.abc import Iterator

import pytest

pytest.importorskip("fastapi", reason="the server needs fastapi (the extra `web`)")
pytest.importorskip("httpx", reason="the test client needs httpx")

from fastapi.testclient import TestClient

from tests.sema.web.servers import OWN, client, finished

SOURCE = "Municipal authorities postponed the construction of the tramway."
EASY, HARD = "The city waits.", "Municipal authorities postponed the construction."
METRICS = ["cefr", "cefr_hit"]


@pytest.fixture(scope="module")
def web() -> Iterator[TestClient]:
    with client() as opened:
        yield opened


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
    asked = {"lang": "en", "source": SOURCE, "metrics": METRICS, "target": "A2"}
    answer = web.post("/explain", json={**asked, "output": HARD}).json()
    assert answer["levels"]["target"] == "A2"
    assert [answer["output"][at] for at in answer["levels"]["output"]["above"]][:2] == ["Municipal", "authorities"]
    with_target, without = (
        web.post("/show", json={**asked, "metrics": ["cefr"], "outputs": [HARD], "target": target}).text
        for target in ("A2", None)
    )
    assert with_target.count(' above"') >= 2 and ' above"' not in without


def test_a_job_with_a_target(web: TestClient) -> None:
    pytest.importorskip("matplotlib")
    sent = [("source", ("orig.txt", SOURCE.encode())), ("outputs", ("ours.txt", EASY.encode()))]
    data = {"lang": "en", "metrics": "cefr,cefr_hit", "target": "A2"}
    job = web.post("/jobs", data=data, files=sent, headers=OWN).json()
    job = finished(web, job)
    assert job["state"] == "done", job
    assert job["systems"][0]["scores"]["cefr_hit"] == 100
    wrong = web.post("/jobs", data={**data, "target": "easy"}, files=sent, headers=OWN)
    assert wrong.status_code == 422 and "'easy' is no level" in wrong.json()["detail"]
