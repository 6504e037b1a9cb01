"""Request bodies, read whole before a thread is given to them.

There are few threads, and one that waits for a slow sender can answer no other request. So a body is read
while waiting costs nothing, and only a whole one goes on: in memory if it is small, else on disk.
"""

import asyncio
import io
import logging
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import ExitStack, contextmanager, suppress
from typing import IO, Any

from django.conf import settings

from ops import service_errors
from ratelimit import client_address

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]

log = logging.getLogger(__name__)

SMALL_BYTES = 64 * 1024
"""A body up to this size waits in memory and is always taken. Larger ones have a number of places."""

TOO_SLOW = service_errors.ServiceError(
    408, "too-slow", "This came too slowly. Nothing was stored; send it again."
)
TOO_LARGE = service_errors.ServiceError(413, "too-large", "This is too large. Send it in parts.")


class BodyError(OSError):
    """A body that did not arrive whole, with the reason; None if its sender has gone. No view may use it."""

    def __init__(self, reason: service_errors.ServiceError | None) -> None:
        super().__init__(reason.message if reason else "The sender has gone.")
        self.reason = reason


class BodyReader:
    """Reads the messages of a body as long as they arrive fast enough."""

    def __init__(self, receive: Receive) -> None:
        self.receive = receive
        self.size = 0
        self.waited_seconds = 0.0
        self.fault: BodyError | None = None

    async def message(self) -> Message:
        if self.fault is None:
            began = time.monotonic()
            try:
                async with asyncio.timeout(self._timeout()):
                    message = await self.receive()
            except TimeoutError:
                self.fault = BodyError(TOO_SLOW)
            else:
                if message["type"] == "http.request":
                    # Only waiting counts: how long a view takes between two pieces is not the sender's fault.
                    self.waited_seconds += time.monotonic() - began
                    self.size += len(message.get("body", b""))
                    return message
                self.fault = BodyError(None)
        raise self.fault

    def _timeout(self) -> float:
        silence: float = settings.BODY_SILENCE_SECONDS
        return min(silence, silence + self.size / settings.BODY_BYTES_PER_SECOND_LEAST - self.waited_seconds)


async def read_whole(scope: Scope, receive: Receive, resources: ExitStack) -> IO[bytes]:
    """Read the whole body of a request; closing `resources` frees its memory, file and place."""
    headers = dict(scope["headers"])
    is_chunked, declared = b"transfer-encoding" in headers, int(headers.get(b"content-length", b"0"))
    if not is_chunked and not declared:
        return io.BytesIO()
    if not is_chunked and declared > settings.BODY_BYTES_MOST:
        raise BodyError(TOO_LARGE)
    try:
        body, size = await _read(scope, BodyReader(receive), resources)
    except OSError as fault:
        if reason := service_errors.classify(fault):
            log.error("%s: a body could not be kept: %s", reason.code, fault)
            raise BodyError(reason) from fault
        raise
    if is_chunked:
        # WSGI knows a body by its length alone.
        others = [
            pair for pair in scope["headers"] if pair[0] not in (b"transfer-encoding", b"content-length")
        ]
        scope["headers"] = [*others, (b"content-length", str(size).encode())]
    return body


async def _read(scope: Scope, reader: BodyReader, resources: ExitStack) -> tuple[IO[bytes], int]:
    body = tempfile.SpooledTemporaryFile(SMALL_BYTES)  # noqa: SIM115 - closed with `resources`
    resources.callback(_close, body)
    more, is_large = True, False
    while more:
        message = await reader.message()
        piece, more = message.get("body", b""), message.get("more_body", False)
        if reader.size > settings.BODY_BYTES_MOST:
            raise BodyError(TOO_LARGE)
        if reader.size > SMALL_BYTES and not is_large:
            is_large = True
            resources.enter_context(_large_body_slot(scope))
        if is_large:
            await asyncio.to_thread(body.write, piece)
        else:
            body.write(piece)
    body.seek(0)
    return body, reader.size


def _close(body: IO[bytes]) -> None:
    # On a full disk the last bytes cannot be written here either.
    with suppress(OSError):
        body.close()


_large_bodies: Counter[str] = Counter()


@contextmanager
def _large_body_slot(scope: Scope) -> Iterator[None]:
    """Take one of the places for large bodies, of which no address gets all."""
    address = client_address.of_scope(scope)
    if (
        _large_bodies.total() >= settings.BODIES_LARGE_AT_ONCE_MOST
        or _large_bodies[address] >= settings.BODIES_LARGE_PER_ADDRESS_MOST
    ):
        raise BodyError(service_errors.BUSY)
    _large_bodies[address] += 1
    try:
        yield
    finally:
        _large_bodies[address] -= 1
        if not _large_bodies[address]:
            del _large_bodies[address]
