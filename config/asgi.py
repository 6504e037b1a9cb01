"""ASGI application: streams are native async, everything else is Django's WSGI application in threads.

Django's own ASGI handler costs more than twice as much per page, so it is not used. A thread is taken when a
body has come whole, and is free again before its answer is read. Taps and page images have threads of their
own; of pages few are worked on at once. Only scans are read as they come, by threads of theirs: who sends
them is asked before a byte is kept.
"""

import asyncio
import io
import re
import sys
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from typing import Any

from a2wsgi.wsgi import Body
from django.conf import settings

# First, since it sets Django up: what follows has models.
from config.wsgi import application as django_application

# isort: split
from config import request_ids
from config.security_policy import SECURITY_HEADERS
from config.server import request_body, wsgi_bridge
from config.server.wsgi_bridge import Wsgi
from ops import metrics, service_errors
from ratelimit.page_places import Places
from scorepad.live.sse import events

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

STREAM = re.compile(r"/pads/[^/]+/events")
STREAM_VIEW = "/pads/<slug:code>/events"
"""As the addresses of Django's views are named where they are counted."""
TAPS = re.compile(r"/pads/[^/]+/(?:tap|entries|draft|draft/complete)/")
TAP_BYTES_MOST = 4_096
IMAGES = ("/images/", "/iiif/image/")
SCANS = re.compile(r"/books/[^/]+/scans/upload/")
HEADERS = [(name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]

# A thread that draws a page lets one with a tap go first after a fifth of a millisecond, not after five.
sys.setswitchinterval(0.0002)
# More of each than may wait for their turn at long logs.
page_threads, tap_threads = ThreadPoolExecutor(6, "pages"), ThreadPoolExecutor(5, "taps")
page_places = Places(settings.PAGES_AT_ONCE_MOST, settings.PAGE_WAIT_SECONDS)
# Pictures may have to be fetched from a bucket, which may hang, or be assembled: no tap waits behind them.
image_threads = ThreadPoolExecutor(3, "images")
scan_threads = ThreadPoolExecutor(3, "scans")


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await lifespan(receive, send)
    elif scope["type"] == "http" and STREAM.fullmatch(scope["path"]):
        scope["cut_off"], scope["watch"] = (
            partial(wsgi_bridge.abort, send),
            partial(wsgi_bridge.watch_last_piece, send),
        )
        await events(scope, receive, with_metrics(scope, with_request_id(scope, with_security_headers(send))))
    elif scope["type"] == "http":
        # WSGI cannot tell X_Forwarded_For from X-Forwarded-For; no browser and no proxy sends the former.
        scope["headers"] = [pair for pair in scope["headers"] if b"_" not in pair[0]]
        response = await respond(scope, receive)
        if response is not None:
            await wsgi_bridge.send_response(response, send)


async def respond(scope: Scope, receive: Receive) -> wsgi_bridge.Response | None:
    """Get Django's response; None for a visitor who went before all was sent."""
    try:
        if SCANS.fullmatch(scope["path"]) and any(name == b"content-length" for name, _ in scope["headers"]):
            reader = request_body.BodyReader(receive)
            body = Body(asyncio.get_running_loop(), reader.message)  # type: ignore[arg-type]
            response = await wsgi_bridge.call_app(django_application, scan_threads, scope, body)
            if reader.fault is not None:
                raise reader.fault
            return response
        with ExitStack() as resources:
            whole = await request_body.read_whole(scope, receive, resources)
            return await wsgi_bridge.call_app(*way_of(scope), scope, whole)
    except request_body.BodyError as fault:
        return await refuse(scope, fault.reason) if fault.reason else None


def way_of(scope: Scope) -> tuple[Wsgi, ThreadPoolExecutor]:
    """The application and the threads for a request: taps and pictures wait for no page."""
    if scope["path"].startswith(IMAGES):
        return django_application, image_threads
    if scope["method"] == "POST" and TAPS.fullmatch(scope["path"]) and _is_small(scope):
        return django_application, tap_threads
    return in_place, page_threads


def _is_small(scope: Scope) -> bool:
    """True for a body as a table's taps have it; whoever sends many at once waits like a page."""
    length = next((value for name, value in scope["headers"] if name == b"content-length"), b"")
    return length.isdigit() and int(length) <= TAP_BYTES_MOST


def in_place(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
    with page_places.taken():
        return django_application(environ, start)


async def refuse(scope: Scope, reason: service_errors.ServiceError) -> wsgi_bridge.Response:
    """Let Django word the refusal: a page for people, JSON for programs."""
    extra = {service_errors.BODY_ERROR: reason}
    response = await wsgi_bridge.call_app(django_application, page_threads, scope, io.BytesIO(), extra)
    if reason is request_body.TOO_SLOW:
        response.headers.append((b"connection", b"close"))
    return response


def with_security_headers(send: Send) -> Send:
    """Send the security headers of every page on streams too."""

    async def send_on(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            told = {name for name, _ in message["headers"]}
            message["headers"] = [*message["headers"], *(pair for pair in HEADERS if pair[0] not in told)]
        await send(message)

    return send_on


def with_request_id(scope: Scope, send: Send) -> Send:
    """Send the id of this request with its response, as on every page."""
    given = next((value for key, value in scope["headers"] if key == b"x-request-id"), b"")
    request_id = request_ids.begin(given.decode("latin-1")).encode()

    async def send_on(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], (b"x-request-id", request_id)]
        await send(message)

    return send_on


def with_metrics(scope: Scope, send: Send) -> Send:
    """Count streams and refused streams in the metrics and in the log, like every page."""
    began = time.perf_counter()

    async def send_on(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            metrics.count_response(
                STREAM_VIEW, scope["method"], message["status"], time.perf_counter() - began
            )
        await send(message)

    return send_on


async def lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
