"""Error pages: 400, 403, 404, 413 and 500. Those of a full disk or busy database: ops/service_errors.py."""

import sys
from typing import Any

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from ops import service_errors


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what Django refuses before a view sees it: too large, or not readable at all."""
    is_large = isinstance(exception, RequestDataTooBig | TooManyFieldsSent | TooManyFilesSent)
    return error_page(request, 413 if is_large else 400)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, 404)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    return error_page(request, 403)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return error_page(request, 403, form_expired=True)


def server_error(request: HttpRequest) -> HttpResponse:
    # A full disk may show before or after the view, where a form is read or a session is kept.
    return service_errors.response_to(request, sys.exc_info()[1]) or error_page(request, 500)


def error_page(request: HttpRequest, status: int, **context: Any) -> HttpResponse:
    return render(request, f"{status}.html", context, status=status)
