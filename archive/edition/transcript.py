"""text.txt as blocks of lines: a reader and a writer, each the other's inverse."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, cast

from archive.edition.errors import EditionError
from archive.edition.line_styles import STYLES
from archive.edition.marks import (
    ANCHORS,
    BLOCK,
    DASHES,
    FILE,
    PREFIX,
    TOKEN,
    guard,
    read_mark,
    unescape,
    write_run,
)
from archive.edition.text import Line, LineLayer, Passage, PassageKind, Run


@dataclass(frozen=True)
class TextBlock:
    """The lines between two === marks: a leaf (numbered from 1), loose lines, or our own statements."""

    kind: Literal["leaf", "loose", "ours"]
    leaf: int
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Transcript:
    """A whole text.txt. `passages` still lack their sections, which the catalogue names."""

    blocks: tuple[TextBlock, ...]
    passages: tuple[Passage, ...]


@lru_cache(maxsize=8)
def read_text(source: str) -> Transcript:
    """A text.txt as it was read. One request asks for it several times over."""
    reader = _Reader()
    for number, line in enumerate(source.split("\n"), 1):
        reader.take(number, line)
    return reader.finish()


class _Reader:
    """Goes through the lines once; what is open (block, paragraph, passage) is what a line may continue."""

    def __init__(self) -> None:
        self.blocks: list[TextBlock] = []
        self.lines: list[Line] = []
        self.block: tuple[Literal["leaf", "loose", "ours"], int] | None = None
        self.passages: list[Passage] = []
        self.names: dict[str, int] = {}
        self.passage = ""
        self.furniture_passage = ""
        self.paragraphs = 0
        self.paragraph = 0
        self.gap = False
        self.previous: Line | None = None

    def take(self, number: int, source: str) -> None:
        if not source:
            self.gap = True
            return
        if source != source.rstrip():
            raise EditionError(FILE, number, "the line ends in spaces; remove them")
        if source.startswith("==="):
            self.open_block(number, source)
            return
        if self.block is None:
            raise EditionError(FILE, number, "text before the first block; begin with === leaf 1 ===")
        self.lines.append(self.read_line(number, source))
        self.gap = False

    def open_block(self, number: int, source: str) -> None:
        mark = BLOCK.match(source)
        if mark is None:
            raise EditionError(
                FILE, number, f"{source!r}: write === leaf 1 ===, === loose === or === ours ==="
            )
        self.close_block()
        leaf = int(mark[1]) if mark[1] else 0
        last = max((block.leaf for block in self.blocks), default=0)
        if leaf and leaf != last + 1:
            raise EditionError(
                FILE, number, f"leaf {leaf} follows leaf {last}; number the leaves from 1, in order"
            )
        if not leaf and self.blocks:
            raise EditionError(FILE, number, "only leaves may follow the first block")
        self.block = ("leaf" if leaf else "loose" if mark[2] else "ours", leaf)
        self.furniture_passage = ""
        self.previous = None
        self.gap = False

    def close_block(self) -> None:
        if self.block is not None:
            self.blocks.append(TextBlock(*self.block, tuple(self.lines)))
            self.lines = []

    def read_line(self, number: int, source: str) -> Line:
        assert self.block is not None
        prefix = PREFIX.match(source)
        assert prefix is not None
        style = prefix[1] or "body"
        if style not in STYLES or (source.startswith("[") and not prefix[1]):
            raise EditionError(FILE, number, f"no such style: {source[:30]!r}; docs/format.md lists them all")
        furniture = STYLES[style].furniture
        paragraph = self.choose_paragraph(number, style, bool(prefix[4]), furniture)
        runs = tuple(self.read_runs(number, source[prefix.end() :], style, furniture))
        self.check_line(number, style, furniture, runs)
        line = Line(
            leaf=self.block[1],
            number=len(self.lines) + 1,
            style=style,
            paragraph=paragraph,
            runs=runs,
            gap=self.gap and bool(self.lines),
            continues=bool(prefix[4]),
            layer=cast(LineLayer, prefix[2] or "both"),
            note=prefix[3] or "",
        )
        self.previous = line
        return line

    def choose_paragraph(self, number: int, style: str, continues: bool, furniture: bool) -> int:
        """A flowing line right under one of its style, or one marked +, goes on with the paragraph before."""
        if continues:
            if not self.paragraph or furniture:
                raise EditionError(FILE, number, "+ continues a paragraph, and there is none to continue")
            return self.paragraph
        previous = self.previous
        follows = previous is not None and previous.style == style and STYLES[style].flow and not self.gap
        if follows and previous is not None:
            return previous.paragraph
        self.paragraphs += 1
        if not furniture:
            self.paragraph = self.paragraphs
        return self.paragraphs

    def check_line(self, number: int, style: str, furniture: bool, runs: tuple[Run, ...]) -> None:
        assert self.block is not None
        if not runs and style != "rule":
            raise EditionError(FILE, number, f"a line of style {style} needs text")
        if self.block[0] == "loose" and not furniture:
            raise EditionError(FILE, number, "loose lines are furniture; text belongs on a leaf")
        if not furniture and any(not run.passage for run in runs):
            raise EditionError(FILE, number, "text outside any passage; begin one with {#anchor}")

    def read_runs(self, number: int, source: str, style: str, furniture: bool) -> Iterator[Run]:
        if furniture and (self.previous is None or self.previous.style != style):
            self.furniture_passage = ""
        current = self.furniture_passage if furniture else self.passage
        emphasis: Literal["", "bold", "italic"] = ""
        plain = before = ""
        for token in TOKEN.finditer(source):
            kind, text = cast(str, token.lastgroup), token[0]
            if kind in ("plain", "escape"):
                plain += unescape(text)
                continue
            if plain:
                yield Run("text", plain, plain, emphasis, "", current)
                before, plain = plain, ""
            if kind == "passage":
                current = self.open_passage(number, text, style)
            elif kind in ("bold", "italic"):
                if emphasis not in ("", kind):
                    raise EditionError(FILE, number, "bold and italic do not nest; close one first")
                emphasis = "" if emphasis else cast(Literal["bold", "italic"], kind)
            else:
                run = replace(read_mark(number, kind, text, style), emphasis=emphasis, passage=current)
                if run.kind == "hyphen" and before.endswith(DASHES):
                    run = replace(run, printed="")
                yield run
                before = run.printed
        if plain:
            yield Run("text", plain, plain, emphasis, "", current)
        if emphasis:
            raise EditionError(FILE, number, f"the {emphasis} is not closed in this line")

    def open_passage(self, number: int, text: str, style: str) -> str:
        assert self.block is not None
        furniture = STYLES[style].furniture
        mark = ANCHORS.match(text)
        if mark is None:
            raise EditionError(FILE, number, f"{text!r}: a passage is written {{#anchor other =alias}}")
        anchors: tuple[str, ...] = tuple(mark[1].split())
        aliases = tuple(alias[1:] for alias in mark[2].split())
        for name in anchors + aliases:
            if name in self.names:
                raise EditionError(
                    FILE, number, f"the anchor {name} stands already in line {self.names[name]}"
                )
            self.names[name] = number
        ours = self.block[0] == "ours" or style == "described"
        kind: PassageKind = "ours" if ours else "furniture" if furniture else "text"
        self.passages.append(Passage(anchors, aliases, kind, "", ()))
        name = anchors[0]
        if furniture:
            self.furniture_passage = name
        else:
            self.passage = name
        return name

    def finish(self) -> Transcript:
        self.close_block()
        lines: defaultdict[str, list[Line]] = defaultdict(list)
        for line in (line for block in self.blocks for line in block.lines):
            for anchor in line.passages:
                lines[anchor].append(line)
        passages = tuple(replace(passage, lines=tuple(lines[passage.anchor])) for passage in self.passages)
        return Transcript(tuple(self.blocks), passages)


def write_text(blocks: Iterable[TextBlock], passages: Iterable[Passage]) -> str:
    waiting = {passage.anchor: passage for passage in passages}
    pieces: list[str] = []
    for block in blocks:
        pieces.append(f"=== {block.kind}{f' {block.leaf}' if block.leaf else ''} ===\n\n")
        for line in block.lines:
            pieces.append(("\n" if line.gap else "") + _write_line(line, waiting).rstrip(" ") + "\n")
        pieces.append("\n")
    return "".join(pieces).rstrip("\n") + "\n"


def _write_line(line: Line, waiting: dict[str, Passage]) -> str:
    layer = "" if line.layer == "both" else f" {line.layer} {line.note}"
    head = "" if line.style == "body" and not layer else f"[{line.style}{layer}] "
    head += "+ " if line.continues else ""
    text = ""
    signs = {"": "", "bold": "**", "italic": "*"}
    emphasis = ""
    for run in line.runs:
        begins = waiting.pop(run.passage, None)
        if emphasis and (begins or run.emphasis != emphasis):
            text += signs[emphasis]
            emphasis = ""
        if begins:
            names = [*begins.anchors, *(f"={alias}" for alias in begins.aliases)]
            text += "{#" + " ".join(names) + "} "
        if run.emphasis != emphasis:
            text += signs[run.emphasis]
            emphasis = run.emphasis
        text += write_run(run)
    text += signs[emphasis]
    return head + (text if line.continues else guard(text, after_style=bool(head)))
