"""A server in a thread, and requests that come one after the other."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any


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
