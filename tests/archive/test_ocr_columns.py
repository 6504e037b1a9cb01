"""Columns are found before rows: words of pages set in columns, with headings across, aslant and bent."""

import os
import random

import numpy
import pytest

from archive.ocr import tesseract
from archive.ocr.alignment import align
from archive.ocr.binarize import prepare_page
from archive.ocr.columns import find_gutters, rows_in_columns
from archive.ocr.components import Components, letter_components
from archive.ocr.witnesses import facsimile_witnesses
from tests.archive.printed_pages import printed
from tests.archive.worn_pages import facsimile, judged, judged_by_kind, scanned

SOAK = bool(os.environ.get("SOAK"))
PAGE = ("rummy-1916", 6)
OTHERS = [("rap-rummy-1926", 3), ("thumbs-up-1941", 2), ("victory-rummy-1942", 3)] if SOAK else []


@pytest.fixture(scope="module")
def two_columns():
    return printed(*PAGE, columns=2)


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_as_many_gutters_are_found_as_there_are(columns, two_columns):
    scan = two_columns if columns == 2 else printed(*PAGE, columns=columns)
    letters = letter_components(prepare_page(scan.image).ink)
    assert len(find_gutters(letters)) == columns - 1


@pytest.mark.skipif(not tesseract.is_installed(), reason="Tesseract is not installed")
def test_words_in_two_columns_have_their_place_and_hardly_one_is_wrong(two_columns):
    scans = [two_columns, *(printed(*page, columns=2) for page in OTHERS)]
    counts = [judged(scan, align(scan.image, scan.known).words) for scan in scans]
    total = sum(counts[1:], counts[0])
    assert total.row_share >= 0.95 and total.wrong <= 0.01 * total.words, total


def test_a_text_of_another_page_is_noticed_and_that_of_its_own_is_not(two_columns):
    assert align(two_columns.image, two_columns.known).fits
    _, other = facsimile("rap-rummy-1926", 3)
    if tesseract.is_installed():
        assert not align(two_columns.image, other).fits


@pytest.mark.skipif(not tesseract.is_installed(), reason="Tesseract is not installed")
def test_a_text_that_a_longer_page_has_among_others_is_noticed():
    """Rap Rummy has taken a page of Rummy over, nearly word by word."""
    scan = scanned("rap-rummy-1926", 4)
    _, taken_over = facsimile("rummy-1916", 6)
    found = align(scan.image, taken_over)
    assert found.read_fit > 0.8 and not found.fits
    assert align(scan.image, scan.known).fits


def test_regions_that_a_person_drew_are_read_in_their_order(two_columns):
    width, height = two_columns.image.size
    # The right column alone: what is in the left one is not on this part of the page.
    found = align(
        two_columns.image, two_columns.known, with_reader=False, regions=[(width * 0.51, 0, width, height)]
    )
    assert found.words and all(word["x"] > width * 0.47 for word in found.words)


def letters_in_columns(gutter, headings=(), rows=60, chance=None):
    """Letters 20 pixels high in two columns of a newspaper; where a heading stands, it runs across both."""
    chance = chance or random.Random(3)
    boxes = []
    for row in range(rows):
        y = 100 + 34 * row
        spans = (
            ((100, 900 + gutter + 800),) if row in headings else ((100, 900), (900 + gutter, 1700 + gutter))
        )
        for left, right in spans:
            x = left
            while x < right:
                for _ in range(chance.randint(2, 9)):
                    wide = min(chance.randint(9, 16), right - x)
                    boxes.append((x, y, x + wide, y + 20, wide * 10))
                    x += wide + 2
                    if x >= right:
                        break
                x += 11
    return Components(*(numpy.array(column) for column in zip(*boxes, strict=True)))


@pytest.mark.parametrize("gutter", [18, 26, 60])
def test_a_gutter_hardly_wider_than_the_white_between_words_is_one_if_it_is_long(gutter):
    [found] = find_gutters(letters_in_columns(gutter))
    assert abs(found.x.mean() - 900 - gutter / 2) < 12
    assert find_gutters(letters_in_columns(gutter, rows=10)) == []


def test_headings_part_a_page_of_columns_into_blocks_that_are_read_one_after_the_other():
    """The gutters above and below a heading are of unlike length."""
    letters = letters_in_columns(30, headings=(22, 23, 24))
    assert len(find_gutters(letters)) == 2
    rows = rows_in_columns(letters)
    middles = [(row.left + row.right) / 2 for row in rows]
    headings = [n for n, row in enumerate(rows) if row.right - row.left > 1200]
    assert headings == [44, 45, 46] and max(middles[:22]) < 900 < min(middles[22:44])


def test_specks_are_dropped_from_a_page_full_of_them_and_points_are_kept_elsewhere():
    chance = random.Random(5)
    ink = numpy.zeros((1200, 1200), dtype=bool)
    for y in range(100, 1100, 40):
        for x in range(100, 1100, 24):
            ink[y : y + 24, x : x + 14] = True
        ink[y + 21 : y + 24, 1110:1113] = True
    printed_letters = len(letter_components(ink))
    for _ in range(900):
        y, x = chance.randrange(5, 1190), chance.randrange(1120, 1190)
        ink[y : y + 3, x : x + 3] = True
    assert printed_letters == 25 * 43
    assert len(letter_components(ink)) < 25 * 42 + 30


@pytest.fixture(scope="module")
def with_margin():
    """One column with a drop capital, stars in one margin and notes in the other."""
    return printed("thumbs-up-1941", 2, columns=1, drop=True, margin=True)


def test_marks_in_a_margin_are_no_column_and_notes_there_are_read_after_the_text(with_margin):
    counts = judged_by_kind(with_margin, align(with_margin.image, with_margin.known, with_reader=False).words)
    assert counts[""].row_share >= 0.97 and counts["margin"].row_share >= 0.9
    assert sum(one.wrong for one in counts.values()) == 0


def test_a_word_with_a_drop_capital_reaches_from_the_capital_to_its_end(with_margin):
    placed = align(with_margin.image, with_margin.known, with_reader=False).words
    assert judged_by_kind(with_margin, placed)["drop capital"].in_row == 1


def test_a_likeness_of_the_typeset_page_that_the_ink_contradicts_is_not_believed():
    """Full rows begin and end alike on every page of running text."""
    scan = printed(*PAGE, columns=1, drop=True, margin=True)
    letters = letter_components(prepare_page(scan.image).ink)
    rows = rows_in_columns(letters)
    assert len(facsimile_witnesses(scan.known, rows)) == len(scan.known)
    counts = judged_by_kind(scan, align(scan.image, scan.known, with_reader=False).words)
    assert counts[""].row_share >= 0.9 and counts[""].wrong == 0
