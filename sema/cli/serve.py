"""``sema serve``: a page and a JSON API."""

from __future__ import annotations

import argparse
import errno
import socket
import sys
from contextlib import suppress

from sema.cli.arguments import argument, number, positive, repeated
from sema.cli.commands import chosen, command
from sema.cli.messages import loudness, note
from sema.errors import InputError

SWITCH = 0.0005
"""The interpreter's switch interval in seconds. A short request releases the interpreter a few dozen times, and each
time may wait this long for a lane that works on a long text. Python's default of 5 ms made the slowest answers a sixth
slower."""


@command(
    argument("--host", "HOST", "address", default="127.0.0.1"),
    argument("--port", "PORT", "port", type=number(int, 1, 65535), default=8000),
    repeated("--name", "HOST", "a name by which others may call it; repeat for more"),
    repeated("--load", "CODE", "load a language's models at once; repeatable"),
    argument("--items", "N", "items of one request", type=positive, default=200),
    argument("--seconds", "N", "how long a request may take", type=positive, default=120),
)
def serve(arguments: argparse.Namespace) -> int:
    """Serve a page and a JSON API: paste texts or upload files, see scores with their evidence
    Answers on this machine alone unless --host says otherwise; keeps nothing beyond a temporary folder.

    examples:
      sema serve
      sema serve --port 9000 --load en --load zh
      curl -s localhost:8000/languages"""
    import uvicorn

    from sema.web.app import HOSTS, create_app
    from sema.web.limits import Limits
    from sema.web.protocol import HeadsInTime

    listening = _listen(arguments.host, arguments.port)
    limits = Limits(**chosen(arguments, "items", "seconds"))
    app = create_app(limits, hosts=(*HOSTS, arguments.host, *arguments.name))
    for code in arguments.load:
        app.state.service.load(code)
    config = uvicorn.Config(
        app,
        host=arguments.host,
        port=arguments.port,
        http=HeadsInTime,
        log_level="warning" if loudness.quiet else "info",
        server_header=False,
        timeout_keep_alive=int(limits.sending),
    )
    note(f"serving on {_address(listening)} (Ctrl-C ends it)")
    sys.setswitchinterval(SWITCH)
    with suppress(KeyboardInterrupt):  # the way to end it
        uvicorn.Server(config).run(sockets=[listening])
    return 0


def _address(listening: socket.socket) -> str:
    """The page's address, for a browser on this machine."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):
        host = "localhost"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _listen(host: str, port: int) -> socket.socket:
    """A socket, opened before models are loaded."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise InputError(f"port {port} of {host} is in use; name another one with --port") from error
        reason = error.strerror or error
        raise InputError(f"cannot listen on port {port} of {host}: {reason}; name another --host or --port") from error
