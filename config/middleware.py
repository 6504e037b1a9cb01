"""What every answer says to the browser: load nothing from elsewhere, run nothing inline, tell nobody."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from ratelimit.limiter import RateLimitError

CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)

PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"

ALWAYS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Permissions-Policy": PERMISSIONS_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""For what does not pass Django's own middleware, such as streams."""


def content_policy(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        # A view may set a stricter one of its own; none is left out. Django's middleware adds the others.
        response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        return response

    return respond


class RateLimitMiddleware:
    """Answers with a sentence what was done too often from one address. JSON addresses do it themselves."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, fault: Exception) -> HttpResponse | None:
        if not isinstance(fault, RateLimitError):
            return None
        response = render(request, "429.html", {"says": fault.says}, status=429)
        response.headers["Retry-After"] = str(fault.seconds)
        response.headers["Cache-Control"] = "no-store"
        return response


def lamp(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """The theme chosen on this device, so that a page is drawn in it at once; "" leaves it to the device."""

    def respond(request: HttpRequest) -> HttpResponse:
        theme = request.COOKIES.get("theme", "")
        request.theme = theme if theme in {"light", "dark"} else ""  # type: ignore[attr-defined]
        response = get_response(request)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            patch_vary_headers(response, ["Cookie"])
        return response

    return respond
