"""Context of every template: whether a phone draws it, without the site."""

from __future__ import annotations

from django.http import HttpRequest


def here(request: HttpRequest) -> dict[str, bool]:
    return {"is_here": getattr(request, "is_here", False)}
