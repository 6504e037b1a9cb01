"""Middleware on the phone."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse


def without_tokens(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Say that a request is answered on the phone, and ask its forms for no token: no cookie of the browser
    reaches Python here, so a token would prove nothing.

    The service worker asks where a request comes from before it hands it on.
    """

    def respond(request: HttpRequest) -> HttpResponse:
        request.is_here = True  # type: ignore[attr-defined]
        request._dont_enforce_csrf_checks = True  # type: ignore[attr-defined]
        return get_response(request)

    return respond
