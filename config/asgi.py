"""One server process: streams are native async, everything else is Django's WSGI application in threads.

Django's own ASGI handler costs more than twice as much per page, so it is not used.
"""

import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from a2wsgi import WSGIMiddleware

# First, since it sets Django up: what follows has models.
from config.wsgi import application as django_application

# isort: split
from config import request_ids
from config.middleware import ALWAYS
from scorepad.live import events

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

STREAM = re.compile(r"/pads/[^/]+/events")
THREADS = 10
POLICY = [(name.lower().encode(), value.encode()) for name, value in ALWAYS.items()]

pages: App = WSGIMiddleware(django_application, workers=THREADS)  # type: ignore[assignment, arg-type]


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await lifespan(receive, send)
    elif scope["type"] == "http" and STREAM.fullmatch(scope["path"]):
        await events(scope, receive, with_request_id(scope, with_policy(send)))
    elif scope["type"] == "http":
        # WSGI cannot tell X_Forwarded_For from X-Forwarded-For; no browser and no proxy sends the former.
        scope["headers"] = [pair for pair in scope["headers"] if b"_" not in pair[0]]
        await pages(scope, receive, send)


def with_policy(send: Send) -> Send:
    """What Django's middleware says on every page, said on streams too."""

    async def send_on(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            told = {name for name, _ in message["headers"]}
            message["headers"] = [*message["headers"], *(pair for pair in POLICY if pair[0] not in told)]
        await send(message)

    return send_on


def with_request_id(scope: Scope, send: Send) -> Send:
    """The name of this request on its answer, as on every page."""
    given = next((value for key, value in scope["headers"] if key == b"x-request-id"), b"")
    name = request_ids.begin(given.decode("latin-1")).encode()

    async def send_on(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], (b"x-request-id", name)]
        await send(message)

    return send_on


async def lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
