"""Where the words of a leaf stand on its scan, so that marks, notes and clips move to the new image.

Looking takes some seconds: it is done behind the answer, one scan after the other, in a child process. The
row of a scan says for which text that was done; so what a stop interrupts is still to be done, and is done
when somebody reads the scan's page, or by `manage.py make_pages`, which runs at every start.
"""

from __future__ import annotations

import atexit
import logging
from typing import Any

from django.db import models, transaction
from PIL import Image

from archive.background import BackgroundQueue
from archive.facsimile.words import is_set, words_of
from archive.images.storage import pages
from archive.images.tiles import folder_of, size_name
from archive.models import Leaf, PageImage
from archive.models.scans import FirstReading, Scan
from archive.ocr.box_tracking import Followed, follow, joined
from archive.scans import asking, turns

log = logging.getLogger(__name__)

Words = list[dict[str, Any]]


def known_words(leaf: Leaf) -> Words | None:
    """The words of a leaf in the order of its text, as they stand on its facsimile; without those in which we
    only describe what is there, since no scan has them. None while the facsimile is of another text."""
    facsimile = leaf.images.filter(kind=PageImage.FACSIMILE).first()
    words = facsimile.words if facsimile else []
    lines = [line for line in leaf.text_lines if is_set(line)]
    text = {(word.line, word.offset, word.text) for line in lines for word in words_of(line)}
    if {_key(word) for word in words} != text:
        return None
    ours = {line.number for line in lines if line.ours}
    return [word for word in words if word["line"] not in ours]


def _key(word: dict[str, Any]) -> tuple[int, int, str]:
    return word["line"], word["offset"], word["text"]


def enqueue_search(scan: Scan) -> None:
    _worker.enqueue(scan.pk)


def search_afresh(scan: Scan) -> None:
    """Let all words be looked for, also those that have a place."""
    Scan.objects.filter(pk=scan.pk).update(sought=Scan.AFRESH)
    enqueue_search(scan)


def search_once(pk: int) -> None:
    """Look for the words of a scan if that is still to be done and nobody is at it."""
    with turns.alone(pk) as mine:
        while mine and (scan := stale().filter(pk=pk).first()) is not None:
            # Again if the text was mended meanwhile: whoever asked for that has found us at work.
            if not seek(scan):
                return


_worker = BackgroundQueue("words", search_once, on_stop=asking.stop)
# Also where no server shuts down in order: a command must not leave a child behind.
atexit.register(_worker.stop)


def seek(scan: Scan) -> bool:
    """Look for the words of the leaf on the scan that is up, and keep where they are. False if that cannot be
    done now: its facsimile is being set, and then it is asked for again, or the site stops."""
    image = scan.image
    if image is None:
        return False
    leaf = image.leaf
    known = known_words(leaf)
    if known is None:
        return False
    try:
        before = [] if scan.sought == Scan.AFRESH else places_before(image)
        found = places_of(image, before, known, leaf.book.language)
    except asking.Stopped:
        return False
    except (asking.NotFound, OSError, ValueError) as fault:
        log.warning("Looking for the words on %s was given up: %s.", image.identifier, fault)
        too_much = isinstance(fault, asking.TooMuch)
        _as_asked(scan).update(sought=Scan.TOO_MUCH if too_much else Scan.GIVEN_UP)
        return True
    with transaction.atomic():
        # Somebody may have placed a word by hand while it was looked for.
        image = PageImage.objects.select_for_update().get(pk=image.pk)
        found = joined(placed_by_hand(image, known), found.words, known)
        image.words, image.made_from = found.words, leaf.fingerprint
        image.save(update_fields=["words", "made_from", "made"])
        _as_asked(scan).update(sought=leaf.fingerprint, missing=found.missing)
    return True


def _as_asked(scan: Scan) -> models.QuerySet[Scan]:
    """The scan, unless something else was asked for meanwhile: that is then still to be done."""
    return Scan.objects.filter(pk=scan.pk, sought=scan.sought, image=scan.image)


def places_before(image: PageImage) -> Words:
    """Where words stood last: as they were found, or else as they were first read."""
    first = None if image.words else FirstReading.objects.filter(image=image).first()
    return list(first.words if first else image.words)


def placed_by_hand(image: PageImage, known: Words) -> Words:
    """What a person placed, while the word is still the same in its line."""
    said = {_key(word) for word in known}
    return [word for word in image.words if word.get("hand") and _key(word) in said]


def places_of(image: PageImage, before: Words, known: Words, language: str) -> Followed:
    """Words that had their place keep it, however the text was mended; for the others one looks."""
    kept = follow(before, known)
    if not kept.missing:
        return kept
    looked = align(page_of(image), known, language)
    return joined(kept.words, looked["words"], known)


def stale() -> models.QuerySet[Scan]:
    """Scans that are up and whose words were not looked for, or for another text than the present one."""
    shown = Scan.objects.select_related("image__leaf__book").filter(image__withdrawn=False)
    done = models.Q(sought=models.F("image__leaf__fingerprint")) | models.Q(sought__in=Scan.LEFT_ALONE)
    return shown.exclude(done)


def search_again(slug: str) -> int:
    """For every such scan of a book; how many there were."""
    found = list(stale().filter(book__slug=slug).values_list("pk", flat=True))
    for pk in found:
        search_once(pk)
    return len(found)


def page_of(image: PageImage) -> Image.Image:
    """The whole page as it is served: our own file."""
    name = f"{folder_of(image.identifier, image.checksum)}/{size_name(image.width)}"
    with pages().open(name) as stored:
        page = Image.open(stored, formats=["JPEG"])
        page.load()
    return page


def align(page: Image.Image, known: Words, language: str) -> dict[str, Words]:
    return asking.ask(page, {"job": "align", "known": known, "language": language})
