"""Checks of every request: size, time and origin; security headers; no 5xx answers."""

from __future__ import annotations

import asyncio
import logging
import traceback
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sema.display.pictures.words import say
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
OWN_HEADER = "x-sema"
"""The header required to send files: a page of another site can set it only after a CORS preflight."""
TOO_SLOW = "the request took too long; send less at a time"
LOG = logging.getLogger("sema.web")


class Guard:
    """ASGI middleware.

    Args:
        app: the application behind it.
        limits: sizes and times.
        uploads: paths whose requests may have ``limits.upload`` bytes.
    """

    def __init__(self, app: ASGIApp, limits: Limits, uploads: tuple[str, ...] = ()) -> None:
        self._app, self._limits, self._uploads = app, limits, uploads

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = answered = False

        async def guarded(message: Message) -> None:
            nonlocal started, answered
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            answered = message["type"] == "http.response.body" and not message.get("more_body", False)
            await send(message)

        async def answer(status: int, detail: str) -> None:
            await JSONResponse({"detail": say(detail)}, status)(scope, receive, guarded)

        refused = self._refuse(scope)
        if refused is not None:
            await answer(*refused)
            return
        body = _Body(receive, self._most(scope), self._limits.sending)

        async def work() -> None:
            try:
                async with asyncio.timeout(self._limits.seconds + self._limits.sending):
                    await self._app(scope, body.receive, guarded)
            except TimeoutError:
                if not started:
                    await answer(408, TOO_SLOW)
            except (Exception, SystemExit, KeyboardInterrupt) as error:  # a plug-in's exit must not end the server
                # Only the place is logged, not the message, which may contain a user's text.
                place = traceback.extract_tb(error.__traceback__)[-1]
                LOG.error("%s at %s:%s", type(error).__name__, place.filename, place.lineno)
                if not started:
                    await answer(422, "this cannot be answered; take out what is unusual about it, and report it")

        working, leaving = asyncio.create_task(work()), asyncio.create_task(body.left())
        try:
            await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
            if answered:
                await working
        finally:
            working.cancel()
            leaving.cancel()
            await asyncio.gather(working, leaving, return_exceptions=True)

    def _most(self, scope: Scope) -> int:
        return self._limits.upload if scope["path"] in self._uploads else self._limits.body

    def _refuse(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        if scope["method"] not in ("GET", "HEAD"):
            if _is_foreign(headers):
                return 403, "requests from other sites are refused; use this server's own page, or no browser"
            if scope["method"] == "POST" and not _is_deliberate(headers):
                return 403, f"send JSON as application/json, or files with the header '{OWN_HEADER}: 1'"
        length = headers.get("content-length", "0")
        most = self._most(scope)
        if length.isdecimal() and int(length) > most:
            return 413, f"the request has {length} bytes; send at most {most}"
        return None


def _is_foreign(headers: Headers) -> bool:
    """Whether a browser sends the request for a page of another origin."""
    origin = headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != headers.get("host"):
        return True
    return headers.get("sec-fetch-site", "none") in ("cross-site", "same-site")


def _is_deliberate(headers: Headers) -> bool:
    """Whether the request has a header that a form or script of another site cannot send without a CORS preflight."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind == "application/json" or OWN_HEADER in headers


class _Body:
    """A request's body, with limits on its size and on the time to receive it, and the end of its connection."""

    def __init__(self, receive: Receive, most: int, seconds: float) -> None:
        self._receive, self._most = receive, most
        self._end = asyncio.get_running_loop().time() + seconds
        self._seen = 0
        self._complete = asyncio.Event()

    async def receive(self) -> Message:
        """The next part."""
        if self._complete.is_set():
            return await self._receive()
        left = self._end - asyncio.get_running_loop().time()
        try:
            message = await asyncio.wait_for(self._receive(), max(0.0, left))
        except TimeoutError as error:
            raise HTTPException(408, TOO_SLOW, {"connection": "close"}) from error
        self._seen += len(message.get("body", b""))
        if self._seen > self._most:
            raise HTTPException(413, f"the request has more than {self._most} bytes; send less at a time")
        if not message.get("more_body", False):
            self._complete.set()
        return message

    async def left(self) -> None:
        """Wait until the client closes the connection, once it has sent everything."""
        await self._complete.wait()
        while (await self._receive())["type"] != "http.disconnect":
            pass
