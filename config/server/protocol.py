"""A connection as uvicorn serves it, with an end to what it may keep in memory before a request has come.

nginx has such ends of its own; here they are for a site with no proxy before it.
"""

import asyncio

from django.conf import settings
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle


class Line(HttpToolsProtocol):
    """Bodies are bounded where they are read. What stands around them, and requests that are sent ahead of
    the answers to those before, would be kept without end."""

    unread = 0
    """How many bytes came that have not yet made a whole head or a piece of a body."""

    running: RequestResponseCycle | None = None
    is_past_head = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self.patience.cancel()
        if self.running is not None:
            # uvicorn tells only the request that came last, and that may wait behind the one being answered.
            self.running.disconnected = True
            self.running.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self.unread += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self.unread > settings.HEAD_BYTES_MOST:
            self.send_400_response("This request is too long.")
        elif len(self.pipeline) > settings.REQUESTS_AHEAD_MOST:
            self.transport.abort()
        elif self.patience.cancelled() and (self.cycle is None or self.cycle.response_complete):
            # Something came after an answer and began no request, so that uvicorn waits for it no more.
            self._wait_for_head()

    def on_header(self, name: bytes, value: bytes) -> None:
        # What comes behind a body is no header: no proxy has looked there, and it may say whatever it likes.
        if not self.is_past_head:
            super().on_header(name, value)

    def on_message_begin(self) -> None:
        self.patience.cancel()
        self._wait_for_head()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self.patience.cancel()
        self.unread, self.is_past_head = 0, True
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self.unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self.unread, self.is_past_head = 0, False
        super().on_message_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self.running = cycle
        super()._start_asgi_task(cycle, app)

    def _wait_for_head(self) -> None:
        self.patience = self.loop.call_later(settings.HEAD_SECONDS_MOST, self.transport.close)
