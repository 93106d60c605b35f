"""The worker behind the page: every request is answered, even while the worker is shut down."""

import asyncio
from threading import Event
from types import SimpleNamespace

import pytest
from starlette.types import Message, Receive, Scope, Send

from sema.languages import find_language
from sema.runtime.threads import go_on
from sema.scoring.chunk import Inputs
from sema.web import service as web_service
from sema.web.guard import Guard
from sema.web.limits import Busy, Limits
from sema.web.service import SHORT, Lane, Service
from tests.conftest import DAYS
from tests.sema.web.servers import SCOPE, client, files, finished, send, slow
from tests.two_languages import own_output, own_source, pair

KEY = ("en", ("compression",), "sentence")


@pytest.fixture
def emptied(monkeypatch: pytest.MonkeyPatch) -> Event:
    """Set when a server has emptied the caches, which it does as soon as it has nothing to do."""
    assert web_service.CALM >= DAYS, "no server of an earlier test does so in this process"
    event = Event()
    monkeypatch.setattr(web_service, "CALM", 0.0)
    monkeypatch.setattr(web_service, "BUDGET", SimpleNamespace(empty=event.set))
    return event


def test_a_server_that_is_idle_empties_all_caches(emptied: Event) -> None:
    service = Service()

    async def ask() -> None:
        for _ in range(2):
            for _ in range(3):  # one after the other, with no time between
                assert await service.call("en", lambda _: "answer", []) == "answer"
                assert not emptied.is_set()
            while not emptied.is_set():
                await asyncio.sleep(0)
            emptied.clear()
        await asyncio.sleep(0.01)
        assert not emptied.is_set(), "nothing is left to empty"

    asyncio.run(asyncio.wait_for(ask(), 60))


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


def test_long_requests_leave_room_for_short_ones() -> None:
    service, gate = Service(Limits(waiting=2, waiting_long=2)), Event()

    def ask(text: str) -> "asyncio.Task[bool]":
        return asyncio.create_task(service.call("en", lambda _: gate.wait(60), [text]))

    async def ask_all() -> None:
        for text in ("long " * SHORT, "short"):
            first, second, third = (ask(text) for _ in range(3))
            with pytest.raises(Busy):
                await third
            assert not first.done() and not second.done()
            second.cancel()
            await asyncio.wait([second])
            again = ask(text)  # who has left takes no room
            await asyncio.sleep(0)
            assert not again.done()
        gate.set()

    asyncio.run(ask_all())


def test_a_request_with_many_short_items_is_a_long_one() -> None:
    texts = ["The cat sat."] * SHORT
    with pytest.raises(Busy):
        asyncio.run(Service(Limits(waiting_long=0)).score(KEY, Inputs(texts, {"output": texts})))


def test_work_that_nobody_waits_for_ends_at_its_next_batch() -> None:
    lane, started, gone, batches = Lane(find_language, 9), Event(), Event(), []

    def work() -> None:
        for number in range(3):
            go_on()
            batches.append(number)
            started.set()
            gone.wait(20)

    async def leave() -> None:
        left = asyncio.create_task(lane.run(work))
        assert await asyncio.to_thread(started.wait, 20) and left.cancel()
        await asyncio.wait([left])
        gone.set()
        assert await lane.run(lambda: "answer") == "answer"

    asyncio.run(leave())
    assert batches == [0]


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


def test_answers_warn_of_a_language_without_figures_and_of_letters_of_each_side() -> None:
    latin = own_source(scripts=("LATIN",), measured=False)
    service = Service(languages={"eo": latin, "eo-to-sl": pair(latin, own_output(scripts=("GREEK",)))})
    greek = "ΣΚΥΛΟΣ ΤΡΕΧΕΙ"
    assert [line.partition(" ")[0] for line in service.warnings("eo", {"source": ["Hundo kuras"]})] == ["no"]
    assert len(service.warnings("eo-to-sl", {"source": ["Hundo kuras"], "output": [greek]})) == 1
    assert len(service.warnings("eo-to-sl", {"source": [greek], "output": [greek]})) == 2
