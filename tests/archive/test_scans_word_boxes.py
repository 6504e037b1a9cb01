"""All boxes of words can be seen and put right, and what a person placed stays."""

import io

import pytest
from PIL import Image

from archive.images.boxes import Box
from archive.models import Book, Leaf
from archive.models.scans import Placing
from archive.publication.errors import EditError
from archive.scans import publication, text_check, word_boxes, word_search
from archive.scans.text_check import OtherTextError
from tests.archive.curators import signed_in
from tests.archive.scan_files import BOOK, SCANS, a_scan, set_facsimile
from tests.people.conftest import make_person

pytestmark = pytest.mark.django_db
FOUR = {"left": "10", "top": "20", "width": "5", "height": "2"}


def found_all(page, known, language, regions=()):
    at = {"x": 10, "y": 10, "w": 20, "h": 10}
    return {
        "words": [word | at | {"sure": 0.2 if n == 1 else 0.9} for n, word in enumerate(known)],
        "missing": [],
    }


@pytest.fixture
def scan(shelved, monkeypatch):
    monkeypatch.setattr(word_search, "enqueue_search", lambda scan: None)
    monkeypatch.setattr(word_search, "align", found_all)
    leaf = Leaf.objects.get(book__slug=BOOK, number=3)
    set_facsimile(leaf)
    one = a_scan(Book.objects.get(slug=BOOK), None)
    publication.publish_page(one, leaf, Image.new("RGB", (1000, 1500), "white"), None, "Ours.")
    one.refresh_from_db()
    word_search.search(one)
    one.refresh_from_db()
    return one


@pytest.fixture
def curator(db):
    return signed_in(make_person("Conrad", "curator"))


def boxes(scan):
    scan.image.refresh_from_db()
    return {word_boxes.key_of(word): word for word in scan.image.words}


def test_doubtful_words_come_first_and_every_box_is_shown(curator, scan):
    page = curator.get(f"{SCANS}{scan.pk}/places/").content.decode()
    assert page.count("<title>") == 1 + len(scan.image.words) and page.count('class="is-doubtful') == 2
    first = word_boxes.listed_words(scan, scan.image)[0]
    assert first.state == "doubtful" and f'value="{first.name}"' in page


def test_a_word_is_moved_and_stays_also_when_all_are_looked_for_again(curator, scan):
    one = word_boxes.listed_words(scan, scan.image)[0]
    answer = curator.post(f"{SCANS}{scan.pk}/places/", {"act": "keep", "word": one.name, **FOUR})
    assert answer.status_code == 302 and one.name not in answer["Location"]
    key = word_boxes.key_of(one.word)
    word_search.search_afresh(scan)
    scan.refresh_from_db()
    word_search.search(scan)
    placed = boxes(scan)[key]
    assert (placed["x"], placed["y"], placed["w"], placed["h"]) == (100, 300, 50, 30) and placed["hand"]


def test_a_word_that_is_gone_meanwhile_is_told(scan):
    gone = (99_999, 0)
    with pytest.raises(EditError, match="changed meanwhile"):
        word_boxes.keep_box(scan, gone, Box(100, 300, 50, 30))
    with pytest.raises(EditError, match="changed meanwhile"):
        word_boxes.take_away(scan, gone)


def test_a_box_that_was_taken_away_is_not_given_again(curator, scan):
    one = word_boxes.listed_words(scan, scan.image)[0]
    curator.post(f"{SCANS}{scan.pk}/places/", {"act": "away", "word": one.name})
    word_search.search_afresh(scan)
    scan.refresh_from_db()
    word_search.search(scan)
    scan.refresh_from_db()
    assert word_boxes.key_of(one.word) not in boxes(scan)
    assert [word_boxes.key_of(word) for word in scan.missing] == [word_boxes.key_of(one.word)]


def test_lines_are_placed_anew_in_a_part_of_the_page(curator, scan, monkeypatch):
    monkeypatch.setattr(word_boxes.sandbox, "align", found_all)
    line = scan.image.words[0]["line"]
    sent = {"act": "lines", "word": "none", "first": line, "last": line, **FOUR}
    curator.post(f"{SCANS}{scan.pk}/places/", sent)
    of_line = [word for word in boxes(scan).values() if word["line"] == line]
    assert of_line and {(word["x"], word["y"]) for word in of_line} == {(110, 310)}


def test_regions_are_kept_in_order_and_handed_to_the_search(curator, scan, monkeypatch):
    asked = []
    monkeypatch.setattr(
        word_search,
        "align",
        lambda page, known, language, regions: asked.append(regions) or found_all(page, known, language),
    )
    for left in ("50", "0"):
        curator.post(f"{SCANS}{scan.pk}/places/", {"act": "region", "word": "none", **FOUR, "left": left})
    curator.post(f"{SCANS}{scan.pk}/places/", {"act": "up:1", "word": "none"})
    scan.refresh_from_db()
    assert [region[0] for region in scan.regions] == [0, 50]
    word_search.search_afresh(scan)
    scan.refresh_from_db()
    word_search.search(scan)
    assert asked == [[[0, 300, 50, 330], [500, 300, 550, 330]]]


@pytest.mark.parametrize("sent", [{"left": "x"}, {"width": "0"}, {"left": "101"}])
def test_a_rectangle_that_is_none_is_refused_with_a_sentence(curator, scan, sent):
    one = word_boxes.listed_words(scan, scan.image)[0]
    answer = curator.post(f"{SCANS}{scan.pk}/places/", {"act": "keep", "word": one.name, **FOUR, **sent})
    assert answer.status_code == 422 and boxes(scan)[word_boxes.key_of(one.word)].get("hand") is None


def test_a_page_that_is_not_its_text_is_not_published_unasked(curator, scan, monkeypatch):
    page = Image.new("RGB", (900, 1400), "white")
    monkeypatch.setattr(publication.sandbox, "cut_page", lambda *_: page)
    monkeypatch.setattr(publication, "open_original", lambda _: io.BytesIO())
    monkeypatch.setattr(text_check.sandbox, "align", lambda *_: {"words": [], "missing": [], "fits": False})
    scan.leaf = Leaf.objects.get(book__slug=BOOK, number=3)
    scan.save()
    placings = Placing.objects.count()
    with pytest.raises(OtherTextError):
        publication.publish(scan, None, "Ours.")
    assert Placing.objects.count() == placings and not scan.image.withdrawn
    publication.publish(scan, None, "Ours.", unfit=True)
    assert Placing.objects.count() == placings + 1
