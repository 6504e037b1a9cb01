"""Proposals by OCR: a first text for a leaf that has none, read from its scan by Tesseract or taken from an
hOCR or ALTO file. The proposal opens on the page that edits the text: a person reads it before it is
published.

Scans and curation meet here, so this module stands above both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from archive.curation import proposals
from archive.curation.book_files import TEXT
from archive.curation.edits import OpenBook
from archive.curation.forms import leaf_text
from archive.images.storage import open_page
from archive.images.word_places import Words
from archive.models import Book, Leaf, PageImage, PassageName
from archive.models.history import Proposal
from archive.models.scans import FirstReading, Scan
from archive.ocr import ocr_files, tesseract, transcription
from archive.ocr.ocr_files import OcrPage
from archive.ocr.tesseract import OcrWord
from archive.ocr.transcription import OcrLine, Transcription
from archive.publication import revisions
from archive.publication.errors import EditError
from archive.scans import sandbox
from archive.scans.carried_places import published_cut
from archive.scans.errors import SandboxError, SandboxMemoryError, SandboxStoppedError
from archive.scans.page_boxes import Box, CutPage, describes_picture
from archive.scans.word_search import reading_language
from people.models import Person

PICTURE, PAGE = "picture", "page"
"""What a file was made from: the picture as it came, or the page as it was published."""


def propose_reading(scan: Scan, person: Person) -> Proposal:
    """A proposal with the text that Tesseract reads on the page."""
    leaf = _leaf(scan)
    assert scan.image is not None
    try:
        found = sandbox.read(open_page(scan.image), reading_language(scan), _anchor(leaf))
    except SandboxStoppedError:
        raise EditError("The site is being restarted. Try again in a minute.") from None
    except SandboxMemoryError:
        raise EditError(
            "There is more on this page than there is memory to read it (SCAN_SEEK_MEMORY_MAX). "
            "Cut it into two scans, or write its lines by hand."
        ) from None
    except (SandboxError, OSError):
        raise EditError(
            "The page could not be read in time. Try again, or write its lines by hand."
        ) from None
    if "fault" in found:
        raise EditError(found["fault"])
    proposal = _propose(leaf, person, found["rows"], "Read by Tesseract from the scan.")
    _keep_places(scan.image, "Tesseract", found["words"])
    return proposal


def choose_language(scan: Scan, code: str, for_book: bool = False) -> None:
    """Read this scan in a language, or all of its book. Empty: as the book, as the catalogue says."""
    if code and code not in dict(tesseract.installed_languages()):
        raise EditError("This language is not installed here. Choose another.")
    if for_book:
        Book.objects.filter(pk=scan.book_id).update(reading=code)
        Scan.objects.filter(book=scan.book_id).update(reading="")
        scan.book.reading, scan.reading = code, ""
    else:
        Scan.objects.filter(pk=scan.pk).update(reading=code)
        scan.reading = code


def propose_file(scan: Scan, person: Person, content: bytes, of: str = "") -> Proposal:
    """A proposal with the text of an hOCR or ALTO file. It was made from the picture as it came or from the
    page as it was published: `of` says which, or its size does."""
    leaf = _leaf(scan)
    try:
        page = ocr_files.parse_ocr_file(content, settings.READING_BYTES_MAX, settings.READING_WORDS_MAX)
        reading = _on_page(scan, page, of)
    except ocr_files.OcrFileError as fault:
        raise EditError(str(fault)) from None
    anchor = _anchor(leaf)
    rows = transcription.transcript_lines(reading, anchor)
    proposal = _propose(leaf, person, rows, f"From a file: {reading.by}.")
    assert scan.image is not None
    _keep_places(scan.image, reading.by, transcription.word_records(reading, anchor))
    return proposal


def _on_page(scan: Scan, page: OcrPage, of: str) -> Transcription:
    """The words with their places on the published page, whatever the file was made from."""
    assert scan.image is not None
    cut = published_cut(scan, scan.image)
    of_picture = {PICTURE: True, PAGE: False}.get(of, describes_picture(cut, page.width, page.height))
    if of_picture is None:
        raise EditError(
            "This file may have been made from the picture as uploaded or from the published page: its size "
            "fits both or neither. Choose which, and send it again."
        )
    if not of_picture:
        return ocr_files.on_image(page, scan.image.width, scan.image.height)
    whole = ocr_files.on_image(page, cut.width, cut.height)
    lines = [OcrLine(_moved(line.words, cut), line.begins) for line in whole.lines]
    kept = tuple(line for line in lines if line.words)
    if not kept:
        raise EditError("None of the words of this file is on the page that was cut from the picture.")
    return Transcription(kept, whole.by)


def _moved(words: Sequence[OcrWord], cut: CutPage) -> tuple[OcrWord, ...]:
    """The words that are on the page; what was cut away, such as the other half of a spread, is left out."""
    boxes = [(word, cut.box_of(Box(word.x, word.y, word.w, word.h))) for word in words]
    return tuple(replace(word, x=box.x, y=box.y, w=box.w, h=box.h) for word, box in boxes if box)


def _keep_places(image: PageImage, by: str, words: Words) -> None:
    """Store the places of the words that were read: however the text is edited, their ink stays there."""
    FirstReading.objects.update_or_create(
        image=image, defaults={"by": by, "words": words, "made": timezone.now()}
    )


def _leaf(scan: Scan) -> Leaf:
    if scan.image is None or not scan.wants_text:
        raise EditError("This page has a text already. Correct it line by line.")
    return scan.image.leaf


def _anchor(leaf: Leaf) -> str:
    """A name for its one passage that no other has; an editor divides it and finds better ones."""
    taken = set(PassageName.objects.filter(book=leaf.book).values_list("name", flat=True))
    names = [f"leaf-{leaf.number}", *(f"leaf-{leaf.number}-{n}" for n in range(2, len(taken) + 3))]
    return next(name for name in names if name not in taken)


def _propose(leaf: Leaf, person: Person, rows: list[str], reason: str) -> Proposal:
    if not any(row.strip() for row in rows):
        raise EditError("No words were found on this page. Write its lines by hand.")
    book = Book.objects.catalogued().get(pk=leaf.book_id)
    now = revisions.head_of(book).number
    opened = OpenBook(book, now, now, revisions.files_at(book, now))
    written = leaf_text.rows_from([row or leaf_text.GAP for row in rows])
    text = leaf_text.with_leaf(opened.files[TEXT], leaf.number, written)
    address = reverse("mend", args=[book.slug, leaf.number])
    place = f"Page {leaf.number}"
    return proposals.propose(person, opened, {TEXT: text}, reason, place, address, is_reading=True)
