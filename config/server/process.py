"""Server process: uvicorn with our protocol and settings, notifications of systemd, an orderly shutdown."""

import asyncio
import logging
import os
import socket
import sys

import uvicorn
from django.conf import settings
from django.db import DatabaseError, connection

from archive.jobs.worker import process as worker
from config.server import garbage
from config.server.protocol import BoundedHttpProtocol
from ops import shutdown

EXIT_NOT_STARTED = 3
log = logging.getLogger(__name__)


class Server(uvicorn.Server):
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        garbage.begin()
        if self.started:
            notify_systemd("READY=1")
            # What a stop has interrupted goes on.
            await asyncio.to_thread(resume_jobs)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        shutdown.begin()
        notify_systemd("STOPPING=1")
        await shutdown.drain()
        await super().shutdown(sockets)


def resume_jobs() -> None:
    try:
        worker.start()
    except DatabaseError as fault:
        # The site serves all the same, and tells at /ready that its rows cannot be reached.
        log.warning("Jobs could not be looked for: %s.", fault)
    finally:
        connection.close()


def serve() -> None:
    """Serve until told to stop; exit with an error if it cannot start."""
    # No access log: a link to a pad is a key, and keys do not belong in logs.
    config = uvicorn.Config(
        "config.asgi:application",
        host=settings.HOST,
        port=settings.PORT,
        http=BoundedHttpProtocol,
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
        sys.exit(EXIT_NOT_STARTED)


def notify_systemd(message: str) -> None:
    """Under systemd with Type=notify: a restart of the next process waits until this one serves."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as out:
        out.connect(f"\0{address[1:]}" if address.startswith("@") else address)
        out.sendall(message.encode())
