"""Checks of every request: size, time and origin; security headers; no 5xx answers; the language of the answer."""

from __future__ import annotations

import asyncio
import logging
import re
import traceback
from contextlib import suppress
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sema.display.pictures.words import ENGLISH, NAMES, say, speaking
from sema.web.limits import Limits

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
OWN_HEADER = "x-sema"  # for files: a page of another site can set it only after a CORS preflight
CLOSE = {"connection": "close"}  # where a client may go on to send a body that is not read
_PORT = re.compile(r":\d*$")
LOG = logging.getLogger("sema.web")


class Guard:
    """ASGI middleware; requests to the paths ``uploads`` may have ``limits.upload`` bytes.

    Those to hosts other than ``hosts`` are refused; ``*`` in one stands for anything.
    """

    def __init__(self, app: ASGIApp, limits: Limits, hosts: tuple[str, ...], uploads: tuple[str, ...] = ()) -> None:
        self._app, self._limits, self._uploads = app, limits, uploads
        self._hosts = re.compile("|".join(re.escape(host).replace(r"\*", ".*") for host in hosts), re.IGNORECASE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; the work ends if it takes too long, or if the client leaves."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        most = self._limits.upload if scope["path"] in self._uploads else self._limits.body
        size, complete, started, gone = 0, asyncio.Event(), False, False
        now = asyncio.get_running_loop().time
        limit = asyncio.timeout(self._limits.sending)

        async def limited() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > most:
                raise HTTPException(413, f"the request has more than {most} bytes; send less at a time", CLOSE)
            if not complete.is_set() and not message.get("more_body", False):
                complete.set()
                limit.reschedule(now() + self._limits.seconds)
            return message

        async def left() -> None:
            nonlocal gone
            await complete.wait()
            while (await receive())["type"] != "http.disconnect":
                pass
            gone = True
            with suppress(RuntimeError):  # it is over
                limit.reschedule(now())

        async def guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        async def problem(status: int, detail: str) -> None:
            if not started and not gone:
                await JSONResponse({"detail": say(detail)}, status, CLOSE)(scope, receive, guarded)

        leaving = asyncio.create_task(left())
        with speaking(_language(HTTPConnection(scope))):
            try:
                async with limit:
                    if refused := self._refused(scope["method"], Headers(scope=scope)):
                        await problem(*refused)
                    else:
                        await self._app(scope, limited, guarded)
            except TimeoutError:
                late = "it took too long; send fewer or shorter texts, or upload files as a job"
                await problem(408, late if complete.is_set() else "the request took too long; send less at a time")
            except (Exception, SystemExit, KeyboardInterrupt) as error:  # a plug-in's exit must not end the server
                # Only the place is logged, not the message, which may contain a user's text.
                place = traceback.extract_tb(error.__traceback__)[-1]
                LOG.error("%s at %s:%s", type(error).__name__, place.filename, place.lineno)
                await problem(422, "this cannot be answered; take out what is unusual about it, and report it")
            finally:
                leaving.cancel()

    def _refused(self, method: str, headers: Headers) -> tuple[int, str] | None:
        """Status and reason for a request to another host, or one that a page of another site may have sent."""
        host = _PORT.sub("", headers.get("host", ""))
        if not self._hosts.fullmatch(host):
            return 400, f"this server is not called {host!r}; start it with --name {host or 'HOST'}"
        if method in ("GET", "HEAD"):
            return None
        origin = headers.get("origin")
        foreign = origin is not None and urlsplit(origin).netloc != headers.get("host")
        if foreign or headers.get("sec-fetch-site", "none") in ("cross-site", "same-site"):
            return 403, "requests from other sites are refused; use this server's own page, or no browser"
        # A form or script of another site can send these only after a CORS preflight.
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if method == "POST" and kind != "application/json" and OWN_HEADER not in headers:
            return 403, f"send JSON as application/json, or files with the header '{OWN_HEADER}: 1'"
        return None


def _language(request: HTTPConnection) -> str:
    """The language that a request names (``?words=zh``), otherwise English.

    The page itself, if its address names none, is in the first language of the browser's list that there is.
    """
    named = request.query_params.get("words", "")
    accepted = request.headers.get("accept-language", "") if request.scope["path"] == "/" else ""
    tags = [named, *(tag.strip().partition("-")[0].lower() for tag in re.split("[;,]", accepted))]
    return next((tag for tag in tags if tag in NAMES), ENGLISH)
