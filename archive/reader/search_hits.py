"""Search hits down to the letter, to mark them in both layers of the text and on the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from archive.edition import Line
from archive.edition.note_positions import RunPosition, TextPosition, letters_of
from archive.edition.text import Layer
from archive.models import Book
from archive.search import Hit, index
from archive.search.spellings import words

Spots = Mapping[RunPosition, Sequence[tuple[int, int]]]
"""Letters to mark, from and to, by the run they stand in."""


@dataclass(frozen=True)
class Hits:
    """Letters to mark in the reading text and in the source text; and the words they make, by leaf and line.
    `source_anchors` are passages that have the words in their source text alone."""

    spots: Spots = field(default_factory=dict)
    source_spots: Spots = field(default_factory=dict)
    by_line: Mapping[tuple[int, int], frozenset[str]] = field(default_factory=dict)
    anchors: tuple[str, ...] = ()
    source_anchors: tuple[str, ...] = ()

    def words(self, leaf: int) -> dict[int, frozenset[str]]:
        return {line: found for (number, line), found in self.by_line.items() if number == leaf}


def find_hits(query: str, book: Book, lines: Iterable[Line]) -> Hits:
    """What a search for these words marks in these lines of a book."""
    by_anchor: dict[str, list[Line]] = {}
    for line in lines:
        for anchor in line.passages:
            by_anchor.setdefault(anchor, []).append(line)
    by_line: dict[tuple[int, int], set[str]] = {}
    found = [index().find(query, book=book, kind=kind) for kind in ("passage", "printed")]
    # Where one layer has all the words, those that have only some of them are not marked in the other.
    loosely = all(one.loosely for one in found)
    reading, source = (one.hits if one.loosely == loosely else () for one in found)
    # A passage with the same words in both layers is indexed once, as reading text.
    source = tuple(hit for hit in source if hit.kind == "printed")
    spots = _spots(reading, by_anchor, "reading", by_line)
    source_spots = _spots(source, by_anchor, "printed", by_line)
    anchors = tuple(hit.anchor for hit in reading)
    return Hits(
        spots,
        source_spots,
        {line: frozenset(found) for line, found in by_line.items()},
        anchors,
        tuple(hit.anchor for hit in source if hit.anchor not in anchors),
    )


def _spots(
    hits: Iterable[Hit],
    by_anchor: Mapping[str, Sequence[Line]],
    layer: Layer,
    by_line: dict[tuple[int, int], set[str]],
) -> Spots:
    spots: dict[RunPosition, list[tuple[int, int]]] = {}
    for hit in hits:
        places = [place for _, place in letters_of(by_anchor.get(hit.anchor, ()), hit.anchor, layer)]
        at = 0
        for text, marked in hit.text:
            size = len("".join(text.split()))
            if marked:
                _add(spots, by_line, places[at : at + size], text)
            at += size
    return spots


def _add(
    spots: dict[RunPosition, list[tuple[int, int]]],
    by_line: dict[tuple[int, int], set[str]],
    places: Sequence[TextPosition],
    text: str,
) -> None:
    for spot in dict.fromkeys((place.leaf, place.line, place.run) for place in places):
        offsets = [place.offset for place in places if (place.leaf, place.line, place.run) == spot]
        spots.setdefault(spot, []).append((min(offsets) - 1, max(offsets)))
        by_line.setdefault(spot[:2], set()).update(words(text))
