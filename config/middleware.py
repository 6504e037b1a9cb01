"""Middleware of the whole site: the theme of pages, NUL bytes refused, the answer to what was done too often.

Security headers are in security_policy.py, request ids in request_ids.py, answers to a full disk or a busy
database in ops/service_errors.py.
"""

from collections.abc import Callable

from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from ratelimit.limiter import RateLimitError

NUL_BYTE_MESSAGE = "This contains a character that text cannot have. Write it again.\n"


def theme(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Set `request.theme` from its cookie, so that pages are drawn in it; "" leaves it to the device."""

    def respond(request: HttpRequest) -> HttpResponse:
        chosen = request.COOKIES.get("theme", "")
        request.theme = chosen if chosen in {"light", "dark"} else ""  # type: ignore[attr-defined]
        response = get_response(request)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            patch_vary_headers(response, ["Cookie"])
        return response

    return respond


class NulByteMiddleware:
    """Rejects NUL bytes in paths, queries and forms, which PostgreSQL cannot store.

    SQLite would look for them and find nothing; the answer is to be the same on both.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\0" in request.path_info or "%00" in request.META.get("QUERY_STRING", ""):
            return _nul_byte_response()
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, fault: Exception) -> HttpResponse | None:
        # In a form or a cookie it shows only when it reaches the database; nothing of it was stored.
        return _nul_byte_response() if isinstance(fault, DataError) and "NUL" in str(fault) else None


def _nul_byte_response() -> HttpResponse:
    response = HttpResponse(NUL_BYTE_MESSAGE, content_type="text/plain; charset=utf-8", status=400)
    # Viewers on other sites ask here too, and are to read what was wrong.
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response


class RateLimitMiddleware:
    """Answers with a sentence what was done too often from one address. JSON addresses do it themselves."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, fault: Exception) -> HttpResponse | None:
        if not isinstance(fault, RateLimitError):
            return None
        # Too many at once is another matter than too often: it has its own status, and the same sentence.
        response = render(request, "429.html", {"fault": fault}, status=fault.status)
        response.headers["Retry-After"] = str(fault.seconds)
        response.headers["Cache-Control"] = "no-store"
        return response
