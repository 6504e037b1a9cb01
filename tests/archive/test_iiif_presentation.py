"""Manifests, annotation pages and the collection, as a viewer would fetch them."""

import json
import re

import pytest

from archive.models import Book, PageImage
from archive.ocr.alto import read_alto
from tests.archive.page_images import HEIGHT, WIDTH, set_pages, take_pages

BOOK = "victory-rummy-1942"
SITE = "http://testserver"
MANIFEST = f"/iiif/3/{BOOK}/manifest.json"
XYWH = re.compile(r"(.+)#xywh=(\d+),(\d+),(\d+),(\d+)")


@pytest.fixture(scope="module")
def paged(loaded, django_db_blocker):
    with django_db_blocker.unblock():
        set_pages(BOOK, "rap-rummy-1926")
        yield
        take_pages()


@pytest.fixture
def pages(paged, db):
    """Two books with pages; what a test does to them is undone."""


@pytest.fixture
def manifest(pages, client):
    return client.get(MANIFEST).json()


def annotations(client, canvas, kind):
    return client.get(f"/iiif/3/{BOOK}/canvas/{canvas}/{kind}.json").json()["items"]


def every(document):
    """Every object of a JSON document."""
    if isinstance(document, dict):
        yield document
        for value in document.values():
            yield from every(value)
    elif isinstance(document, list):
        for value in document:
            yield from every(value)


def test_the_collection_lists_books_with_pages_in_the_order_of_their_years(pages, client):
    collection = client.get("/iiif/3/collection.json").json()
    assert collection["type"] == "Collection"
    assert [item["id"] for item in collection["items"]] == [
        f"{SITE}/iiif/3/rap-rummy-1926/manifest.json",
        f"{SITE}{MANIFEST}",
    ]


def test_a_manifest_has_a_canvas_for_every_leaf_in_the_size_of_its_image(manifest):
    assert manifest["id"] == f"{SITE}{MANIFEST}"
    assert [canvas["id"] for canvas in manifest["items"]] == [
        f"{SITE}/iiif/3/{BOOK}/canvas/{number}" for number in range(1, 7)
    ]
    assert {(canvas["width"], canvas["height"]) for canvas in manifest["items"]} == {(WIDTH, HEIGHT)}


def test_each_canvas_is_painted_by_one_image_with_its_service(manifest):
    for canvas in manifest["items"]:
        (page,) = canvas["items"]
        (painting,) = page["items"]
        (service,) = painting["body"]["service"]
        assert painting["motivation"] == "painting"
        assert painting["target"] == canvas["id"]
        assert service["type"] == "ImageService3"
        assert painting["body"]["id"] == f"{service['id']}/full/max/0/default.jpg"


def test_a_scan_takes_the_place_of_the_facsimile(pages, client):
    leaf = Book.objects.get(slug=BOOK).leaves.get(number=1)
    scan = {"leaf": leaf, "kind": PageImage.SCAN, "identifier": "a-scan", "checksum": "b" * 64}
    PageImage.objects.create(width=3000, height=4000, **scan)
    canvas = client.get(MANIFEST).json()["items"][0]
    assert (canvas["width"], canvas["height"]) == (3000, 4000)
    assert "a-scan" in canvas["items"][0]["items"][0]["body"]["id"]


def test_the_rights_are_an_address_with_http_and_a_closing_slash(manifest):
    assert manifest["rights"] == "http://rightsstatements.org/vocab/NKC/1.0/"


def test_a_canvas_says_how_sure_its_page_is(manifest):
    rows = manifest["items"][4]["metadata"]
    said = {row["label"]["en"][0]: row["value"]["en"][0] for row in rows}
    assert said["Page break"] == "low"


def test_the_metadata_say_what_is_known_and_that_no_scan_is_held(manifest):
    said = {row["label"]["en"][0]: row["value"]["en"][0] for row in manifest["metadata"]}
    assert said["Maker"] == "Victory Game Co."
    assert said["Place"] == "New York City"
    assert said["Year"] == "1942"
    assert said["Copyright line"] == "Copyright 1942 by Miles A. Abelson"
    assert said["Players"] == "2 to 4"
    assert "American Game Collectors Association" in said["Provenance"]
    assert said["Page images"] == "Typeset by Tallyroom from the transcription; not a scan."
    assert said["Page images"] in manifest["requiredStatement"]["value"]["en"][0]


def test_the_other_forms_of_the_book_are_named_and_answer(manifest, client):
    named = [*manifest["seeAlso"], *manifest["rendering"], *manifest["homepage"]]
    assert {file["format"] for file in named} == {
        "application/tei+xml", "application/json", "text/plain", "text/html",
    }  # fmt: skip
    for file in named:
        answer = client.get(file["id"].removeprefix(SITE))
        assert answer.status_code == 200
        assert answer["Content-Type"].startswith(file["format"])


def test_the_sections_are_ranges_over_canvases_of_this_manifest(manifest):
    (contents,) = manifest["structures"]
    canvases = {canvas["id"] for canvas in manifest["items"]}
    assert [section["label"]["en"][0] for section in contents["items"]][:2] == [
        "The scoring signs",
        "The sample score",
    ]
    assert all(item["id"] in canvases for section in contents["items"] for item in section["items"])
    assert len({section["id"] for section in contents["items"]}) == len(contents["items"])


def test_both_versions_of_content_search_are_offered(manifest):
    first, second = manifest["service"]
    assert first["@id"] == f"{SITE}/iiif/search/1/{BOOK}"
    assert first["profile"] == "http://iiif.io/api/search/1/search"
    assert (second["id"], second["type"]) == (f"{SITE}/iiif/search/2/{BOOK}", "SearchService2")


def test_no_annotation_page_is_embedded_and_all_that_are_named_answer(manifest, client):
    pages = [page for canvas in manifest["items"] for page in canvas["annotations"]]
    assert len(pages) == 12
    for page in pages:
        assert "items" not in page
        assert client.get(page["id"].removeprefix(SITE)).json()["id"] == page["id"]


def test_ids_are_used_once(manifest):
    defined = [
        thing["id"] for thing in every(manifest["items"]) if thing.get("type") in ("Canvas", "Annotation")
    ]
    assert len(defined) == len(set(defined)) == 12


def test_lines_supplement_the_canvas_with_their_words_as_printed(pages, client):
    lines = annotations(client, 4, "lines")
    assert {line["motivation"] for line in lines} == {"supplementing"}
    words = " ".join(line["body"]["value"] for line in lines)
    assert "three dots, a cash and a V" in words
    for line in lines:
        canvas, x, y, w, h = XYWH.fullmatch(line["target"]).groups()
        assert canvas == f"{SITE}/iiif/3/{BOOK}/canvas/4"
        assert int(x) + int(w) <= WIDTH and int(y) + int(h) <= HEIGHT


def test_a_note_comments_on_the_words_it_quotes(pages, client):
    notes = annotations(client, 4, "notes")
    assert {note["motivation"] for note in notes} == {"commenting"}
    (dash,) = [note for note in notes if note["id"].endswith("#a-dash")]
    (line,) = [line for line in annotations(client, 4, "lines") if "cash" in line["body"]["value"]]
    inner = [int(part) for part in XYWH.fullmatch(dash["target"]).groups()[1:]]
    outer = [int(part) for part in XYWH.fullmatch(line["target"]).groups()[1:]]
    assert inner[1] == outer[1] and inner[3] == outer[3]
    assert inner[2] == len("cash") * 10 + 12
    assert "Not cash, a dash" in dash["body"]["value"]


def test_every_note_with_a_passage_on_a_leaf_stands_on_some_canvas(pages, client):
    shown = {note["id"].rpartition("#")[2] for n in range(1, 7) for note in annotations(client, n, "notes")}
    book = Book.objects.get(slug=BOOK)
    assert shown == {note.slug for note in book.notes.all() if note.passage and note.passage.leaves}


def test_notes_on_no_leaf_comment_on_the_manifest(pages, client):
    manifest = client.get("/iiif/3/rap-rummy-1926/manifest.json").json()
    (page,) = manifest["annotations"]
    notes = client.get(page["id"].removeprefix(SITE)).json()["items"]
    assert {note["target"] for note in notes} == {manifest["id"]}


@pytest.mark.parametrize("rest", ["manifest.json", "notes.json", "canvas/1", "canvas/1/lines.json"])
def test_a_book_without_leaves_has_no_manifest(pages, client, rest):
    answer = client.get(f"/iiif/3/victor-or-victim/{rest}")
    assert answer.status_code == 404
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "no page of this rulebook" in answer.content.decode()


def test_a_book_whose_pages_are_not_made_yet_says_so(pages, client):
    answer = client.get("/iiif/3/rummy-1916/manifest.json")
    assert answer.status_code == 404
    assert "not made yet" in answer.content.decode()


def test_a_leaf_that_is_not_there_is_not_found(pages, client):
    assert client.get(f"/iiif/3/{BOOK}/canvas/7/notes.json").status_code == 404


def test_every_site_may_read_and_none_may_write(pages, client):
    assert client.get(MANIFEST)["Access-Control-Allow-Origin"] == "*"
    asked = client.options(MANIFEST)
    assert asked.status_code == 204 and "GET" in asked["Access-Control-Allow-Methods"]
    assert client.post(MANIFEST, {}).status_code == 405


def test_a_manifest_that_has_not_changed_is_not_sent_again(pages, client):
    first = client.get(MANIFEST)
    assert "max-age" in first["Cache-Control"]
    assert client.get(MANIFEST, headers={"If-None-Match": first["ETag"]}).status_code == 304
    Book.objects.filter(slug=BOOK).update(blurb="Another word.")
    assert client.get(MANIFEST, headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_linked_data_is_sent_as_such_to_those_who_ask(pages, client):
    plain = client.get(MANIFEST)
    linked = client.get(MANIFEST, headers={"Accept": "application/ld+json"})
    assert plain["Content-Type"] == "application/json"
    assert linked["Content-Type"].startswith("application/ld+json;profile=")
    assert json.loads(plain.content) == json.loads(linked.content)


@pytest.mark.parametrize(
    "address", [MANIFEST, f"/iiif/3/{BOOK}/canvas/5/notes.json", "/iiif/3/collection.json"]
)
def test_the_number_of_queries_does_not_grow_with_what_is_said(
    pages, client, django_assert_max_num_queries, address
):
    with django_assert_max_num_queries(8):
        client.get(address)


def test_a_page_is_offered_as_alto_and_our_own_reader_finds_its_words_again(manifest, client):
    (offered,) = manifest["items"][4]["seeAlso"]
    content = client.get(offered["id"].removeprefix(SITE)).content
    assert (
        b'xmlns="http://www.loc.gov/standards/alto/ns-v4#"' in content
        and b"<MeasurementUnit>pixel<" in content
    )
    image = PageImage.objects.get(leaf__book__slug=BOOK, leaf__number=5)
    read = read_alto(content, 5000)
    words = [(word["text"], word["x"], word["y"], word["w"], word["h"]) for word in image.words]
    assert [(w.text, w.x, w.y, w.w, w.h) for line in read.lines for w in line.words] == words
