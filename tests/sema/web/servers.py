"""A client and a server in a thread, requests that come one after the other, and jobs that are waited for."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any

from tests.esperanto import Segmenter, esperanto

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

    from sema.web.limits import Limits

OWN = {"x-sema": "1"}
"""The header that the page sends with files."""
SCOPE = {
    **{"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http", "method": "POST"},
    **{"query_string": b"", "headers": [], "client": ("127.0.0.1", 1), "server": ("testserver", 80)},
}
"""A request as a server hands it on, without its path and headers."""


def client(limits: Limits | None = None, **languages: Any) -> TestClient:
    """A client of a server with the small language and others; in a ``with`` block if it has jobs."""
    from fastapi.testclient import TestClient

    from sema.web.app import create_app

    app = create_app(limits, languages={"eo": esperanto(), **languages}, hosts=("testserver",))
    return TestClient(app, raise_server_exceptions=False)


def files(source: str | bytes, *outputs: str | bytes, name: str = "ours.txt") -> list[Any]:
    """Files to send: ``orig.txt`` and outputs of one name."""
    return [("source", ("orig.txt", source)), *(("outputs", (name, output)) for output in outputs)]


def send(web: TestClient, sent: list[Any], path: str = "/jobs", **data: str) -> Any:
    """The answer to files of Esperanto, scored by ``sema`` unless ``data`` says otherwise."""
    return web.post(path, data={"lang": "eo", "metrics": "sema", **data}, files=sent, headers=OWN)


def finished(web: TestClient, answer: Any) -> dict[str, Any]:
    """A job once it has ended, however it did; ``answer`` is that to its files."""
    job: dict[str, Any] = answer.json()
    while job["state"] in ("waiting", "working"):
        time.sleep(0.01)
        job = web.get(f"/jobs/{job['id']}").json()
    return job


def done(web: TestClient, sent: list[Any], path: str = "/jobs", **data: str) -> dict[str, Any]:
    """The job of these files, which has to succeed."""
    job = finished(web, send(web, sent, path, **data))
    assert job["state"] == "done", job
    return job


def is_refused(answer: Any, status: int, said: str) -> None:
    """An answer with this status whose reason says this."""
    assert answer.status_code == status and said in answer.json()["detail"], answer.text


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


_NUMBERS = count(1)


class Slow(Segmenter):
    """Segments when its gate is open, and notes the lengths of the texts of each batch."""

    gate: threading.Event
    began: threading.Event
    batches: list[list[int]]

    def segment(self, texts: list[str]) -> Any:
        self.batches.append([len(text) for text in texts])
        self.began.set()
        self.gate.wait()
        return super().segment(texts)


def slow() -> tuple[Any, Any]:
    """A language, and its segmenter: one of its own for each test, because a server's work may outlive its test."""
    signature = f"slow:{next(_NUMBERS)}"  # of its own, so that no text is found in a cache of an earlier test
    state = {"gate": threading.Event(), "began": threading.Event(), "batches": [], "signature": signature}
    own = type("OwnSlow", (Slow,), state)
    return replace(esperanto(), code="slow", segmenter=own), own


def failing(error: Callable[[str], BaseException]) -> Any:
    """A language whose segmenter raises what this makes of a text."""

    class Failing(Segmenter):
        def segment(self, texts: list[str]) -> Any:
            raise error(texts[0])

    return replace(esperanto(), code="bad", segmenter=Failing)
