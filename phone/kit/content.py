"""The content of the kit: what this site knows now and a pad asks for, and the files its pages load."""

import base64
import json
import re
import zoneinfo
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from posixpath import normpath
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage

import engine
from scorepad import declarations

LOADED = re.compile(
    r"css/(base|lab|phone|pad[\w-]*)\.css|js/(pad|phone)/(?!router)[\w-]+\.js|js/(theme|strip)\.js|icons/.+"
)
"""Static files that pages of pads load."""
NAMED_IN_CSS = re.compile(r"url\(\"?([^\")]+)\"?\)")


def static_names() -> dict[str, str]:
    """Names of static files as pages write them, with the names they are served by."""
    hashed: dict[str, str] = getattr(staticfiles_storage, "hashed_files", {})
    return {name: served for name, served in hashed.items() if LOADED.fullmatch(name) or "fonts/" in name}


def static_files() -> Iterator[str]:
    """Those the kit holds, as served: scripts, stylesheets, and the faces that the stylesheets name."""
    found = {served for name, served in static_names().items() if LOADED.fullmatch(name)}
    for name in sorted(found):
        if name.endswith(".css"):
            text = (settings.STATIC_ROOT / name).read_text()
            folder = str(Path(name).parent)
            found |= {normpath(f"{folder}/{url}") for url in NAMED_IN_CSS.findall(text) if "data:" not in url}
    yield from sorted(name for name in found if (settings.STATIC_ROOT / name).is_file())


def content() -> dict[str, Any]:
    lookup = import_module(settings.SCOREPAD_ARCHIVE)
    variants = {game: lookup.variants_of_game(game) for game in engine.GAMES}
    declared = declarations.offered()
    books = {game.book for game in (*engine.GAMES.values(), *declared)}
    return {
        "version": engine.__version__,
        "static": static_names(),
        "games": {game: [one["slug"] for one in found] for game, found in variants.items()},
        "variants": {one["slug"]: one for found in variants.values() for one in found},
        "briefs": {game: lookup.brief_of_game(game) for game in engine.GAMES},
        "declared": [game.declaration for game in declared],
        "passages": {
            f"{book}/{anchor}": {
                "html": lookup.passage_html(book, anchor),
                "page": lookup.passage_page(book, anchor),
            }
            for book, anchor in lookup.passage_names(books)
        },
        "zone": _zone(settings.TIME_ZONE),
    }


def _zone(name: str) -> dict[str, str]:
    """The file of the site's time zone, which a browser has not."""
    for folder in zoneinfo.TZPATH:
        if (Path(folder) / name).is_file():
            data = (Path(folder) / name).read_bytes()
            return {"name": name, "data": base64.b64encode(data).decode()}
    return {"name": "UTC", "data": ""}


def as_json(found: dict[str, Any]) -> str:
    return json.dumps(found, sort_keys=True, separators=(",", ":"), default=str)
