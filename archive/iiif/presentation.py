"""IIIF Presentation 3: all books as a collection, a book as a manifest, a leaf as a canvas. Plain dicts.

A canvas has the size of its leaf's best image in pixels. Text lines and notes are pages of their own, named
here and built in line_boxes and note_annotations: a manifest stays small however much is said about a book.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from archive.images.tiles import PAGE_WIDTHS, sizes_of
from archive.models import Book, Leaf, Note, PageImage
from archive.reader.downloads import TYPESET_WORDS
from archive.responses import JsonObject
from archive.site import site

PRESENTATION = "http://iiif.io/api/presentation/3/context.json"
SEARCH_1 = "http://iiif.io/api/search/1/context.json"
SEARCH_2 = "http://iiif.io/api/search/2/context.json"
THUMBNAIL_WIDTH = PAGE_WIDTHS[0]
COLLECTION = "/iiif/3/collection.json"
NO_SUCH_BOOK = "There is no rulebook of this name. The collection lists them all."
NO_PAGES = "We have no page of this rulebook, so there is nothing to show. See its rights statement."


def language_map(*values: str, language: str = "en") -> dict[str, list[str]]:
    """A language map. Viewers show each value as a paragraph of its own."""
    return {language: list(values)}


def manifest_address(origin: str, slug: str) -> str:
    return f"{origin}/iiif/3/{slug}/manifest.json"


def canvas_address(origin: str, slug: str, leaf: int) -> str:
    return f"{origin}/iiif/3/{slug}/canvas/{leaf}"


def collection(books: Iterable[Book], origin: str) -> JsonObject:
    return {
        "@context": PRESENTATION,
        "id": f"{origin}{COLLECTION}",
        "type": "Collection",
        "label": language_map("Rummy rulebooks"),
        "summary": language_map("Rulebooks of rummy games, page by page, with transcription and notes."),
        "requiredStatement": {"label": language_map("Edited by"), "value": language_map(_statement())},
        "provider": [provider(origin)],
        "homepage": [web_page(f"{origin}/", f"{site().name}: the rulebooks")],
        "seeAlso": [
            link(f"{origin}/iiif/changes/activity.json", "Dataset", "application/json", "Change Discovery"),
            link(f"{origin}/oai?verb=Identify", "Dataset", "text/xml", "OAI-PMH"),
            link(f"{origin}/changes.atom", "Dataset", "application/atom+xml", "Changes as an Atom feed"),
        ],
        "items": [_listed(book, origin) for book in books],
    }


def _listed(book: Book, origin: str) -> JsonObject:
    first = next((image for leaf in book.leaves.all() if (image := leaf.image)), None)
    listed: JsonObject = {
        "id": manifest_address(origin, book.slug),
        "type": "Manifest",
        "label": language_map(_label(book)),
        "summary": language_map(book.blurb),
    }
    if first:
        listed["thumbnail"] = [thumbnail(first, origin)]
    return listed | _dated(book)


def manifest(book: Book, origin: str, checked: Mapping[int, str]) -> JsonObject:
    """A book with its leaves, passages and notes at hand. Leaves without an image have no canvas.
    `checked` says of each leaf, by its number, how far its text is."""
    leaves = [(leaf, image) for leaf in book.leaves.all() if (image := leaf.image)]
    address = manifest_address(origin, book.slug)
    typeset = any(image.is_facsimile for _, image in leaves)
    statement = f"Edited by {_statement()}" + (f" {TYPESET_WORDS}" if typeset else "")
    document: JsonObject = {
        "@context": [SEARCH_2, PRESENTATION],
        "id": address,
        "type": "Manifest",
        "label": language_map(_label(book)),
        "summary": language_map(book.blurb),
        "metadata": metadata(book, typeset),
        "rights": book.rights_address,
        "requiredStatement": {"label": language_map("Edition"), "value": language_map(statement)},
        "provider": [provider(origin)],
        "homepage": [web_page(f"{origin}/books/{book.slug}/", f"{book.short_title} at {site().name}")],
        "seeAlso": see_also(book, origin),
        "rendering": [
            link(f"{origin}/books/{book.slug}/text.txt", "Text", "text/plain", "Reading text"),
            link(f"{origin}/books/{book.slug}/text.txt?layer=printed", "Text", "text/plain", "Source text"),
        ],
        "thumbnail": [thumbnail(image, origin) for _, image in leaves[:1]],
        "behavior": ["individuals"],
        "partOf": [{"id": f"{origin}{COLLECTION}", "type": "Collection"}],
        "service": search_services(book.slug, origin),
        "items": [canvas(book, leaf, image, origin, checked[leaf.number]) for leaf, image in leaves],
        "structures": [contents(book, {leaf.number for leaf, _ in leaves}, origin)],
    } | _dated(book)
    if whole_notes(book):
        document["annotations"] = [
            external_page(f"{origin}/iiif/3/{book.slug}/notes.json", "Notes on the whole rulebook")
        ]
    return document


def whole_notes(book: Book) -> list[Note]:
    """Notes that stand on no leaf: on the book as a whole, or on something laid on the copy."""
    elsewhere = {passage.pk for passage in book.passages.all() if not passage.leaves}
    unplaced = [note for note in book.notes.all() if not note.region]
    return [note for note in unplaced if note.passage_id is None or note.passage_id in elsewhere]


def _label(book: Book) -> str:
    return f"{book.short_title}, {book.year}" if book.year else book.short_title


def _dated(book: Book) -> JsonObject:
    return {"navDate": f"{book.year}-01-01T00:00:00Z"} if book.year else {}


def metadata(book: Book, typeset: bool) -> list[JsonObject]:
    rows = [
        ("Title", book.title),
        ("Maker", book.maker),
        ("Place", book.place),
        ("Year", book.date or str(book.year or "")),
        ("Copyright line", book.copyright),
        ("Players", book.players),
        ("Pieces", book.pieces),
        ("Provenance", book.provenance),
        ("Holding", book.holding),
        ("Rights", f"{book.rights_label}. {book.rights_reasons}"),
        ("Page images", TYPESET_WORDS if typeset else ""),
    ]
    shown = [(label, " ".join(value.split())) for label, value in rows]
    pairs = [{"label": language_map(label), "value": language_map(value)} for label, value in shown if value]
    if book.subjects:
        terms = [subject["term"] for subject in book.subjects]
        pairs.append({"label": language_map("Subjects"), "value": language_map(*terms)})
    if book.unknown:
        pairs.append({"label": language_map("What we do not know"), "value": language_map(*book.unknown)})
    return pairs


def _statement() -> str:
    """Who edits, and under what licence, in two sentences."""
    here = site()
    by = ", ".join(part for part in (here.editors_line, here.publisher) if part)
    return f"{by}. {here.licence_sentence}"


def provider(origin: str) -> JsonObject:
    """The archive, with its institution and whom to ask where these are set."""
    here = site()
    label = [here.name, *([here.institution] if here.institution else [])]
    homepage = [web_page(f"{origin}/", here.name)]
    if here.contact and "@" not in here.contact:
        homepage.append(web_page(here.contact, "Contact"))
    told: JsonObject = {"id": f"{origin}/about/", "type": "Agent", "label": language_map(*label)}
    return told | {"homepage": homepage}


def web_page(address: str, label: str) -> JsonObject:
    return link(address, "Text", "text/html", label)


def link(address: str, kind: str, format: str, label: str, **more: str) -> JsonObject:
    return {"id": address, "type": kind, "format": format, "label": language_map(label)} | more


def see_also(book: Book, origin: str) -> list[JsonObject]:
    folder = f"{origin}/books/{book.slug}"
    tei = "http://www.tei-c.org/ns/1.0"
    return [
        link(f"{folder}/tei.xml", "Dataset", "application/tei+xml", "TEI P5", profile=tei),
        link(f"{folder}/book.json", "Dataset", "application/json", "Text, notes and variants as JSON"),
        link(f"{folder}/text.txt", "Text", "text/plain", "Reading text"),
    ]


def search_services(slug: str, origin: str) -> list[JsonObject]:
    """Both versions: some viewers ask only the first, others only the second."""
    return [
        {
            "@context": SEARCH_1,
            "@id": f"{origin}/iiif/search/1/{slug}",
            "@type": "SearchService1",
            "profile": "http://iiif.io/api/search/1/search",
        },
        {"id": f"{origin}/iiif/search/2/{slug}", "type": "SearchService2"},
    ]


def image_service(image: PageImage, origin: str) -> JsonObject:
    address = f"{origin}/iiif/image/3/{image.identifier}"
    return {"id": address, "type": "ImageService3", "profile": "level2"}


def thumbnail(image: PageImage, origin: str) -> JsonObject:
    service = image_service(image, origin)
    sizes = sizes_of(image.width, image.height)
    size = next((size for size in sizes if size.width == THUMBNAIL_WIDTH), sizes[-1])
    return {
        "id": f"{service['id']}/full/{size.width},{size.height}/0/default.jpg",
        "type": "Image",
        "format": "image/jpeg",
        "width": size.width,
        "height": size.height,
        "service": [service],
    }


def canvas(book: Book, leaf: Leaf, image: PageImage, origin: str, checked: str) -> JsonObject:
    address = canvas_address(origin, book.slug, leaf.number)
    service = image_service(image, origin)
    shown: JsonObject = {
        "id": address,
        "type": "Canvas",
        "label": language_map(f"{leaf.number}. {leaf.title}"),
        "width": image.width,
        "height": image.height,
        "thumbnail": [thumbnail(image, origin)],
        "homepage": [
            web_page(f"{origin}/books/{book.slug}/{leaf.number}/", "This page with its text and notes")
        ],
        "metadata": list(_leaf_metadata(leaf, image, checked)),
        **_credits(image),
        "seeAlso": [
            {
                "id": f"{address}/alto.xml",
                "type": "Dataset",
                "label": language_map("ALTO 4"),
                "format": "application/xml",
                "profile": "http://www.loc.gov/standards/alto/ns-v4#",
            }
        ],
        "items": [
            {
                "id": f"{address}/painting",
                "type": "AnnotationPage",
                "items": [
                    {
                        "id": f"{address}/painting/1",
                        "type": "Annotation",
                        "motivation": "painting",
                        "body": {
                            "id": f"{service['id']}/full/max/0/default.jpg",
                            "type": "Image",
                            "format": "image/jpeg",
                            "width": image.width,
                            "height": image.height,
                            "service": [service],
                        },
                        "target": address,
                    }
                ],
            }
        ],
        "annotations": [
            external_page(f"{address}/notes.json", "Notes"),
            external_page(f"{address}/lines.json", "Source text"),
        ],
    }
    return shown


def _leaf_metadata(leaf: Leaf, image: PageImage, checked: str) -> Iterator[JsonObject]:
    if leaf.label:
        yield {"label": language_map("Printed on it"), "value": language_map(leaf.label)}
    yield {
        "label": language_map("Page break"),
        "value": language_map(leaf.break_certainty),
    }
    yield {"label": language_map("Status of the text"), "value": language_map(checked)}
    if image.is_facsimile:
        yield {"label": language_map("Page image"), "value": language_map(TYPESET_WORDS)}
    for label, words in image.credit_lines:
        yield {"label": language_map(label), "value": language_map(words)}


def _credits(image: PageImage) -> JsonObject:
    """What viewers must show with a scan, and its own rights, where they are known."""
    by = [f"{label} {words}" for label, words in image.credit_lines if label in ("Image by", "Held by")]
    told: JsonObject = {"rights": image.credits["rights"]} if image.credits.get("rights") else {}
    if by:
        value = language_map("; ".join(by))
        told["requiredStatement"] = {"label": language_map("Attribution"), "value": value}
    return told


def external_page(address: str, label: str) -> JsonObject:
    """An annotation page that is fetched when it is wanted."""
    return {"id": address, "type": "AnnotationPage", "label": language_map(label)}


def contents(book: Book, shown: set[int], origin: str) -> JsonObject:
    """The sections, each with the leaves its passages stand on."""
    address = f"{origin}/iiif/3/{book.slug}/range"
    leaves: dict[str, list[int]] = {section["title"]: [] for section in book.sections}
    for passage in book.passages.all():
        found = leaves.get(passage.section)
        if found is not None:
            found += [leaf for leaf in passage.leaves if leaf in shown and leaf not in found]
    ranges = [
        {
            "id": f"{address}/{section['anchor']}",
            "type": "Range",
            "label": language_map(section["title"]),
            "items": [
                {"id": canvas_address(origin, book.slug, leaf), "type": "Canvas"}
                for leaf in sorted(leaves[section["title"]])
            ],
        }
        for section in book.sections
        if leaves[section["title"]]
    ]
    return {"id": f"{address}/contents", "type": "Range", "label": language_map("Contents"), "items": ranges}
