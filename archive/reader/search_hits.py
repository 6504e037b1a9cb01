"""Search hits down to the letter, to mark them in the text and on the page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from archive.edition import Line
from archive.edition.note_positions import RunPosition, TextPosition, letters_of
from archive.search import SearchResult
from archive.search.spellings import words


@dataclass(frozen=True)
class Hits:
    """Letters to mark, from and to, by the run they stand in; and the words they make, by leaf and line."""

    spots: Mapping[RunPosition, Sequence[tuple[int, int]]] = field(default_factory=dict)
    by_line: Mapping[tuple[int, int], frozenset[str]] = field(default_factory=dict)
    anchors: tuple[str, ...] = ()

    def words(self, leaf: int) -> dict[int, frozenset[str]]:
        return {line: found for (number, line), found in self.by_line.items() if number == leaf}


def find_hits(found: SearchResult, lines: Iterable[Line]) -> Hits:
    by_anchor: dict[str, list[Line]] = {}
    for line in lines:
        for anchor in line.passages:
            by_anchor.setdefault(anchor, []).append(line)
    spots: dict[RunPosition, list[tuple[int, int]]] = {}
    by_line: dict[tuple[int, int], set[str]] = {}
    anchors = []
    for hit in found.hits:
        places = [place for _, place in letters_of(by_anchor.get(hit.anchor, ()), hit.anchor, "reading")]
        anchors.append(hit.anchor)
        at = 0
        for text, marked in hit.text:
            size = len("".join(text.split()))
            if marked:
                _add(spots, by_line, places[at : at + size], text)
            at += size
    frozen = {line: frozenset(found) for line, found in by_line.items()}
    return Hits(spots, frozen, tuple(anchors))


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
