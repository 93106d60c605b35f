"""The JSON API and jobs: shapes, limits with clear 4xx, never a 5xx, nothing pasted in the log."""

import html
import json
import logging
import sys
import threading
import zipfile
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

import pytest
from fastapi.testclient import TestClient

from sema import Scorer
from sema.files.texts import read_rows
from sema.web.limits import Limits
from sema.web.page import OFFERED
from tests.esperanto import Segmenter, esperanto
from tests.sema.web.servers import client, files, finished, one_after_the_other, send, slow

SOURCES = ["La kato dormas.", "La hundo manĝas pomon. Mi vidas la domon."]
OUTPUTS = ["La kato.", "Hundo manĝas. Mi vidas domon."]


def ask(**changes: Any) -> dict[str, Any]:
    return {"lang": "eo", "sources": SOURCES, "outputs": OUTPUTS, "metrics": ["sema", "samsa"], **changes}


def test_score_answers_as_the_command_line(web: TestClient) -> None:
    answer = web.post("/score", json=ask())
    report = Scorer(esperanto(), ["sema", "samsa"]).score(SOURCES, OUTPUTS)
    assert answer.status_code == 200
    per_item = [item.to_dict() for item in report.systems[0].items]
    assert answer.json() == {**report.to_dict(), "per_item": per_item}


def test_a_missing_output_is_left_out_counted_and_reported(web: TestClient) -> None:
    answer = web.post("/score", json=ask(outputs=[OUTPUTS[0], None])).json()
    (alone,) = web.post("/score", json=ask(sources=SOURCES[:1], outputs=OUTPUTS[:1])).json()["systems"]
    assert answer["systems"] == [{**alone, "unscored": {name: 1 for name in alone["scores"]}}]
    (failure,) = answer["failed"]
    assert failure["item"] == 1 and failure["error"].startswith("item 1: the output is missing")


def test_explain_scenes_and_align(web: TestClient) -> None:
    one = {"lang": "eo", "source": SOURCES[1], "output": OUTPUTS[1], "metrics": ["sema"]}
    answer = web.post("/explain", json=one).json()
    assert answer["item"] == 0 and answer["output"] == ["Hundo", "manĝas", ".", "Mi", "vidas", "domon", "."]
    assert answer["scores"]["sema"] > 0 and len(answer["scenes"]) == 2 and answer["links"]
    (row,) = web.post("/scenes", json={"lang": "eo", "texts": [SOURCES[0]]}).json()["items"]
    assert row["tokens"] == ["La", "kato", "dormas", "."] and row["scenes"][0]["main_relation"] == [[2]]
    (row,) = web.post("/align", json={"lang": "eo", "sources": [SOURCES[0]], "outputs": [OUTPUTS[0]]}).json()["items"]
    assert [1, 1, "exact"] in row["sentences"][0]["links"]


WRONG = "这座老桥正在生锈。"
FITS = "0 % of the letters fit Esperanto; is 'eo' the right language?"
ONE = {"lang": "eo", "source": WRONG, "metrics": ["copied"]}
TWO = {"lang": "eo", "sources": [SOURCES[0], WRONG], "outputs": SOURCES}


def test_letters_of_another_language_are_warned_of() -> None:
    latin = client(eo=replace(esperanto(), scripts=("LATIN",)))
    with latin as web, catch_warnings():
        simplefilter("error")  # nothing goes to the server's log
        for path, asked, place in (
            ("/score", {**TWO, "metrics": ["copied"]}, "item 1, source"),
            ("/explain", {**ONE, "output": SOURCES[0]}, "item 0, source"),
            ("/scenes", {"lang": "eo", "texts": [SOURCES[0], WRONG]}, "item 1, text"),
            ("/align", TWO, "item 1, source"),
        ):
            answer = web.post(path, json=asked)
            assert answer.status_code == 200 and answer.json()["warnings"] == [f"{place}: {FITS}"]
        shown = html.unescape(web.post("/show", json={**ONE, "outputs": [SOURCES[0], WRONG]}).text)
        assert f"source: {FITS}" in shown and f"output 2: {FITS}" in shown and "output 1:" not in shown
        job = finished(web, send(web, files(WRONG, SOURCES[0]), metrics="copied"))
        assert job["warnings"] == [f"item 0, source: {FITS}"]


def test_languages_and_metrics(web: TestClient) -> None:
    assert "eo" in [row["code"] for row in web.get("/languages").json()]
    rows = {row["name"]: row for row in web.get("/metrics").json()}
    assert rows["sari"]["needs_references"] and not rows["fkgl"]["higher_is_better"]


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("/score", ask(lang="qq"), "unknown language 'qq'"),
        ("/score", ask(metrics=["semma"]), "did you mean 'sema'"),
        ("/score", ask(metrics=["sari"]), "sari needs references"),
        ("/score", ask(outputs=["a"]), "2 sources but 1 outputs"),
        ("/score", ask(sources=[" ", ""]), "the source is empty"),
        ("/score", ask(sources=["a\0b", "\0"]), "NUL"),
        ("/score", ask(metrics=[]), "no metric is named"),
        ("/score", ask(levle="passage"), "levle"),
        ("/score", {"lang": "eo"}, "sources: Field required"),
        ("/score", ask(level="book"), "'sentence' or 'passage'"),
        ("/score", ask(level="passage", metrics=["samsa"]), "samsa"),
        ("/score", ask(references=[["a"]]), "references for 1"),
        ("/align", {"lang": "eo", "sources": ["a"], "outputs": ["a", "b"]}, "1 source but 2 outputs"),
        ("/scenes", {"lang": "eo", "texts": []}, "texts"),
        ("/explain", {"lang": "eo", "source": "", "output": "a"}, "the source is empty"),
    ],
)  # fmt: skip
def test_wrong_input_is_explained(web: TestClient, path: str, body: Any, said: str) -> None:
    answer = web.post(path, json=body)
    assert answer.status_code == 422, answer.text
    assert said in answer.json()["detail"]


def test_invalid_json_is_refused(web: TestClient) -> None:
    half = b'{"lang": "eo", "sources": ["\\ud800"], "outputs": ["a"]}'
    for body in (b"{", b"\xff\xfe", half, half.replace(b"lang", b"\\ud800"), b"[" * 5000):
        answer = web.post("/score", content=body, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 422) and answer.json()["detail"], body[:20]


def test_limits_are_4xx_that_say_what_to_do() -> None:
    limits = Limits(items=2, systems=1, characters=50, total=120, body=2000, metrics=2, references=1)
    one = {"lang": "en", "source": SOURCES[0]}
    with client(limits) as web:
        for path, body, said in (
            ("/score", ask(sources=SOURCES * 2, outputs=OUTPUTS * 2), "4 items"),
            ("/score", ask(sources=["a" * 51, "b"]), "51 characters"),
            ("/score", ask(sources=["a" * 50, "b" * 50]), "characters in all"),
            ("/score", ask(metrics=["sema", "samsa", "sari"]), "3 metrics"),
            ("/score", ask(references=[["a", "b"], ["a"]]), "2 references of an item"),
            ("/score", ask(references=[["a"]] * 3), "3 items"),
            ("/score", ask(sources=["x" * 3000]), "bytes"),
            ("/explain", {**one, "output": OUTPUTS[0], "references": ["a", "b"]}, "2 references of an item"),
            ("/detect", {**one, "outputs": OUTPUTS}, "2 outputs"),
            ("/scenes", {"lang": "eo", "texts": ["a" * 51]}, "51 characters"),
        ):
            answer = web.post(path, json=body)
            assert answer.status_code == 413 and said in answer.json()["detail"], answer.text
        chunks = (b" " * 500 for _ in range(10))
        assert web.post("/score", content=chunks, headers={"content-type": "application/json"}).status_code == 413


def test_too_slow_is_408() -> None:
    language, slowly = slow()
    with client(Limits(seconds=0), slow=language) as web:
        answer = web.post("/score", json=ask(lang="slow"))
        assert answer.status_code == 408 and "send fewer or shorter texts" in answer.json()["detail"]
        slowly.gate.set()


def test_too_many_are_429() -> None:
    language, slowly = slow()
    with client(Limits(waiting=1), slow=language) as web:
        answers: list[Any] = []

        def post() -> None:
            answers.append(web.post("/score", json=ask(lang="slow")))

        first = threading.Thread(target=post)
        first.start()
        slowly.began.wait()
        post()
        slowly.gate.set()
        first.join()
        assert [answer.status_code for answer in answers] == [429, 200] and answers[0].headers["retry-after"] == "5"


def test_requests_that_wait_together_are_scored_together() -> None:
    language, slowly = slow()
    answers: list[Any] = []

    def post(text: str) -> None:
        answers.append(web.post("/score", json=ask(lang="slow", sources=[text], outputs=[text])).json())

    with client(slow=language) as web:
        texts = [f"La kato {number} dormas." for number in range(6)]
        one_after_the_other([partial(post, text) for text in texts], slowly)
    assert len(answers) == 6 and all(answer["systems"][0]["scores"]["sema"] == 100 for answer in answers)
    assert all(answer["items"] == 1 and answer["per_item"][0]["item"] == 0 for answer in answers)
    assert max(map(len, slowly.batches)) > 1, "several requests in one batch"


def test_nothing_pasted_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Segmenter):
        def segment(self, texts: list[str]) -> Any:
            raise RuntimeError(texts[0])

    with caplog.at_level(logging.DEBUG), client(bad=replace(esperanto(), code="bad", segmenter=Broken)) as web:
        answer = web.post("/score", json=ask(lang="bad", sources=["SECRET", "SECRET"]))
        assert 400 <= answer.status_code < 500
        web.post("/score", json=ask(sources=["SECRET", "SECRET"]))
    assert "SECRET" not in caplog.text


def test_headers_hosts_and_other_sites(web: TestClient) -> None:
    for path in ("/", "/assets/page.js", "/languages", "/nowhere"):
        headers = web.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    assert web.get("/", headers={"host": "evil.example"}).status_code == 400
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
    pytest.importorskip("matplotlib")
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
    answer = web.get(f"/jobs/{job['id']}/items/2")
    assert answer.status_code == 404 and answer.json()["detail"] == "there is no item 2; the last is 1"
    with zipfile.ZipFile(BytesIO(web.get(job["run"]).content)) as archive:
        assert json.loads(archive.read("run/run.json"))["finished"]
    assert web.delete(f"/jobs/{job['id']}").status_code == 200
    assert web.get(f"/jobs/{job['id']}").status_code == 404


@pytest.mark.parametrize(
    ("sent", "data", "status", "said"),
    [
        (files(TEXTS, b"one line"), {}, 422, "ours.txt: has 1 item but orig.txt has 2"),
        (files(b"", ANSWERS), {}, 422, "orig.txt: has no items"),
        (files(TEXTS, ANSWERS, name="ours.exe"), {}, 422, "ours.exe: is no .txt"),
        (files(TEXTS, ANSWERS, name="../../etc/ours.csv"), {}, 422, "ours.csv"),
        (files(b"\xff\xfe\x00", ANSWERS), {}, 422, "orig.txt"),
        (GIVEN, {"metrics": "sari"}, 422, "needs references"),
        (GIVEN, {"lang": "qq"}, 422, "unknown language"),
        (GIVEN[:1], {}, 422, "outputs"),
        (files(b"x" * 20_000 + b"\ny", ANSWERS), {}, 413, "orig.txt:1"),
        (files(TEXTS, b'["%s"]\n"a"' % b'", "'.join([b"x" * 100] * 101), name="o.jsonl"), {}, 413, "o.jsonl:1"),
        ([*GIVEN, MANY_REFERENCES], {}, 413, "r.jsonl:2"),
        (GIVEN, {"metrics": "bertscore_f1[model=/etc]"}, 422, "bertscore_f1.model names files"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_scored_are_refused_and_leave_no_folder(
    web: TestClient, sent: Any, data: dict[str, str], status: int, said: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    answer = send(web, sent, **data)
    assert answer.status_code == status, answer.text
    assert said in answer.json()["detail"]
    assert not list(tmp_path.iterdir())


def test_without_matplotlib_a_job_is_refused_before_it_is_scored(
    web: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    answer = send(web, GIVEN)
    assert answer.status_code == 422 and "matplotlib" in answer.json()["detail"]


@pytest.mark.parametrize(
    "name",
    [
        "bertscore_f1[model={}]",
        "cefr[model={}]",
        "fluency[judge={}]",
        "mean:copied,bertscore_f1[model={}]",
        "hsk_level[hsk={}]",
    ],
)
def test_requests_reach_no_option_that_names_files_and_learn_nothing_of_them(web: TestClient, name: str) -> None:
    told = set()
    for path in ("/etc", "/no/such/folder", "none"):
        answer = web.post("/score", json=ask(metrics=[name.format(path)], references=[["a"], ["b"]]))
        assert answer.status_code == 422
        told.add(answer.json()["detail"])
    assert len(told) == 1 and "names files, models or commands of the server" in told.pop()
    assert web.post("/score", json=ask(metrics=["bleu[smoothing=exp]"], references=[["a"], ["b"]])).status_code == 200


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
    book = openpyxl.Workbook()
    book.active.append(["id", "original", "simple"])
    book.active.append(["b7", "La kato dormas.", "La kato dormas."])
    book.active.append(["b9", "Mi vidas.", "Li iras."])
    book.save(tmp_path / "texts.xlsx")
    content = (tmp_path / "texts.xlsx").read_bytes()
    sent = [("source", ("texts.xlsx", content)), ("outputs", ("texts.xlsx", content))]
    job = finished(web, send(web, sent))
    assert job["state"] == "done", job
    items = web.get(f"/jobs/{job['id']}/items").text
    assert items.index(">b9</button>") < items.index(">b7</button>")
    table = web.get(job["tables"][0]).text.splitlines()
    assert table[0] == "system,item,id,source,output,verdict,sema,error"
    assert [line.split(",")[:5] for line in table[1:]] == [
        ["texts.xlsx", "0", "b7", "La kato dormas.", "La kato dormas."],
        ["texts.xlsx", "1", "b9", "Mi vidas.", "Li iras."],
    ]
    (tmp_path / "back.xlsx").write_bytes(web.get(job["tables"][1]).content)
    assert [row["id"] for _, row in read_rows(str(tmp_path / "back.xlsx"))] == ["b7", "b9"]
    assert "Id b9" in web.get(job["report"]).text
    assert web.get(f"/jobs/{job['id']}/items.exe").status_code == 422


def test_a_file_in_another_encoding_is_named_and_nothing_is_scored(web: TestClient) -> None:
    sources, latin = "La kato.\nMi.\n", "Ĉu ĝi dormas é?\nĈu ŝi é?\n".encode("latin-1", "replace")
    answer = send(web, files(sources, latin, name="b.txt"))
    assert answer.status_code == 422
    detail = answer.json()["detail"]
    assert detail.startswith("b.txt:1: is not UTF-8 (byte 0xe9") and detail.endswith("(as for all its 2 items)")
    job = finished(web, send(web, files(sources, b"La kato.\n\xe9\n", name="b.txt")))
    assert job["failed"] == 1
    assert job["errors"][0].startswith("b.txt, item 1: b.txt:2: is not UTF-8")
