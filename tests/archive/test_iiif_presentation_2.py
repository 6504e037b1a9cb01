"""Presentation 2 from the builder of version 3; ways to open a page in a viewer; oEmbed of a passage."""

import base64
import json
import re
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from archive.models import Book
from archive.reader.open_in import content_state, ways_to_open
from tests.archive.page_images import set_pages, take_pages

pytestmark = pytest.mark.django_db
BOOK = "victory-rummy-1942"
SITE = "http://testserver"
PASSAGE = f"{SITE}/books/{BOOK}/passages/score-capture/"


@pytest.fixture(scope="module")
def paged(loaded, django_db_blocker):
    with django_db_blocker.unblock():
        set_pages(BOOK)
        yield
        take_pages()


def both(client, path):
    return [client.get(f"/iiif/{version}/{path}").json() for version in (3, 2)]


def test_a_manifest_of_version_2_says_what_version_3_says(paged, client):
    new, old = both(client, f"{BOOK}/manifest.json")
    assert (old["@type"], old["@id"]) == ("sc:Manifest", f"{SITE}/iiif/2/{BOOK}/manifest.json")
    assert old["label"] == new["label"]["en"][0] and old["license"] == new["rights"]
    (sequence,) = old["sequences"]
    assert [canvas["@id"] for canvas in sequence["canvases"]] == [canvas["id"] for canvas in new["items"]]
    for canvas, again in zip(sequence["canvases"], new["items"], strict=True):
        assert (canvas["width"], canvas["height"]) == (again["width"], again["height"])
        (image,) = canvas["images"]
        assert image["on"] == canvas["@id"] and image["resource"]["@id"].endswith("/full/max/0/default.jpg")
    assert [one["label"] for one in old["structures"]] == [
        one["label"]["en"][0] for one in new["structures"][0]["items"]
    ]
    assert old["service"][0]["@id"] == f"{SITE}/iiif/search/1/{BOOK}"


def test_its_lists_of_notes_and_lines_answer_with_the_same_annotations(paged, client):
    manifest = client.get(f"/iiif/2/{BOOK}/manifest.json").json()
    for canvas in manifest["sequences"][0]["canvases"][:4]:
        for listed in canvas["otherContent"]:
            found = client.get(listed["@id"].removeprefix(SITE)).json()
            again = client.get(listed["@id"].removeprefix(SITE).replace("/iiif/2/", "/iiif/3/")).json()
            assert (found["@id"], found["@type"]) == (listed["@id"], "sc:AnnotationList")
            assert [(one["resource"]["chars"], one["on"]) for one in found["resources"]] == [
                (one["body"]["value"], one["target"]) for one in again["items"]
            ]


def test_the_collection_of_version_2_lists_the_same_books(paged, client):
    new, old = both(client, "collection.json")
    assert [one["@id"].replace("/iiif/2/", "/iiif/3/") for one in old["manifests"]] == [
        one["id"] for one in new["items"]
    ]


def test_a_draft_has_no_manifest_in_either_version(paged, client):
    Book.objects.filter(slug=BOOK).update(state=Book.DRAFT)
    for version in (2, 3):
        assert client.get(f"/iiif/{version}/{BOOK}/manifest.json").status_code == 404


def test_a_content_state_names_the_page_and_its_manifest():
    state = content_state("https://a.org/m", "https://a.org/c/2")
    assert re.fullmatch(r"[\w-]+", state, re.ASCII)
    read = json.loads(unquote(base64.urlsafe_b64decode(state + "=" * (-len(state) % 4)).decode()))
    assert (
        read["target"]["id"] == "https://a.org/c/2" and read["target"]["partOf"][0]["id"] == "https://a.org/m"
    )


def test_the_page_of_a_book_tells_how_to_open_it_elsewhere(paged, client):
    book = Book.objects.get(slug=BOOK)
    page = client.get(f"/books/{BOOK}/").content.decode()
    for way in ways_to_open(book, SITE):
        assert f'id="open-{way.key}"' in page and f'data-copy="open-{way.key}"' in page
    viewer = next(way for way in ways_to_open(book, SITE, 3) if way.key == "viewer").words
    assert parse_qs(viewer.removeprefix("#?")) == {
        "manifest": [f"{SITE}/iiif/3/{BOOK}/manifest.json"],
        "cv": ["2"],
    }


def test_a_passage_can_be_embedded_by_its_address(loaded, client):
    page = client.get(urlsplit(PASSAGE).path).content.decode()
    address = re.search(r'type="application/json\+oembed" href="([^"]+)"', page)[1]
    answer = client.get(address.removeprefix(SITE).replace("&amp;", "&"))
    document = answer.json()
    assert (document["version"], document["type"], document["width"]) == ("1.0", "rich", 600)
    assert "A CAPTURE counts 50 points." in document["html"] and f'cite="{PASSAGE}"' in document["html"]
    assert answer["Access-Control-Allow-Origin"] == "*" and "<script" not in document["html"]
    narrow = client.get("/oembed", {"url": PASSAGE, "maxwidth": "320", "maxheight": "x"}).json()
    assert (narrow["width"], narrow["height"]) == (320, 240)


@pytest.mark.parametrize(
    "url",
    [
        *("", "x" * 3000, f"{SITE}/", f"{SITE}/books/{BOOK}/", "http://["),
        *(PASSAGE.replace("testserver", "elsewhere.org"), f"{SITE}/books/{BOOK}/passages/no-such/"),
    ],
)
def test_what_is_no_passage_here_is_not_embedded(loaded, client, url):
    assert client.get("/oembed", {"url": url}).status_code == 404


def test_a_passage_of_a_draft_is_not_embedded_and_only_json_is_given(loaded, client):
    assert client.get("/oembed", {"url": PASSAGE, "format": "xml"}).status_code == 501
    Book.objects.filter(slug=BOOK).update(state=Book.DRAFT)
    assert client.get("/oembed", {"url": PASSAGE}).status_code == 404
