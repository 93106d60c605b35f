"""A client and a server in a thread, requests that come one after the other, and jobs that are waited for."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from tests.esperanto import esperanto

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

    from sema.web.limits import Limits

OWN = {"x-sema": "1"}
"""The header that the page sends with files."""


def client(limits: Limits | None = None, **languages: Any) -> TestClient:
    """A client of a server with the small language and others."""
    from fastapi.testclient import TestClient

    from sema.web.app import create_app

    app = create_app(limits, languages={"eo": esperanto(), **languages}, hosts=("testserver",))
    return TestClient(app, raise_server_exceptions=False)


def finished(web: TestClient, job: dict[str, Any]) -> dict[str, Any]:
    """A job once it has ended, however it did."""
    while job["state"] in ("waiting", "working"):
        time.sleep(0.01)
        job = web.get(f"/jobs/{job['id']}").json()
    return job


@contextmanager
def serving(app: object, **options: Any) -> Iterator[tuple[str, int]]:
    """The host and the port of a server in a thread of its own; ``options`` are uvicorn's."""
    import uvicorn

    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, **{"log_level": "error", **options}))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield listening.getsockname()
    finally:
        server.should_exit = True
        thread.join(20)


def one_after_the_other(calls: Sequence[Callable[[], Any]], begun: threading.Event, gate: threading.Event) -> None:
    """Make calls in threads of their own: the next when the one before is in a queue, and the first ``begun``.

    Then open the gate, and wait for all.
    """
    from sema.web.lanes import Lane

    queued, add = threading.Semaphore(0), Lane.add

    def noted(lane: Any, asked: Any) -> None:
        add(lane, asked)
        queued.release()

    threads = [threading.Thread(target=call) for call in calls]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Lane, "add", noted)
        for thread in threads:
            thread.start()
            queued.acquire()
            begun.wait()
        gate.set()
        for thread in threads:
            thread.join()
