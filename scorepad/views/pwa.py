"""The service worker, served from the root so that it may answer for every pad, and the web-app manifest."""

from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

SCRIPT = "js/pad/worker.js"


@require_safe
@cache_control(no_cache=True)
def script(request: HttpRequest) -> HttpResponse:
    if staticfiles_storage.exists(SCRIPT):
        with staticfiles_storage.open(SCRIPT) as file:
            text = file.read()
    else:
        found = finders.find(SCRIPT)
        if not isinstance(found, str):
            raise Http404
        with open(found, "rb") as file:
            text = file.read()
    return HttpResponse(text, content_type="text/javascript; charset=utf-8")


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
