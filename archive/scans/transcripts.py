"""A first text for a leaf that has none: read from its scan by Tesseract, or by whoever wrote an hOCR or ALTO
file. It becomes a proposal, which opens on the mending page; nothing is published that nobody has read."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from archive.curation import proposals
from archive.curation.forms import leaf_text
from archive.curation.note_repair import TEXT
from archive.curation.opening import Opened
from archive.curation.proofreading import NO_LINES
from archive.models import Book, Leaf, PageImage, PassageName
from archive.models.history import Proposal
from archive.models.scans import FirstReading, Scan
from archive.ocr import ocr_files, tesseract, transcription
from archive.publication import revisions
from archive.publication.errors import EditError
from archive.scans import asking, word_search
from people.models import Person


def is_offered(scan: Scan) -> bool:
    """A scan that is up, on a leaf without a text."""
    return scan.image is not None and scan.is_shown and scan.image.leaf.fingerprint == NO_LINES


def can_read() -> bool:
    return tesseract.is_here()


def propose_read(scan: Scan, person: Person) -> Proposal:
    """What Tesseract reads on the page, as a proposal."""
    leaf = _leaf(scan)
    assert scan.image is not None
    task = {"job": "read", "language": leaf.book.language, "anchor": _anchor(leaf)}
    try:
        found = asking.ask(word_search.page_of(scan.image), task)
    except asking.Stopped:
        raise EditError("The site is being restarted. Try again in a minute.") from None
    except asking.TooMuch:
        raise EditError(
            "There is more on this page than there is memory to read it (SCAN_SEEK_MEMORY_MAX). "
            "Cut it into two scans, or write its lines by hand."
        ) from None
    except (asking.NotFound, OSError):
        raise EditError(
            "The page could not be read in time. Try again, or write its lines by hand."
        ) from None
    if "fault" in found:
        raise EditError(found["fault"])
    proposal = _propose(leaf, person, found["rows"], "Read by Tesseract from the scan.")
    _keep_places(scan.image, "Tesseract", found["words"])
    return proposal


def propose_file(scan: Scan, person: Person, content: bytes) -> Proposal:
    """What an hOCR or ALTO file says of the page, as a proposal."""
    leaf = _leaf(scan)
    assert scan.image is not None
    try:
        reading = ocr_files.read_file(
            content,
            scan.image.width,
            scan.image.height,
            settings.READING_BYTES_MAX,
            settings.READING_WORDS_MAX,
        )
    except ocr_files.OcrFileError as fault:
        raise EditError(str(fault)) from None
    anchor = _anchor(leaf)
    rows = transcription.text_of(reading, anchor)
    proposal = _propose(leaf, person, rows, f"From a file: {reading.by}.")
    _keep_places(scan.image, reading.by, transcription.records_of(reading, anchor))
    return proposal


def _keep_places(image: PageImage, by: str, words: word_search.Words) -> None:
    """Where the words stood that were read: what becomes of them in the text, their ink stays there."""
    FirstReading.objects.update_or_create(
        image=image, defaults={"by": by, "words": words, "made": timezone.now()}
    )


def _leaf(scan: Scan) -> Leaf:
    if scan.image is None or not is_offered(scan):
        raise EditError("This leaf has a text already. Mend it line by line.")
    return scan.image.leaf


def _anchor(leaf: Leaf) -> str:
    """A name for its one passage that no other has; whoever mends it divides it and finds better ones."""
    taken = set(PassageName.objects.filter(book=leaf.book).values_list("name", flat=True))
    names = [f"leaf-{leaf.number}", *(f"leaf-{leaf.number}-{n}" for n in range(2, len(taken) + 3))]
    return next(name for name in names if name not in taken)


def _propose(leaf: Leaf, person: Person, rows: list[str], reason: str) -> Proposal:
    if not any(row.strip() for row in rows):
        raise EditError("No words were found on this page. Write its lines by hand.")
    book = Book.objects.catalogued().get(pk=leaf.book_id)
    now = revisions.head_of(book).number
    opened = Opened(book, now, now, revisions.files_at(book, now))
    written = leaf_text.rows_from([row or leaf_text.GAP for row in rows])
    text = leaf_text.with_leaf(opened.files[TEXT], leaf.number, written)
    address = reverse("mend", args=[book.slug, leaf.number])
    return proposals.propose(person, opened, {TEXT: text}, reason, f"Leaf {leaf.number}", address)
