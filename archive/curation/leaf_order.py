"""Order of leaves: leaves of a book are added, named, moved, and taken out while they are empty.

A leaf that moves takes along its text, its images, what was said of its state, and the rectangles of notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from archive.curation.book_files import (
    CATALOGUE,
    NOTES,
    TEXT,
    catalogue_in,
    leaves_in,
    notes_in,
    write_catalogue,
    write_notes,
)
from archive.curation.errors import LeafOrderError
from archive.edition import CERTAINTIES, EditionError, Leaf, Note
from archive.edition.marks import BLOCK
from archive.edition.transcript import read_text, write_text
from archive.models import Book, PageImage
from archive.models import Leaf as LeafRow
from archive.models.history import LeafCheck, Revision

MAX_LEAVES = 200
MAX_TITLE, MAX_LABEL = 200, 60
SPARE_NUMBERS = 10_000
"""Numbers no leaf has: rows stand there while they change places."""
REGION = re.compile(r"(\d+)(/pct:.*)")


@dataclass(frozen=True)
class LeafPlace:
    """A leaf in its new place; `was` is the number it had, 0 if it is new."""

    was: int
    title: str
    label: str = ""
    certainty: str = "certain"


def new_leaf(number: int) -> Leaf:
    """A page we know to be there, and nothing more."""
    return Leaf(number, "", "Cover" if number == 1 else f"Page {number}", "certain", "", ())


def places_of(files: Mapping[str, str]) -> list[LeafPlace]:
    return [LeafPlace(leaf.number, leaf.title, leaf.label, leaf.break_certainty) for leaf in leaves_in(files)]


def text_of(bodies: Sequence[str], head: str = "") -> str:
    """A text.txt of these leaves, each as it is written between its marks."""
    blocks = [f"=== leaf {number} ===\n\n{body}\n\n" for number, body in enumerate(bodies, 1)]
    whole = (head + "".join(blocks)).rstrip("\n") + "\n"
    read = read_text(whole)
    return write_text(read.blocks, read.passages)


def bodies_in(text: str) -> tuple[str, list[str]]:
    """The text before the first leaf, and that of each leaf, as written."""
    head, bodies = "", []
    for line in text.split("\n"):
        mark = BLOCK.match(line)
        if mark and mark[1]:
            bodies.append("")
        elif bodies:
            bodies[-1] += f"{line}\n"
        else:
            head += f"{line}\n"
    return head, [body.strip("\n") for body in bodies]


def reordered(files: Mapping[str, str], places: Sequence[LeafPlace]) -> dict[str, str]:
    """The files with their leaves in this order; LeafOrderError where that cannot be."""
    _check(places)
    old = {leaf.number: leaf for leaf in leaves_in(files)}
    head, bodies = bodies_in(files[TEXT])
    for number in sorted(set(old) - {place.was for place in places}):
        if bodies[number - 1]:
            raise LeafOrderError(f"Page {number} has text. Empty it first, or keep it.")
    _check_passages(files[TEXT], [place.was for place in places])
    leaves = [
        replace(
            old.get(place.was) or new_leaf(number),
            number=number,
            title=place.title,
            label=place.label,
            break_certainty=place.certainty,
        )
        for number, place in enumerate(places, 1)
    ]
    try:
        text = text_of([bodies[place.was - 1] if place.was else "" for place in places], head)
    except EditionError as fault:
        raise LeafOrderError(f"In this order the text cannot be read: {fault.message}.") from None
    moved = {place.was: number for number, place in enumerate(places, 1) if place.was}
    return {
        CATALOGUE: write_catalogue(catalogue_in(files), leaves),
        TEXT: text,
        NOTES: write_notes(_with_region(note, moved) for note in notes_in(files)),
    }


def _check(places: Sequence[LeafPlace]) -> None:
    if not 1 <= len(places) <= MAX_LEAVES:
        raise LeafOrderError(f"A rulebook has 1 to {MAX_LEAVES} pages.")
    for number, place in enumerate(places, 1):
        if not 0 < len(place.title) <= MAX_TITLE:
            raise LeafOrderError(f"Say what is on page {number}, in at most {MAX_TITLE} letters.")
        if len(place.label) > MAX_LABEL:
            raise LeafOrderError(f"What is printed on page {number} has at most {MAX_LABEL} letters.")
        if place.certainty not in CERTAINTIES:
            raise LeafOrderError(f"Choose how sure we are that page {number} begins there.")


def _check_passages(text: str, order: Sequence[int]) -> None:
    """A leaf whose first words go on with a passage stays behind the leaf they go on from."""
    blocks = {block.leaf: block for block in read_text(text).blocks if block.leaf and block.lines}
    old, new = list(blocks), [number for number in order if number in blocks]
    begun: dict[str, int] = {}
    for number, block in blocks.items():
        for line in block.lines:
            for name in line.passages:
                begun.setdefault(name, number)
    for number, block in blocks.items():
        named = (name for line in block.lines if not line.furniture for name in line.passages)
        goes_on = begun.get(next(named, ""), number) != number
        if goes_on and _before(old, number) != _before(new, number):
            raise LeafOrderError(
                f"Page {number} goes on with a passage of page {_before(old, number)}, so the two stay "
                "together. Begin a passage of its own on it first."
            )


def _before(order: Sequence[int], number: int) -> int:
    place = list(order).index(number)
    return order[place - 1] if place else 0


def _with_region(note: Note, moved: Mapping[int, int]) -> Note:
    found = REGION.fullmatch(note.region)
    if found is None:
        return note
    number = moved.get(int(found[1]))
    return replace(note, region=f"{number}{found[2]}" if number else "")


def renumber(book: Book, order: Sequence[int]) -> None:
    """Let the rows of the leaves change places, in the transaction that publishes the new order. Those that
    go stand last, where publishing finds and removes them. Facsimiles are set anew."""
    count = LeafRow.objects.filter(book=book).count()
    gone = [number for number in range(1, count + 1) if number not in order]
    # A new leaf takes a number that has no row; rows that go come behind all others.
    to = {was: number for number, was in enumerate(order, 1) if was}
    to |= {was: len(order) + place for place, was in enumerate(gone, 1)}
    changed = {was: number for was, number in to.items() if was != number}
    PageImage.objects.filter(leaf__book=book, leaf__number__in=changed, kind=PageImage.FACSIMILE).delete()
    rows = {row.number: row.pk for row in LeafRow.objects.filter(book=book, number__in=changed)}
    checks = {was: list(_checks(book, was)) for was in changed}
    for number, pk in rows.items():
        LeafRow.objects.filter(pk=pk).update(number=number + SPARE_NUMBERS)
    for number, pk in rows.items():
        LeafRow.objects.filter(pk=pk).update(number=changed[number])
    for was, found in checks.items():
        # Of a leaf that is gone nothing is said any more; 0 is the number of none.
        LeafCheck.objects.filter(pk__in=found).update(leaf=0 if was in gone else changed[was])


def _checks(book: Book, number: int) -> Iterable[int]:
    return LeafCheck.objects.filter(book=book, leaf=number).values_list("pk", flat=True)


def order_since(book: Book, number: int, count: int) -> list[int] | None:
    """The present numbers of the leaves of an old revision, 0 for those that are gone; None if none moved."""
    later = Revision.objects.filter(book=book, number__gt=number, moved__isnull=False).order_by("number")
    now: dict[int, int] = {leaf: leaf for leaf in range(1, count + 1)}
    orders = [order for order in later.values_list("moved", flat=True) if order]
    for order in orders:
        place = {was: at for at, was in enumerate(order, 1) if was}
        now = {leaf: place.get(at, 0) for leaf, at in now.items()}
    return [now[leaf] for leaf in range(1, count + 1)] if orders else None
