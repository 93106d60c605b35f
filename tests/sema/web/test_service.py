"""The worker behind the page: every request is answered, even while the worker is shut down."""

import asyncio
from collections.abc import Iterator
from queue import Queue
from threading import Condition, Event
from types import SimpleNamespace
from weakref import WeakSet

import pytest
from starlette.types import Message, Receive, Scope, Send

from sema.languages import find_language
from sema.runtime.threads import go_on
from sema.scoring.coerce import Inputs
from sema.web import lanes
from sema.web.guard import Guard
from sema.web.lanes import TURN_CHARACTERS, Lane
from sema.web.limits import Busy, Limits
from sema.web.service import Service
from tests.conftest import DAYS
from tests.sema.web.servers import SCOPE
from tests.two_languages import own_output, own_source, pair

LONG = TURN_CHARACTERS + 1
KEY = ("en", ("compression",), "sentence")


def test_requests_while_the_worker_ends_are_answered_and_an_ended_worker_is_gone() -> None:
    service = Service(Limits(seconds=600))
    for number in range(200):
        assert asyncio.run(service.call("en", lambda _, number=number: number)) == number
        service.close()
    service.close()
    lane = Lane(find_language)
    assert lane.call(lambda: "answer", 0).result() == "answer"
    worker = lane._worker
    assert worker is not None
    lane.close()
    worker.join()
    assert not worker.is_alive() and lane._worker is None


class Door(Condition):
    """Notes how long the worker would wait; then it waits until it is told of something."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: Queue[float | None] = Queue()

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.put(timeout)
        return super().wait()


class Timed(Lane):
    """A lane by a clock that stands still until it is set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.emptied = 100.0, Event()
        monkeypatch.setattr(lanes, "time", SimpleNamespace(monotonic=lambda: self.now))
        monkeypatch.setattr(lanes, "BUDGET", SimpleNamespace(empty=self.emptied.set))
        monkeypatch.setattr(lanes, "_LANES", WeakSet())
        super().__init__(find_language)
        self._door = self.door = Door()

    def calm(self) -> None:
        """Let the time pass after which it empties the caches."""
        with self.door:
            self.now += lanes.CALM
            self.door.notify()


@pytest.fixture
def lane(monkeypatch: pytest.MonkeyPatch) -> Iterator[Timed]:
    made = Timed(monkeypatch)
    yield made
    made.close()


def test_a_lane_that_is_idle_empties_all_caches(lane: Timed) -> None:
    assert lanes.CALM >= DAYS, "no lane that an earlier test left does so in this process"
    for _ in range(2):
        assert lane.call(lambda: "answer", 0).result() == "answer"
        assert lane.door.waits.get() == lanes.CALM and not lane.emptied.is_set()
        lane.calm()
        lane.emptied.wait()
        lane.emptied.clear()
        assert lane.door.waits.get() is None, "nothing is left to empty"


def test_a_lane_empties_no_cache_while_another_one_works(lane: Timed) -> None:
    busy, working, end = Lane(find_language), Event(), Event()
    answer = busy.call(lambda: working.set() or end.wait(), 0)
    working.wait()
    lane.call(lambda: None, 0).result()
    assert lane.door.waits.get() is None and not lane.emptied.is_set()
    end.set()
    answer.result()
    busy.close()


def test_long_requests_leave_room_for_short_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lane, "add", lambda lane, turn: turn.answer)  # nothing is ever answered
    service = Service(Limits(waiting=4, waiting_long=2))

    def ask(size: int) -> "asyncio.Task[None]":
        return asyncio.create_task(service.call("en", lambda _: None, size))

    async def ask_all() -> None:
        longs = [ask(LONG) for _ in range(3)]
        await asyncio.wait(longs, return_when=asyncio.FIRST_COMPLETED)
        assert [task.done() for task in longs] == [False, False, True]
        assert isinstance(longs[2].exception(), Busy)
        shorts = [ask(10) for _ in range(3)]
        await asyncio.wait(shorts, return_when=asyncio.FIRST_COMPLETED)
        assert [task.done() for task in shorts] == [False, False, True]
        for task in (*longs, *shorts):
            task.cancel()
        await asyncio.gather(*longs, *shorts, return_exceptions=True)
        again = ask(LONG)
        await asyncio.wait([again], timeout=0)
        assert not again.done(), "who has left takes no room"
        again.cancel()

    asyncio.run(ask_all())


def test_a_request_with_many_short_items_is_a_long_one() -> None:
    texts = ["The cat sat."] * LONG
    with pytest.raises(Busy):
        asyncio.run(Service(Limits(waiting_long=0)).score(KEY, Inputs(texts, {"output": texts})))


def test_work_that_nobody_waits_for_ends_at_its_next_batch() -> None:
    lane, started, gone, batches = Lane(find_language), Event(), Event(), []

    def work() -> None:
        for number in range(3):
            go_on()
            batches.append(number)
            started.set()
            gone.wait(20)

    left = lane.call(work, 10)
    assert started.wait(20) and left.cancel()
    gone.set()
    assert lane.call(lambda: "answer", 10).result(20) == "answer"
    assert batches == [0]
    lane.close()


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
