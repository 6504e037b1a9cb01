"""The EPUB 3 of a rulebook: reading text, source text, notes, and what is said about the edition.

A zip with fixed times and a fixed order, so that a revision always gives the same bytes.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Sequence
from datetime import UTC

from django.utils.html import escape

from archive.offprints.content import Offprint, Paragraph, Piece, PrintedNote, PrintedPage
from archive.site import site

XHTML = "application/xhtml+xml"
FIRST_DAY = (1980, 1, 1, 0, 0, 0)
CONTAINER = """<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="book/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""
STYLE = """body { line-height: 1.45; margin: 0 4%; }
h1 { font-size: 1.5em; } h2 { font-size: 1.25em; } h3 { font-size: 1.05em; }
.centred { text-align: center; }
.small { font-size: 0.85em; }
.title { font-size: 1.25em; font-weight: bold; }
table { border-collapse: collapse; }
td, th { border: 1px solid; padding: 0.15em 0.4em; font-weight: normal; }
.label { font-size: 0.8em; font-style: italic; }
a.ref { font-size: 0.75em; vertical-align: super; line-height: 0; }
"""
CENTRED = {"title", "display", "centre", "heading", "lead", "imprint", "ornament", "picture", "running-head"}
HEADINGS = {"heading", "lead"}
SUMMARY = (
    "Text alone, in reading order, with headings, a table of contents and the pages of the printed rulebook. "
    "Notes are linked in both ways. No images, sound or motion."
)
ACCESSIBILITY = (
    ("schema:accessMode", "textual"),
    ("schema:accessModeSufficient", "textual"),
    ("schema:accessibilityFeature", "tableOfContents"),
    ("schema:accessibilityFeature", "structuralNavigation"),
    ("schema:accessibilityFeature", "readingOrder"),
    ("schema:accessibilityFeature", "displayTransformability"),
    ("schema:accessibilityHazard", "none"),
    ("schema:accessibilitySummary", SUMMARY),
)


def as_epub(shown: Offprint) -> bytes:
    chapters = {"title": _title_page(shown), "reading": _text(shown, "reading")}
    if not shown.is_ours:
        chapters["source"] = _text(shown, "source")
    if shown.notes or shown.loose_notes:
        chapters["notes"] = _notes(shown)
    chapters["about"] = _about(shown)
    files = {
        "META-INF/container.xml": CONTAINER,
        "book/package.opf": _package(shown, chapters),
        "book/nav.xhtml": _navigation(shown, chapters),
        "book/style.css": STYLE,
        **{f"book/{name}.xhtml": words for name, words in chapters.items()},
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as epub:
        # The first file says what it is, and stands in plain letters.
        _add(epub, "mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        for name, words in files.items():
            _add(epub, name, words, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _add(epub: zipfile.ZipFile, name: str, words: str, packing: int) -> None:
    entry = zipfile.ZipInfo(name, FIRST_DAY)
    entry.compress_type, entry.external_attr = packing, 0o644 << 16
    epub.writestr(entry, words.encode(), compresslevel=9 if packing else None)


NAMES = {
    "title": "Title page",
    "reading": "Reading text",
    "source": "Source text",
    "notes": "Notes",
    "about": "About this edition",
}
OURS = "The facts of play in our own words"


def _name(shown: Offprint, chapter: str) -> str:
    return OURS if shown.is_ours and chapter == "reading" else NAMES[chapter]


def _document(shown: Offprint, title: str, body: str, kind: str) -> str:
    language = escape(shown.language)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'
        f' lang="{language}" xml:lang="{language}">\n<head><title>{escape(title)}</title>'
        '<link rel="stylesheet" type="text/css" href="style.css"/></head>\n'
        f'<body epub:type="{kind}">\n{body}\n</body>\n</html>\n'
    )


def _package(shown: Offprint, chapters: Iterable[str]) -> str:
    language = escape(shown.language)
    modified = shown.made.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    rights = next((words for label, words in shown.facts if label == "Rights"), "")
    meta = "\n".join(f'<meta property="{name}">{escape(words)}</meta>' for name, words in ACCESSIBILITY)
    items = "\n".join(f'<item id="{name}" href="{name}.xhtml" media-type="{XHTML}"/>' for name in chapters)
    spine = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    pages = (
        "" if shown.is_ours else f"<dc:source>{escape(shown.title)}. {escape(shown.imprint)}</dc:source>\n"
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="{language}">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:identifier id="id">{escape(shown.revision_address)}</dc:identifier>
<dc:title>{escape(shown.title)}</dc:title>
<dc:language>{language}</dc:language>
<dc:contributor>{escape(site().edited_by)}</dc:contributor>
<dc:description>{escape(shown.citation)}</dc:description>
<dc:rights>{escape(rights)}</dc:rights>
{pages}<meta property="dcterms:modified">{modified}</meta>
{meta}
</metadata>
<manifest>
<item id="nav" href="nav.xhtml" media-type="{XHTML}" properties="nav"/>
<item id="style" href="style.css" media-type="text/css"/>
{items}
</manifest>
<spine>{spine}</spine>
</package>
"""


def _navigation(shown: Offprint, chapters: Iterable[str]) -> str:
    entries = []
    for name in chapters:
        inside = ""
        if name in ("reading", "source") and shown.pages:
            pages = "".join(
                f'<li><a href="{name}.xhtml#{_page_id(page)}">{escape(_page_name(page))}</a></li>'
                for page in shown.pages
            )
            inside = f"<ol>{pages}</ol>"
        entries.append(f'<li><a href="{name}.xhtml">{_name(shown, name)}</a>{inside}</li>')
    body = f'<nav epub:type="toc" id="toc"><h1>Contents</h1><ol>{"".join(entries)}</ol></nav>'
    return _document(shown, "Contents", body, "frontmatter")


def _title_page(shown: Offprint) -> str:
    address = escape(shown.revision_address)
    body = [
        f'<h1 epub:type="fulltitle">{escape(shown.title)}</h1>',
        f"<p>{escape(shown.imprint)}</p>" if shown.imprint else "",
        f"<p>{escape(shown.edited)}, revision {shown.revision} of {shown.revised}<br/>"
        f'<a href="{address}">{address}</a></p>',
        *(f"<p>{escape(sentence)}</p>" for sentence in shown.key),
    ]
    return _document(shown, shown.title, "\n".join(body), "frontmatter")


def _page_id(page: PrintedPage) -> str:
    return f"page-{page.number}"


def _page_name(page: PrintedPage) -> str:
    return f"Page {page.number}. {page.title}" if page.number else page.title


def _text(shown: Offprint, layer: str) -> str:
    name = _name(shown, layer)
    body = [f"<h1>{name}</h1>"]
    for page in shown.pages:
        body.append(f'<section id="{_page_id(page)}"><h2>{escape(_page_name(page))}</h2>')
        if page.doubt:
            body.append(f'<p class="label">{escape(page.doubt)}</p>')
        body += [_paragraph(it, layer) for it in page.paragraphs]
        body.append("</section>")
    return _document(shown, name, "\n".join(piece for piece in body if piece), "bodymatter")


def _paragraph(it: Paragraph, layer: str) -> str:
    is_reading = layer == "reading"
    rows = it.reading_rows if is_reading else it.source_rows
    pieces = it.reading if is_reading else it.source
    is_heading = it.style in HEADINGS and is_reading and bool(pieces)
    own = f"<h3>{escape(it.section)}</h3>\n" if it.section and is_reading and not is_heading else ""
    if rows:
        return own + _table(it, rows)
    if not pieces:
        return own
    classes = " ".join(
        name
        for name, fits in (
            ("centred", it.style in CENTRED),
            ("title", it.style == "title"),
            ("small", it.style in ("imprint", "running-head")),
        )
        if fits
    )
    marked = f' class="{classes}"' if classes else ""
    label = f'<span class="label">{escape(it.label)}:</span> ' if it.label else ""
    tag, sign = "h3" if is_heading else "p", "• " if it.style == "item" else ""
    return f"{own}<{tag}{marked}>{label}{sign}{_pieces(pieces)}</{tag}>"


def _table(it: Paragraph, rows: Sequence[Sequence[Sequence[Piece]]]) -> str:
    columns = max(len(row) for row in rows)
    shown = []
    for at, row in enumerate(rows):
        tag = "th" if at < it.heads else "td"
        span = columns // len(row) if columns % len(row) == 0 else 1
        wide = f' colspan="{span}"' if span > 1 else ""
        shown.append(f"<tr>{''.join(f'<{tag}{wide}>{_pieces(cell)}</{tag}>' for cell in row)}</tr>")
    return f"<table>{''.join(shown)}</table>"


def _pieces(pieces: Iterable[Piece]) -> str:
    tags = {"bold": "b", "italic": "i"}
    out = ""
    for piece in pieces:
        words = f"<sup>{escape(piece.text)}</sup>" if piece.superior else escape(piece.text)
        tag = tags.get(piece.emphasis)
        out += f"<{tag}>{words}</{tag}>" if tag and words else words
        if piece.note:
            out += (
                f'<a class="ref" epub:type="noteref" role="doc-noteref" id="ref-{piece.note}"'
                f' href="notes.xhtml#note-{piece.note}">{piece.note}</a>'
            )
    return out


def _notes(shown: Offprint) -> str:
    body = ["<h1>Notes</h1>", *(_note(note, True) for note in shown.notes)]
    if shown.loose_notes:
        body += ["<h2>Other notes</h2>", *(_note(note, False) for note in shown.loose_notes)]
    return _document(shown, "Notes", "\n".join(body), "backmatter")


def _note(note: PrintedNote, signed: bool) -> str:
    head = f"{note.number}. {escape(note.kind)}: {escape(note.title)}"
    back = (
        f' <a role="doc-backlink" href="reading.xhtml#ref-{note.number}">Back to the text</a>'
        if signed
        else ""
    )
    words = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in note.paragraphs)
    return (
        f'<aside epub:type="footnote" role="doc-footnote" id="note-{note.number}">'
        f"<p><b>{head}</b></p>{words}<p><i>{escape(note.signed)}</i>{back}</p></aside>"
    )


def _about(shown: Offprint) -> str:
    address = escape(shown.revision_address)
    facts = "".join(f"<p><b>{escape(label)}.</b> {escape(words)}</p>" for label, words in shown.facts)
    body = (
        f"<h1>{NAMES['about']}</h1>{facts}<p><b>Cite as.</b> {escape(shown.citation)}</p>"
        f'<p>This revision: <a href="{address}">{address}</a></p>'
    )
    return _document(shown, NAMES["about"], body, "backmatter")
