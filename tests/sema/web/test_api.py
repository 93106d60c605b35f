"""The JSON API and jobs: shapes, limits with clear 4xx, never a 5xx, nothing pasted in the log."""

import html
import json
import logging
import sys
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

import pytest

pytest.importorskip("fastapi", reason="the server needs fastapi (the extra `web`)")
pytest.importorskip("httpx", reason="the test client needs httpx")

from fastapi.testclient import TestClient

from sema import Scorer
from sema.files.texts import read_rows
from sema.web.limits import Limits
from sema.web.page import OFFERED
from tests.esperanto import Segmenter, esperanto
from tests.sema.web.servers import OWN, client, finished, one_after_the_other

SOURCES = ["La kato dormas.", "La hundo manĝas pomon. Mi vidas la domon."]
OUTPUTS = ["La kato.", "Hundo manĝas. Mi vidas domon."]


@pytest.fixture(scope="module")
def web() -> Iterator[TestClient]:
    with client() as opened:
        yield opened


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
    answer = web.post(
        "/explain", json={"lang": "eo", "source": SOURCES[1], "output": OUTPUTS[1], "metrics": ["sema"]}
    ).json()
    assert answer["item"] == 0 and answer["output"] == ["Hundo", "manĝas", ".", "Mi", "vidas", "domon", "."]
    assert answer["scores"]["sema"] > 0 and len(answer["scenes"]) == 2 and answer["links"]
    (row,) = web.post("/scenes", json={"lang": "eo", "texts": [SOURCES[0]]}).json()["items"]
    assert row["tokens"] == ["La", "kato", "dormas", "."] and row["scenes"][0]["main_relation"] == [[2]]
    (row,) = web.post("/align", json={"lang": "eo", "sources": [SOURCES[0]], "outputs": [OUTPUTS[0]]}).json()["items"]
    assert [1, 1, "exact"] in row["sentences"][0]["links"]


WRONG = "这座老桥正在生锈。"
FITS = "0 % of the letters fit Esperanto; is 'eo' the right language?"


def latin() -> TestClient:
    """A server with a language that says what its letters are."""
    return client(eo=replace(esperanto(), scripts=("LATIN",)))


def wrong(path: str) -> dict[str, Any]:
    """A request in the letters of another language."""
    if path in ("/explain", "/show"):
        outputs = {"output": SOURCES[0]} if path == "/explain" else {"outputs": [SOURCES[0], WRONG]}
        return {"lang": "eo", "source": WRONG, "metrics": ["copied"], **outputs}
    if path == "/scenes":
        return {"lang": "eo", "texts": [SOURCES[0], WRONG]}
    asked = {"lang": "eo", "sources": [SOURCES[0], WRONG], "outputs": SOURCES}
    return {**asked, "metrics": ["copied"]} if path == "/score" else asked


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/score", [f"item 1, source: {FITS}"]),
        ("/explain", [f"item 0, source: {FITS}"]),
        ("/scenes", [f"item 1, text: {FITS}"]),
        ("/align", [f"item 1, source: {FITS}"]),
    ],
)
def test_letters_of_another_language_are_warned_of(path: str, said: list[str]) -> None:
    with latin() as web, catch_warnings():
        simplefilter("error")  # nothing goes to the server's log
        answer = web.post(path, json=wrong(path))
        assert answer.status_code == 200 and answer.json()["warnings"] == said
        shown = html.unescape(web.post("/show", json=wrong("/show")).text)
    assert f"source: {FITS}" in shown and f"output 2: {FITS}" in shown and "output 1:" not in shown


def test_a_job_warns_of_letters_too() -> None:
    with latin() as web:
        sent = [("source", ("s.txt", WRONG.encode())), ("outputs", ("o.txt", SOURCES[0].encode()))]
        answer = web.post("/jobs", data={"lang": "eo", "metrics": "copied"}, files=sent, headers=OWN)
        job = finished(web, answer.json())
    assert job["warnings"] == [f"item 0, source: {FITS}"]


def test_languages_and_metrics(web: TestClient) -> None:
    assert "eo" in [row["code"] for row in web.get("/languages").json()]
    rows = {row["name"]: row for row in web.get("/metrics").json()}
    assert rows["sari"]["needs_references"] and not rows["fkgl"]["higher_is_better"]


@pytest.mark.parametrize(
    ("path", "body", "status", "said"),
    [
        ("/score", ask(lang="qq"), 422, "unknown language 'qq'"),
        ("/score", ask(metrics=["semma"]), 422, "did you mean 'sema'"),
        ("/score", ask(metrics=["sari"]), 422, "sari needs references"),
        ("/score", ask(outputs=["a"]), 422, "2 sources but 1 outputs"),
        ("/score", ask(sources=[" ", ""]), 422, "the source is empty"),
        ("/score", ask(sources=["a\0b", "\0"]), 422, "NUL"),
        ("/score", ask(metrics=[]), 422, "no metric is named"),
        ("/score", ask(levle="passage"), 422, "levle"),
        ("/score", {"lang": "eo"}, 422, "sources: Field required"),
        ("/score", ask(level="book"), 422, "'sentence' or 'passage'"),
        ("/score", ask(level="passage", metrics=["samsa"]), 422, "samsa"),
        ("/score", ask(references=[["a"]]), 422, "references for 1"),
        ("/align", {"lang": "eo", "sources": ["a"], "outputs": ["a", "b"]}, 422, "1 source but 2 outputs"),
        ("/scenes", {"lang": "eo", "texts": []}, 422, "texts"),
        ("/explain", {"lang": "eo", "source": "", "output": "a"}, 422, "the source is empty"),
    ],
)  # fmt: skip
def test_wrong_input_is_explained(web: TestClient, path: str, body: Any, status: int, said: str) -> None:
    answer = web.post(path, json=body)
    assert answer.status_code == status, answer.text
    assert said in answer.json()["detail"]


def test_invalid_json_is_refused(web: TestClient) -> None:
    for body in (b"{", b"\xff\xfe", b'{"lang": "eo", "sources": ["\\ud800"], "outputs": ["a"]}', b"[" * 5000):
        answer = web.post("/score", content=body, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 422) and answer.json()["detail"], body[:20]


def test_limits_are_4xx_that_say_what_to_do() -> None:
    limits = Limits(items=2, characters=50, total=120, body=2000, metrics=2, references=1)
    with client(limits) as web:
        for body, said in (
            (ask(sources=SOURCES * 2, outputs=OUTPUTS * 2), "4 items"),
            (ask(sources=["a" * 51, "b"]), "51 characters"),
            (ask(sources=["a" * 50, "b" * 50]), "characters in all"),
            (ask(metrics=["sema", "samsa", "sari"]), "3 metrics"),
            (ask(references=[["a", "b"], ["a"]]), "references of an item"),
            (ask(sources=["x" * 3000]), "bytes"),
        ):
            answer = web.post("/score", json=body)
            assert answer.status_code == 413 and said in answer.json()["detail"], answer.text
        one = {"lang": "en", "source": SOURCES[0], "output": OUTPUTS[0], "references": ["a", "b"]}
        answer = web.post("/explain", json=one)
        assert answer.status_code == 413 and "2 references of an item" in answer.json()["detail"], answer.text
        chunks = (b" " * 500 for _ in range(10))
        assert web.post("/score", content=chunks, headers={"content-type": "application/json"}).status_code == 413


class Slow(Segmenter):
    """Segments when it is let."""

    signature = "slow:1"
    gate: threading.Event
    began: threading.Event
    batches: list[int]

    def segment(self, texts: list[str]) -> Any:
        self.batches.append(len(texts))
        self.began.set()
        self.gate.wait()
        return super().segment(texts)


def slow() -> tuple[Any, Any]:
    """A language, and its segmenter: one of its own for each test, because a server's work may outlive its test."""
    own = type("OwnSlow", (Slow,), {"gate": threading.Event(), "began": threading.Event(), "batches": []})
    return replace(esperanto(), code="slow", segmenter=own), own


def test_too_slow_is_408() -> None:
    language, slowly = slow()
    with client(Limits(seconds=0), slow=language) as web:
        assert web.post("/score", json=ask(lang="slow")).status_code == 408
        slowly.gate.set()


def test_too_many_are_429() -> None:
    language, slowly = slow()
    with client(Limits(waiting=1), slow=language) as web:
        codes: list[int] = []

        def post() -> None:
            codes.append(web.post("/score", json=ask(lang="slow")).status_code)

        first = threading.Thread(target=post)
        first.start()
        slowly.began.wait()
        post()
        slowly.gate.set()
        first.join()
        assert codes == [429, 200]


def test_requests_that_wait_together_are_scored_together() -> None:
    language, slowly = slow()
    with client(slow=language) as web:
        answers: list[Any] = []
        texts = [f"La kato {number} dormas." for number in range(6)]

        def post(text: str) -> None:
            answers.append((text, web.post("/score", json=ask(lang="slow", sources=[text], outputs=[text])).json()))

        one_after_the_other([partial(post, text) for text in texts], slowly.began, slowly.gate)
        assert len(answers) == 6 and all(answer["systems"][0]["scores"]["sema"] == 100 for _, answer in answers)
        assert all(answer["items"] == 1 and answer["per_item"][0]["item"] == 0 for _, answer in answers)
        assert max(slowly.batches) > 1, "several requests in one batch"


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
        assert (
            "default-src 'none'" in headers["content-security-policy"]
            and headers["x-content-type-options"] == "nosniff"
        )
    assert web.get("/", headers={"host": "evil.example"}).status_code == 400
    assert web.post("/score", json=ask(), headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert web.get("/nowhere").status_code == 404 and web.get("/assets/../app.py").status_code == 404
    assert web.get("/score").status_code == 405


def test_the_page_uses_only_what_its_policy_allows(web: TestClient) -> None:
    html = web.get("/").text
    assert "<style" not in html and " style=" not in html and "onclick" not in html and "<script>" not in html
    assert all(f'value="{name}"' in html for name in OFFERED)
    shown = web.post(
        "/show", json={"lang": "eo", "source": "<b>La</b> kato dormas.", "outputs": ["<i>"], "metrics": ["sema"]}
    )
    assert "<b>La" not in shown.text and " style=" not in shown.text and "<i>&lt;" not in shown.text
    assert shown.text.count("sema-item") == 1


def files(
    source: bytes = "\n".join(SOURCES).encode(), output: bytes = "\n".join(OUTPUTS).encode(), name: str = "ours.txt"
) -> Any:
    return [("source", ("orig.txt", source)), ("outputs", (name, output)), ("outputs", ("copy.txt", source))]


MANY_REFERENCES = ("references", ("r.jsonl", b'["a"]\n' + b'["%s"]' % b'", "'.join([b"x"] * 21)))


def test_a_job_from_upload_to_report(web: TestClient) -> None:
    pytest.importorskip("matplotlib")
    answer = web.post("/jobs", data={"lang": "eo", "metrics": "sema,samsa"}, files=files(), headers=OWN)
    assert answer.status_code == 202, answer.text
    job = finished(web, answer.json())
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
        (files(output=b"one line"), {}, 422, "ours.txt: has 1 item but orig.txt has 2"),
        (files(source=b""), {}, 422, "orig.txt: has no items"),
        (files(name="ours.exe"), {}, 422, "ours.exe: is no .txt"),
        (files(name="../../etc/ours.csv"), {}, 422, "ours.csv"),
        (files(source=b"\xff\xfe\x00"), {}, 422, "orig.txt"),
        (files(), {"metrics": "sari"}, 422, "needs references"),
        (files(), {"lang": "qq"}, 422, "unknown language"),
        (files()[:1], {}, 422, "outputs"),
        (files(source=b"x" * 20_000 + b"\ny"), {}, 413, "orig.txt:1"),
        (files(output=b'["%s"]\n"a"' % b'", "'.join([b"x" * 100] * 101), name="ours.jsonl"), {}, 413, "ours.jsonl:1"),
        ([*files(), MANY_REFERENCES], {}, 413, "r.jsonl:2"),
        (files(), {"metrics": "bertscore_f1[model=/etc]"}, 422, "bertscore_f1.model names files"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_scored(web: TestClient, sent: Any, data: dict[str, str], status: int, said: str) -> None:
    answer = web.post("/jobs", data={"lang": "eo", **data}, files=sent, headers=OWN)
    assert answer.status_code == status, answer.text
    assert said in answer.json()["detail"]


@pytest.mark.parametrize(
    "sent", [files(output=b"one line"), files(name="ours.exe"), files(source=b"x" * 20_000 + b"\ny")]
)
def test_a_refused_upload_leaves_no_folder(sent: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with client() as web:
        assert web.post("/jobs", data={"lang": "eo"}, files=sent, headers=OWN).status_code >= 400
        assert [path for path in tmp_path.rglob("*") if path.parent != tmp_path] == []


def test_without_matplotlib_a_job_is_refused_before_it_is_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with client() as web:
        answer = web.post("/jobs", data={"lang": "eo", "metrics": "sema"}, files=files(), headers=OWN)
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


def test_jobs_are_stopped_and_limited() -> None:
    language, slowly = slow()
    with client(Limits(jobs_waiting=1), slow=language) as web:
        data = {"lang": "slow", "metrics": "sema"}
        job = web.post("/jobs", data=data, files=files(), headers=OWN).json()
        assert web.post("/jobs", data=data, files=files(), headers=OWN).status_code == 429
        assert web.get(f"/jobs/{job['id']}/report").status_code == 404
        assert web.delete(f"/jobs/{job['id']}").status_code == 200
        slowly.gate.set()
    with client(Limits(job_seconds=0)) as web:
        job = finished(
            web, web.post("/jobs", data={"lang": "eo", "metrics": "sema"}, files=files(), headers=OWN).json()
        )
        assert job["state"] == "stopped" and "took longer" in job["error"]


# Files of an office


def _office(folder: Path) -> list[tuple[str, tuple[str, bytes]]]:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (
        ["id", "original", "simple"],
        ["b7", "La kato dormas.", "La kato dormas."],
        ["b9", "Mi vidas.", "Li iras."],
    ):
        book.active.append(row)
    book.save(folder / "texts.xlsx")
    content = (folder / "texts.xlsx").read_bytes()
    return [("source", ("texts.xlsx", content)), ("outputs", ("texts.xlsx", content))]


def test_a_workbook_is_scored_by_its_ids_and_comes_back_as_tables(tmp_path: Path) -> None:
    with client() as web:
        job = web.post("/jobs", data={"lang": "eo", "metrics": "sema"}, files=_office(tmp_path), headers=OWN).json()
        job = finished(web, job)
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


def test_a_file_in_another_encoding_is_named_and_nothing_is_scored() -> None:
    latin = "Ĉu ĝi dormas é?\nĈu ŝi é?\n".encode("latin-1", "replace")
    sent = [("source", ("a.txt", b"La kato.\nMi.\n")), ("outputs", ("b.txt", latin))]
    with client() as web:
        answer = web.post("/jobs", data={"lang": "eo", "metrics": "sema"}, files=sent, headers=OWN)
        assert answer.status_code == 422
        detail = answer.json()["detail"]
        assert detail.startswith("b.txt:1: is not UTF-8 (byte 0xe9") and detail.endswith("(as for all its 2 items)")
        sent[1] = ("outputs", ("b.txt", b"La kato.\n\xe9\n"))
        job = finished(web, web.post("/jobs", data={"lang": "eo", "metrics": "sema"}, files=sent, headers=OWN).json())
        assert job["failed"] == 1
        assert job["errors"][0].startswith("b.txt, item 1: b.txt:2: is not UTF-8")
