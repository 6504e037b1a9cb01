"""A manifest of another institution, Presentation 2 or 3: its pages, their images, rights and attribution.

Nothing in it is believed: every word is cut to size and freed of markup, every list has an end, and an
address is only fetched by `client`, which judges it.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import nh3

from archive.iiif_source.client import ADDRESS_LENGTH_MOST
from archive.iiif_source.errors import SourceError
from archive.rights_statements import known_rights
from archive.text_input import clean_line

PAGES_MOST = 2_000
METADATA_MOST = 40
WORDS_MOST = 500
LABEL_MOST = 120
SIDE_ASKED = 4_000
"""The longer side of a page that is asked for where its full size is more than we take."""
NOT_ONE = "This address leads to no manifest of IIIF Presentation 2 or 3."

Object = dict[str, Any]


@dataclass(frozen=True)
class ManifestPage:
    """A page as the manifest has it. `images` are addresses of its image, the best first."""

    number: int
    label: str
    canvas: str
    images: tuple[str, ...]


@dataclass(frozen=True)
class Manifest:
    """What a manifest says, as far as it is brought over. `rights` is a statement that we know, or empty."""

    address: str
    label: str
    attribution: str
    holder: str
    rights: str
    metadata: tuple[tuple[str, str], ...]
    pages: tuple[ManifestPage, ...]

    @property
    def credits(self) -> dict[str, str]:
        """What is said with each of its images."""
        told = {
            "credit": self.attribution,
            "holder": self.holder,
            "rights": self.rights,
            "source": self.address,
        }
        return {name: words for name, words in told.items() if words}


def read_manifest(content: bytes, address: str) -> Manifest:
    """The manifest in this file; SourceError if it is none."""
    try:
        read = json.loads(content)
        found = _manifest(read, address)
    except (ValueError, RecursionError, TypeError, KeyError, AttributeError):
        raise SourceError(NOT_ONE) from None
    if not found.pages:
        raise SourceError("This manifest has no page with an image.")
    return found


def _manifest(read: Object, address: str) -> Manifest:
    kind = read.get("type") or read.get("@type")
    if kind in ("Collection", "sc:Collection"):
        raise SourceError("This is a collection of manifests. Give the address of one of them.")
    if kind == "Manifest":
        pages, shown = _pages_of_3(read), read.get("requiredStatement")
        attribution = _words(shown.get("value")) if isinstance(shown, dict) else ""
        holder, rights = _words(_first(read.get("provider")).get("label")), read.get("rights")
    elif kind == "sc:Manifest":
        pages, attribution = _pages_of_2(read), _words(read.get("attribution"))
        holder, rights = "", read.get("license")
        rights = rights[0] if isinstance(rights, list) and rights else rights
    else:
        raise SourceError(NOT_ONE)
    rights = rights[:ADDRESS_LENGTH_MOST] if isinstance(rights, str) else ""
    statement = known_rights(rights)
    if rights and not statement:
        # Rights that we have no name for are still told, in the words that stand with the image.
        attribution = " · ".join(part for part in (attribution, _plain(rights)) if part)
    return Manifest(
        address,
        _words(read.get("label"))[:LABEL_MOST] or "Without a title",
        attribution[:200],
        holder[:200],
        statement,
        tuple(_metadata(read.get("metadata"))),
        tuple(pages),
    )


def _metadata(read: Any) -> Iterator[tuple[str, str]]:
    for pair in read[:METADATA_MOST] if isinstance(read, list) else ():
        if isinstance(pair, dict):
            label, value = _words(pair.get("label"))[:LABEL_MOST], _words(pair.get("value"))
            if label and value:
                yield label, value


def _pages_of_3(read: Object) -> Iterator[ManifestPage]:
    for number, canvas in enumerate(_canvases(read.get("items")), 1):
        body = _first(_first(_first(canvas.get("items")).get("items")).get("body"))
        if body.get("type") == "Choice":
            body = _first(body.get("items"))
        yield from _page(number, canvas, body)


def _pages_of_2(read: Object) -> Iterator[ManifestPage]:
    for number, canvas in enumerate(_canvases(_first(read.get("sequences")).get("canvases")), 1):
        body = _first(_first(canvas.get("images")).get("resource"))
        if body.get("@type") == "oa:Choice":
            body = _first(body.get("default"))
        yield from _page(number, canvas, body)


def _canvases(read: Any) -> list[Object]:
    canvases = [one for one in read if isinstance(one, dict)] if isinstance(read, list) else []
    if len(canvases) > PAGES_MOST:
        raise SourceError(f"This manifest has too many pages: more than {PAGES_MOST:,}.")
    return canvases


def _page(number: int, canvas: Object, body: Object) -> Iterator[ManifestPage]:
    images = tuple(_images(body))
    if images:
        label = _words(canvas.get("label"))[:LABEL_MOST]
        yield ManifestPage(number, label or str(number), _id(canvas), images)


def _images(body: Object) -> Iterator[str]:
    """From the image's own service in full size, then in one that we take; else the image as it is named."""
    service = _first(body.get("service"))
    base = _id(service).rstrip("/")
    if base:
        kind = " ".join(str(service.get(name, "")) for name in ("@context", "type", "@type", "profile"))
        is_third = "image/3" in kind or "ImageService3" in kind
        quality = "native" if "image-api/1" in kind or "/1.1/" in kind else "default"
        yield f"{base}/full/{'max' if is_third else 'full'}/0/{quality}.jpg"
        yield f"{base}/full/!{SIDE_ASKED},{SIDE_ASKED}/0/{quality}.jpg"
    if named := _id(body):
        yield named


def _id(read: Object) -> str:
    """The address of something; none if it is too long, or has signs that databases refuse."""
    found = read.get("id") or read.get("@id")
    if isinstance(found, str) and len(found) <= ADDRESS_LENGTH_MOST and found.isprintable():
        return found
    return ""


def _first(read: Any) -> Object:
    """The first object of a list, or the object itself; an empty one if there is none."""
    if isinstance(read, list):
        read = read[0] if read else {}
    return read if isinstance(read, dict) else {}


def _words(read: Any) -> str:
    """The words of a value: English ones if they come in several languages, otherwise the first."""
    if isinstance(read, dict):
        if "@value" in read:
            return _words(read["@value"])
        chosen = next((read[key] for key in ("en", "none") if key in read), None)
        return _words(chosen if chosen is not None else next(iter(read.values()), ""))
    if isinstance(read, list):
        in_english = [one for one in read if isinstance(one, dict) and one.get("@language") == "en"]
        if any(isinstance(one, dict) for one in read):
            return _words((in_english or read)[0])
        return "; ".join(_plain(one) for one in read[:10] if isinstance(one, str))[:WORDS_MOST]
    return _plain(read) if isinstance(read, str) else ""


def _plain(written: str) -> str:
    """Words without markup. It is taken out twice: what was hidden as words may be markup itself."""
    bare = written[: 4 * WORDS_MOST]
    for _ in range(2):
        bare = html.unescape(nh3.clean(bare, tags=set()))
    return clean_line(bare)[:WORDS_MOST]
