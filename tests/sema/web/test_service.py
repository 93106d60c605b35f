"""The worker behind the page: whoever asks is answered, also while it is being ended."""

import asyncio
from threading import Event
from time import sleep

import pytest

pytest.importorskip("sema.web.app", reason="the server needs fastapi (the extra `web`)", exc_type=ImportError)

from sema.languages import find_language
from sema.scoring.inputs import Inputs
from sema.scoring.scorer import Scorer
from sema.web import lanes
from sema.web.lanes import TURN_CHARACTERS, Ask, Call, Lane
from sema.web.limits import Limits
from sema.web.service import Service

LONG = TURN_CHARACTERS + 1


def test_requests_while_the_worker_ends_are_answered() -> None:
    service = Service(Limits(seconds=20))
    for number in range(200):
        assert asyncio.run(service.call("en", lambda _, number=number: number)) == number
        service.close()
    service.close()


def test_an_ended_worker_is_gone() -> None:
    lane = Lane(find_language)
    lane.close()
    call = Call(lambda: "answer", 0)
    lane.add(call)
    assert call.answer.result(20) == "answer"
    worker = lane._worker
    assert worker is not None
    lane.close()
    worker.join(20)
    assert not worker.is_alive() and lane._worker is None


def test_what_a_burst_leaves_is_forgotten_when_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "CALM", 0.02)
    lane, key = Lane(find_language), ("en", ("compression",), "sentence")
    text = "The cat sat on the mat and slept. " * 40

    def scored(texts: list[str]) -> Scorer:
        ask = Ask(key, Inputs(texts, {"output": texts}), explain=False)
        lane.add(ask)
        assert ask.answer.result(20).report.items == len(texts)
        return lane.scorer(key)

    quiet = scored([text])
    sleep(0.2)
    assert lane.scorer(key) is quiet, "little was scored"
    scored([text] * 40)
    for _ in range(200):
        if lane.scorer(key) is not quiet:
            break
        sleep(0.05)
    assert lane.scorer(key) is not quiet
    assert scored([text]) is lane.scorer(key)
    lane.close()


def test_a_job_keeps_its_lane_from_forgetting_until_it_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "CALM", 1.0)
    lane, key, text = Lane(find_language), ("en", ("compression",), "sentence"), "The cat sat on the mat. " * 400
    quiet, kept = lane.scorer(key), []

    def tell(done: int) -> None:
        sleep(0.12)
        kept.append(lane.scorer(key) is quiet)

    lane.job_scorer(key, tell).score([text] * 10, [text] * 10)
    assert kept == [True] * 10, "it took longer than the calm in all, but no turn did"
    assert lane._done == 20 * len(text) > lanes.BURST
    for _ in range(200):
        if lane.scorer(key) is not quiet:
            break
        sleep(0.05)
    assert lane.scorer(key) is not quiet
    lane.close()


def test_a_long_turn_is_followed_by_a_calm_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lanes, "CALM", 1.0)
    lane, key = Lane(find_language), ("en", ("compression",), "sentence")
    quiet = lane.scorer(key)
    call = Call(lambda: sleep(1.2), lanes.BURST + 1)
    lane.add(call)
    call.answer.result(20)
    sleep(0.2)
    assert lane.scorer(key) is quiet
    lane.close()


def test_short_requests_are_answered_while_a_long_one_takes_its_turn() -> None:
    service, end = Service(Limits(seconds=20)), Event()
    key = ("en", ("compression",), "sentence")
    short, long = (Inputs([text], {"output": [text]}) for text in ("The cat sat.", "The cat sat. " * LONG))

    async def ask() -> bool:
        working = asyncio.create_task(service.call("en", lambda _: end.wait(20), LONG))
        behind = asyncio.create_task(service.score(key, long))
        assert await service.call("en", lambda _: "answer", 10) == "answer"
        finished = (await service.score(key, short)).report.items
        assert (finished, working.done(), behind.done()) == (1, False, False), "what is long waits for what is long"
        end.set()
        return await working and (await behind).report.items == 1

    assert asyncio.run(ask())
    service.close()
