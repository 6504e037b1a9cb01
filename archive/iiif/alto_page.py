"""A page with its words as ALTO 4: rows of type as text lines, each word with its place in pixels."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from archive import SITE_NAME
from archive.images.boxes import Box, Word, bounding_box, text_rows, word_box
from archive.models import Book, Leaf, PageImage
from archive.reader.downloads import LAYERS, TYPESET_WORDS
from archive.xml import as_xml, element

NAMESPACE = "http://www.loc.gov/standards/alto/ns-v4#"
XSI = "http://www.w3.org/2001/XMLSchema-instance"
SCHEMA = "http://www.loc.gov/standards/alto/v4/alto-4-4.xsd"


def as_alto(book: Book, leaf: Leaf, image: PageImage, origin: str) -> bytes:
    rows = text_rows(image.words)
    page = element(
        "Page",
        element("PrintSpace", *([_block(rows, book)] if rows else []), **_whole(image)),
        ID=f"page.{leaf.number}",
        PHYSICAL_IMG_NR=str(leaf.number),
        WIDTH=str(image.width),
        HEIGHT=str(image.height),
    )
    document = element(
        "alto",
        _description(leaf, image, origin),
        element("Layout", page),
        **{"xmlns": NAMESPACE, "xmlns:xsi": XSI, "xsi:schemaLocation": f"{NAMESPACE} {SCHEMA}"},
    )
    return as_xml(document)


def _description(leaf: Leaf, image: PageImage, origin: str) -> Element:
    said = f"{TYPESET_WORDS} " if image.is_facsimile else ""
    step = element("processingStepDescription", f"{said}{LAYERS[image.layer]}")
    software = element("processingSoftware", element("softwareName", SITE_NAME))
    return element(
        "Description",
        element("MeasurementUnit", "pixel"),
        element(
            "sourceImageInformation",
            element("fileName", f"{origin}/iiif/image/3/{image.identifier}/full/max/0/default.jpg"),
        ),
        element("Processing", step, software, ID=f"made.{leaf.number}"),
    )


def _block(rows: list[list[Word]], book: Book) -> Element:
    lines = [_line(number, row) for number, row in enumerate(rows, 1)]
    around = bounding_box(word_box(word) for row in rows for word in row)
    return element("TextBlock", *lines, ID="text", LANG=book.language, **_place(around))


def _line(number: int, row: list[Word]) -> Element:
    parts: list[Element] = []
    for place, word in enumerate(row, 1):
        parts += [element("SP")] if parts else []
        parts.append(
            element("String", ID=f"word.{number}.{place}", CONTENT=word["text"], **_place(word_box(word)))
        )
    return element("TextLine", *parts, ID=f"line.{number}", **_place(bounding_box(map(word_box, row))))


def _place(box: Box) -> dict[str, str]:
    return {"HPOS": str(box.x), "VPOS": str(box.y), "WIDTH": str(box.w), "HEIGHT": str(box.h)}


def _whole(image: PageImage) -> dict[str, str]:
    return _place(Box(0, 0, image.width, image.height))
