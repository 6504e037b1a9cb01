"""Our notes behind the text, each pointing at its passage; their Markdown as TEI."""

from __future__ import annotations

from urllib.parse import urljoin
from xml.etree.ElementTree import Element

from markdown_it.token import Token

from archive.models import Book, Note
from archive.reader.markdown import READER
from archive.xml import add, element

ELEMENTS = {
    "paragraph": ("p", {}),
    "heading": ("p", {"rend": "bold"}),
    "bullet_list": ("list", {}),
    "ordered_list": ("list", {"rend": "numbered"}),
    "list_item": ("item", {}),
    "blockquote": ("quote", {}),
    "table": ("table", {}),
    "tr": ("row", {}),
    "th": ("cell", {"role": "label"}),
    "td": ("cell", {}),
    "em": ("emph", {}),
    "strong": ("hi", {"rend": "bold"}),
    "link": ("ref", {}),
}
BREAKS = {"softbreak": "\n", "hardbreak": "\n"}


def back(book: Book, origin: str) -> Element | None:
    notes = list(book.notes.all())
    if not notes:
        return None
    anchors = {passage.pk: passage.anchor for passage in book.passages.all()}
    address = f"{origin}/books/{book.slug}/"
    shown = [_note(book, note, anchors.get(note.passage_id or 0, ""), address) for note in notes]
    head = element("head", "Notes by the editors")
    parts = [
        element("div", head, *shown, **{"type": "notes", "xml:lang": "en"}),
        *_bibliography(book, origin),
    ]
    return element("back", *parts)


def _bibliography(book: Book, origin: str) -> list[Element]:
    """The sources that the notes cite; whether we have looked each up stands in its status."""
    if not book.sources:
        return []
    listed = element("listBibl", *(_source(source, origin) for source in book.sources))
    head = element("head", "Sources")
    return [element("div", head, listed, **{"type": "bibliography", "xml:lang": "en"})]


def _source(source: dict[str, str], origin: str) -> Element:
    named = {"author": "author", "title": "title", "publisher": "publisher", "date": "date"}
    parts = [element(tag, source[key]) for key, tag in named.items() if source[key]]
    if source["address"]:
        parts.append(element("ref", source["address"], target=urljoin(origin, source["address"])))
    parts.append(element("note", source["remark"] or source["state"], type=source["state"]))
    return element("bibl", *parts, **{"xml:id": f"source.{source['key']}"})


def _note(book: Book, note: Note, anchor: str, address: str) -> Element:
    made = element(
        "note",
        element("label", note.title),
        **{"xml:id": f"note.{note.slug}", "n": str(note.number), "type": note.kind, "resp": "#editors"},
        subtype=note.authority,
        cert=certainty(note.certainty),
        target=f"#{xml_name(anchor)}" if anchor else f"#book.{book.slug}",
    )
    if note.quote:
        add(made, element("p", element("quote", note.quote, **{"xml:lang": book.language})))
    add(made, *from_markdown(note.body, address))
    if note.sources:
        cited = [element("ref", key, target=f"#source.{key}") for key in note.sources]
        add(made, element("p", "Sources: ", *_with_spaces(cited), ".", rend="sources"))
    if note.readings:
        ways = element("list", type="gloss", subtype="readings")
        for way in note.readings:
            add(ways, element("label", way["title"]), element("item", way["text"], n=way["value"]))
        add(made, ways)
    return made


def _with_spaces(parts: list[Element]) -> list[Element | str]:
    return [piece for part in parts for piece in (", ", part)][1:]


def certainty(word: str) -> str:
    """Our word for a degree of certainty, in one of TEI's four."""
    return {"certain": "high"}.get(word, word)


def xml_name(anchor: str) -> str:
    """An anchor as an XML name; those may not begin with a figure or a hyphen."""
    return anchor if anchor[:1].isalpha() else f"at.{anchor}"


def from_markdown(text: str, address: str) -> list[Element]:
    root = Element("div")
    _grow(root, READER.parse(text), address)
    return list(root)


def _grow(root: Element, tokens: list[Token], address: str) -> None:
    open_elements = [root]
    for token in tokens:
        name, _, edge = token.type.rpartition("_")
        if token.type == "inline":
            _grow(open_elements[-1], token.children or [], address)
        elif edge == "open" and name in ELEMENTS and not token.hidden:
            tag, attributes = ELEMENTS[name]
            target = {"target": urljoin(address, str(token.attrs["href"]))} if name == "link" else {}
            made = element(tag, **attributes, **target)
            add(open_elements[-1], made)
            open_elements.append(made)
        elif edge == "close" and name in ELEMENTS and not token.hidden:
            open_elements.pop()
        elif token.type in BREAKS:
            add(open_elements[-1], BREAKS[token.type])
        elif token.type == "code_inline":
            add(open_elements[-1], element("code", token.content))
        elif token.type in ("fence", "code_block"):
            add(open_elements[-1], element("ab", token.content))
        elif token.content:
            add(open_elements[-1], token.content)
