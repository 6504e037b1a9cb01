"""Search for the words of a leaf on its scan, so that marks, notes and clips move to the new image.

A search takes some seconds: it is a background job, one scan after the other, in the sandbox. The row of a
scan says for which text it was made; so a search that a stop interrupts is still to be made, and is made when
the scan's page is read, or by `manage.py make_pages`, which runs at every start.
"""

from __future__ import annotations

import atexit
import logging
from collections.abc import Sequence

from django.db import models, transaction

from archive.background import BackgroundQueue
from archive.images.storage import open_page
from archive.images.word_places import Words, known_words, placed_by_hand, places_before
from archive.models import PageImage
from archive.models.scans import Scan
from archive.ocr.box_tracking import TrackedWords, merge_places, track_boxes, without_taken
from archive.ocr.tesseract import language_for
from archive.scans import sandbox
from archive.scans.errors import SandboxError, SandboxMemoryError, SandboxStoppedError
from archive.scans.sandbox import align
from archive.scans.text_check import region_edges
from ops import locks

log = logging.getLogger(__name__)


def enqueue_search(scan: Scan) -> None:
    """Search in the background."""
    _worker.enqueue(scan.pk)


def search_afresh(scan: Scan) -> None:
    """Search for all words again, also those that have a place."""
    Scan.objects.filter(pk=scan.pk).update(sought=Scan.AFRESH)
    enqueue_search(scan)


def search_once(pk: int) -> None:
    """Search for the words of a scan if that is still to be done and no other process is at it."""
    with locks.exclusive(locks.WORD_SEARCH, pk) as is_held:
        while is_held and (scan := stale().filter(pk=pk).first()) is not None:
            # Again if the text was edited meanwhile: the process that was told so has found this one at work.
            if not search(scan):
                return


_worker = BackgroundQueue("words", search_once, on_stop=sandbox.stop)
# Also where no server shuts down in order: a command must not leave a child behind.
atexit.register(_worker.stop)


def search(scan: Scan) -> bool:
    """Search for the words of the leaf on the published scan, and store their places. False if that cannot be
    done now: its facsimile is being typeset, after which the search is enqueued again, or the site stops."""
    image = scan.image
    if image is None:
        return False
    leaf = image.leaf
    known = known_words(leaf)
    if known is None:
        return False
    try:
        before = [] if scan.sought == Scan.AFRESH else places_before(image)
        found = places_of(
            image, before, known, reading_language(scan), region_edges(scan, image.width, image.height)
        )
    except SandboxStoppedError:
        return False
    except (SandboxError, OSError, ValueError) as fault:
        log.warning("Looking for the words on %s was given up: %s.", image.identifier, fault)
        too_much = isinstance(fault, SandboxMemoryError)
        _unless_asked_again(scan).update(sought=Scan.TOO_MUCH if too_much else Scan.GIVEN_UP)
        return True
    with transaction.atomic():
        # A word may have been placed by hand during the search.
        image = PageImage.objects.select_for_update().get(pk=image.pk)
        found = merge_places(placed_by_hand(image, known), found.words, known)
        taken = {(word["line"], word["offset"], word["text"]) for word in scan.missing if word.get("away")}
        found = without_taken(found, taken)
        image.words, image.made_from = found.words, leaf.fingerprint
        image.save(update_fields=["words", "made_from", "made"])
        _unless_asked_again(scan).update(sought=leaf.fingerprint, missing=found.missing)
    return True


def reading_language(scan: Scan) -> str:
    """The language in which Tesseract reads this scan: its own, that of its book, that of the catalogue."""
    return language_for(scan.book.language, scan.reading, scan.book.reading)


def _unless_asked_again(scan: Scan) -> models.QuerySet[Scan]:
    """The scan, unless another search was asked for meanwhile: that is then still to be done."""
    return Scan.objects.filter(pk=scan.pk, sought=scan.sought, image=scan.image)


def places_of(
    image: PageImage, before: Words, known: Words, language: str, regions: Sequence[Sequence[float]] = ()
) -> TrackedWords:
    """Words that had their place keep it, however the text was edited; the others are searched for."""
    kept = track_boxes(before, known)
    if not kept.missing:
        return kept
    looked = align(open_page(image), known, language, regions)
    return merge_places(kept.words, looked["words"], known)


def stale() -> models.QuerySet[Scan]:
    """Published scans whose words were not searched for, or for another text than the present one."""
    shown = Scan.objects.select_related("image__leaf__book").filter(image__withdrawn=False)
    done = models.Q(sought=models.F("image__leaf__fingerprint")) | models.Q(sought__in=Scan.LEFT_ALONE)
    return shown.exclude(done)


def search_again(slug: str) -> int:
    """Search on every stale scan of a book; return how many there were."""
    found = list(stale().filter(book__slug=slug).values_list("pk", flat=True))
    for pk in found:
        search_once(pk)
    return len(found)
