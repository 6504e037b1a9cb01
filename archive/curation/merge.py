"""Three-way merge: texts by lines, notes, variants and pairs by the record, the catalogue by its entries.

Two new notes both stand at the end of their file. By lines they would conflict; as records they do not touch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from archive.curation import book_files
from archive.curation.matches import BoundedMatcher, DiffBudget
from archive.edition import EditionError
from archive.edition.folder import pairs_in

Records = dict[str, Any]


@dataclass(frozen=True)
class Chunk:
    """A stretch of lines in the three states of a text. In a `clash` both changed it, differently."""

    kind: Literal["same", "mine", "theirs", "clash"]
    base: tuple[str, ...]
    mine: tuple[str, ...]
    theirs: tuple[str, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of the merged text; in a conflict my own, until they have been looked at."""
        return self.theirs if self.kind == "theirs" else self.mine


def merge_text(base: str, mine: str, theirs: str) -> list[Chunk]:
    """The three states cut into chunks, in order."""
    texts = [text.split("\n") for text in (base, mine, theirs)]
    chunks: list[Chunk] = []
    at = [0, 0, 0]
    for length, *starts in _shared(*texts):
        between = [tuple(text[a:b]) for text, a, b in zip(texts, at, starts, strict=True)]
        if any(between):
            chunks.append(_changed(*between))
        at = [start + length for start in starts]
        if length:
            lines = tuple(texts[0][starts[0] : at[0]])
            chunks.append(Chunk("same", lines, lines, lines))
    return chunks


def has_conflict(chunks: Sequence[Chunk]) -> bool:
    return any(chunk.kind == "clash" for chunk in chunks)


def text_of(chunks: Sequence[Chunk]) -> str:
    return "\n".join(line for chunk in chunks for line in chunk.lines)


def _changed(base: tuple[str, ...], mine: tuple[str, ...], theirs: tuple[str, ...]) -> Chunk:
    if mine == theirs:
        return Chunk("same", base, mine, theirs)
    if mine == base:
        return Chunk("theirs", base, mine, theirs)
    return Chunk("mine" if theirs == base else "clash", base, mine, theirs)


def _shared(base: list[str], mine: list[str], theirs: list[str]) -> Iterator[tuple[int, int, int, int]]:
    """Stretches that stand in all three: their length, and where each begins. Ends with an empty one."""
    ours = BoundedMatcher(base, mine, DiffBudget()).get_matching_blocks()
    other = BoundedMatcher(base, theirs, DiffBudget()).get_matching_blocks()
    i = j = 0
    while i < len(ours) and j < len(other):
        a, b = ours[i], other[j]
        start, end = max(a.a, b.a), min(a.a + a.size, b.a + b.size)
        if start < end:
            yield end - start, start, a.b + start - a.a, b.b + start - b.a
        if a.a + a.size < b.a + b.size:
            i += 1
        else:
            j += 1
    yield 0, len(base), len(mine), len(theirs)


@dataclass(frozen=True)
class RecordFile:
    """Reader and writer of a file of records."""

    read: Callable[[str], Records]
    write: Callable[[Iterable[Any]], str]


def _by_name(
    read: Callable[[Mapping[str, str]], list[Any]], file: str, name: str
) -> Callable[[str], Records]:
    return lambda text: {getattr(one, name): one for one in read({file: text})}


RECORD_FILES = {
    book_files.NOTES: RecordFile(
        _by_name(book_files.notes_in, book_files.NOTES, "id"), book_files.write_notes
    ),
    book_files.VARIANTS: RecordFile(
        _by_name(book_files.variants_in, book_files.VARIANTS, "slug"), book_files.write_variants
    ),
    book_files.PAIRS: RecordFile(_by_name(pairs_in, book_files.PAIRS, "id"), book_files.write_pairs),
    book_files.CATALOGUE: RecordFile(book_files.catalogue_entries_in, book_files.write_catalogue_entries),
}


def merge_file(name: str, base: str, mine: str, theirs: str) -> tuple[str, list[Chunk]]:
    """The merged file and its conflicts; where there is one the file has my own words."""
    if name in RECORD_FILES:
        try:
            return _merge_records(RECORD_FILES[name], base, mine, theirs)
        except EditionError:
            pass
    chunks = merge_text(base, mine, theirs)
    return text_of(chunks), chunks if has_conflict(chunks) else []


def _merge_records(file: RecordFile, base: str, mine: str, theirs: str) -> tuple[str, list[Chunk]]:
    was, ours, other = file.read(base), file.read(mine), file.read(theirs)
    joined: Records = {}
    chunks: list[Chunk] = []
    for key in dict.fromkeys([*other, *ours]):
        before, here, there = was.get(key), ours.get(key), other.get(key)
        kept = there if here == before else here
        if here != before and there not in (before, here):
            lines = [tuple(file.write([one]).split("\n")) if one else () for one in (before, here, there)]
            chunks.append(Chunk("clash", *lines))
        if kept is not None:
            joined[key] = kept
    return file.write(joined.values()), chunks
