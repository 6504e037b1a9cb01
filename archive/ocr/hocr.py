"""hOCR: a page as HTML whose titles carry boxes. Such files are seldom well-formed, so tags are taken one by
one as they come; there is no tree, no entity of the file's own, and every step goes forward."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from archive.ocr.ocr_files import MAX_DEPTH, OcrFileError, OcrPage
from archive.ocr.tesseract import OcrWord
from archive.ocr.transcription import OcrLine

MAX_TAG = 4_000
EMPTY = frozenset({"meta", "link", "br", "img", "hr", "input", "area", "base", "col", "wbr"})
LINES = frozenset({"ocr_line", "ocrx_line", "ocr_header", "ocr_caption", "ocr_textfloat", "ocr_footer"})
BLOCKS = frozenset({"ocr_par", "ocr_carea", "ocrx_block"})
WORDS = frozenset({"ocrx_word", "ocr_word"})
NAME = re.compile(r"[a-zA-Z][a-zA-Z0-9:._-]{0,40}")
ATTRIBUTE = re.compile(r"""(class|title)\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
BOX = re.compile(r"\bbbox\s+(-?\d{1,6})\s+(-?\d{1,6})\s+(-?\d{1,6})\s+(-?\d{1,6})")
SURE = re.compile(r"\bx_wconf\s+(\d{1,3})")

Edges = tuple[int, int, int, int]


@dataclass
class _OpenElement:
    """An element that has begun: what it is and what was written in it."""

    tag: str
    kind: str
    box: Edges | None
    sure: float
    text: list[str] = field(default_factory=list)


def read_hocr(content: bytes, words_max: int) -> OcrPage:
    lines: list[OcrLine] = []
    words: list[OcrWord] = []
    stack: list[_OpenElement] = []
    pages, size, begins, count = 0, (0, 0), False, 0
    for tag, closes, given, text in _tokens(content.decode("utf-8", errors="replace")):
        if text:
            for one in stack:
                if one.kind in ("word", "line"):
                    one.text.append(text)
            continue
        if not closes:
            if len(stack) >= MAX_DEPTH:
                raise OcrFileError("This file nests its elements deeper than any page does.")
            one = _open_element(tag, given)
            if one.kind == "page":
                pages += 1
                size = (one.box[2] - one.box[0], one.box[3] - one.box[1]) if one.box else size
            elif one.kind == "block":
                begins = bool(lines)
            elif one.kind == "line":
                words = []
            if tag not in EMPTY and not given.rstrip().endswith("/"):
                stack.append(one)
            continue
        while stack and any(one.tag == tag for one in stack):
            one = stack.pop()
            if one.kind == "word":
                words += _words(one, len(lines) + 1)
            elif one.kind == "line":
                words = words or _words(one, len(lines) + 1)
                count += len(words)
                if words:
                    lines.append(OcrLine(tuple(words), begins))
                    begins = False
                words = []
            if count > words_max:
                raise OcrFileError(f"This file has more than {words_max} words; give the file of one page.")
            if one.tag == tag:
                break
    if pages > 1:
        raise OcrFileError(f"This file holds {pages} pages; give a file of one page.")
    return OcrPage(tuple(lines), float(size[0]), float(size[1]), "hOCR")


def _tokens(source: str) -> Iterator[tuple[str, bool, str, str]]:
    """Tag, whether it closes, its attributes; or a piece of text."""
    at = 0
    while at < len(source):
        begin = source.find("<", at)
        if begin < 0:
            begin = len(source)
        if begin > at:
            text = html.unescape(source[at:begin])
            if text.strip():
                yield "", False, "", text
        if source.startswith("<!--", begin):
            end = source.find("-->", begin)
            at = end + 3 if end >= 0 else len(source)
            continue
        end = source.find(">", begin)
        if end < 0:
            return
        inner = source[begin + 1 : end]
        if len(inner) > MAX_TAG:
            raise OcrFileError("A tag of this file is longer than any that describes a word.")
        closes = inner.startswith("/")
        name = NAME.match(inner, 1 if closes else 0)
        if name:
            yield name[0].lower(), closes, inner[name.end() :], ""
        at = end + 1


def _open_element(tag: str, given: str) -> _OpenElement:
    found = {name.lower(): html.unescape(one or two) for name, one, two in ATTRIBUTE.findall(given)}
    names, title = set(found.get("class", "").split()), found.get("title", "")
    kinds = (("page", {"ocr_page"}), ("block", BLOCKS), ("line", LINES), ("word", WORDS))
    kind = next((kind for kind, known in kinds if names & known), "")
    box, sure = BOX.search(title), SURE.search(title)
    edges = (int(box[1]), int(box[2]), int(box[3]), int(box[4])) if box else None
    return _OpenElement(tag, kind, edges, min(int(sure[1]), 100) / 100 if sure else 1.0)


def _words(one: _OpenElement, line: int) -> list[OcrWord]:
    """The words of an element; a line without words of its own is divided by its letters."""
    parts = "".join(one.text).split()
    if not parts:
        return []
    if one.box is None or one.box[2] <= one.box[0] or one.box[3] <= one.box[1]:
        raise OcrFileError(f"“{' '.join(parts)[:40]}” has no box: its title wants a bbox.")
    x0, y0, x1, y1 = one.box
    signs = sum(map(len, parts)) + len(parts) - 1
    found, at = [], 0
    for part in parts:
        begin = x0 + (x1 - x0) * at / signs
        found.append(OcrWord(part, begin, y0, (x1 - x0) * len(part) / signs, y1 - y0, line, one.sure))
        at += len(part) + 1
    return found
