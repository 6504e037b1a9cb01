"""The text of a book as TEI, in both layers at once. Sections are divisions.

Page breaks and furniture wait until the next block of text and stand before it, or within it where a
paragraph goes on over the end of a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from xml.etree.ElementTree import Element

from archive.edition import Line, Run
from archive.models import Book
from archive.reader.html import TABLE_STYLES
from archive.tei.notes import certainty, xml_name
from archive.tei.surfaces import Zones
from archive.xml import add, element

HEADS = ("heading", "lead")
ITEMS = ("item", "numbered")
FURNITURE = {"running-head": "header", "stamp": "stamp", "slip": "slip"}


class TeiBody:
    def __init__(self, book: Book, zones: Zones) -> None:
        self.book, self.zones = book, zones
        self.passages = {passage.anchor: passage for passage in book.passages.all()}
        self.certain = {note.slug: certainty(note.certainty) for note in book.notes.all()}
        self.named: set[str] = set()
        self.root = element("body")
        self.division = Element("div")
        self.section: str | None = None
        self.waiting: list[Element] = []
        self.block: Element | None = None
        self.last: Line | None = None

    def front(self) -> Element | None:
        """Slips laid on the copy, which are no part of the print."""
        lines = self.book.loose_lines
        if not lines or not self.book.leaves.all():
            return None
        slips = [element("ab", *self._line(line), type=line.style) for line in lines]
        return element("front", element("div", *slips, type="loose"))

    def body(self) -> Element:
        for leaf in self.book.leaves.all():
            where, begins = self.zones.page(leaf.number), certainty(leaf.break_certainty)
            self.waiting.append(element("pb", n=str(leaf.number), facs=where, cert=begins, resp="#editors"))
            for _, group in groupby(leaf.text_lines, key=_block_key):
                self._take(list(group))
        if not self.book.leaves.all():
            # What we say of a book we do not hold is no print, and all there is.
            for _, group in groupby(self.book.loose_lines, key=_block_key):
                self._prose(list(group))
        if not len(self.root):
            # Nothing is transcribed yet; a body must have something in it, and that is what it has.
            self.division = element("div", type="section")
            self.waiting.append(element("p", element("gap", reason="not-transcribed")))
            add(self.root, self.division)
        add(self.division, *self.waiting)
        return self.root

    def _take(self, lines: list[Line]) -> None:
        first = lines[0]
        if first.ours:
            self._begin(first)
            words = " ".join(run.printed for line in lines for run in line.runs)
            described = element("figDesc", words, **{"xml:lang": "en"})
            name = self._name(first.passages[0]) if first.passages else {}
            add(self.division, element("figure", described, type="described", **name))
            self.block = self.last = None
        elif first.furniture:
            self.waiting += [self._furniture(line) for line in lines]
        elif first.style in TABLE_STYLES:
            self._begin(first)
            add(self.division, element("table", *map(self._row, lines)))
            self.block = self.last = None
        else:
            self._prose(lines)

    def _furniture(self, line: Line) -> Element:
        if not line.runs:
            return element("milestone", unit="rule")
        return element("fw", *self._line(line), type=FURNITURE.get(line.style, "other"))

    def _prose(self, lines: list[Line]) -> None:
        first = lines[0]
        if self.block is not None and self.last is not None and _goes_on(self.last, first):
            add(self.block, *self._waited())
        else:
            self._begin(first)
            self.block, self.last = self._new_block(first), None
        for line in lines:
            add(self.block, *self._between(line), *self._line(line))
            self.last = line

    def _begin(self, line: Line) -> None:
        """The division this line belongs to; what waited comes first in it."""
        passage = next((run.passage for run in line.runs if run.passage), "")
        known = self.passages.get(passage)
        section = known.section if known else ""
        if self.section is None or section != self.section:
            self.section = section
            self.division = element("div", type="section", n=section)
            add(self.root, self.division)
        add(self.division, *self._waited())

    def _waited(self) -> list[Element]:
        waited, self.waiting = self.waiting, []
        return waited

    def _new_block(self, line: Line) -> Element:
        if line.style in ITEMS:
            place = _open_list(self.division) or element("list", rend=line.style)
            if place not in list(self.division):
                add(self.division, place)
            made = element("item")
            add(place, made)
            return made
        only_heads = all(child.tag in ("pb", "fw", "milestone", "head") for child in self.division)
        if line.style in HEADS and only_heads:
            made = element("head")
        elif line.style == "body":
            made = element("p")
        else:
            made = element("ab", type=line.style)
        add(self.division, made)
        return made

    def _between(self, line: Line) -> Iterator[Element | str]:
        """The break or space that divides a line from the one before it in its block."""
        divided = bool(self.last and self.last.runs and self.last.runs[-1].kind == "hyphen")
        if not line.set.flow or divided:
            facs = self.zones.line(line.leaf, line.number)
            yield element("lb", facs=facs, **{"break": "no" if divided else ""})
        elif self.last is not None:
            yield " "

    def _row(self, line: Line) -> Element:
        cells = [element("cell", *self._layered(line, cell)) for cell in line.cells]
        role = "label" if line.style == "rowhead" else "data"
        rend = "tally" if line.style == "tally" else ""
        facs = self.zones.line(line.leaf, line.number)
        return element("row", *cells, role=role, rend=rend, facs=facs)

    def _line(self, line: Line) -> list[Element]:
        return self._layered(line, line.runs)

    def _layered(self, line: Line, runs: Sequence[Run]) -> list[Element]:
        """The runs; a line that stands in one layer only is wrong there, or set right there."""
        parts = list(self._pieces(line, runs))
        if line.layer == "both" or not parts:
            return parts
        tag = "sic" if line.layer == "printed" else "corr"
        return [element(tag, *parts, **self._explained(line.note), **_by_us(tag))]

    def _pieces(self, line: Line, runs: Sequence[Run]) -> Iterator[Element]:
        for anchor, group in groupby(runs, key=lambda run: run.passage):
            parts = [*self._anchors(anchor), *(part for run in group for part in self._run(run))]
            facs = self.zones.passage(line.leaf, line.number, anchor)
            yield element("seg", *parts, type="passage", facs=facs, **self._name(anchor))

    def _anchors(self, anchor: str) -> list[Element]:
        """The further names of a passage, where it begins."""
        passage = self.passages.get(anchor)
        if passage is None or anchor in self.named:
            return []
        others = [*passage.anchors, *passage.aliases]
        return [element("anchor", **{"xml:id": xml_name(name)}) for name in others if name != anchor]

    def _name(self, anchor: str) -> dict[str, str]:
        if not anchor:
            return {}
        if anchor in self.named:
            return {"corresp": f"#{xml_name(anchor)}"}
        self.named.add(anchor)
        return {"xml:id": xml_name(anchor)}

    def _explained(self, note: str) -> dict[str, str]:
        return {"corresp": f"#note.{note}", "cert": self.certain[note]} if note in self.certain else {}

    def _run(self, run: Run) -> list[Element | str]:
        parts = self._plain_run(run)
        return [element("hi", *parts, rend=run.emphasis)] if run.emphasis and parts else parts

    def _plain_run(self, run: Run) -> list[Element | str]:
        why = self._explained(run.note)
        if run.kind == "mend":
            corr = element("corr", run.reading, resp="#editors", **why)
            return [element("choice", element("sic", run.printed, source="#source-text"), corr)]
        if run.kind == "omitted":
            return [element("surplus", run.printed, reason="repeated", resp="#editors", **why)]
        if run.kind == "supplied":
            return [element("supplied", run.words, reason="lost", resp="#editors", **why)]
        if run.kind == "lacuna":
            return [element("gap", reason="lost", **why)]
        if run.kind == "superior":
            return [element("hi", run.printed, rend="superscript")]
        if run.kind == "doubt":
            return [element("unclear", run.printed, cert="low")]
        if run.kind == "hyphen":
            return [element("pc", run.printed, force="weak")] if run.printed else []
        return [] if run.kind == "cell" else [run.printed]


def _by_us(tag: str) -> dict[str, str]:
    return {"resp": "#editors"} if tag == "corr" else {"source": "#source-text"}


def _block_key(line: Line) -> tuple[object, ...]:
    if line.style in TABLE_STYLES:
        return ("table",)
    if line.furniture and not line.ours:
        return ("furniture", line.number)
    return (line.paragraph, line.style, line.layer)


def _goes_on(last: Line, line: Line) -> bool:
    return (last.paragraph, last.style) == (line.paragraph, line.style)


def _open_list(division: Element) -> Element | None:
    """The list that stands last in the division, if there is nothing but page breaks behind it."""
    for child in reversed(list(division)):
        if child.tag == "list":
            return child
        return None
    return None
