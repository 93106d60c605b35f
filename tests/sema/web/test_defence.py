"""What strangers may not do: compute from other sites, hold a connection, delay others, learn of the server's disk."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from sema.errors import ResourceError
from sema.web import service as web_service
from sema.web.app import create_app
from sema.web.guard import Guard
from sema.web.limits import Limits, without_folders
from tests.cases import cases
from tests.conftest import DAYS
from tests.esperanto import Segmenter, esperanto
from tests.sema.web.servers import (
    OWN,
    SCOPE,
    client,
    failing,
    files,
    finished,
    is_refused,
    send,
    slow,
)

TEXT = "La kato dormas."
ASK = {"lang": "eo", "sources": [TEXT], "outputs": [TEXT], "metrics": ["sema"]}
ASK_ONE = {"lang": "eo", "source": TEXT, "metrics": ["sema"]}
COMPUTES = {
    "/score": ASK,
    "/explain": {**ASK_ONE, "output": TEXT},
    "/detect": {"source": TEXT, "outputs": [TEXT]},
    "/show": {**ASK_ONE, "outputs": [TEXT]},
}
FILES = files(TEXT, TEXT)


# Other sites


ELSEWHERE = ("https://evil.example", "null", "http://testserver:81", "http://testserver.evil.example")
FOREIGN = [
    *({"origin": origin} for origin in ELSEWHERE), {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"},
]  # fmt: skip


@pytest.mark.parametrize("path", [*COMPUTES, "/jobs"])
def test_other_origins_compute_nothing(web: TestClient, path: str) -> None:
    posts = {path for path, methods in web.get("/openapi.json").json()["paths"].items() if "post" in methods}
    assert posts | {"/show"} == {*COMPUTES, "/jobs"}, "every route that computes is tried here"
    for headers in FOREIGN:
        sent: dict[str, Any] = {"json": COMPUTES[path]} if path in COMPUTES else {"files": FILES}
        is_refused(web.post(path, **sent, headers=OWN | headers), 403, "other sites")


@pytest.mark.parametrize("path", COMPUTES)
def test_the_own_page_and_programs_compute_and_what_a_form_sends_does_not(web: TestClient, path: str) -> None:
    own: list[dict[str, str]] = [{}, {"origin": "http://testserver"}, {"sec-fetch-site": "same-origin"}]
    for headers in own:
        assert web.post(path, json=COMPUTES[path], headers=headers).status_code == 200, headers
    for kind in (None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        headers = {} if kind is None else {"content-type": kind}
        is_refused(web.post(path, content=json.dumps(COMPUTES[path]), headers=headers), 403, "application/json")


def test_files_need_the_header_that_no_form_sends(web: TestClient) -> None:
    is_refused(web.post("/jobs", data={"lang": "eo", "metrics": "sema"}, files=FILES), 403, "x-sema")
    assert send(web, FILES).is_success


# Time


@pytest.mark.parametrize(
    ("path", "kind"), [("/jobs", "multipart/form-data; boundary=b"), ("/score", "application/json")]
)
@pytest.mark.parametrize("drips", [True, False])
def test_an_upload_that_never_ends_is_cut(path: str, kind: str, drips: bool) -> None:
    """However it comes: a byte in every 0.3 seconds of the loop's clock, or nothing."""
    now, sent, body = 0.0, [], iter(b"--b\r\nContent")
    headers = [(b"host", b"testserver"), (b"content-type", kind.encode()), (b"x-sema", b"1")]

    async def receive() -> dict[str, Any]:
        nonlocal now
        if not drips:
            await asyncio.Event().wait()
        now += 0.3
        await asyncio.sleep(0)
        return {"type": "http.request", "body": bytes([next(body)]), "more_body": True}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    async def ask() -> None:
        if drips:
            asyncio.get_running_loop().time = lambda: now  # type: ignore[method-assign]
        limits = Limits(sending=1.0 if drips else 0.0)
        app = create_app(limits, languages={"eo": esperanto()}, hosts=("testserver",))
        await app({**SCOPE, "path": path, "raw_path": path.encode(), "headers": headers}, receive, send)

    asyncio.run(ask())
    assert sent[0]["status"] == 408 and (b"connection", b"close") in sent[0]["headers"]
    assert (1.0 < now < 2.0) == drips


@pytest.mark.parametrize(
    "long", [[f"{TEXT} " * 500], [f"La kato {n} dormas." for n in range(150)]], ids=["a long text", "many texts"]
)
def test_long_requests_wait_for_each_other_and_keep_no_short_one_waiting(long: list[str]) -> None:
    language, slowly = slow()

    class LongsWait(slowly):  # type: ignore[misc]
        def segment(self, texts: list[str]) -> Any:
            short = len("".join(texts)) <= 2 * len(TEXT)
            return Segmenter.segment(self, texts) if short else super().segment(texts)

    def post(texts: list[str]) -> None:
        asked = {"lang": "slow", "sources": texts, "outputs": texts, "metrics": ["copied"]}
        assert web.post("/score", json=asked).status_code == 200

    with client(slow=replace(language, segmenter=LongsWait)) as web, ThreadPoolExecutor() as pool:
        answers = pool.map(post, [[*long, str(number)] for number in range(4)])
        slowly.began.wait()
        try:
            post([TEXT])  # is answered, although no long request goes on before this
        finally:
            started = len(slowly.batches)
            slowly.gate.set()
        list(answers)
    assert started == 1, "what is long waits for what is long"


# The disk


@cases("messages_without_folders")
def test_messages_name_no_folders(message: str, shown: str) -> None:
    assert without_folders(message) == shown


@pytest.mark.parametrize("path", COMPUTES)
def test_invalid_language_codes_are_refused(web: TestClient, path: str) -> None:
    for code in ("ud:../../etc", "../../etc", "ud:/etc/passwd", "ud:fr/../x", "en\n", "", "ud:", "é"):
        if code or path not in ("/detect", "/show"):  # these read the language off the texts
            answer = web.post(path, json={**COMPUTES[path], "lang": code})
            is_refused(answer, 422, "is not a language code")
            assert "install" not in answer.text


def test_errors_of_the_server_s_files_name_no_folder() -> None:
    lacking = failing(lambda _: ResourceError("there is no model in /srv/secret/models; install it"))
    with client(bad=lacking) as web:
        answer = web.post("/score", json={**ASK, "lang": "bad"})
        assert answer.status_code == 422 and "secret" not in answer.text
        assert "there is no model in the server's files" in finished(web, send(web, FILES, lang="bad"))["error"]


@pytest.mark.parametrize("end", [SystemExit, KeyboardInterrupt])
def test_a_plug_in_that_exits_is_an_error_and_ends_no_server(end: type[BaseException]) -> None:
    def made() -> Segmenter:
        raise end

    worse = replace(esperanto(), code="worse", segmenter=made)
    with client(Limits(seconds=600), bad=failing(lambda _: end()), worse=worse) as web:
        for lang, path in product(("bad", "worse"), COMPUTES):
            assert web.post(path, json={**COMPUTES[path], "lang": lang}).status_code in (200, 422)
        assert finished(web, send(web, FILES, lang="bad"))["state"] in ("done", "failed")
        assert web.post("/score", json=ASK).status_code == 200


# Work that nobody waits for


@pytest.fixture
def emptied(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Set when a server has emptied the caches, which it does as soon as it has nothing to do."""
    assert web_service.CALM >= DAYS, "no server of an earlier test does so in this process"
    event = Event()
    monkeypatch.setattr(web_service, "CALM", 0.0)
    monkeypatch.setattr(web_service, "BUDGET", SimpleNamespace(empty=event.set))
    return event


def test_a_server_empties_no_cache_while_a_job_is_scored(emptied: Event) -> None:
    language, slowly = slow()
    with client(slow=language) as web:
        job = send(web, files("La kato.", "La kato."), lang="slow")
        slowly.began.wait()
        emptied.clear()
        assert web.post("/detect", json={"source": "La kato.", "lang": "eo"}).status_code == 200
        assert web.get("/health").status_code == 200 and not emptied.is_set()
        slowly.gate.set()
        assert finished(web, job)["state"] == "done"
        assert emptied.wait(60)


def test_a_client_that_leaves_stops_its_request() -> None:
    working, stopped = asyncio.Event(), asyncio.Event()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        assert (await receive())["body"] == b"{}"
        working.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()

    async def receive() -> Message:
        body = {"type": "http.request", "body": b"{}", "more_body": False}
        return {"type": "http.disconnect"} if working.is_set() else body

    async def send(message: Message) -> None:
        raise AssertionError("nobody listens")

    asyncio.run(
        asyncio.wait_for(Guard(app, Limits(), ("*",))({**SCOPE, "method": "GET", "path": "/"}, receive, send), 20)
    )
    assert stopped.is_set()
