"""What a person placed on a page stays on its ink when the picture is cut anew."""

from dataclasses import replace

import numpy
import pytest
from PIL import Image, ImageDraw

from archive.images.boxes import Box
from archive.images.storage import originals, store_file
from archive.models import Book, Leaf
from archive.models.scans import Original, Scan
from archive.scans import publication, word_boxes, word_search
from archive.scans.crop import crop_page
from archive.scans.geometry import Steps, record_of
from tests.archive.hostile import saved
from tests.archive.scan_files import BOOK, set_facsimile

pytestmark = pytest.mark.django_db

WIDTH, HEIGHT = 700, 900
INK = (300, 400, 350, 420)
FIRST = Steps(angle=1.5, left=10, top=12, right=88, bottom=90)
CUTS = {
    "toned": replace(FIRST, tone="grey"),
    "straightened": replace(FIRST, angle=-3.2),
    "cropped": replace(FIRST, left=25, top=30, right=80, bottom=70),
    "turned": replace(FIRST, turns=1, left=20, top=5, right=95, bottom=85),
    "turned over": replace(FIRST, turns=2, angle=0.4),
    "turned, straightened and cropped": Steps(turns=3, angle=4, left=10, top=20, right=90, bottom=75),
    "folded": Steps(angle=1, part="left", split=70, right=70),
}


def picture():
    """A sheet with one word of ink on it."""
    sheet = Image.new("RGB", (WIDTH, HEIGHT), "white")
    ImageDraw.Draw(sheet).rectangle(INK, fill="black")
    return sheet


def ink_of(page):
    """The box around all that is dark on a page, as an eye sees it."""
    rows, columns = numpy.nonzero(numpy.asarray(page.convert("L")) < 100)
    left, top = int(columns.min()), int(rows.min())
    return Box(left, top, int(columns.max()) - left + 1, int(rows.max()) - top + 1)


@pytest.fixture
def scan(shelved, monkeypatch):
    monkeypatch.setattr(word_search, "enqueue_search", lambda scan: None)
    monkeypatch.setattr(word_search, "align", found_elsewhere)
    monkeypatch.setattr(publication, "check_text", lambda *_: None)
    monkeypatch.setattr(
        publication.sandbox, "cut_page", lambda _, steps, __: crop_page(picture(), steps, 9_000)
    )
    book, leaf = Book.objects.get(slug=BOOK), Leaf.objects.get(book__slug=BOOK, number=3)
    set_facsimile(leaf)
    original = Original.objects.create(
        digest="1" * 64, name="page.png", kind="png", size=1, width=WIDTH, height=HEIGHT, signed="x"
    )
    store_file(originals(), original.file_name, saved(picture(), "PNG"))
    one = Scan.objects.create(book=book, original=original, order=1, leaf=leaf, steps=record_of(FIRST))
    published(one, FIRST)
    return one


def found_elsewhere(page, known, language, regions=()):
    """A search that finds every word in the corner, where none is."""
    return {"words": [word | {"x": 1, "y": 1, "w": 9, "h": 9, "sure": 0.9} for word in known], "missing": []}


def published(scan, steps):
    Scan.objects.filter(pk=scan.pk).update(steps=record_of(steps), part=steps.part)
    scan.refresh_from_db()
    publication.publish(scan, None, "Cut anew.")
    word_search.search(scan)
    scan.refresh_from_db()


def place_of(scan, key):
    return next((word for word in scan.image.words if word_boxes.key_of(word) == key), None)


def middle(box):
    return box.x + box.w / 2, box.y + box.h / 2


@pytest.mark.parametrize("name", CUTS)
def test_a_word_that_a_person_placed_stays_on_its_ink(scan, name):
    key, other = (word_boxes.key_of(word) for word in scan.image.words[:2])
    word_boxes.keep_box(scan, key, ink_of(crop_page(picture(), FIRST, 9_000)))
    published(scan, CUTS[name])
    at, ink = place_of(scan, key), ink_of(crop_page(picture(), CUTS[name], 9_000))
    box = Box(at["x"], at["y"], at["w"], at["h"])
    assert middle(box) == pytest.approx(middle(ink), abs=2), name
    # As large but for the slant of the ink, of which a box on the first page knows nothing.
    assert (box.w, box.h) == pytest.approx((ink.w, ink.h), abs=10), name
    assert at["hand"] and not place_of(scan, other).get("hand")
    assert place_of(scan, other)["x"] == 1, "others are looked for on the new page"
    # And back again: nothing has drifted.
    published(scan, FIRST)
    at = place_of(scan, key)
    first = ink_of(crop_page(picture(), FIRST, 9_000))
    assert middle(Box(at["x"], at["y"], at["w"], at["h"])) == pytest.approx(middle(first), abs=3)


def test_a_word_whose_ink_was_cut_away_has_no_place_of_a_person_any_more(scan):
    key = word_boxes.key_of(scan.image.words[0])
    word_boxes.keep_box(scan, key, ink_of(crop_page(picture(), FIRST, 9_000)))
    published(scan, replace(FIRST, bottom=30))
    assert not place_of(scan, key).get("hand")


def test_regions_and_words_that_were_taken_away_are_carried_too(scan):
    page = crop_page(picture(), FIRST, 9_000)
    ink, key = ink_of(page), word_boxes.key_of(scan.image.words[0])
    word_boxes.take_away(scan, key)
    share = (100 * ink.x / page.width, 100 * ink.y / page.height)
    size = (100 * ink.w / page.width, 100 * ink.h / page.height)
    word_boxes.save_regions(scan, [(*share, *size)])
    new = CUTS["turned, straightened and cropped"]
    published(scan, new)
    page = crop_page(picture(), new, 9_000)
    [[x, y, w, h]] = scan.regions
    box = Box(*(round(side) for side in (x * page.width / 100, y * page.height / 100, w, h)))
    ink = ink_of(page)
    assert box.x + w * page.width / 200 == pytest.approx(middle(ink)[0], abs=2)
    assert box.y + h * page.height / 200 == pytest.approx(middle(ink)[1], abs=2)
    assert place_of(scan, key) is None
    assert [word_boxes.key_of(word) for word in scan.missing] == [key]


def test_on_another_leaf_nothing_is_carried(scan):
    key = word_boxes.key_of(scan.image.words[0])
    word_boxes.keep_box(scan, key, Box(100, 100, 40, 20))
    scan.leaf = Leaf.objects.get(book__slug=BOOK, number=4)
    scan.save()
    publication.publish(scan, None, "It is another page.")
    assert scan.image.words == [] and scan.sought == ""
