"""Browser security policy: Content-Security-Policy and the other security headers of every response.

A browser is told to load nothing from elsewhere, to run nothing inline, and to tell other sites nothing.
"""

import re
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

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

STATIC_FILES_POLICY = "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
"""For scripts, stylesheets and fonts: opened as a page they may do nothing. A pad loads twenty of them, and
the long policy would be a tenth of their bytes."""

PYTHON_WORKER = re.compile(r"/static/js/phone/python(\.[0-9a-f]{12})?\.js")
PYTHON_WORKER_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "connect-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
"""For the one script that runs WebAssembly: Python on a phone. No page may, nor any other script."""

PERMISSIONS_POLICY = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"

SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Permissions-Policy": PERMISSIONS_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""For responses that do not pass Django's own middleware, such as streams."""


def security_policy(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware that adds the two policies which Django's own security middleware does not know."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        is_file = request.path.startswith(settings.STATIC_URL)
        # A view may set a stricter one of its own; none is left out.
        policy = STATIC_FILES_POLICY if is_file else CONTENT_SECURITY_POLICY
        if PYTHON_WORKER.fullmatch(request.path):
            policy = PYTHON_WORKER_POLICY
        response.headers.setdefault("Content-Security-Policy", policy)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        return response

    return respond
