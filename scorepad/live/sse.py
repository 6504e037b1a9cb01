"""Server-sent events of a pad, `/pads/<code>/events`, as a small native ASGI application.

It never touches the database itself: a thread checks the link once when a phone comes, and the hub's one
reader brings everything after that.
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings
from django.db import Error
from django.http import parse_cookie
from django.http.request import split_domain_port, validate_host

import engine
from ratelimit import client_address
from ratelimit.limiter import RateLimitError
from scorepad import ledger
from scorepad.access import cookies, links, permissions
from scorepad.limits import limit
from scorepad.live import hub, messages
from scorepad.live.hub import StreamsFullError
from scorepad.live.messages import HEARTBEAT
from scorepad.live.streams import Stream, StreamStart

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

log = logging.getLogger(__name__)

HEARTBEAT_SECONDS = 15.0
RECONNECT_MS = 2000
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    # With its end the connection goes too: a phone whose link was revoked keeps nothing open here.
    (b"connection", b"close"),
]


async def events(scope: Scope, receive: Receive, send: Send) -> None:
    if not _is_our_host(_header(scope, b"host")):
        return await _refuse(send, 400, "bad-host", "This site does not answer to that name.")
    if scope["method"] != "GET":
        return await _refuse(send, 405, "bad-method", "This address answers to GET.")
    streams, code = hub.current(), scope["path"].split("/")[2]
    address = client_address.of_scope(scope)
    try:
        streams.check_capacity(code, address, links.KEEP)
        start = await streams.run_in_thread(
            streams.access_pool, _open_pad, address, code, *_credentials(scope)
        )
        if start is None:
            return await _refuse(send, 404, "no-pad", "No pad is open here. Ask the table for its link.")
        streams.check_capacity(code, address, start.role)
    except Error:
        log.exception("The database did not answer a phone that wants to listen.")
        return await _refuse(send, 503, "busy", "The server is busy. Ask again in a moment.")
    except RateLimitError as fault:
        return await _refuse(send, 429, "too-often", fault.says, fault.seconds)
    except StreamsFullError:
        return await _refuse(send, 503, "full", "Too many phones are listening. Try again in a moment.")
    queue: asyncio.Queue[bytes | None] = asyncio.Queue(limit("STREAM_QUEUE_MOST"))
    sent = _last_seen(scope, start.head)
    stream = Stream(start.link_id, address, sent, queue, asyncio.current_task(), role=start.role)
    streams.join(code, start, stream)
    try:
        await _serve(stream, start.first, receive, send)
        # The server knows the connection: a phone that does not read the end is cut off.
        if "watch" in scope:
            scope["watch"]()
    except asyncio.CancelledError:
        # A slow reader was dropped, or the server stops; either way the phone asks again later.
        if "cut_off" in scope:
            await scope["cut_off"]()
    finally:
        streams.leave(code, stream)


async def _serve(stream: Stream, first: bytes, receive: Receive, send: Send) -> None:
    gone = asyncio.ensure_future(_close_when_gone(stream, receive))
    try:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        await send({"type": "http.response.body", "body": first, "more_body": True})
        while (text := await _next_text(stream)) is not None:
            await send({"type": "http.response.body", "body": text, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})
    finally:
        gone.cancel()


async def _next_text(stream: Stream) -> bytes | None:
    """All that waits in the queue, in one piece; a heartbeat when nothing came; None at the end."""
    try:
        # Not wait_for: in Python 3.11 it loses that a stream is dropped in the moment something comes.
        async with asyncio.timeout(HEARTBEAT_SECONDS):
            text = await stream.queue.get()
    except TimeoutError:
        return HEARTBEAT
    if text is None:
        return None
    while not stream.queue.empty():
        more = stream.queue.get_nowait()
        if more is None:
            # Nothing comes behind it: a stream that is closed is offered nothing more.
            stream.queue.put_nowait(None)
            break
        text += more
    return text


async def _close_when_gone(stream: Stream, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    stream.close()


def _open_pad(address: str, code: str, bearer: str | None, cookie: str | None) -> StreamStart | None:
    """Check the link, and read what the phone is sent first. Runs in a thread, once per stream."""
    access = (
        permissions.by_cookie(code, cookie) if bearer is None else permissions.by_token(address, code, bearer)
    )
    if access is None:
        return None
    pad = access.pad
    head = ledger.head(pad)
    hello = messages.hello(head, access.role)
    names, shared = messages.pad_changed(pad), messages.draft_changed(pad)
    first = messages.retry(RECONNECT_MS) + b"".join(event.encode() for event in (hello, names, shared))
    draft = shared.data["draft"]
    drafted = draft and draft["revision"]
    return StreamStart(pad.pk, access.link_id, access.role, head, pad.revision, drafted, first)


def _credentials(scope: Scope) -> tuple[str | None, str | None]:
    """The token in the header and the pad's cookie."""
    code = scope["path"].split("/")[2]
    # Read as the pages read them: another site's odd cookie on the same name must not hide ours.
    cookie = parse_cookie(_header(scope, b"cookie")).get(cookies.cookie_name(code))
    return permissions.bearer_of(_header(scope, b"authorization")), cookie


def _is_our_host(host: str) -> bool:
    """True for a name of this site, as for the pages."""
    domain, _ = split_domain_port(host)
    near = [".localhost", "127.0.0.1", "[::1]"] if settings.DEBUG else []
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS or near)


def _last_seen(scope: Scope, head: int) -> int:
    """The last entry the phone has: by the header when it comes back, by ?after= when its page was drawn."""
    query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
    for words in (_header(scope, b"last-event-id"), query.get("after", [""])[0]):
        if words.isascii() and words.isdigit() and len(words) < 10:
            return min(int(words), head)
    return head


def _header(scope: Scope, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")


async def _refuse(send: Send, status: int, code: str, message: str, wait: int = 5) -> None:
    error = engine.Refused(code, message).as_dict()
    headers = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]
    if status == 405:
        headers.append((b"allow", b"GET"))
    if status in (429, 503):
        headers.append((b"retry-after", str(wait).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(error).encode()})
