"""Connections that cannot be held open by doing nothing: heads are bounded in time and size, answers in time.

uvicorn bounds neither; this is its protocol with two timers.
"""

from __future__ import annotations

import asyncio
import socket
from asyncio import TimerHandle
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from simulator.serve.settings import MOST_HEAD, Settings


class BoundedProtocol(HttpToolsProtocol):
    """One connection; the seconds a head may take, and an answer to be taken."""

    slowest_request: ClassVar[float]
    slowest_reader: ClassVar[float]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._in_head = True
        self._head = 0
        self._heads = 0
        self._reading: TimerHandle | None = None
        self._writing: TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first head."""
        super().connection_made(transport)
        # asyncio does so only for sockets made for TCP by name, which those of `create_server` are not; without it,
        # every answer on a kept connection waits 40 ms for the client's acknowledgement.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        transport.set_write_buffer_limits(high=0)  # so that a client that takes nothing is noticed at once
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing to wait for any more."""
        _cancel(self._reading)
        self._reading = None
        _cancel(self._writing)
        self._writing = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """A piece of a head or of a body; while a request is answered, heads that follow it have time."""
        if self._in_head and getattr(self.cycle, "response_complete", True):
            self._await_head()
        in_head, heads = self._in_head, self._heads
        super().data_received(data)
        if in_head and heads == self._heads:  # nothing but head
            self._head += len(data)
            if self._head > MOST_HEAD:
                self.transport.abort()

    def on_headers_complete(self) -> None:
        """The head is there."""
        self._in_head = False
        self._head = 0
        self._heads += 1
        _cancel(self._reading)
        self._reading = None
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The body is there; what comes next is a head."""
        self._in_head = True
        super().on_message_complete()

    def pause_writing(self) -> None:
        """The client has not taken all of an answer."""
        super().pause_writing()
        if self._writing is None:
            self._writing = self.loop.call_later(self.slowest_reader, self.transport.abort)

    def resume_writing(self) -> None:
        """It has."""
        _cancel(self._writing)
        self._writing = None
        super().resume_writing()

    def _await_head(self) -> None:
        if self._reading is None:
            self._reading = self.loop.call_later(self.slowest_request, self.transport.abort)


def protocol_class(settings: Settings) -> type[BoundedProtocol]:
    """The protocol with the bounds of these settings."""
    bounds = {"slowest_request": settings.slowest_request, "slowest_reader": settings.slowest_reader}
    return type("ServedProtocol", (BoundedProtocol,), bounds)


def _cancel(timer: TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()
