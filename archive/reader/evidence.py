"""Evidence of a passage: whose words it has, and how far they carry what it says.

Derived from the runs of its text first, since a sentence whose decisive words are ours is not stated in the
text, and then from the notes on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import engine
from archive.edition import Line, Run
from archive.models import Leaf, Note, Passage

HEADINGS = frozenset({"heading", "title", "display", "ornament", "imprint"})
ON_THE_COPY = {
    "stamp": "a stamp on the copy, not part of the rulebook",
    "slip": "an archivist’s slip laid on the copy, not part of the rulebook",
    "running-head": "the running head of a page",
}

IN_OUR_WORDS = "a fact in our own words, not the printed rule"
DESCRIBED = "our description of what is not transcribed"
LOST = "its words are lost; nothing is supplied"
SUPPLIED = "partly lost: the words in ⟨ ⟩ are supplied by us"
ALL_SUPPLIED = "lost: all its words are supplied by us"
GAPPED = "partly lost: ⟨…⟩ marks what is missing"
CORRECTED = "stated in the text, with a correction of ours"
HEADING = "a heading or imprint of the rulebook; states no rule"


@dataclass(frozen=True)
class Evidence:
    """The grade of a passage in one word, the grade in a few, and the note that says more, if any.
    `css` names one of the four grades that the style sheet knows."""

    grade: str
    words: str
    css: str
    note: Note | None = None


def lines_of(passage: Passage, leaves: Iterable[Leaf] | None = None) -> list[Line]:
    """The lines on which a passage stands, from its leaves where they are at hand."""
    if not passage.leaves:
        lines: Iterable[Line] = passage.book.loose_lines
    else:
        rows = leaves or Leaf.objects.filter(book_id=passage.book_id, number__in=passage.leaves)
        lines = (line for leaf in rows for line in leaf.text_lines)
    return [line for line in lines if passage.anchor in line.passages]


def evidence_of(passage: Passage, lines: Sequence[Line], notes: Sequence[Note]) -> Evidence:
    """The weakest thing that is true of a passage is what its label says."""
    if passage.is_ours:
        described = any(line.ours for line in lines)
        return Evidence("ours", DESCRIBED if described else IN_OUR_WORDS, "editor")
    if passage.kind == "furniture":
        style = lines[0].style if lines else ""
        return Evidence(style or "copy", ON_THE_COPY.get(style, "not part of the rulebook"), "editor")
    runs = [(line, run) for line in lines for run in line.runs if run.passage == passage.anchor]
    return _by_runs(runs, notes) or _by_notes(notes) or _plain(lines, runs)


def _by_runs(runs: Sequence[tuple[Line, Run]], notes: Sequence[Note]) -> Evidence | None:
    """What is lost, and what we have put in its place. Signs without a letter or figure decide nothing."""
    supplied = [run for line, run in runs if run.kind == "supplied" and _says_something(run.words)]
    lost = [run for _, run in runs if run.kind == "lacuna"]
    set_up = [line for line, _ in runs if line.layer == "reading"]
    kept = any(
        run.kind in ("text", "mend", "superior", "doubt")
        and line.layer != "printed"
        and _says_something(run.reading)
        for line, run in runs
    )
    if not (supplied or lost or set_up):
        return None
    names = [run.note for run in (*supplied, *lost)] + [line.note for line in set_up]
    note = next((note for name in names for note in notes if note.slug == name), None)
    if not kept:
        return Evidence("lost", ALL_SUPPLIED if supplied else LOST, "editor", note)
    return Evidence("supplied", SUPPLIED if supplied or set_up else GAPPED, "editor", note)


def _says_something(words: str) -> bool:
    return any(letter.isalnum() for letter in words)


def _by_notes(notes: Sequence[Note]) -> Evidence | None:
    graded = next((note for note in notes if note.authority in ("reading", "sample")), None)
    if graded is None:
        return None
    return Evidence(graded.authority, engine.AUTHORITIES[graded.authority], graded.authority, graded)


def _plain(lines: Sequence[Line], runs: Sequence[tuple[Line, Run]]) -> Evidence:
    if any(run.kind in ("mend", "supplied") for _, run in runs):
        return Evidence("corrected", CORRECTED, "text")
    if lines and lines[0].style in HEADINGS and not any(line.set.flow for line in lines):
        return Evidence("heading", HEADING, "text")
    return Evidence("text", engine.AUTHORITIES["text"], "text")
