"""A short name for every request: on its answer and on every log line it causes.

Behind our own proxy the proxy's name is taken, so that its log and ours can be laid side by side; from
anybody else it is not believed.
"""

import re
import secrets
from collections.abc import Callable
from contextvars import ContextVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse

HEADER = "X-Request-ID"
SOUND = re.compile(r"[A-Za-z0-9._-]{8,64}")

_current: ContextVar[str] = ContextVar("request_id", default="")


def current() -> str:
    """The request this thread or task is answering; "" when it is none."""
    return _current.get()


def name_for(given: str) -> str:
    """The name a proxy of ours gave, or a new one."""
    return given if settings.BEHIND_PROXY and SOUND.fullmatch(given) else secrets.token_hex(8)


def begin(given: str) -> str:
    name = name_for(given)
    _current.set(name)
    return name


def request_id(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    def respond(request: HttpRequest) -> HttpResponse:
        name = begin(request.headers.get(HEADER, ""))
        request.request_id = name  # type: ignore[attr-defined]
        # It stays until the next: Django writes its line of a refusal after the last middleware, and every
        # request has a context of its own (config.threads).
        response = get_response(request)
        response.headers[HEADER] = name
        return response

    return respond
