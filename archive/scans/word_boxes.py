"""Boxes of words on a published scan, put right by a person: moved, drawn, taken away, or placed anew in a
region. What a person has placed is never moved by a machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from archive.images.boxes import Box
from archive.images.storage import open_page
from archive.models import PageImage
from archive.models.scans import Scan
from archive.ocr.box_tracking import likely_box
from archive.publication.errors import EditError
from archive.scans import sandbox
from archive.scans.errors import SandboxError, SandboxStoppedError
from archive.scans.word_search import reading_language

Word = dict[str, Any]
Key = tuple[int, int]

MIN_SIDE = 2
SURE_ENOUGH = 0.5
"""A word found with less certainty is shown among the doubtful ones."""
MAX_REGIONS = 40


@dataclass(frozen=True)
class ListedWord:
    """A word with its box, or the likely one; `state` is `missing`, `doubtful`, `hand`, `away` or `found`."""

    word: Word
    state: str
    box: Box | None

    @property
    def name(self) -> str:
        """As the address of the page has it."""
        return f"{self.word['line']}-{self.word['offset']}"

    @property
    def wants_a_look(self) -> bool:
        return self.state in ("missing", "doubtful")


def key_of(word: Word) -> Key:
    return word["line"], word["offset"]


def listed_words(scan: Scan, image: PageImage) -> list[ListedWord]:
    """Every word of the leaf, doubtful and missing ones first, each part in the order of the text."""
    found = [ListedWord(word, _state(word), _box(word)) for word in image.words]
    missing = [ListedWord(word, "away" if word.get("away") else "missing", None) for word in scan.missing]
    return sorted(found + missing, key=lambda one: (not one.wants_a_look, key_of(one.word)))


def _state(word: Word) -> str:
    if word.get("hand"):
        return "hand"
    return "doubtful" if word.get("sure", 1) < SURE_ENOUGH else "found"


def _box(word: Word) -> Box:
    return Box(word["x"], word["y"], word["w"], word["h"])


def box_to_start_with(image: PageImage, listed: ListedWord) -> Box | None:
    """Its own box, or where the words around it say."""
    if listed.box is not None:
        return listed.box
    likely = likely_box(listed.word, image.words)
    return Box(*likely).within(image.width, image.height) if likely else None


def keep_box(scan: Scan, key: Key, box: Box) -> None:
    """This word stands here, a person says."""
    with _locked(scan) as (here, image):
        check_box(image, box)
        words, missing = _without(image.words, key), _without(here.missing, key)
        word = _word(here, image, key)
        told = {name: value for name, value in word.items() if name not in ("sure", "away")}
        row = word["row"] if "x" in word and not _is_missing(here, key) else _row(image, box)
        placed = {**told, "row": row, "x": box.x, "y": box.y, "w": box.w, "h": box.h, "hand": True}
        image.words = sorted([*words, placed], key=key_of)
        here.missing = missing


def take_away(scan: Scan, key: Key) -> None:
    """This word is not on the page, a person says."""
    with _locked(scan) as (here, image):
        word = _word(here, image, key)
        told = {name: value for name, value in word.items() if name not in ("sure", "hand")}
        image.words = _without(image.words, key)
        here.missing = sorted([*_without(here.missing, key), {**told, "away": True}], key=key_of)


def place_lines(scan: Scan, first: int, last: int, box: Box) -> int:
    """Look for the words of these lines in this part of the page alone; return how many have their place now.
    Those that a person placed or took away stay as they are."""
    image = scan.image
    if image is None:
        raise EditError("This scan is not shown on its page, so it has no words.")
    check_box(image, box)
    wanted = [word for word in [*image.words, *scan.missing] if first <= word["line"] <= last]
    known = [_as_typeset(image, word) for word in sorted(wanted, key=key_of) if not _by_person(word)]
    if not known:
        raise EditError("These lines have no words that are still to be placed.")
    part = open_page(image).crop((box.x, box.y, box.right, box.foot))
    try:
        found = sandbox.align(part, known, reading_language(scan))["words"]
    except (SandboxError, SandboxStoppedError):
        raise EditError("The words could not be looked for in time. Choose a smaller part.") from None
    moved = {key_of(word): word | {"x": word["x"] + box.x, "y": word["y"] + box.y} for word in found}
    with _locked(scan) as (here, now):
        free = {key_of(word) for word in known}
        free &= {key_of(word) for word in [*now.words, *here.missing] if not _by_person(word)}
        rows = 1 + max((int(word["row"]) for word in now.words), default=0)
        placed = [{**moved[key], "row": rows + moved[key]["row"]} for key in sorted(free) if key in moved]
        lost = [word for word in known if key_of(word) in free and key_of(word) not in moved]
        now.words = sorted([*(w for w in now.words if key_of(w) not in free), *placed], key=key_of)
        here.missing = sorted([*(w for w in here.missing if key_of(w) not in free), *lost], key=key_of)
    return len(placed)


def _as_typeset(image: PageImage, word: Word) -> Word:
    """The word with the box of the typeset page, which says how wide it runs."""
    typeset = image.leaf.images.filter(kind=PageImage.FACSIMILE).first()
    own = (typeset.printed or typeset.words) if typeset else []
    there = next((one for one in own if key_of(one) == key_of(word)), None)
    told = {name: value for name, value in word.items() if name not in ("sure", "hand", "away")}
    return {**told, **{name: there[name] for name in ("row", "x", "y", "w", "h")}} if there else told


def save_regions(scan: Scan, regions: Sequence[tuple[float, float, float, float]]) -> None:
    """These are its columns and headings, in the order in which they are read, in per cent of the page."""
    if len(regions) > MAX_REGIONS:
        raise EditError(f"A page has at most {MAX_REGIONS} regions.")
    Scan.objects.filter(pk=scan.pk).update(regions=[list(one) for one in regions])
    scan.regions = [list(one) for one in regions]


def check_box(image: PageImage, box: Box) -> None:
    if box.w < MIN_SIDE or box.h < MIN_SIDE:
        raise EditError("Draw a rectangle, or write its four numbers.")
    if box.x < 0 or box.y < 0 or box.right > image.width or box.foot > image.height:
        raise EditError("The rectangle reaches over the edge of the page.")


@contextmanager
def _locked(scan: Scan) -> Iterator[tuple[Scan, PageImage]]:
    """The scan and its image under a lock; both are saved at the end."""
    assert scan.image is not None
    with transaction.atomic():
        image = PageImage.objects.select_for_update().get(pk=scan.image.pk)
        here = Scan.objects.select_for_update().get(pk=scan.pk)
        yield here, image
        image.save(update_fields=["words", "made"])
        here.save(update_fields=["missing"])


def _without(words: Sequence[Word], key: Key) -> list[Word]:
    return [word for word in words if key_of(word) != key]


def _word(scan: Scan, image: PageImage, key: Key) -> Word:
    for word in (*image.words, *scan.missing):
        if key_of(word) == key:
            return dict(word)
    raise EditError("The words of this page have changed meanwhile. Choose the word again.")


def _is_missing(scan: Scan, key: Key) -> bool:
    return any(key_of(word) == key for word in scan.missing)


def _by_person(word: Word) -> bool:
    return bool(word.get("hand") or word.get("away"))


def _row(image: PageImage, box: Box) -> int:
    """The row of the words beside it; a row of its own where there are none."""
    middle = box.y + box.h / 2
    beside = [word for word in image.words if word["y"] < middle < word["y"] + word["h"]]
    if beside:
        return int(min(beside, key=lambda word: abs(word["x"] - box.x))["row"])
    return max((int(word["row"]) for word in image.words), default=-1) + 1
