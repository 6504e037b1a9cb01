"""Differences beside the page: every change in a text has the lines of the page image it speaks of."""

import re

import pytest

from archive.curation.page_clips import lines_of
from archive.edition.transcript import read_text
from archive.models import PageImage
from tests.archive.curators import BOOK, leaf_of, rows, signed_in
from tests.archive.page_images import set_pages, take_pages

pytestmark = pytest.mark.django_db
SENTENCE = "A CAPTURE counts 50 points."


def top_of(leaf):
    """Where the sentence stands on its page."""
    image = PageImage.objects.get(leaf__book__slug=BOOK, leaf__number=leaf)
    return min(word["y"] for word in image.words if word["passage"] == "score-capture")


def clip_in(page, leaf):
    found = re.search(rf"/iiif/image/3/{BOOK}-{leaf}-f/(\d+),(\d+),(\d+),(\d+)/", page.content.decode())
    return [int(number) for number in found.groups()]


@pytest.fixture
def mended(curated):
    """Two revisions that differ in one line, and the pages as they are then."""
    curator, leaf = signed_in(curated["curator"]), leaf_of(SENTENCE)
    sent = {"parent": 1, "reason": "In words.", "line": rows(leaf, "counts 50", "counts fifty")}
    assert curator.post(f"/books/{BOOK}/{leaf}/mend/", sent).status_code == 302
    set_pages(BOOK)
    return curator, leaf


def test_a_change_in_the_text_has_its_line_of_the_page_beside_it(mended, client):
    _, leaf = mended
    for address in ("revisions/1-2/", "revisions/2/"):
        _, y, _, h = clip_in(client.get(f"/books/{BOOK}/{address}"), leaf)
        assert y < top_of(leaf) < y + h and h < 200


def test_an_older_change_is_found_on_the_page_of_today(mended, client):
    curator, leaf = mended
    before = top_of(leaf)
    longer = rows(leaf, "WINNING THE GAME", "WINNING THE GAME\nAnd one line more.", now=True)
    sent = {"parent": 2, "reason": "One more.", "line": longer}
    assert curator.post(f"/books/{BOOK}/{leaf}/mend/", sent).status_code == 302
    take_pages()
    set_pages(BOOK)
    assert top_of(leaf) > before
    _, y, _, h = clip_in(client.get(f"/books/{BOOK}/revisions/1-2/"), leaf)
    assert y < top_of(leaf) < y + h and y > before - 60


def test_a_proposal_is_shown_beside_the_page_it_speaks_of(mended, curated):
    _, leaf = mended
    sent = {"parent": 2, "reason": "Louder.", "line": rows(leaf, "counts fifty", "COUNTS fifty", now=True)}
    waits = signed_in(curated["contributor"]).post(f"/books/{BOOK}/{leaf}/mend/", sent, follow=True)
    address = re.search(r"/curation/proposals/\d+/", waits.content.decode())[0]
    _, y, _, h = clip_in(signed_in(curated["curator"]).get(address), leaf)
    assert y < top_of(leaf) < y + h


def test_lines_are_counted_as_on_their_page(shelf):
    for book in shelf.values():
        text = book.files["text.txt"]
        read = [(line.leaf, line.number) for block in read_text(text).blocks for line in block.lines]
        assert [place for _, place in lines_of(text)] == read
