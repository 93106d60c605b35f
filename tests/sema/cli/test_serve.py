"""The server's process; ``tests/sema/web`` has its answers."""

import socket
import sys

import pytest

from sema.cli.main import main
from sema.cli.serve import SWITCH

uvicorn = pytest.importorskip("uvicorn", reason="the server needs the extra `web`")


def test_lanes_hand_the_interpreter_on_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[float] = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda server, sockets: found.append(sys.getswitchinterval()))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    usual = sys.getswitchinterval()
    assert main(["serve", "--port", str(port)]) == 0
    assert found == [pytest.approx(SWITCH)] and usual > SWITCH
    assert sys.getswitchinterval() == usual
