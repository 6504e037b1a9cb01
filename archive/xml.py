"""XML: elements made with their children in one call, and written as a document."""

from __future__ import annotations

import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

# XML has no way at all to write these.
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Elements that stand on lines of their own; inside text every space counts, so nothing else is indented.
ON_A_LINE = {
    *("teiHeader", "fileDesc", "encodingDesc", "profileDesc", "revisionDesc", "facsimile", "surface", "zone"),
    *("text", "front", "body", "back", "div", "head", "p", "ab", "list", "item", "table", "row", "figure"),
    *("note", "pb", "fw", "entry"),
}

Part = Element | str


def element(name: str, /, *parts: Part, **attributes: str) -> Element:
    """Attributes without a value are left out."""
    made = Element(name, {key: clean(value) for key, value in attributes.items() if value})
    add(made, *parts)
    return made


def add(parent: Element, *parts: Part) -> None:
    for part in parts:
        if isinstance(part, str):
            _add_text(parent, clean(part))
        else:
            if part.tag in ON_A_LINE:
                _add_text(parent, "\n")
            parent.append(part)


def _add_text(parent: Element, text: str) -> None:
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def clean(text: str) -> str:
    return UNWRITABLE.sub("\ufffd", text)


def as_xml(root: Element) -> bytes:
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()
