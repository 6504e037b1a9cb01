"""A note's rectangle on the page: kept in per cent, shown to readers and viewers, carried to other images."""

import re

import pytest

from archive.edition.region import PageRegion, read_region
from archive.images.boxes import Box
from archive.models import Leaf, Note, PageImage
from archive.reader.note_regions import carry_box, region_box, region_on
from tests.archive.curators import BOOK, signed_in
from tests.archive.page_images import HEIGHT, WIDTH, page_words, set_pages
from tests.archive.test_curation_notes import NOTE, NOTES, RECTANGLE
from tests.html import holds, squeezed

pytestmark = pytest.mark.django_db
SCAN = "s1f09ab3c"


@pytest.fixture
def paged(curated):
    set_pages(BOOK)
    return signed_in(curated["curator"])


def scan_of(number, turn):
    """A scan of the leaf: the same words in other places."""
    leaf = Leaf.objects.get(book__slug=BOOK, number=number)
    words = [word | dict(zip("xywh", turn(word), strict=True)) for word in page_words(leaf)]
    return PageImage.objects.create(
        leaf=leaf, kind="scan", identifier=f"{BOOK}-{number}-{SCAN}", width=2000, height=3000,
        checksum="0" * 64, words=words,
    )  # fmt: skip


@pytest.mark.parametrize("written", ["4/pct:10,32.5,80,6", f"4/pct:0,0,100,100@{SCAN}", "12/pct:0.125,1,2,3"])
def test_a_region_is_read_and_written_the_same(written):
    assert str(read_region(written)) == written


@pytest.mark.parametrize(
    "written",
    [
        "",
        "4/pct:10,32.5,80",
        "0/pct:1,1,1,1",
        "4/pct:90,1,20,1",
        "4/pct:1,1,0,1",
        "4/pct:1,1,1,1@../x",
        "here",
    ],
)
def test_what_is_no_rectangle_on_a_page_is_not_read(written):
    assert read_region(written) is None


def test_words_take_a_rectangle_along_with_the_room_around_it():
    words = [word(1, 0, 100, 100), word(1, 9, 200, 100), word(2, 0, 100, 140)]
    moved = [one | {"x": one["x"] * 2 + 50, "y": one["y"] * 2, "w": 100, "h": 40} for one in words]
    assert carry_box(Box(90, 95, 170, 30), words, moved) == Box(230, 190, 340, 60)


def test_where_no_word_is_under_it_the_page_as_a_whole_takes_it_along():
    words = [word(1, 0, 0, 0), word(2, 0, 100, 400)]
    moved = [one | {"x": one["x"] * 3, "y": one["y"] * 3, "w": 150, "h": 60} for one in words]
    assert carry_box(Box(10, 100, 50, 50), words, moved) == Box(30, 300, 150, 150)
    assert carry_box(Box(10, 100, 50, 50), words, moved[:1]) is None


def word(line, offset, x, y):
    return {"line": line, "offset": offset, "x": x, "y": y, "w": 50, "h": 20}


def test_a_scan_in_the_facsimiles_place_moves_the_rectangle_and_back(paged):
    leaf = Leaf.objects.get(book__slug=BOOK, number=5)
    drawn = PageRegion(5, 5, 1, 50, 2)
    before = region_box(drawn, leaf)
    scan = scan_of(5, lambda w: (w["x"] + 200, w["y"] + 300, w["w"], w["h"]))
    leaf = Leaf.objects.get(pk=leaf.pk)
    assert region_box(drawn, leaf) == Box(before.x + 200, before.y + 300, before.w, before.h)
    on_scan = region_on(region_box(drawn, leaf), 5, scan)
    assert on_scan.drawn_on == SCAN
    scan.withdrawn = True
    scan.save()
    back = region_box(on_scan, Leaf.objects.get(pk=leaf.pk))
    assert all(abs(getattr(back, side) - getattr(before, side)) <= 1 for side in "xywh")


def test_a_note_with_a_rectangle_is_shown_on_the_page_in_its_card_and_to_viewers(paged, client):
    assert paged.post(f"{NOTES}new/", NOTE | RECTANGLE).status_code == 302
    box = Box(round(WIDTH * 0.1), round(HEIGHT * 0.205), round(WIDTH * 0.3), round(HEIGHT * 0.04))
    number = Note.objects.get(slug="fifty").number
    for address in (f"/books/{BOOK}/", f"/books/{BOOK}/5/"):
        page = client.get(address).content.decode()
        assert holds(
            page,
            f'href="#note-fifty" data-n="fifty" aria-label="Note {number}: Fifty"><path d="{box.path}"',
        )
    part = box.padded(WIDTH // 50, WIDTH, HEIGHT)
    card = client.get(f"/books/{BOOK}/passages/score-capture/").content.decode()
    assert f"/iiif/image/3/{BOOK}-5-f/{part.xywh}/" in card
    told = client.get(f"/iiif/3/{BOOK}/canvas/5/notes.json").json()["items"]
    assert [one["target"] for one in told if one["id"].endswith("#fifty")] == [
        f"http://testserver/iiif/3/{BOOK}/canvas/5#xywh={box.xywh}"
    ]


def test_a_note_by_its_rectangle_alone_stands_on_its_leaf_and_not_on_the_book(paged, client):
    assert paged.post(f"{NOTES}new/", NOTE | RECTANGLE | {"anchor": "", "quote": ""}).status_code == 302
    on = client.get(f"/iiif/3/{BOOK}/canvas/5/notes.json").content.decode()
    whole = client.get(f"/iiif/3/{BOOK}/notes.json").content.decode()
    assert "#fifty" in on and "#fifty" not in whole


def test_the_form_shows_the_rectangle_where_it_is_now_and_keeps_the_image_it_was_drawn_on(paged):
    paged.post(f"{NOTES}new/", NOTE | RECTANGLE)
    page = paged.get(f"{NOTES}fifty/").content.decode()
    assert holds(page, '<rect x="10" y="20.5" width="30" height="4"/>') and f"{BOOK}-5-f" in page
    scan_of(5, lambda w: (w["x"], w["y"] + 300, w["w"], w["h"]))
    page = paged.get(f"{NOTES}fifty/").content.decode()
    assert f'name="drawn" value="{SCAN}"' in page
    number = r'name="(left|top|width|height)" type="number"[^>]*value="([\d.]+)"'
    sides = dict(re.findall(number, squeezed(page)))
    assert 19 < float(sides["top"]) < 28
    sent = NOTE | sides | {"leaf": "5", "shown": "5", "drawn": SCAN, "parent": 2, "body": "Again."}
    assert paged.post(f"{NOTES}fifty/", sent).status_code == 302
    assert Note.objects.get(slug="fifty").region.endswith(f"@{SCAN}")


def test_another_leaf_is_shown_without_losing_what_was_written_or_saving_it(paged):
    sent = NOTE | RECTANGLE | {"leaf": "4", "shown": "5", "act": "show"}
    answer = paged.post(f"{NOTES}new/", sent)
    page = answer.content.decode()
    assert answer.status_code == 200 and f"{BOOK}-4-f" in page and "A *large* number." in page
    assert holds(page, 'name="left" type="number" inputmode="decimal" min="0" max="100" step="any" value=""')
    assert not Note.objects.filter(slug="fifty").exists()


def test_a_rectangle_that_nothing_can_place_is_said_and_kept(paged):
    paged.post(f"{NOTES}new/", NOTE | RECTANGLE)
    scan = scan_of(5, lambda w: (w["x"], w["y"], w["w"], w["h"]))
    scan.words = []
    scan.save()
    page = paged.get(f"{NOTES}fifty/").content.decode()
    assert "was drawn on another image" in page and 'name="drawn" value=""' in page
