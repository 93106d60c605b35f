"""The worker behind the page: whoever asks is answered, also while it is being ended."""

from __future__ import annotations

import asyncio

import pytest

pytest.importorskip("sema.web.app", reason="the server needs fastapi (the extra `web`)", exc_type=ImportError)

from sema.web.limits import Limits
from sema.web.service import Service


def test_requests_while_the_worker_ends_are_answered() -> None:
    service = Service(Limits(seconds=20))
    for number in range(200):
        assert asyncio.run(service.call(lambda number=number: number)) == number
        service.close()
    service.close()


def test_an_ended_worker_is_gone() -> None:
    service = Service()
    service.close()
    assert asyncio.run(service.call(lambda: "answer")) == "answer"
    worker = service._worker
    assert worker is not None
    service.close()
    worker.join(20)
    assert not worker.is_alive() and service._worker is None
