"""The kit for a phone: its page, its manifest, the empty page that starts Python, the check, the guide."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt

from phone.kit import kit_manifest

GUIDE = "docs/phones.md"


@require_safe
@cache_control(no_cache=True)
def take_along(request: HttpRequest) -> HttpResponse:
    """What it costs to play without network, and the button that takes it along."""
    return render(request, "phone/take_along.html", _context())


def _context() -> dict[str, Any]:
    """The kit with what it costs, in megabytes."""
    kit = kit_manifest.read()
    if kit is None:
        return {"kit": None, "is_being_built": kit_manifest.is_being_built()}
    sent = kit["program"] + kit["content"]
    return {"kit": kit, "download": f"{sent / 1e6:.1f}", "room": f"{kit['stored'] / 1e6:.0f}"}


@require_safe
@cache_control(no_cache=True)
def kit_json(request: HttpRequest) -> HttpResponse:
    kit = kit_manifest.read()
    if kit is None:
        return JsonResponse({"error": {"code": "no-kit", "message": "This site has no kit."}}, status=404)
    return JsonResponse(kit)


@require_safe
@cache_control(no_cache=True)
def shell(request: HttpRequest) -> HttpResponse:
    """The page that a phone shows while Python starts."""
    return render(request, "phone/shell.html", {"kit": kit_manifest.read()})


@require_safe
@cache_control(no_cache=True)
def check(request: HttpRequest) -> HttpResponse:
    """The hand that a phone plays against itself, for somebody with a phone we have not tried."""
    return render(request, "phone/check.html", _context())


@require_safe
def elsewhere(request: HttpRequest, rest: str = "") -> HttpResponse:
    """A pad on a phone, asked for at the site: that phone has it, and this one may have lost it."""
    return render(request, "phone/elsewhere.html", status=404)


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    """docs/phones.md."""
    text = (settings.BASE_DIR / GUIDE).read_text()
    html = mark_safe(MarkdownIt().render(text))  # noqa: S308 - a file of this repository
    return render(request, "phone/guide.html", {"text": html})
