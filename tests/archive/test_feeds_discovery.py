"""IIIF Change Discovery: every change of every manifest, the oldest first, in pages in a row."""

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from archive.feeds import change_discovery
from archive.models.history import Revision
from archive.models.scans import Placing
from tests.archive.page_images import set_pages

CONTEXT = "http://iiif.io/api/discovery/1/context.json"
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
SLUGS = ("victory-rummy-1942", "thumbs-up-1941", "rummy-1916")


def fetched(client, address):
    answer = client.get(address.removeprefix("http://testserver"))
    assert answer.status_code == 200
    assert answer["Access-Control-Allow-Origin"] == "*"
    document = answer.json()
    assert next(iter(document)) == "@context"
    assert document["@context"] == CONTEXT
    assert document["id"].removeprefix("http://testserver") == address.removeprefix("http://testserver")
    return document


def walked(client):
    """All activities, as a client reads them: from the last page back to the first."""
    top = fetched(client, "/iiif/changes/activity.json")
    assert top["type"] == "OrderedCollection"
    for end in ("first", "last"):
        assert top[end]["type"] == "OrderedCollectionPage"
    pages, address = [], top["last"]["id"]
    while True:
        page = fetched(client, address)
        assert page["type"] == "OrderedCollectionPage"
        assert page["partOf"] == {"id": top["id"], "type": "OrderedCollection"}
        assert page["orderedItems"]
        if pages:
            assert page["next"]["id"] == pages[0]["id"]
        else:
            assert "next" not in page
        pages.insert(0, page)
        if "prev" not in page:
            break
        address = page["prev"]["id"]
    assert page["id"] == top["first"]["id"]
    for before, after in pairwise(pages):
        assert after["startIndex"] == before["startIndex"] + len(before["orderedItems"])
    items = [item for page in pages for item in page["orderedItems"]]
    assert len(items) == top["totalItems"]
    return items


@pytest.fixture
def changed(shelf):
    """Three books with pages; one of them revised twice, and a scan put up and taken down."""
    set_pages(*SLUGS)
    first = datetime(2026, 5, 1, 12, tzinfo=UTC)
    for hours, slug in enumerate(SLUGS):
        Revision.objects.filter(book=shelf[slug]).update(made=first + timedelta(hours=hours))
    book = shelf[SLUGS[0]]
    for number in (2, 3):
        revision = Revision.objects.get(book=book, number=1)
        revision.pk, revision.number, revision.parent = None, number, number - 1
        revision.made, revision.reason = first + timedelta(days=number), f"Reason {number}."
        revision.save()
    for act, day in (("up", 4), ("down", 5)):
        Placing.objects.create(
            book=book,
            leaf=2,
            act=act,
            identifier="x",
            checksum="x",
            original="x",
            signed="Conrad",
            reason="A photograph.",
            made=first + timedelta(days=day),
        )
    return shelf


def test_every_change_of_a_manifest_is_an_activity_the_oldest_first(changed, client):
    items = walked(client)
    names = [(item["type"], item["object"]["id"].split("/")[-2]) for item in items]
    assert names == [("Create", slug) for slug in SLUGS] + [("Update", SLUGS[0])] * 4
    times = [item["endTime"] for item in items]
    assert all(MOMENT.fullmatch(time) for time in times)
    assert times == sorted(times)
    for item in items:
        assert item["object"]["type"] == "Manifest"
        assert client.get(item["object"]["id"].removeprefix("http://testserver")).status_code == 200
        assert client.get(item["id"].removeprefix("http://testserver").partition("#")[0]).status_code == 200
        assert {also["type"] for also in item["object"]["seeAlso"]} == {"Dataset"}
    assert [item["summary"] for item in items[-2:]] == [
        "a scan of page 2 put up: A photograph.",
        "a scan of page 2 taken down: A photograph.",
    ]
    assert len({item["id"] for item in items}) == len(items)


def test_many_changes_are_told_in_pages(changed, client, monkeypatch):
    whole = walked(client)
    monkeypatch.setattr(change_discovery, "ACTIVITIES_PER_PAGE", 3)
    assert walked(client) == whole
    assert client.get("/iiif/changes/page-4.json").status_code == 404
    assert client.get("/iiif/changes/page-0.json").status_code == 404


def test_a_full_page_stays_as_it_is_when_more_happens(changed, client, monkeypatch):
    monkeypatch.setattr(change_discovery, "ACTIVITIES_PER_PAGE", 3)
    before = client.get("/iiif/changes/page-1.json").content
    book = changed[SLUGS[1]]
    revision = Revision.objects.get(book=book)
    revision.pk, revision.number, revision.parent = None, 2, 1
    revision.made = datetime(2026, 6, 1, tzinfo=UTC)
    revision.save()
    assert client.get("/iiif/changes/page-1.json").content == before
    assert walked(client)[-1]["object"]["id"].endswith("/thumbs-up-1941/manifest.json")


def test_a_book_without_pages_has_no_manifest_and_no_activity(changed, client):
    assert not any("victor-or-victim" in item["object"]["id"] for item in walked(client))


def test_while_no_book_has_pages_there_is_nothing_to_tell(shelf, client):
    answer = client.get("/iiif/changes/activity.json")
    assert answer.status_code == 404
    assert b"No rulebook has pages yet" in answer.content


def test_the_three_feeds_tell_the_same_changes(changed, client):
    atom = client.get("/changes.atom").content.decode()
    for item in walked(client):
        assert f"<id>{item['id']}</id>" in atom
    record = client.get(
        "/oai", {"verb": "GetRecord", "metadataPrefix": "oai_dc", "identifier": f"oai:testserver:{SLUGS[0]}"}
    )
    assert f"<datestamp>{walked(client)[-1]['endTime']}</datestamp>" in record.content.decode()


def test_the_log_is_read_in_a_few_queries_however_long_it_is(changed, client, django_assert_max_num_queries):
    with django_assert_max_num_queries(6):
        client.get("/iiif/changes/page-1.json")
