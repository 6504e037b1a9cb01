"""What a visitor sends, taken in before a thread is given to it.

There are few threads, and one that waits for somebody who sends a byte and no more answers nobody else. So a
body is read while waiting costs nothing, and only a whole one goes on: in memory if it is small, or on disk.
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

from config import service_errors
from ratelimit import client_address

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]

log = logging.getLogger(__name__)

SMALL = 64 * 1024
"""A body up to this size waits in memory and is always taken. Larger ones have a number of places."""

TOO_SLOW = service_errors.ServiceError(
    408, "too-slow", "This came too slowly. Nothing was stored; send it again."
)
TOO_LARGE = service_errors.ServiceError(413, "too-large", "This is too large. Send it in parts.")


class BodyError(OSError):
    """A body that did not come whole, and why; without a reason its sender has gone. No view may use it."""

    def __init__(self, reason: service_errors.ServiceError | None) -> None:
        super().__init__(reason.message if reason else "The sender has gone.")
        self.reason = reason


class BodyReader:
    """What comes in, message by message, as long as it comes fast enough."""

    def __init__(self, receive: Receive) -> None:
        self.receive = receive
        self.size = 0
        self.waited = 0.0
        self.fault: BodyError | None = None

    async def message(self) -> Message:
        if self.fault is None:
            began = time.monotonic()
            try:
                async with asyncio.timeout(self._patience()):
                    message = await self.receive()
            except TimeoutError:
                self.fault = BodyError(TOO_SLOW)
            else:
                if message["type"] == "http.request":
                    # Only waiting counts: how long a view takes between two pieces is not the sender's fault.
                    self.waited += time.monotonic() - began
                    self.size += len(message.get("body", b""))
                    return message
                self.fault = BodyError(None)
        raise self.fault

    def _patience(self) -> float:
        silence: float = settings.BODY_SILENCE_SECONDS
        return min(silence, silence + self.size / settings.BODY_BYTES_PER_SECOND_LEAST - self.waited)


async def whole(scope: Scope, receive: Receive, kept: ExitStack) -> IO[bytes]:
    """The body of a request, all of it; what it takes up is given back with `kept`."""
    named = dict(scope["headers"])
    is_chunked, declared = b"transfer-encoding" in named, int(named.get(b"content-length", b"0"))
    if not is_chunked and not declared:
        return io.BytesIO()
    if not is_chunked and declared > settings.BODY_BYTES_MOST:
        raise BodyError(TOO_LARGE)
    try:
        body, size = await _read(scope, BodyReader(receive), kept)
    except OSError as fault:
        if reason := service_errors.why(fault):
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


async def _read(scope: Scope, sender: BodyReader, kept: ExitStack) -> tuple[IO[bytes], int]:
    body = tempfile.SpooledTemporaryFile(SMALL)  # noqa: SIM115 - closed with `kept`
    kept.callback(_close, body)
    more, is_large = True, False
    while more:
        message = await sender.message()
        piece, more = message.get("body", b""), message.get("more_body", False)
        if sender.size > settings.BODY_BYTES_MOST:
            raise BodyError(TOO_LARGE)
        if sender.size > SMALL and not is_large:
            is_large = True
            kept.enter_context(_place(scope))
        if is_large:
            await asyncio.to_thread(body.write, piece)
        else:
            body.write(piece)
    body.seek(0)
    return body, sender.size


def _close(body: IO[bytes]) -> None:
    # On a full disk the last bytes cannot be written here either.
    with suppress(OSError):
        body.close()


_large: Counter[str] = Counter()


@contextmanager
def _place(scope: Scope) -> Iterator[None]:
    """One of the places for large bodies, of which no address gets all."""
    address = client_address.of_scope(scope)
    if (
        _large.total() >= settings.BODIES_LARGE_AT_ONCE_MOST
        or _large[address] >= settings.BODIES_LARGE_PER_ADDRESS_MOST
    ):
        raise BodyError(service_errors.BUSY)
    _large[address] += 1
    try:
        yield
    finally:
        _large[address] -= 1
        if not _large[address]:
            del _large[address]
