"""A known text is found again on a scan: measured on facsimile pages worn as scans are, and on other type."""

import os

import numpy
import pytest
from PIL import Image

from archive.ocr import tesseract
from archive.ocr.alignment import align, visual_order
from tests.archive.worn_pages import facsimile, judged, leaves, scanned, set_otherwise

SOAK = bool(os.environ.get("SOAK"))
# Running text, a cover with a picture's worth of type sizes, and the score pad with its columns.
FEW = [("rummy-1916", 6), ("thumbs-up-1941", 1), ("victory-rummy-1942", 2)]
PAGES = leaves() if SOAK else FEW
SCORE_PAD = ("victory-rummy-1942", 2)
LEAST = 0.97

needs_tesseract = pytest.mark.skipif(not tesseract.is_installed(), reason="Tesseract is not installed")


@pytest.fixture(scope="module")
def worn():
    return {page: scanned(*page) for page in PAGES}


def over_all(scans, found):
    counts = [judged(scan, found(scan)) for scan in scans]
    return sum(counts[1:], counts[0])


def test_words_of_a_page_that_was_turned_blurred_and_speckled_are_within_ten_pixels(worn):
    total = over_all(worn.values(), lambda scan: align(scan.image, scan.known, with_reader=False).words)
    assert total.share >= LEAST, total
    assert total.wrong <= total.words * 0.002, total


@needs_tesseract
def test_they_are_with_tesseract_as_well(worn):
    scans = worn.values() if SOAK else [worn[FEW[0]]]
    total = over_all(scans, lambda scan: align(scan.image, scan.known).words)
    assert total.share >= LEAST, total
    assert total.wrong <= total.words * 0.002, total


def test_the_facsimiles_own_places_would_not_do(worn):
    """The control: the same measure fails when nothing is moved."""
    total = over_all(worn.values(), lambda scan: scan.known)
    assert total.share < 0.1, total


def test_another_face_size_and_measure_is_no_hindrance():
    pages = [page for page in leaves() if page != SCORE_PAD] if SOAK else [("rap-rummy-1926", 3)]
    scans = [set_otherwise(*page) for page in pages]
    total = over_all(scans, lambda scan: align(scan.image, scan.known, with_reader=False).words)
    assert total.share >= 0.95, total
    assert total.wrong <= total.words * 0.002, total
    if tesseract.is_installed() and SOAK:
        total = over_all(scans, lambda scan: align(scan.image, scan.known).words)
        assert total.share >= LEAST, total


def test_words_that_are_not_on_the_page_are_missing_and_not_in_a_wrong_place(worn):
    scan = worn["rummy-1916", 6]
    first, last = scan.known[40], scan.known[-1]
    foreign = [
        {**first, "text": text, "line": 900, "offset": offset, "w": 30 + 22 * len(text)}
        for offset, text in enumerate(["Extraordinarily", "unprinted", "multiplication"])
    ]
    known = [*scan.known[:41], *foreign, *scan.known[41:]]
    found = align(scan.image, known, with_reader=False)
    assert judged(scan, found.words).share >= LEAST
    assert [word["text"] for word in found.missing if word["line"] == 900] == [w["text"] for w in foreign]
    assert last["text"] == found.words[-1]["text"]


def test_every_word_is_either_placed_or_missing_and_keeps_what_it_says(worn):
    scan = worn["victory-rummy-1942", 2]
    found = align(scan.image, scan.known, with_reader=False)
    told = ("text", "line", "offset", "passage")
    keys = sorted(tuple(str(word[name]) for name in told) for word in found.words + found.missing)
    assert keys == sorted(tuple(str(word[name]) for name in told) for word in scan.known)
    width, height = scan.image.size
    for word in found.words:
        assert set(word) == {*told, "row", "x", "y", "w", "h"}
        assert all(isinstance(word[name], int) for name in "xywh")
        assert (
            0 <= word["x"] < word["x"] + word["w"] <= width
            and 0 <= word["y"] < word["y"] + word["h"] <= height
        )
    assert len(found.sure) == len(found.words) and all(0 < sure <= 1 for sure in found.sure)


@pytest.mark.parametrize("level", [0, 128, 255])
def test_an_empty_page_has_none_of_the_words(level):
    _, words = facsimile("rummy-1916", 3)
    found = align(Image.new("L", (300, 400), level), words, with_reader=False)
    assert not found.words and found.missing == words


def test_a_page_without_a_text_has_nothing_to_find():
    found = align(Image.new("L", (300, 400), 255), [], with_reader=False)
    assert (found.words, found.missing) == ([], [])


def test_cells_of_a_table_are_taken_as_one_sees_them():
    def word(text, x, y):
        return {"text": text, "x": x, "y": y, "w": 40, "h": 20}

    # The text goes down the first column and then down the second.
    known = [word("a", 0, 0), word("b", 0, 40), word("c", 100, 2), word("d", 100, 41)]
    assert [known[one]["text"] for one in visual_order(known)] == ["a", "c", "b", "d"]


def test_without_tesseract_the_words_are_found_all_the_same(worn, monkeypatch):
    monkeypatch.setattr(tesseract.shutil, "which", lambda name: None)
    scan = worn["thumbs-up-1941", 1]
    found = align(scan.image, scan.known)
    assert not found.read and judged(scan, found.words).share >= LEAST


@needs_tesseract
def test_a_reader_that_takes_too_long_is_ended_and_said_so(worn):
    page = numpy.asarray(worn["rummy-1916", 6].image.convert("L"))
    with pytest.raises(tesseract.TesseractError, match=r"longer than 0\.05 seconds"):
        tesseract.read_words(page, seconds=0.05)
