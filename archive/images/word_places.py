"""Places of words on a page image: known from the facsimile, found on a scan, read first, or set by hand."""

from __future__ import annotations

from typing import Any

from archive.facsimile.words import is_printed, words_of
from archive.models import Leaf, PageImage
from archive.models.scans import FirstReading
from archive.ocr.box_tracking import track_boxes

Words = list[dict[str, Any]]


def known_words(leaf: Leaf) -> Words | None:
    """The words of a leaf in the order of its text, as they stand on its facsimile; without those in which we
    only describe what is there, since no scan has them. None while the facsimile is of another text."""
    facsimile = leaf.images.filter(kind=PageImage.FACSIMILE).first()
    words = (facsimile.printed or facsimile.words) if facsimile else []
    lines = [line for line in leaf.text_lines if is_printed(line)]
    text = {(word.line, word.offset, word.text) for line in lines for word in words_of(line)}
    if {_key(word) for word in words} != text:
        return None
    ours = {line.number for line in lines if line.ours}
    return [word for word in words if word["line"] not in ours]


def places_before(image: PageImage) -> Words:
    """The last places of words: as they were found, or else as they were first read."""
    first = None if image.words else FirstReading.objects.filter(image=image).first()
    return list(first.words if first else image.words)


def placed_by_hand(image: PageImage, known: Words) -> Words:
    """The words that a person placed, also where lines were added before them: while each is the same in its
    line, or is tracked through the edit."""
    said = {_key(word) for word in known}
    same = [word for word in image.words if word.get("hand") and _key(word) in said]
    kept = {_key(word) for word in same}
    tracked = track_boxes(image.words, known).words if len(same) < _by_hand(image) else []
    return same + [word for word in tracked if word.get("hand") and _key(word) not in kept]


def _by_hand(image: PageImage) -> int:
    return sum(bool(word.get("hand")) for word in image.words)


def _key(word: dict[str, Any]) -> tuple[int, int, str]:
    return word["line"], word["offset"], word["text"]
