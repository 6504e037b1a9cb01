"""The feed of changes."""

from xml.etree import ElementTree

from archive.models import Book
from archive.models.scans import Placing
from archive.publication.revisions import Signature, record
from tests.archive.conftest import clear_shelf

ATOM = "{http://www.w3.org/2005/Atom}"


def feed(client):
    answer = client.get("/changes.atom")
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("application/atom+xml")
    return ElementTree.fromstring(answer.content)


def test_every_published_book_is_an_entry_that_leads_to_its_revision(shelf, client):
    entries = feed(client).findall(f"{ATOM}entry")
    assert len(entries) == 5
    for entry in entries:
        address = entry.findtext(f"{ATOM}id")
        assert entry.find(f"{ATOM}link[@rel='alternate']").get("href") == address
        assert client.get(address.removeprefix("http://testserver")).status_code == 200


def test_a_change_is_a_new_entry_with_its_reason_before_the_others(shelf, client):
    before = {entry.findtext(f"{ATOM}id") for entry in feed(client).findall(f"{ATOM}entry")}
    book = shelf["thumbs-up-1941"]
    Book.objects.filter(pk=book.pk).update(fingerprint="f" * 64)
    book.refresh_from_db()
    record(book, Signature("A comma put in its place & kept.", name="Conrad"))
    first, *others = feed(client).findall(f"{ATOM}entry")
    assert first.findtext(f"{ATOM}title") == "Thumbs Up, 1941: revision 2"
    assert first.findtext(f"{ATOM}summary") == "A comma put in its place & kept."
    assert {entry.findtext(f"{ATOM}id") for entry in others} == before


def test_a_scan_put_up_and_taken_down_leads_to_its_lines_in_the_history(shelf, client):
    book = shelf["thumbs-up-1941"]
    for act in ("up", "down"):
        told = {"identifier": "x", "checksum": "x", "original": "x", "signed": "Conrad", "reason": "Ours."}
        # The leaves were moved since, and there is none of this number any more.
        Placing.objects.create(book=book, leaf=99, act=act, **told)
    entries = feed(client).findall(f"{ATOM}entry")
    assert len({entry.findtext(f"{ATOM}id") for entry in entries}) == 7
    down, up = entries[:2]
    for entry, words in ((down, "scan taken down"), (up, "scan put up")):
        address = entry.find(f"{ATOM}link[@rel='alternate']").get("href")
        path, _, place = address.removeprefix("http://testserver").partition("#")
        page = client.get(path).content.decode()
        assert words in page.partition(f'id="{place}"')[2].partition("</li>")[0]


def test_an_empty_archive_still_has_a_feed(shelf, client):
    clear_shelf()
    assert feed(client).findall(f"{ATOM}entry") == []
    assert feed(client).findtext(f"{ATOM}updated") == "2000-01-01T00:00:00Z"


def test_a_feed_that_has_not_changed_is_not_sent_again(shelf, client):
    first = client.get("/changes.atom")
    assert client.get("/changes.atom", headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_pages_of_books_name_the_feed(shelf, client):
    page = client.get("/books/thumbs-up-1941/").content.decode()
    assert 'type="application/atom+xml"' in page
