"""The worker behind the page: every request is answered, even while the worker is shut down."""

import asyncio
from threading import Event
from types import SimpleNamespace
from weakref import WeakSet

import pytest
from starlette.types import Message, Receive, Scope, Send

from sema.languages import find_language
from sema.web import lanes
from sema.web.guard import Guard
from sema.web.lanes import Lane
from sema.web.limits import Limits
from sema.web.service import Service
from tests.sema.web.servers import SCOPE


def test_requests_while_the_worker_ends_are_answered() -> None:
    service = Service(Limits(seconds=600))
    for number in range(200):
        assert asyncio.run(service.call("en", lambda _, number=number: number)) == number
        service.close()


def test_caches_are_emptied_only_when_all_lanes_are_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    working, end, emptied, seen = Event(), Event(), Event(), []
    monkeypatch.setattr(lanes, "CALM", 0.0)
    monkeypatch.setattr(lanes, "BUDGET", SimpleNamespace(empty=lambda: seen.append(end.is_set()) or emptied.set()))
    monkeypatch.setattr(lanes, "_LANES", WeakSet())
    busy, idle = Lane(find_language), Lane(find_language)
    answer = busy.call(lambda: working.set() or end.wait(), 0)
    working.wait()
    for _ in range(3):
        idle.call(lambda: None, 0).result()
    end.set()
    assert answer.result() and emptied.wait(20) and all(seen)
    idle.close()
    busy.close()


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

    asyncio.run(asyncio.wait_for(Guard(app, Limits())({**SCOPE, "method": "GET", "path": "/"}, receive, send), 20))
    assert stopped.is_set()
