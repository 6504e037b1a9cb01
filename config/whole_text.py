"""What holds a zero byte is refused: PostgreSQL keeps no such text, and nobody writes one by hand.

SQLite would look for it and find nothing; the answer is to be the same on both.
"""

from collections.abc import Callable

from django.db import DataError
from django.http import HttpRequest, HttpResponse

SAYS = "This holds a sign that no text has. Write it again.\n"


class NulByteMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if "\0" in request.path_info or "%00" in request.META.get("QUERY_STRING", ""):
            return refusal()
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, fault: Exception) -> HttpResponse | None:
        # In a form or a cookie it shows only when it reaches the database; nothing of it was stored.
        return refusal() if isinstance(fault, DataError) and "NUL" in str(fault) else None


def refusal() -> HttpResponse:
    response = HttpResponse(SAYS, content_type="text/plain; charset=utf-8", status=400)
    # Viewers on other sites ask here too, and are to read what was wrong.
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response
