"""The JSON API and jobs: shapes, limits with clear 4xx, never a 5xx, nothing pasted in the log."""

import html
import json
import logging
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from sema import Scorer
from sema.files.texts import read_rows
from sema.web.limits import Limits
from sema.web.page import OFFERED
from tests.cases import cases
from tests.esperanto import esperanto
from tests.sema.web.servers import client, done, failing, files, finished, is_refused, send, slow

SOURCES = ["La kato dormas.", "La hundo manĝas pomon. Mi vidas la domon."]
OUTPUTS = ["La kato.", "Hundo manĝas. Mi vidas domon."]


def ask(**changes: Any) -> dict[str, Any]:
    return {"lang": "eo", "sources": SOURCES, "outputs": OUTPUTS, "metrics": ["sema", "samsa"], **changes}


def test_score_answers_as_the_command_line(web: TestClient) -> None:
    answer = web.post("/score", json=ask())
    report = Scorer(esperanto(), ["sema", "samsa"]).score(SOURCES, OUTPUTS)
    assert answer.status_code == 200
    assert answer.json() == {**report.to_dict(), "per_item": [item.to_dict() for item in report.systems[0].items]}


def test_explain_answers_with_the_evidence(web: TestClient) -> None:
    one = {"lang": "eo", "source": SOURCES[1], "output": OUTPUTS[1], "metrics": ["sema"]}
    answer = web.post("/explain", json=one).json()
    assert answer["item"] == 0 and answer["output"] == ["Hundo", "manĝas", ".", "Mi", "vidas", "domon", "."]
    assert answer["scores"]["sema"] > 0 and len(answer["scenes"]) == 2 and answer["links"]


def test_letters_of_another_language_are_warned_of() -> None:
    wrong, fits = "这座老桥正在生锈。", "0 % of the letters fit Esperanto; is 'eo' the right language?"
    one = {"lang": "eo", "source": wrong, "outputs": [SOURCES[0]], "metrics": ["copied"]}
    with client(eo=replace(esperanto(), scripts=("LATIN",))) as web:
        scored = web.post("/score", json=ask(sources=[SOURCES[0], wrong], metrics=["copied"])).json()
        assert scored["warnings"] == [f"item 1, source: {fits}"]
        assert f"source: {fits}" in html.unescape(web.post("/show", json=one).text)
        job = finished(web, send(web, files(wrong, SOURCES[0]), metrics="copied"))
        assert job["warnings"] == [f"item 0, source: {fits}"]


def test_languages_and_metrics_are_listed(web: TestClient) -> None:
    assert "eo" in [row["code"] for row in web.get("/languages").json()]
    rows = {row["name"]: row for row in web.get("/metrics").json()}
    assert rows["sari"]["needs_references"] and not rows["fkgl"]["higher_is_better"]


@cases("wrong_requests")
def test_wrong_input_is_explained(web: TestClient, path: str, body: Any, said: str) -> None:
    is_refused(web.post(path, json=ask(**body) if path == "/score" else body), 422, said)


def test_invalid_json_is_refused(web: TestClient) -> None:
    is_refused(web.post("/score", json={"lang": "eo"}), 422, "sources: Field required")
    half = b'{"lang": "eo", "sources": ["\\ud800"], "outputs": ["a"]}'
    for body in (b"{", b"\xff\xfe", half, half.replace(b"lang", b"\\ud800"), b"[" * 5000):
        answer = web.post("/score", content=body, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 422) and answer.json()["detail"], body[:20]


def test_limits_are_4xx_that_say_what_to_do() -> None:
    one = {"lang": "eo", "source": SOURCES[0]}
    long = "a" * 10_001
    with client(Limits(items=2, body=50_000)) as web:
        for path, body, status, said in (
            ("/score", ask(sources=SOURCES * 2, outputs=OUTPUTS * 2), 413, "4 items; send at most 2"),
            ("/score", ask(sources=["x" * 50_000]), 413, "bytes"),
            ("/score", ask(sources=[long, "b"]), 422, "sources.0: String should have at most 10000 characters"),
            ("/score", ask(metrics=["sema"] * 21), 422, "metrics: List should have at most 20 items"),
            ("/score", ask(references=[["a"] * 21, ["a"]]), 422, "references.0: List should have at most 20 items"),
            ("/explain", {**one, "output": long}, 422, "output: String"),
            ("/detect", {**one, "outputs": ["a"] * 9}, 422, "outputs: List should have at most 8 items"),
        ):
            is_refused(web.post(path, json=body), status, said)
        chunks = (b" " * 10_000 for _ in range(10))
        assert web.post("/score", content=chunks, headers={"content-type": "application/json"}).status_code == 413


def test_too_slow_is_408() -> None:
    language, slowly = slow()
    with client(Limits(seconds=0), slow=language) as web:
        is_refused(web.post("/score", json=ask(lang="slow")), 408, "send fewer or shorter texts")
        slowly.gate.set()


def test_too_many_are_429() -> None:
    language, slowly = slow()
    with client(Limits(waiting=1), slow=language) as web, ThreadPoolExecutor() as pool:
        first = pool.submit(web.post, "/score", json=ask(lang="slow"))
        slowly.began.wait()
        second = web.post("/score", json=ask(lang="slow"))
        slowly.gate.set()
        assert (first.result().status_code, second.status_code, second.headers["retry-after"]) == (200, 429, "5")


def test_nothing_pasted_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), client(bad=failing(RuntimeError)) as web:
        assert 400 <= web.post("/score", json=ask(lang="bad", sources=["SECRET", "SECRET"])).status_code < 500
        web.post("/score", json=ask(sources=["SECRET", "SECRET"]))
    assert "SECRET" not in caplog.text


def test_headers_hosts_and_other_sites(web: TestClient) -> None:
    for path in ("/", "/assets/page.js", "/languages", "/nowhere"):
        headers = web.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    for host in ("evil.example", "testserver.evil.example", ""):
        refused = web.get("/", headers={"host": host})
        assert refused.status_code == 400 and f"start it with --name {host}" in refused.json()["detail"]
        assert refused.headers["x-content-type-options"] == "nosniff"
    assert web.get("/health", headers={"host": "TestServer:8000"}).status_code == 200
    assert web.get("/nowhere").status_code == 404 and web.get("/assets/../app.py").status_code == 404
    assert web.get("/score").status_code == 405


def test_the_page_uses_only_what_its_policy_allows(web: TestClient) -> None:
    page = web.get("/").text
    assert "<style" not in page and " style=" not in page and "onclick" not in page and "<script>" not in page
    assert all(f'value="{name}"' in page for name in OFFERED)
    asked = {"lang": "eo", "source": "<b>La</b> kato dormas.", "outputs": ["<i>"], "metrics": ["sema"]}
    shown = web.post("/show", json=asked).text
    assert "<b>La" not in shown and " style=" not in shown and "<i>&lt;" not in shown
    assert shown.count("sema-item") == 1


TEXTS, ANSWERS = "\n".join(SOURCES).encode(), "\n".join(OUTPUTS).encode()
GIVEN = files(TEXTS, ANSWERS)
MANY_REFERENCES = ("references", ("r.jsonl", b'["a"]\n' + b'["%s"]' % b'", "'.join([b"x"] * 21)))


def test_a_job_from_upload_to_report(web: TestClient) -> None:
    answer = send(web, [*GIVEN, ("outputs", ("copy.txt", TEXTS))], metrics="sema,samsa")
    assert answer.status_code == 202, answer.text
    job = finished(web, answer)
    assert job["state"] == "done" and job["done"] == job["items"] == 2
    expected = Scorer(esperanto(), ["sema", "samsa"]).score(SOURCES, {"ours.txt": OUTPUTS, "copy.txt": SOURCES})
    assert job["systems"] == expected.to_dict()["systems"]
    assert "ours.txt" in web.get(job["report"]).text
    table = web.get(f"/jobs/{job['id']}/items").text
    assert table.count('class="row"') == 2 and table.count('<th scope="col" data-system') == 4
    for item, output in enumerate(OUTPUTS):
        assert output in table and web.get(f"/jobs/{job['id']}/items/{item}").text.count('class="sema-item"') == 2
    is_refused(web.get(f"/jobs/{job['id']}/items/2"), 404, "there is no item 2; the last is 1")
    with zipfile.ZipFile(BytesIO(web.get(job["run"]).content)) as archive:
        assert json.loads(archive.read("run/run.json"))["finished"]
    assert web.delete(f"/jobs/{job['id']}").status_code == 200
    assert web.get(f"/jobs/{job['id']}").status_code == 404


@pytest.mark.parametrize(
    ("sent", "data", "status", "said"),
    [
        (files(TEXTS, b"one line"), {}, 422, "ours.txt: has 1 item but orig.txt has 2"),
        (files(b"", ANSWERS), {}, 422, "orig.txt: has no items"),
        (files(TEXTS, ANSWERS, name="ours.exe"), {}, 422, "ours.exe: must be .txt"),
        (files(TEXTS, ANSWERS, name="../../etc/ours.csv"), {}, 422, "ours.csv"),
        (files(b"\xff\xfe\x00", ANSWERS), {}, 422, "orig.txt"),
        (GIVEN, {"metrics": "sari"}, 422, "needs references"),
        (GIVEN, {"lang": "qq"}, 422, "unknown language"),
        (GIVEN[:1], {}, 422, "outputs"),
        (files(b"x" * 20_000 + b"\ny", ANSWERS), {}, 413, "orig.txt:1"),
        (files(TEXTS, b'["%s"]\n"a"' % b'", "'.join([b"x" * 100] * 101), name="o.jsonl"), {}, 413, "o.jsonl:1"),
        ([*GIVEN, MANY_REFERENCES], {}, 413, "r.jsonl:2"),
        (GIVEN, {"metrics": "bertscore_f1[model=/etc]"}, 422, "bertscore_f1.model names files"),
        (GIVEN, {"lang": "en", "metrics": "cefr_hit", "target": "easy"}, 422, "'easy' is not a level"),
    ],
)
def test_files_that_cannot_be_scored_are_refused_and_leave_no_folder(
    web: TestClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, sent: Any, data: Any, status: int, said: str
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    is_refused(send(web, sent, **data), status, said)
    assert not list(tmp_path.iterdir())


FILE_OPTIONS = ["bertscore_f1[model={}]", "cefr[model={}]", "fluency[judge={}]", "mean:copied,bertscore_f1[model={}]"]


@pytest.mark.parametrize("name", FILE_OPTIONS)
def test_requests_reach_no_option_that_names_files_and_learn_nothing_of_them(web: TestClient, name: str) -> None:
    def answer(metric: str) -> Any:
        return web.post("/score", json=ask(metrics=[metric], references=[["a"], ["b"]]))

    answers = [answer(name.format(path)) for path in ("/etc", "/no/such/folder", "none")]
    assert len({one.text for one in answers}) == 1
    is_refused(answers[0], 422, "names files, models or commands of the server")
    assert answer("bleu[smoothing=exp]").status_code == 200


def test_jobs_are_stopped_and_limited_and_leave_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    language, slowly = slow()
    with client(Limits(jobs_waiting=1), slow=language) as web:
        job = send(web, GIVEN, lang="slow").json()
        assert send(web, GIVEN, lang="slow").status_code == 429
        assert web.get(f"/jobs/{job['id']}/report").status_code == 404
        assert web.delete(f"/jobs/{job['id']}").status_code == 200
        slowly.gate.set()
    assert not list(tmp_path.iterdir())
    with client(Limits(job_seconds=0)) as web:
        job = finished(web, send(web, GIVEN))
        assert job["state"] == "stopped" and "took longer" in job["error"] and list(tmp_path.iterdir())
    assert not list(tmp_path.iterdir())


def test_a_workbook_is_scored_by_its_ids_and_comes_back_as_tables(web: TestClient, tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book, back = openpyxl.Workbook(), tmp_path / "texts.xlsx"
    texts = [["b7", "La kato dormas.", "La kato dormas."], ["b9", "Mi vidas.", "Li iras."]]
    for row in (["id", "original", "simple"], *texts):
        book.active.append(row)
    book.save(back)
    job = done(web, [(part, ("texts.xlsx", back.read_bytes())) for part in ("source", "outputs")])
    items = web.get(f"/jobs/{job['id']}/items").text
    assert items.index(">b9</button>") < items.index(">b7</button>")
    table = web.get(job["tables"][0]).text.splitlines()
    assert table[0] == "system,item,id,source,output,verdict,sema,error"
    expected = [["texts.xlsx", str(place), *row] for place, row in enumerate(texts)]
    assert [line.split(",")[:5] for line in table[1:]] == expected
    back.write_bytes(web.get(job["tables"][1]).content)
    assert [row["id"] for _, row in read_rows(str(back))] == ["b7", "b9"]
    assert "Id b9" in web.get(job["report"]).text
    assert web.get(f"/jobs/{job['id']}/items.exe").status_code == 422


def test_a_target_that_is_no_level_is_refused(web: TestClient) -> None:
    asked = {"lang": "en", "source": "A cat slept.", "output": "A cat slept.", "metrics": ["cefr"], "target": "B7"}
    is_refused(web.post("/explain", json=asked), 422, "'B7' is not a level; write A1 to C2")


def test_each_item_has_its_target(web: TestClient) -> None:
    source, hard, easy = "Municipal authorities postponed it.", "Municipal authorities waited.", "The city waits."
    asked = {"lang": "en", "sources": [source] * 3, "outputs": [hard, hard, easy], "metrics": ["cefr", "cefr_hit"]}
    answer = web.post("/score", json={**asked, "targets": ["A1", "C2", 2]}).json()
    assert [item["scores"]["cefr_hit"] for item in answer["per_item"]] == [0, 100, 100]
    is_refused(web.post("/score", json={**asked, "targets": None}), 422, "cefr_hit needs a target level")
