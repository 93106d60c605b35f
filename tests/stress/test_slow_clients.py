import socket
import time
from collections.abc import Sequence

import pytest

pytest.importorskip("fastapi", reason="the server needs fastapi (the extra `web`)")
pytest.importorskip("uvicorn", reason="the server needs uvicorn (the extra `web`)")

from sema.web.app import create_app
from sema.web.limits import Limits
from sema.web.protocol import HeadsInTime
from tests.esperanto import esperanto
from tests.sema.web.servers import serving

pytestmark = pytest.mark.stress


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


@pytest.mark.parametrize("before", [b"", b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"], ids=["first", "later"])
def test_a_head_that_comes_slowly_is_cut(before: bytes) -> None:
    app = create_app(Limits(), languages={"eo": esperanto()}, hosts=("127.0.0.1",))
    with (
        serving(app, http=HeadsInTime, timeout_keep_alive=1) as address,
        socket.create_connection(address, timeout=20) as connection,
    ):
        connection.sendall(before)
        answer = b""
        while before and not answer.endswith(b"}"):
            answer += connection.recv(4096)
        start = time.monotonic()
        head = b"GET /health HTTP/1.1\r\n" + b"X: " + b"y" * 200
        answer += drip(connection, [bytes([byte]) for byte in head], 0.1)
        assert answer.count(b"HTTP/1.1") == bool(before) and 0.9 < time.monotonic() - start < 10
