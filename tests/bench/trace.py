"""Trace of a running site: which of its own files are entered, and how often the database is asked."""

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse

ROOT = str(Path(__file__).resolve().parents[2]) + "/"
OWN = ("archive", "config", "engine", "home", "ops", "people", "ratelimit", "scorepad")
files: set[str] = set()
queries: list[tuple[str, int]] = []


def begin() -> None:
    """From now on, in this thread and in all that begin later."""
    threading.setprofile(note)
    sys.setprofile(note)


def note(frame: FrameType, event: str, arg: Any) -> None:
    if event == "call" and frame.f_code.co_filename.startswith(ROOT):
        name = frame.f_code.co_filename.removeprefix(ROOT)
        if name.split("/")[0] in OWN:
            files.add(name)


class QueryCounter:
    """Middleware: counts the queries of each answer, without BEGIN and COMMIT."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        asked: list[str] = []

        def count(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
            if not sql.startswith(("BEGIN", "COMMIT")):
                asked.append(sql)
            return execute(sql, *rest)

        with connection.execute_wrapper(count):
            response = self.get_response(request)
        queries.append((f"{request.method} {request.path}", len(asked)))
        return response
