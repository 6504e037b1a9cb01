"""The server process itself, and how it ends: nobody is cut off in the middle of a word.

Told to stop, it first says so at /ready and goes on serving for DRAIN_SECONDS; then it takes nobody new, lets
the phones go with a word when to come back, and finishes what is under way, for STOP_SECONDS at most.
"""

import asyncio
import os
import socket
import sys

import uvicorn
from django.conf import settings

from archive import background
from config.server import leaving
from config.server.protocol import Line
from scorepad.live import hub

STARTUP_FAILURE = 3


class Server(uvicorn.Server):
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            tell_systemd("READY=1")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        leaving.begin()
        tell_systemd("STOPPING=1")
        await asyncio.sleep(settings.DRAIN_SECONDS)
        hub.farewell()
        # Before what is under way is waited for: a page that is just being read would take longer than that.
        background.stop_all()
        await super().shutdown(sockets)


def serve() -> None:
    # No access log: a link to a pad is a key, and keys do not belong in logs.
    config = uvicorn.Config(
        "config.asgi:application",
        host=settings.HOST,
        port=settings.PORT,
        http=Line,
        access_log=False,
        log_config=None,  # The settings say where lines go; uvicorn's own would take them past the filter.
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=settings.STOP_SECONDS,
    )
    server = Server(config)
    server.run()
    if not server.started:
        sys.exit(STARTUP_FAILURE)


def tell_systemd(words: str) -> None:
    """Under systemd with Type=notify: a restart of the next process waits until this one serves."""
    place = os.environ.get("NOTIFY_SOCKET")
    if not place:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
        out.connect(f"\0{place[1:]}" if place.startswith("@") else place)
        out.sendall(words.encode())
