"""``sema serve``: a page and a JSON API."""

from __future__ import annotations

import argparse

from sema.cli.common import positive

HELP = """Serve a page and a JSON API: paste texts or upload files, see scores with their evidence
Answers on this machine alone unless --host says otherwise; keeps nothing beyond a temporary folder.

examples:
  sema serve
  sema serve --port 9000 --load en --load zh
  curl -s localhost:8000/languages"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of ``sema serve``."""
    parser.add_argument("--host", default="127.0.0.1", metavar="HOST", help="address (default: 127.0.0.1)")
    parser.add_argument("--port", type=positive, default=8000, metavar="PORT", help="port (default: 8000)")
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="HOST",
        help="a name by which others may call it; repeat for more",
    )
    parser.add_argument(
        "--load",
        action="append",
        default=[],
        metavar="CODE",
        help="load this language's models at once; repeat for more",
    )
    parser.add_argument("--items", type=positive, metavar="N", help="items of one request (default: 200)")
    parser.add_argument("--seconds", type=positive, metavar="N", help="how long a request may take (default: 120)")


def run(arguments: argparse.Namespace) -> int:
    """Serve until interrupted."""
    import uvicorn

    from sema.web.app import HOSTS, create_app
    from sema.web.limits import Limits

    given = {name: getattr(arguments, name) for name in ("items", "seconds") if getattr(arguments, name) is not None}
    app = create_app(Limits(**given), hosts=(*HOSTS, arguments.host, *arguments.name))
    for code in arguments.load:
        app.state.service.load(code)
    uvicorn.run(
        app, host=arguments.host, port=arguments.port, log_level="info", server_header=False, timeout_keep_alive=5
    )
    return 0
