"""Where the words of a leaf stand on its scan, so that marks, notes and clips move to the new image.

Looking takes some seconds: it is done behind the answer, one scan after the other, in a child process. What a
stop interrupts is looked for when the page of the scan is asked again, or by `manage.py make_pages`.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection, models, transaction
from PIL import Image

from archive.images.keeping import pages
from archive.images.sizes import folder_of, size_name
from archive.models import Leaf, PageImage
from archive.scan_models import Scan
from archive.word_models import FirstReading
from archive.words.following import Followed, follow, joined

SEEKER = Path(__file__).with_name("seeker.py")
GIVEN_UP = "given up"
"""Stands in `sought` when looking took too long or failed; somebody may ask again."""
_worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="words")
log = logging.getLogger(__name__)

Words = list[dict[str, Any]]


def known_words(leaf: Leaf) -> Words:
    """The words of a leaf in the order of its text, as they stand on its facsimile; without those in which we
    only describe what is there, since no scan has them."""
    facsimile = leaf.images.filter(kind=PageImage.FACSIMILE).first()
    ours = {line.number for line in leaf.text_lines if line.ours}
    return [word for word in facsimile.words if word["line"] not in ours] if facsimile else []


def seek_soon(scan: Scan, afresh: bool = False) -> None:
    _worker.submit(_seek, scan.pk, afresh)


def _seek(pk: int, afresh: bool) -> None:
    try:
        scan = Scan.objects.select_related("image__leaf__book").filter(pk=pk).first()
        if scan is not None:
            seek(scan, afresh)
    except Exception:
        log.exception("The words of scan %s could not be looked for.", pk)
    finally:
        connection.close()


def seek(scan: Scan, afresh: bool = False) -> None:
    """Look for the words of the leaf on the scan that is up, and keep where they are; `afresh` also for words
    that have a place already."""
    image = scan.image
    if image is None:
        return
    leaf = image.leaf
    try:
        before = [] if afresh else places_before(image)
        known = known_words(leaf)
        found = places_of(image, before, known, leaf.book.language)
    except (subprocess.SubprocessError, OSError, ValueError):
        log.warning("Looking for the words on %s was given up.", image.identifier, exc_info=True)
        Scan.objects.filter(pk=scan.pk).update(sought=GIVEN_UP)
        return
    with transaction.atomic():
        # Somebody may have placed a word by hand while it was looked for.
        image = PageImage.objects.select_for_update().get(pk=image.pk)
        found = joined(placed_by_hand(image, known), found.words, known)
        image.words, image.made_from = found.words, leaf.fingerprint
        image.save(update_fields=["words", "made_from", "made"])
        Scan.objects.filter(pk=scan.pk).update(sought=leaf.fingerprint, missing=found.missing)


def places_before(image: PageImage) -> Words:
    """Where words stood last: as they were found, or else as they were first read."""
    first = None if image.words else FirstReading.objects.filter(image=image).first()
    return list(first.words if first else image.words)


def placed_by_hand(image: PageImage, known: Words) -> Words:
    """What a person placed, while the word is still the same in its line."""
    said = {(word["line"], word["offset"], word["text"]) for word in known}
    return [w for w in image.words if w.get("hand") and (w["line"], w["offset"], w["text"]) in said]


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
    return shown.exclude(sought=models.F("image__leaf__fingerprint")).exclude(sought=GIVEN_UP)


def seek_again(slug: str) -> int:
    """For every such scan of a book; how many there were."""
    found = list(stale().filter(book__slug=slug))
    for scan in found:
        seek(scan)
    return len(found)


def page_of(image: PageImage) -> Image.Image:
    """The whole page as it is served: our own file."""
    name = f"{folder_of(image.identifier, image.checksum)}/{size_name(image.width)}"
    with pages().open(name) as stored:
        page = Image.open(stored, formats=["JPEG"])
        page.load()
    return page


def align(page: Image.Image, known: Words, language: str) -> dict[str, Words]:
    return ask(page, {"job": "align", "known": known, "language": language})


def ask(page: Image.Image, task: dict[str, Any]) -> dict[str, Any]:
    """What the child finds on a page. It may raise what subprocesses do, and OSError."""
    task = task | {"mode": page.mode, "size": page.size}
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out:
        given.write(json.dumps(task).encode() + b"\n")
        given.write(page.tobytes())
        given.flush()
        os.lseek(given.fileno(), 0, os.SEEK_SET)
        environment = {name: os.environ[name] for name in ("PATH", "TESSDATA_PREFIX") if name in os.environ}
        subprocess.run(  # noqa: S603
            [sys.executable, "-I", str(SEEKER)],
            stdin=given,
            stdout=out,
            stderr=subprocess.DEVNULL,
            env=environment | {"OMP_THREAD_LIMIT": "1", "OPENBLAS_NUM_THREADS": "1"},
            timeout=settings.SCAN_SEEK_SECONDS,
            check=True,
        )
        out.seek(0)
        found: dict[str, Any] = json.loads(out.read())
    return found
