"""Who sees a draft, a public and a withdrawn book: every role at every address of the archive that speaks of
the book, and at every list, feed and search that must not."""

import re
from xml.etree import ElementTree

import pytest
from django.test import Client

from archive import lookup, search
from archive.images.page_image_cache import forget_images
from archive.models import Book, Leaf, PageImage, StateChange
from archive.models.history import FileText, Revision
from archive.publication import book_states
from people.models import Person
from tests.security.addresses import ARCHIVE
from tests.security.conftest import SLUG

SPEAKS_OF_IT = re.compile(
    r"^/books/|^/iiif/(2|3|search)/.*victory-rummy|^/iiif/image/|^/(brief|questions)/victory-rummy/"
    r"|^/variants/\{variant\}/"
)
LISTS = ["/", "/about/", "/search/?q=capture", "/search/?q=capture&book=" + SLUG, "/sitemap.xml"]
LISTS += [
    "/iiif/3/collection.json",
    "/changes.atom",
    "/variants/",
    "/brief/",
    "/variants/of/victory-rummy.json",
]
LISTS += ["/variants/compare/victory-rummy/", "/oai?verb=ListRecords&metadataPrefix=oai_dc"]
LISTS += ["/oai?verb=ListIdentifiers&metadataPrefix=oai_dc"]
SEES_ALL = ("curator", "keeper")


def rows_about_it():
    return [row for row in ARCHIVE.values() if row.get and SPEAKS_OF_IT.search(row.example)]


def set_state(state):
    book = Book.objects.get(slug=SLUG)
    Book.objects.filter(pk=book.pk).update(state=state)
    if state == Book.PUBLIC:
        search.index().add(book)
    else:
        search.index().remove(book)
    if state == Book.WITHDRAWN:
        StateChange.objects.create(book=book, state=state, signed="Conrad", reason="Its maker asked us to.")
    forget_images()


def test_the_table_has_every_address_that_speaks_of_a_book():
    named = {route for route in ARCHIVE if "<slug:slug>" in route or "<str:identifier>" in route}
    found = {route for route, row in ARCHIVE.items() if SPEAKS_OF_IT.search(row.example)}
    assert named <= found and len(rows_about_it()) > 40


NAMES = re.compile(rf"{SLUG}|nowhere|(?<=variants/)[a-z0-9-]+(?=/)|(?<=variants%2F)[a-z0-9-]+")


def check_as_if_not_there(client, path, answer, place):
    """A draft is answered like a name that nobody has given: nobody learns that there is one."""
    other = re.sub(rf"{SLUG}|(?<=^/variants/)[a-z0-9-]+", "nowhere", path)
    if other == path:
        assert answer.status_code == 404, place
        return
    not_there = client.get(other)
    told = [NAMES.sub("", one.get("Location", "") + one.content.decode()) for one in (answer, not_there)]
    assert told[0] == told[1] and answer.headers.keys() == not_there.headers.keys(), place
    assert answer.status_code == not_there.status_code != 200, place


def test_every_role_at_every_address_in_every_state(house):
    image = PageImage.objects.get(identifier=house.places["image"])
    file = f"/images/{image.identifier}/{image.checksum[:16]}"
    paths = [house.path(row) for row in rows_about_it()] + [f"{file}/full/90.jpg", f"{file}/full/1.jpg"]
    paths = [path for path in paths if "odd/words" not in path]
    public = {}
    for state in (Book.PUBLIC, Book.DRAFT, Book.WITHDRAWN):
        set_state(state)
        for role in ("reader", "contributor", *SEES_ALL):
            client = house.account(role)
            for path in paths:
                answer = client.get(path)
                place = (state, role, path)
                if state == Book.PUBLIC:
                    public[role, path] = answer.status_code
                elif role in SEES_ALL:
                    assert answer.status_code == public[role, path], place
                    assert "public" not in answer.get("Cache-Control", ""), place
                elif state == Book.WITHDRAWN:
                    words = answer.content.decode()
                    assert answer.status_code == 410, place
                    assert "Its maker asked us to." in words and "keeper@tallyroom.invalid" in words, place
                else:
                    check_as_if_not_there(client, path, answer, place)
    # The control: nearly all of them are there for everybody while the book is public.
    assert sum(public["reader", path] in (200, 302, 303) for path in paths) > 40


def test_a_draft_is_in_no_list_feed_search_or_lookup(house):
    reader = house.account("reader")
    title, variant = Book.objects.get(slug=SLUG).title, house.places["variant"]

    marks = (f"{SLUG}/", f":{SLUG}<", title, f"/variants/{variant}/", "/brief/victory-rummy/")

    def told():
        pages = {path: reader.get(path).content.decode() for path in LISTS}
        return {path for path, page in pages.items() if any(mark in page for mark in marks)}

    shown = told()
    assert shown == set(LISTS)
    assert lookup.passage_html(SLUG, "enter-score") and lookup.variant(variant)
    set_state(Book.DRAFT)
    assert told() == set()
    assert not lookup.passage_html(SLUG, "enter-score") and lookup.variant(variant) is None
    assert lookup.variants_of_game("victory-rummy") == []
    assert reader.get("/iiif/changes/activity.json").status_code == 404
    search.index().rebuild()
    assert told() == set(), "an index made anew has no draft"
    assert SLUG not in house.account("contributor").get("/curation/").content.decode()
    assert SLUG in house.account("curator").get("/curation/").content.decode()


@pytest.fixture
def curator(house):
    return house.account("curator")


STATE = f"/books/{SLUG}/state/"


def test_a_draft_is_published_by_one_tap_and_begins_then_for_others(house, curator):
    set_state(Book.DRAFT)
    reader, atom = Client(), "/changes.atom"
    assert SLUG not in reader.get(atom).content.decode()
    desk = curator.get("/curation/").content.decode()
    assert f'action="{STATE}"' in desk and 'value="publish"' in desk
    assert curator.post(STATE, {"act": "publish"}).status_code == 302
    assert reader.get(f"/books/{SLUG}/").status_code == 200
    assert reader.get("/search/?q=capture").content.decode().count(f"/books/{SLUG}/") > 1
    feed = reader.get(atom).content.decode()
    assert feed.count("<entry>") == 1 and "published" in feed, "what was done to the draft is not told"
    page = reader.get("/iiif/changes/page-1.json").json()
    assert [item["type"] for item in page["orderedItems"]] == ["Create"]
    assert "is public already" in curator.post(STATE, {"act": "publish"}).content.decode()


def test_a_withdrawal_stays_at_the_address_and_feeds_tell_it(house, curator):
    assert "Say briefly why" in curator.post(STATE, {"act": "withdraw"}).content.decode()
    reason = "<script>alert(1)</script> asked us to."
    assert curator.post(STATE, {"act": "withdraw", "reason": reason}).status_code == 302
    reader = Client()
    page = reader.get(f"/books/{SLUG}/")
    assert page.status_code == 410 and "&lt;script&gt;" in page.content.decode()
    assert "<script>alert" not in page.content.decode()
    assert reader.get(f"/books/{SLUG}/book.json")["Content-Type"].startswith("text/plain")
    feed = reader.get("/changes.atom").content.decode()
    assert feed.count("<entry>") == 1 and "withdrawn" in feed and "First import" not in feed
    asked = f"/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:testserver:{SLUG}"
    record = ElementTree.fromstring(reader.get(asked).content)
    header = next(record.iter("{http://www.openarchives.org/OAI/2.0/}header"))
    assert header.get("status") == "deleted" and b"<metadata>" not in reader.get(asked).content
    assert b"<deletedRecord>persistent<" in reader.get("/oai?verb=Identify").content
    told = reader.get("/iiif/changes/page-1.json").json()["orderedItems"]
    assert [item["type"] for item in told] == ["Create", "Delete"] and "summary" not in told[0]
    assert curator.get(f"/books/{SLUG}/").status_code == 200
    assert "Withdraw it instead" in curator.post(STATE, {"act": "delete", "name": SLUG}).content.decode()
    curator.post(STATE, {"act": "publish"})
    assert reader.get(f"/books/{SLUG}/").status_code == 200
    told = reader.get("/iiif/changes/page-1.json").json()["orderedItems"]
    assert [item["type"] for item in told] == ["Create", "Delete", "Create"]


def test_only_what_was_never_public_can_be_deleted_and_then_whole(house, curator):
    for body in ({"name": SLUG}, {}):
        assert curator.post(STATE, {"act": "delete", **body}).status_code == 422
    assert Book.objects.filter(slug=SLUG).exists()
    set_state(Book.DRAFT)
    assert "to be sure" in curator.post(STATE, {"act": "delete", "name": "another"}).content.decode()
    assert curator.post(STATE, {"act": "delete", "name": SLUG})["Location"] == "/curation/"
    for model in (Book, Leaf, PageImage, Revision, FileText):
        assert not model.objects.exists(), model
    assert curator.get(f"/books/{SLUG}/").status_code == 404
    assert not search.index().find("capture").hits


def test_a_published_draft_cannot_be_deleted_any_more(house, curator):
    set_state(Book.DRAFT)
    person = Person.objects.get(role="curator")
    book_states.publish_book(SLUG, person)
    book_states.withdraw_book(SLUG, person, "By mistake.")
    assert "has been public" in curator.post(STATE, {"act": "delete", "name": SLUG}).content.decode()
    assert Book.objects.get(slug=SLUG).state == Book.WITHDRAWN
