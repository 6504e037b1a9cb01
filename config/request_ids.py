"""Request ids: a short name for every request, on its response and on every log line it causes.

Behind our own proxy the proxy's id is taken, so that its log and ours can be compared; any other client's is
ignored.
"""

import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse

HEADER = "X-Request-ID"
VALID_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")

_current: ContextVar[str] = ContextVar("request_id", default="")


def current() -> str:
    """Get the id of the request that this thread or task is answering; "" when it is none."""
    return _current.get()


def id_for(given: str) -> str:
    """Take the id that a proxy of ours gave, or make a new one."""
    return given if settings.BEHIND_PROXY and VALID_ID.fullmatch(given) else secrets.token_hex(8)


def begin(given: str) -> str:
    """Give the request that begins in this thread or task its id."""
    request_id = id_for(given)
    _current.set(request_id)
    return request_id


def request_id_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    def respond(request: HttpRequest) -> HttpResponse:
        request_id = begin(request.headers.get(HEADER, ""))
        request.request_id = request_id  # type: ignore[attr-defined]
        # It stays until the next: Django writes its line of a refusal after the last middleware, and every
        # request has a context of its own (config.server.wsgi_bridge).
        response = get_response(request)
        response.headers[HEADER] = request_id
        return response

    return respond
