"""Ways to open a rulebook's page images in a viewer: manifests, and the states that viewers read."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from urllib.parse import quote

from archive.models import Book

CONTENT_STATE = "http://iiif.io/api/presentation/3/context.json"


@dataclass(frozen=True)
class OpenWay:
    """One way to open: a name, what to do with the words, and the words to copy."""

    key: str
    name: str
    advice: str
    words: str


def content_state(manifest: str, canvas: str) -> str:
    """A canvas of a manifest as IIIF Content State 1.0 encodes it for an address."""
    state = {
        "@context": CONTENT_STATE,
        "id": f"{canvas}#state",
        "type": "Annotation",
        "motivation": ["contentState"],
        "target": {"id": canvas, "type": "Canvas", "partOf": [{"id": manifest, "type": "Manifest"}]},
    }
    # Encoded as an address first, so that any letter survives, as the specification wants it.
    plain = quote(json.dumps(state, separators=(",", ":")), safe="!~*'()-_.")
    return base64.urlsafe_b64encode(plain.encode()).decode().rstrip("=")


def ways_to_open(book: Book, origin: str, leaf: int = 1) -> tuple[OpenWay, ...]:
    """How to open a page of this book elsewhere."""
    manifest = f"{origin}/iiif/3/{book.slug}/manifest.json"
    canvas = f"{origin}/iiif/3/{book.slug}/canvas/{leaf}"
    return (
        OpenWay("manifest", "Manifest", "Paste it into any IIIF viewer.", manifest),
        OpenWay(
            "state",
            "Mirador and others",
            "Put it behind the viewer’s address: it opens this page.",
            f"?iiif-content={content_state(manifest, canvas)}",
        ),
        OpenWay(
            "viewer",
            "Universal Viewer",
            "Put it behind the viewer’s address: it opens this page.",
            f"#?manifest={quote(manifest, safe='')}&cv={leaf - 1}",
        ),
        OpenWay(
            "older",
            "Older viewers",
            "The manifest by IIIF Presentation 2.",
            f"{origin}/iiif/2/{book.slug}/manifest.json",
        ),
    )
