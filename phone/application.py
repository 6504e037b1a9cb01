"""The site on the phone: started once, then one request in, one answer out.

It is Django's own WSGI handler without a server. Requests come one after the other; the browser's script that
calls it keeps what `changed` tells in its own store before it hands the answer on.
"""

import io
import json
import os
import sys
import time
from collections.abc import Mapping
from typing import Any, NamedTuple

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "phone.settings")
# The browser's event loop always runs, and Django would refuse the database beside it.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"


class Answer(NamedTuple):
    """What is told to the browser. `cookies` holds what the page would have kept in its own jar."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes
    cookies: dict[str, str]


_handler: Any = None


def start(content: str) -> None:
    """Import the pads, make their tables, and learn what the site gave along."""
    global _handler
    import django

    from phone import absent_modules
    from phone.given_content import CONTENT

    CONTENT.update(json.loads(content))
    if not hasattr(time, "thread_time"):
        # In a browser there is one thread, and no clock of its own for it.
        time.thread_time = time.process_time
    absent_modules.stand_in()
    django.setup()
    from django.apps import apps
    from django.core.handlers.wsgi import WSGIHandler
    from django.db import connection
    from django.urls import get_resolver

    assert get_resolver().url_patterns  # imports all views
    with connection.schema_editor() as editor:
        for model in apps.get_models():
            editor.create_model(model)
    _handler = WSGIHandler()


def take_clips(clips: str) -> None:
    """Learn the pictures of passages, which are large and which few pages need."""
    from phone.given_content import CLIPS

    CLIPS.update(json.loads(clips))


def answer(method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> Answer:
    """Answer one request of a page on this phone."""
    address, _, query = path.partition("?")
    said: dict[str, Any] = {}

    def begin(status: str, fields: list[tuple[str, str]], fault: Any = None) -> None:
        said.update(status=int(status.split()[0]), headers=fields)

    parts = _handler(_environ(method, address, query, headers, body), begin)
    try:
        whole = b"".join(parts)
    finally:
        parts.close()
    shown = [(name, value) for name, value in said["headers"] if name.lower() != "set-cookie"]
    put = [value for name, value in said["headers"] if name.lower() == "set-cookie"]
    return Answer(said["status"], shown, whole, dict(_cookie(words) for words in put))


def _environ(
    method: str, address: str, query: str, headers: Mapping[str, str], body: bytes
) -> dict[str, Any]:
    from urllib.parse import unquote_to_bytes

    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(address).decode("latin-1"),
        "QUERY_STRING": query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "https" if headers.get("origin", "").startswith("https:") else "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in headers.items():
        key = name.upper().replace("-", "_")
        environ["CONTENT_TYPE" if key == "CONTENT_TYPE" else f"HTTP_{key}"] = value
    return environ


def _cookie(words: str) -> tuple[str, str]:
    """Name and value of a cookie that was set; an empty value deletes it."""
    name, _, value = words.partition(";")[0].partition("=")
    return name.strip(), value.strip().strip('"')
