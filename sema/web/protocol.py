"""uvicorn's protocol with its time limit for idle connections extended to heads that come slowly."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol


class HeadsInTime(H11Protocol):  # type: ignore[misc]  # uvicorn is not followed
    """Closes connections whose next request's head is not complete after ``timeout_keep_alive`` seconds.

    uvicorn starts this timer only after a request, and stops it at the first byte of the next one.
    """

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Start the timer."""
        super().connection_made(transport)
        self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)

    def data_received(self, data: bytes) -> None:
        """Keep the timer until the head is complete."""
        timer, self.timeout_keep_alive_task = self.timeout_keep_alive_task, None
        super().data_received(data)
        if timer is not None and (self.cycle is None or self.cycle.response_complete):
            self.timeout_keep_alive_task = timer
        elif timer is not None:
            timer.cancel()
