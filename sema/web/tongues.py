"""The language of pages and messages: the one that a request or the reader's browser asks for."""

from __future__ import annotations

from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from sema.display.pictures.words import ENGLISH, NAMES, speaking


class Tongues:
    """ASGI middleware: an answer is in the language that its request names (``?words=zh``), otherwise in English.

    The page itself, if its address names none, is in the available language that the browser prefers.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        with speaking(_wanted(scope) if scope["type"] == "http" else ENGLISH):
            await self._app(scope, receive, send)


def _wanted(scope: Scope) -> str:
    named = parse_qs(scope["query_string"].decode("latin-1")).get("words", [""])[0]
    if named not in NAMES and scope["path"] == "/":
        return preferred(Headers(scope=scope).get("accept-language", ""))
    return named if named in NAMES else ENGLISH


def preferred(header: str) -> str:
    """The available language that an ``Accept-Language`` header prefers (RFC 9110, section 12.5.4), or English.

    >>> preferred("de-DE, zh-CN;q=0.8, en;q=0.9"), preferred("zh-Hans-CN,zh;q=0.9"), preferred("")
    ('en', 'zh', 'en')
    """
    found = [(_quality(options), tag.strip().partition("-")[0].lower()) for tag, *options in _ranges(header)]
    known = [(quality, -place, code) for place, (quality, code) in enumerate(found) if code in NAMES and quality > 0]
    return max(known)[2] if known else ENGLISH


def _ranges(header: str) -> list[list[str]]:
    return [part.split(";") for part in header.split(",")]


def _quality(options: list[str]) -> float:
    try:
        return float("".join(options).partition("=")[2] or 1)
    except ValueError:
        return 0.0
