"""Proposals by OCR: a first text for a leaf that has none, read from its scan by Tesseract or taken from an
hOCR or ALTO file. The proposal opens on the page that edits the text: a person reads it before it is
published.

Scans and curation meet here, so this module stands above both.
"""

from __future__ import annotations

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
from archive.ocr import ocr_files, transcription
from archive.publication import revisions
from archive.publication.errors import EditError
from archive.scans import sandbox
from archive.scans.errors import SandboxError, SandboxMemoryError, SandboxStoppedError
from people.models import Person


def propose_reading(scan: Scan, person: Person) -> Proposal:
    """A proposal with the text that Tesseract reads on the page."""
    leaf = _leaf(scan)
    assert scan.image is not None
    try:
        found = sandbox.read(open_page(scan.image), leaf.book.language, _anchor(leaf))
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


def propose_file(scan: Scan, person: Person, content: bytes) -> Proposal:
    """A proposal with the text of an hOCR or ALTO file."""
    leaf = _leaf(scan)
    assert scan.image is not None
    try:
        reading = ocr_files.read_ocr_file(
            content,
            scan.image.width,
            scan.image.height,
            settings.READING_BYTES_MAX,
            settings.READING_WORDS_MAX,
        )
    except ocr_files.OcrFileError as fault:
        raise EditError(str(fault)) from None
    anchor = _anchor(leaf)
    rows = transcription.transcript_lines(reading, anchor)
    proposal = _propose(leaf, person, rows, f"From a file: {reading.by}.")
    _keep_places(scan.image, reading.by, transcription.word_records(reading, anchor))
    return proposal


def _keep_places(image: PageImage, by: str, words: Words) -> None:
    """Store the places of the words that were read: however the text is edited, their ink stays there."""
    FirstReading.objects.update_or_create(
        image=image, defaults={"by": by, "words": words, "made": timezone.now()}
    )


def _leaf(scan: Scan) -> Leaf:
    if scan.image is None or not scan.wants_text:
        raise EditError("This leaf has a text already. Mend it line by line.")
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
    return proposals.propose(person, opened, {TEXT: text}, reason, f"Leaf {leaf.number}", address)
