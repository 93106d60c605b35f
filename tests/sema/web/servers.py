"""A client and a server in a thread, requests that come one after the other, and jobs that are waited for."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

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
    for _ in range(600):
        if job["state"] not in ("waiting", "working"):
            return job
        time.sleep(0.1)
        job = web.get(f"/jobs/{job['id']}").json()
    raise AssertionError(job)


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


def one_after_the_other(calls: Sequence[Callable[[], Any]], seconds: float, gate: threading.Event) -> None:
    """Begin calls in threads of their own, so many seconds apart; then open a gate, and wait for all of them."""
    threads = [threading.Thread(target=call) for call in calls]
    for thread in threads:
        thread.start()
        time.sleep(seconds)
    gate.set()
    for thread in threads:
        thread.join()


def drip(connection: socket.socket, parts: Sequence[bytes], seconds: float) -> bytes:
    """Send parts with so many seconds between them until the server closes the connection; what it answers."""
    answer = b""
    connection.settimeout(seconds)
    for part in parts:
        try:
            connection.sendall(part)
            if not (received := connection.recv(4096)):
                break
            answer += received
        except TimeoutError:
            continue
        except OSError:  # it is closed
            break
    return answer
