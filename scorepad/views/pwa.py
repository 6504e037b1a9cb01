"""The service worker, served from the root so that it may answer for every pad, and the web-app manifest."""

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

SCRIPT = "js/pad/worker.js"
ROUTER = "js/phone/router.js"
"""Put before it where a phone has the kit: it asks for /sw.js?phone."""


@require_safe
@cache_control(no_cache=True)
def script(request: HttpRequest) -> HttpResponse:
    names = [ROUTER, SCRIPT] if "phone" in request.GET else [SCRIPT]
    text = b"".join(_text(name) for name in names)
    return HttpResponse(text, content_type="text/javascript; charset=utf-8")


def _text(name: str) -> bytes:
    if staticfiles_storage.exists(name):
        with staticfiles_storage.open(name) as file:
            return bytes(file.read())
    found = finders.find(name)
    if not isinstance(found, str):
        raise Http404
    with open(found, "rb") as file:
        return file.read()


@require_safe
@cache_control(max_age=3600)
def manifest(request: HttpRequest) -> JsonResponse:
    shown = {
        "name": "Tallyroom",
        "short_name": "Tallyroom",
        "description": "Score pads for old rummy games, with the sentence behind every number.",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "orientation": "portrait",
        "background_color": "#f7f1e3",
        "theme_color": "#f7f1e3",
        "icons": [
            {"src": static("icons/tallyroom.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": "any"}
        ],
    }
    return JsonResponse(shown, content_type="application/manifest+json")
