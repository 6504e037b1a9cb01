"""Columns are found before rows: words of pages set in columns, with headings across, aslant and bent."""

import os

import pytest

from archive.ocr import tesseract
from archive.ocr.alignment import align
from archive.ocr.binarize import prepare_page
from archive.ocr.columns import find_gutters
from archive.ocr.components import letter_components
from tests.archive.printed_pages import printed
from tests.archive.worn_pages import facsimile, judged

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


def test_regions_that_a_person_drew_are_read_in_their_order(two_columns):
    width, height = two_columns.image.size
    # The right column alone: what is in the left one is not on this part of the page.
    found = align(
        two_columns.image, two_columns.known, with_reader=False, regions=[(width * 0.51, 0, width, height)]
    )
    assert found.words and all(word["x"] > width * 0.47 for word in found.words)
