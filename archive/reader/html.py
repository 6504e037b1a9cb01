"""The text of leaves as HTML, both layers at once, so that switching between them needs no second page.

What differs is marked with <del> and <ins>, what stands in one layer only has a class, and the style sheet
shows one, the other, or both with the differences marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from archive.edition import Line, Run
from archive.edition.note_positions import RunPosition

TABLE_STYLES = ("rowhead", "row", "tally")
MARKED = {"superior": ("sup", ""), "doubt": ("span", ' class="doubt" title="Cannot be read surely"')}
"""How letters above the line and words in doubt are shown: the element, and its attributes."""


@dataclass(frozen=True)
class NoteSign:
    """The number that leads from the text to a note; the note's first sign is also where it leads back to."""

    slug: str
    number: int
    label: str
    mends: bool
    asks: bool = False


@dataclass(frozen=True)
class HtmlBlock:
    """A paragraph, a heading or a table, and the notes whose first sign stands in it."""

    html: SafeString
    shape: str
    notes: tuple[str, ...]


@dataclass
class HtmlRenderer:
    """Renders lines with the names of passages, the signs of notes and the marks of a search.

    `signs` are those of notes by quote, with the letter they stand behind; `mends` are those the text's own
    marks name. `hits` are letters to mark in the reading text, from and to, `source_hits` in the source text.
    """

    book: str
    names: Mapping[str, Sequence[str]]
    signs: Mapping[RunPosition, Sequence[tuple[int, NoteSign]]] = field(default_factory=dict)
    mends: Mapping[str, NoteSign] = field(default_factory=dict)
    hits: Mapping[RunPosition, Sequence[tuple[int, int]]] = field(default_factory=dict)
    source_hits: Mapping[RunPosition, Sequence[tuple[int, int]]] = field(default_factory=dict)
    started: set[str] = field(default_factory=set)
    signed: set[str] = field(default_factory=set)
    ends: dict[str, tuple[int, int]] = field(default_factory=dict)

    def blocks(self, lines: Sequence[Line]) -> list[HtmlBlock]:
        """The blocks of one leaf. Leaves are rendered in order: a passage has its name where it begins."""
        return [self._block(list(group)) for _, group in groupby(lines, key=_block_key)]

    def expect(self, lines: Iterable[Line]) -> None:
        """Learn where passages end, so that each gets one link of its own, at its last word."""
        for line in lines:
            for run in line.runs:
                if run.passage and run.kind != "cell":
                    self.ends[run.passage] = (line.leaf, line.number)

    def _block(self, lines: list[Line]) -> HtmlBlock:
        before = set(self.signed)
        style = lines[0].style
        if style in TABLE_STYLES:
            html, shape = self._table(lines), "table"
        else:
            html, shape = self._paragraph(lines), _shape(lines[0])
        order = {sign.slug: sign.number for sign in self._all_signs()}
        new = sorted(self.signed - before, key=lambda slug: order[slug])
        return HtmlBlock(mark_safe(html), shape, tuple(new))  # noqa: S308 - every piece of text was escaped

    def _all_signs(self) -> Iterator[NoteSign]:
        yield from self.mends.values()
        yield from (sign for signs in self.signs.values() for _, sign in signs)

    def _paragraph(self, lines: list[Line]) -> str:
        style = lines[0].style
        tag = "h3" if style in ("heading", "lead") else "p"
        text = ""
        for line in lines:
            text += ("" if not text or text.endswith("</wbr>") else " ") + self._line(line)
        text = text.replace("</wbr>", "")
        return f'<{tag} class="s-{style}{_layer_class(lines)}">{_label(lines[0])}{text}</{tag}>'

    def _line(self, line: Line) -> str:
        """One line. It ends in </wbr>, which no browser sees, where the next one continues its last word."""
        text = "".join(
            self._piece(line, passage, list(runs))
            for passage, runs in groupby(enumerate(line.runs), key=lambda pair: pair[1].passage)
        )
        divided = bool(line.runs) and line.runs[-1].kind == "hyphen"
        return text + self._line_sign(line) + ("</wbr>" if divided else "")

    def _line_sign(self, line: Line) -> str:
        sign = self.mends.get(line.note)
        if sign is None or sign.slug in self.signed:
            return ""
        return self._sign(sign)

    def _piece(self, line: Line, passage: str, runs: list[tuple[int, Run]]) -> str:
        """The runs of one line that belong to one passage."""
        text = "".join(self._run(line, index, run) for index, run in runs)
        if not passage:
            return text
        names = ""
        if passage not in self.started:
            self.started.add(passage)
            first, *others = self.names[passage]
            names = f' id="{first}"'
            text = "".join(f'<span id="{name}"></span>' for name in others) + text
        link = ""
        if self.ends.get(passage) == (line.leaf, line.number) and runs[-1][0] == _last_of(line, passage):
            text, space = text.rstrip(" "), " " * (len(text) - len(text.rstrip(" ")))
            link = self._link(passage) + space
        at = f'data-p="{passage}" data-l="{line.leaf}.{line.number}"'
        return f'<span class="p"{names} {at}>{text}</span>{link}'

    def _link(self, passage: str) -> str:
        address = f"/books/{self.book}/passages/{passage}/"
        return f'<a class="own" href="{address}" data-to="{passage}" aria-label="Link to this sentence">§</a>'

    def _run(self, line: Line, index: int, run: Run) -> str:
        spot = (line.leaf, line.number, index)
        signs, hits, source = (
            self.signs.get(spot, ()),
            self.hits.get(spot, ()),
            self.source_hits.get(spot, ()),
        )
        both = [*hits, *source]
        if run.kind == "text":
            return _emphasis(run, self._text(run.printed, signs, both))
        if run.kind in MARKED:
            tag, name = MARKED[run.kind]
            words = self._text(run.printed, signs, both)
            return _emphasis(run, f"<{tag}{name}>{words}</{tag}>")
        after = "".join(self._sign(sign) for _, sign in signs)
        if run.kind == "hyphen":
            return f'<span class="hy">{run.printed}<br></span>' + after
        if run.kind == "cell":
            return after
        if run.note in self.mends:
            after = self._sign(self.mends[run.note]) + after
        if run.kind in ("supplied", "lacuna"):
            words = self._text(run.words, (), _moved(hits, -1))
            shown = (
                f'<ins class="gap"><span class="gap__o">⟨</span>{words}<span class="gap__c">⟩</span></ins>'
            )
        else:
            shown = f"<del>{_marked(run.printed, 0, source)}</del>"
            if run.kind == "mend":
                shown += f"<ins>{self._text(run.reading, (), hits)}</ins>"
            shown = f'<span class="mend">{shown}</span>'
        short = " " not in run.printed + run.reading
        held = f'<span class="hold">{shown}{after}</span>' if after and short else shown + after
        return _emphasis(run, held)

    def _text(self, text: str, signs: Sequence[tuple[int, NoteSign]], hits: Sequence[tuple[int, int]]) -> str:
        """A plain stretch with its signs and marks put in, and each sign held to the word before it."""
        pieces, at = [], 0
        for offset, group in groupby(sorted(signs, key=_by_place), key=lambda pair: pair[0]):
            head, space, _ = text[at:offset].rpartition(" ")
            pieces.append(_marked(head + space, at, hits))
            tail = offset
            while tail < len(text) and text[tail] in ".,;:)":
                tail += 1
            # The stop behind a quoted word stays with it, and the signs come after.
            start = at + len(head + space)
            held = _marked(text[start:tail], start, hits) + "".join(self._sign(sign) for _, sign in group)
            pieces.append(f'<span class="hold">{held}</span>')
            at = tail
        return "".join(pieces) + _marked(text[at:], at, hits)

    def _sign(self, sign: NoteSign) -> str:
        first = sign.slug not in self.signed
        self.signed.add(sign.slug)
        name = f' id="ref-{sign.slug}"' if first else ""
        kind = "ref ref--mend" if sign.mends else "ref ref--question" if sign.asks else "ref"
        return (
            f'<a class="{kind}"{name} href="#note-{sign.slug}" role="doc-noteref"'
            f' aria-label="Note {sign.number}: {escape(sign.label)}">{sign.number}</a>'
        )

    def _table(self, lines: list[Line]) -> str:
        columns = max(len(line.cells) for line in lines)
        rows = "".join(self._row(line, columns) for line in lines)
        table = f'<table class="rows{" rows--many" if columns > 4 else ""}">{rows}</table>'
        return f'<div class="scroll" tabindex="0" role="group" aria-label="Table">{table}</div>'

    def _row(self, line: Line, columns: int) -> str:
        tag = "th" if line.style == "rowhead" else "td"
        count = len(line.cells)
        span = columns // count if columns % count == 0 else 1
        wide = f' colspan="{span}"' if span > 1 else ""
        cells, index = [], 0
        for cell in line.cells:
            runs = list(enumerate(line.runs))[index : index + len(cell)]
            index += len(cell) + 1
            text = "".join(
                self._piece(line, passage, list(group))
                for passage, group in groupby(runs, key=lambda pair: pair[1].passage)
            )
            cells.append(text)
        cells[-1] += self._line_sign(line)
        inside = "".join(f"<{tag}{wide}>{text}</{tag}>" for text in cells)
        return f'<tr class="s-{line.style}{_layer_class([line])}">{inside}</tr>'


def _block_key(line: Line) -> tuple[str, object]:
    """Rows that follow each other are one table; other lines go by their paragraph."""
    if line.style in TABLE_STYLES:
        return ("table", 0)
    return ("paragraph", (line.paragraph, line.style, line.layer))


def _shape(line: Line) -> str:
    if line.ours:
        return "ours"
    if line.furniture:
        return "furniture"
    if line.style in ("heading", "lead"):
        return "heading"
    if line.style in ("item", "numbered"):
        return "item"
    return "paragraph" if line.set.flow else "line"


def _layer_class(lines: Sequence[Line]) -> str:
    layers = {line.layer for line in lines}
    return f" only-{layers.pop()}" if len(layers) == 1 and "both" not in layers else ""


LABELS = {
    "described": "Described, not transcribed",
    "stamp": "Stamp on the copy",
    "slip": "Slip laid on the copy",
    "running-head": "Running head",
}


def _label(line: Line) -> str:
    label = LABELS.get(line.style, "")
    return f'<span class="furniture__label">{label}</span> ' if label else ""


def _last_of(line: Line, passage: str) -> int:
    """The last run of a line that belongs to a passage and is not the edge of a cell."""
    return max(index for index, run in enumerate(line.runs) if run.passage == passage and run.kind != "cell")


def _by_place(pair: tuple[int, NoteSign]) -> tuple[int, int]:
    return pair[0], pair[1].number


def _emphasis(run: Run, html: str) -> str:
    tag = {"bold": "b", "italic": "i"}.get(run.emphasis)
    return f"<{tag}>{html}</{tag}>" if tag else html


def _moved(hits: Sequence[tuple[int, int]], by: int) -> list[tuple[int, int]]:
    return [(max(0, start + by), end + by) for start, end in hits]


def _marked(text: str, at: int, hits: Sequence[tuple[int, int]]) -> str:
    """A stretch that begins at letter `at` of its run, with the letters that were looked for marked."""
    out, done = "", 0
    for start, end in sorted(hits):
        start, end = max(start - at, done), min(end - at, len(text))
        if start < end:
            out += escape(text[done:start]) + f"<mark>{escape(text[start:end])}</mark>"
            done = end
    return out + escape(text[done:])
