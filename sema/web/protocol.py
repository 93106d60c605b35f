"""HTTP with a limit on the time in which a request's head must arrive; uvicorn itself waits for ever."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


def protocol_with_limit(seconds: float) -> type[asyncio.Protocol]:
    """A protocol for ``uvicorn.Config(http=…)`` that ends connections whose next request's head takes longer.

    The time runs from the connection's beginning, and from the first byte of each later request; the body has a limit
    of its own (:class:`sema.web.guard.Guard`).
    """

    class Limited(H11Protocol):  # type: ignore[misc]  # uvicorn is not followed
        _cut: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            self._cut = self.loop.call_later(seconds, self._end)

        def data_received(self, data: bytes) -> None:
            if self._cut is None and self._idle():
                self._cut = self.loop.call_later(seconds, self._end)
            super().data_received(data)
            if self._cut is not None and not self._idle():
                self._cut.cancel()
                self._cut = None

        def connection_lost(self, exc: Exception | None) -> None:
            if self._cut is not None:
                self._cut.cancel()
            super().connection_lost(exc)

        def _idle(self) -> bool:
            return self.cycle is None or self.cycle.response_complete

        def _end(self) -> None:
            self._cut = None
            if self._idle() and not self.transport.is_closing():
                self.transport.write(TOO_SLOW)
                self.transport.close()

    return Limited
