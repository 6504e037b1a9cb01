"""A variant by its slug, asked of the archive at its address: the apps share no code, only URLs."""

import json
from dataclasses import dataclass, field
from typing import Any

from django.http import Http404, HttpRequest
from django.urls import Resolver404, resolve

import engine


@dataclass(frozen=True)
class Variant:
    """A curated set of options, and what the table needs beside them."""

    slug: str
    game: str
    options: dict[str, Any]
    settings: dict[str, Any] = field(default_factory=dict)
    title: str = ""

    @property
    def address(self) -> str:
        return f"/variants/{self.slug}/"


def find(slug: str) -> Variant | None:
    """Ask /variants/<slug>/variant.json inside this process; None when there is no such variant."""
    path = f"/variants/{slug}/variant.json"
    request = HttpRequest()
    request.method, request.path, request.path_info = "GET", path, path
    try:
        match = resolve(path)
        response = match.func(request, *match.args, **match.kwargs)
    except (Resolver404, Http404):
        return None
    if response.status_code != 200:
        return None
    shown = json.loads(response.content)
    settings, title = shown.get("settings") or {}, shown.get("title") or slug
    return Variant(slug, shown["game"], shown["options"], settings, title)


def required(slug: object, game: object) -> Variant:
    """The variant, or a refusal that says what to do."""
    found = find(slug) if isinstance(slug, str) and slug and slug.isascii() and "/" not in slug else None
    if found is None:
        raise engine.Refused(
            "unknown-variant", "There is no such variant. Choose one of the game's, or leave it out."
        )
    if found.game != game:
        raise engine.Refused(
            "unknown-variant", f"This variant belongs to {found.game}. Choose one of this game's."
        )
    return found
