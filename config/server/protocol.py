"""HTTP protocol of one connection: uvicorn's, with bounds on what it keeps before a request is complete.

nginx has such bounds of its own; these are for a site with no proxy before it. They rest on private names of
uvicorn, which tests/config/test_uvicorn_names.py lists; so pyproject.toml holds uvicorn to one minor version.
"""

import asyncio

from django.conf import settings
from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle


class BoundedHttpProtocol(HttpToolsProtocol):
    """Bounds the head of a request, its time, and the requests sent ahead of the answers to those before.

    Bodies are bounded where they are read, in request_body.
    """

    unread_bytes = 0
    """Received bytes that have not yet made a whole head or a piece of a body."""

    running: RequestResponseCycle | None = None
    is_past_head = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start_head_timeout()

    def connection_lost(self, exc: Exception | None) -> None:
        self.head_timeout.cancel()
        if self.running is not None:
            # uvicorn tells only the request that came last, and that may wait behind the one being answered.
            self.running.disconnected = True
            self.running.message_event.set()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self.unread_bytes += len(data)
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self.unread_bytes > settings.HEAD_BYTES_MOST:
            self.send_400_response("This request is too long.")
        elif len(self.pipeline) > settings.REQUESTS_AHEAD_MOST:
            self.transport.abort()
        elif self.head_timeout.cancelled() and (self.cycle is None or self.cycle.response_complete):
            # Something came after an answer and began no request, so that uvicorn waits for it no more.
            self._start_head_timeout()

    def on_header(self, name: bytes, value: bytes) -> None:
        # A trailer after a body is no header: no proxy has checked it, and a client may write anything there.
        if not self.is_past_head:
            super().on_header(name, value)

    def on_message_begin(self) -> None:
        self.head_timeout.cancel()
        self._start_head_timeout()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self.head_timeout.cancel()
        self.unread_bytes, self.is_past_head = 0, True
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self.unread_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self.unread_bytes, self.is_past_head = 0, False
        super().on_message_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self.running = cycle
        super()._start_asgi_task(cycle, app)

    def _start_head_timeout(self) -> None:
        self.head_timeout = self.loop.call_later(settings.HEAD_SECONDS_MOST, self.transport.close)
