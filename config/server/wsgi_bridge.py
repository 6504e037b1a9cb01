"""Django's WSGI application in threads, which wait neither for who sends nor for who reads.

A thread gets a whole body and gives a whole answer, or an open file. Passing it on is the event loop's part:
it goes as fast as its reader takes it, and who takes nothing for too long is cut off.
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

PIECE = 64 * 1024
"""So much is sent at once; a reader who takes no more than this in ANSWER_SILENCE_SECONDS is cut off."""
BLOCK = 256 * 1024
"""So much of a file is read at once; one that is smaller is never handed over."""
WITHOUT_BODY = (204, 304)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    rest: "File | None" = None
    """What is left of a file that is larger than a block; then `body` is its beginning."""


class File:
    """WSGI's way to hand over an open file instead of reading it: `wsgi.file_wrapper`."""

    def __init__(self, file: IO[bytes], block_size: int = BLOCK) -> None:
        self.file = file

    def __iter__(self) -> Iterator[bytes]:
        return iter(lambda: self.file.read(BLOCK), b"")

    def close(self) -> None:
        self.file.close()


async def ask(
    app: Wsgi, pool: ThreadPoolExecutor, scope: Scope, body: Any, extra: dict[str, Any] | None = None
) -> Answer:
    """What the application answers, from a thread of this pool."""
    environ: dict[str, Any] = {**build_environ(scope, body), "wsgi.file_wrapper": File, **(extra or {})}  # type: ignore[arg-type]
    run = contextvars.copy_context().run
    return await asyncio.get_running_loop().run_in_executor(pool, run, _answer, app, environ)


def _answer(app: Wsgi, environ: dict[str, Any]) -> Answer:
    status, headers = 500, []
    written: list[bytes] = []

    def start(line: str, pairs: list[tuple[str, str]], fault: Any = None) -> Callable[[bytes], None]:
        nonlocal status, headers
        status = int(line.split(" ", 1)[0])
        headers = [(name.lower().encode("latin-1"), value.strip().encode("latin-1")) for name, value in pairs]
        return written.append

    pieces, rest = app(environ, start), None
    try:
        if isinstance(pieces, File):
            written.append(pieces.file.read(BLOCK))
            rest = pieces if len(written[-1]) == BLOCK else None
        body = b"".join([*written, *(() if rest else pieces)])
        if not rest and status not in WITHOUT_BODY and b"content-length" not in dict(headers):
            # Its length is known; in chunks, as the server would send it, HTTP/1.0 could not read it.
            headers.append((b"content-length", str(len(body)).encode()))
        return Answer(status, headers, body, rest)
    finally:
        if rest is None:
            getattr(pieces, "close", lambda: None)()


async def pass_on(answer: Answer, send: Send) -> None:
    """Piece by piece, each when the one before has gone."""
    block, held = answer.body, len(answer.body)
    try:
        start = {"type": "http.response.start", "status": answer.status, "headers": answer.headers}
        await _patiently(send, start, held)
        is_more = answer.rest is not None or held > PIECE
        while block and is_more:
            for at in range(0, len(block), PIECE):
                await _patiently(send, _body(block[at : at + PIECE], more=True), held)
            block = await asyncio.to_thread(answer.rest.file.read, BLOCK) if answer.rest else b""
        await _patiently(send, _body(block, more=False), held)
        watch(send)
    except TimeoutError:
        await cut_off(send)
    finally:
        if answer.rest:
            answer.rest.close()


def _body(piece: bytes, more: bool) -> Message:
    return {"type": "http.response.body", "body": piece, "more_body": more}


class SendBudget:
    """Answers that wait for their readers, who has waited longest first, and how many bytes each holds."""

    def __init__(self) -> None:
        self.held: dict[asyncio.Timeout, int] = {}
        self.total = 0

    def come(self, patience: asyncio.Timeout, size: int) -> None:
        """When too much waits, those go first whose readers have taken nothing for longest."""
        while self.held and self.total + size > settings.ANSWERS_WAITING_BYTES_MOST:
            longest = next(iter(self.held))
            self.leave(longest)
            if not longest.expired():
                longest.reschedule(0)
        self.held[patience] = size
        self.total += size

    def leave(self, patience: asyncio.Timeout) -> None:
        self.total -= self.held.pop(patience, 0)


waiting = SendBudget()


async def _patiently(send: Send, message: Message, held: int) -> None:
    async with asyncio.timeout(settings.ANSWER_SILENCE_SECONDS) as patience:
        waiting.come(patience, held)
        try:
            await send(message)
        finally:
            waiting.leave(patience)


async def cut_off(send: Send) -> None:
    """The connection is dropped with what is still in it: closing it would wait for its reader again."""
    transport = _transport(send)
    if transport is not None:
        transport.abort()
        # The server hears of it in the loop's next round, and then does not wonder at half an answer.
        await asyncio.sleep(0)


def watch(send: Send) -> None:
    """The last piece is written without waiting for its reader; who does not take it is cut off."""
    transport = _transport(send)
    if transport is not None and (left := transport.get_write_buffer_size()):
        _look_again(transport, _asked(transport), left)


def _look_again(transport: asyncio.Transport, asked: Any, left: int) -> None:
    def look() -> None:
        now = transport.get_write_buffer_size()
        # Whoever has asked for something else has read this.
        if not now or _asked(transport) is not asked:
            return
        if now >= left:
            transport.abort()
        else:
            _look_again(transport, asked, now)

    asyncio.get_running_loop().call_later(settings.ANSWER_SILENCE_SECONDS, look)


def _asked(transport: asyncio.Transport) -> Any:
    """What was asked last on this connection, as uvicorn has it."""
    return getattr(transport.get_protocol(), "cycle", None)


def _transport(send: Send) -> asyncio.Transport | None:
    return getattr(getattr(send, "__self__", None), "transport", None)
