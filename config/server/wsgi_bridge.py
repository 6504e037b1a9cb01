"""Bridge to Django's WSGI application: it runs in threads that wait neither for senders nor for readers.

A thread gets a whole body and returns a whole response, or an open file. Sending it is the event loop's part:
it goes as fast as its reader takes it, and a reader who takes nothing for too long is cut off.
"""

import asyncio
import contextvars
from collections.abc import Awaitable, Callable, Iterable, Iterator, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import IO, Any

from a2wsgi.wsgi import build_environ
from django.conf import settings

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

PIECE_BYTES = 64 * 1024
"""So much is sent at once; a reader who takes no more than this in ANSWER_SILENCE_SECONDS is cut off."""
BLOCK_BYTES = 256 * 1024
"""So much of a file is read at once; one that is smaller is never handed over."""
STATUSES_WITHOUT_BODY = (204, 304)


@dataclass(frozen=True)
class Response:
    """Status, headers and body as the application gave them."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    rest: "OpenFile | None" = None
    """The rest of a file that is larger than a block; then `body` is its beginning."""


class OpenFile:
    """An open file as a response body, not read by the application: `wsgi.file_wrapper`."""

    def __init__(self, file: IO[bytes], block_size: int = BLOCK_BYTES) -> None:
        self.file = file

    def __iter__(self) -> Iterator[bytes]:
        return iter(lambda: self.file.read(BLOCK_BYTES), b"")

    def close(self) -> None:
        self.file.close()


async def call_app(
    app: Wsgi, pool: ThreadPoolExecutor, scope: Scope, body: Any, extra: dict[str, Any] | None = None
) -> Response:
    """Call the application in a thread of this pool."""
    environ: dict[str, Any] = {**build_environ(scope, body), "wsgi.file_wrapper": OpenFile, **(extra or {})}  # type: ignore[arg-type]
    run = contextvars.copy_context().run
    return await asyncio.get_running_loop().run_in_executor(pool, run, _call, app, environ)


def _call(app: Wsgi, environ: dict[str, Any]) -> Response:
    status, headers = 500, []
    written: list[bytes] = []

    def start(line: str, pairs: list[tuple[str, str]], fault: Any = None) -> Callable[[bytes], None]:
        nonlocal status, headers
        status = int(line.split(" ", 1)[0])
        headers = [(name.lower().encode("latin-1"), value.strip().encode("latin-1")) for name, value in pairs]
        return written.append

    pieces, rest = app(environ, start), None
    try:
        if isinstance(pieces, OpenFile):
            written.append(pieces.file.read(BLOCK_BYTES))
            rest = pieces if len(written[-1]) == BLOCK_BYTES else None
        body = b"".join([*written, *(() if rest else pieces)])
        if not rest and status not in STATUSES_WITHOUT_BODY and b"content-length" not in dict(headers):
            # Its length is known; in chunks, as the server would send it, HTTP/1.0 could not read it.
            headers.append((b"content-length", str(len(body)).encode()))
        return Response(status, headers, body, rest)
    finally:
        if rest is None:
            getattr(pieces, "close", lambda: None)()


async def send_response(response: Response, send: Send) -> None:
    """Send a response piece by piece, each when the one before has gone."""
    block, held = response.body, len(response.body)
    try:
        start = {"type": "http.response.start", "status": response.status, "headers": response.headers}
        await _send_in_time(send, start, held)
        is_more = response.rest is not None or held > PIECE_BYTES
        while block and is_more:
            for at in range(0, len(block), PIECE_BYTES):
                await _send_in_time(send, _body(block[at : at + PIECE_BYTES], more=True), held)
            block = await asyncio.to_thread(response.rest.file.read, BLOCK_BYTES) if response.rest else b""
        await _send_in_time(send, _body(block, more=False), held)
        watch_last_piece(send)
    except TimeoutError:
        await abort(send)
    finally:
        if response.rest:
            response.rest.close()


def _body(piece: bytes, more: bool) -> Message:
    return {"type": "http.response.body", "body": piece, "more_body": more}


class SendBudget:
    """Bytes of the responses that wait for their readers, the one that has waited longest first."""

    def __init__(self) -> None:
        self.held: dict[asyncio.Timeout, int] = {}
        self.total = 0

    def add(self, timeout: asyncio.Timeout, size: int) -> None:
        """Count a response in; when too much waits, those are aborted that have waited longest."""
        while self.held and self.total + size > settings.ANSWERS_WAITING_BYTES_MOST:
            longest = next(iter(self.held))
            self.remove(longest)
            if not longest.expired():
                longest.reschedule(0)
        self.held[timeout] = size
        self.total += size

    def remove(self, timeout: asyncio.Timeout) -> None:
        self.total -= self.held.pop(timeout, 0)


send_budget = SendBudget()


async def _send_in_time(send: Send, message: Message, held: int) -> None:
    async with asyncio.timeout(settings.ANSWER_SILENCE_SECONDS) as timeout:
        send_budget.add(timeout, held)
        try:
            await send(message)
        finally:
            send_budget.remove(timeout)


async def abort(send: Send) -> None:
    """Drop the connection with what is still in it: closing it would wait for its reader again."""
    transport = _transport(send)
    if transport is not None:
        transport.abort()
        # The server hears of it in the loop's next round, and then does not wonder at half a response.
        await asyncio.sleep(0)


def watch_last_piece(send: Send) -> None:
    """Cut the connection off unless its reader takes the last piece, which is written without waiting."""
    transport = _transport(send)
    if transport is not None and (left := transport.get_write_buffer_size()):
        _check_later(transport, _last_request(transport), left)


def _check_later(transport: asyncio.Transport, last_request: Any, left: int) -> None:
    def check() -> None:
        now = transport.get_write_buffer_size()
        # A reader who has asked for something else has read this.
        if not now or _last_request(transport) is not last_request:
            return
        if now >= left:
            transport.abort()
        else:
            _check_later(transport, last_request, now)

    asyncio.get_running_loop().call_later(settings.ANSWER_SILENCE_SECONDS, check)


def _last_request(transport: asyncio.Transport) -> Any:
    """The request that came last on this connection, as uvicorn has it."""
    return getattr(transport.get_protocol(), "cycle", None)


def _transport(send: Send) -> asyncio.Transport | None:
    return getattr(getattr(send, "__self__", None), "transport", None)
