"""The content of the kit: what this site knows now and a pad asks for, and the files its pages load."""

import base64
import json
import re
import zoneinfo
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from posixpath import normpath
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage

import engine
from engine.declared import declaration_of, statements
from scorepad import declarations
from scorepad.result_pictures import typefaces
from scorepad.result_pictures.result_svg import LOOKS

LOADED = re.compile(
    r"css/(base|lab|phone|pad[\w-]*)\.css|js/(pad|phone)/(?!router)[\w-]+\.js|js/(theme|strip)\.js|icons/.+"
)
"""Static files that pages of pads load."""
CLIPS_BYTES_MOST = 3_000_000
"""As base64, which is a third more than what is sent."""
LETTERS = "".join(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x100)))) + "–—‘’“”…−ŒœŁłŠšŽž"
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
    declared = _declared()
    variants = {game: lookup.variants_of_game(game) for game in engine.GAMES}
    return {
        "version": engine.__version__,
        "static": static_names(),
        "games": {game: [one["slug"] for one in found] for game, found in variants.items()},
        "variants": {one["slug"]: one for found in variants.values() for one in found},
        "briefs": {game: lookup.brief_of_game(game) for game in engine.GAMES},
        "declared": declared,
        "passages": {
            f"{book}/{anchor}": {
                "html": lookup.passage_html(book, anchor),
                "page": lookup.passage_page(book, anchor),
            }
            for book, anchor in _passage_names(lookup, declared)
        },
        "typefaces": _typefaces(),
        "zone": _zone(settings.TIME_ZONE),
    }


def clips() -> dict[str, str]:
    """The places of those passages on their pages, with the pictures inside: as many as there is room for."""
    lookup = import_module(settings.SCOREPAD_ARCHIVE)
    found, room = {}, CLIPS_BYTES_MOST
    for book, anchor in _passage_names(lookup, _declared()):
        shown = lookup.passage_clips(book, anchor)
        if shown and len(shown) <= room:
            found[f"{book}/{anchor}"] = shown
            room -= len(shown)
    return found


def _declared() -> list[str]:
    return [game.declaration for game in declarations.offered() if game.declaration]


def _passage_names(lookup: Any, declared: Iterable[str]) -> list[tuple[str, str]]:
    """Book and anchor of every passage in the kit."""
    books = {game.book for game in engine.GAMES.values()}
    return sorted({*lookup.passage_names(books), *_cited(declared)})


def _cited(declared: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Book and anchor of every passage that these declarations cite; of their books no more is in the kit."""
    for text in declared:
        declaration = declaration_of(text)
        for statement in statements(declaration):
            yield from ((cite.book, cite.anchor) for cite in statement.cites)


def _typefaces() -> dict[str, Any]:
    """The faces of a result's picture: the file of each, and the widths of its letters in thousandths."""
    return {
        face: {
            "file": f"fonts/{typefaces.CHAINS[face][0].replace('files/', '')}",
            "widths": {letter: round(typefaces.width(face, 1000, letter)) for letter in LETTERS},
        }
        for face in LOOKS
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
