"""ALTO, versions 2 to 4: an XML file of the layout of a page. Read with expat, event by event."""

from __future__ import annotations

import math
import re
from xml.parsers import expat

from archive.ocr.ocr_files import MAX_DEPTH, OcrFileError, OcrPage
from archive.ocr.tesseract import OcrWord
from archive.ocr.transcription import OcrLine

HYPHENS = "-‐\u00ad"


def read_alto(content: bytes, words_max: int) -> OcrPage:
    events = _Events(words_max)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.EntityDeclHandler = events.refuse_entity
    parser.StartElementHandler = events.begin
    parser.EndElementHandler = events.end
    try:
        parser.Parse(content, True)
    except expat.ExpatError as fault:
        raise OcrFileError(f"This file is broken in line {fault.lineno}: it is no well-formed XML.") from None
    except (LookupError, ValueError):
        # It names an encoding that expat or Python do not have, or that takes several bytes for a letter.
        raise OcrFileError("This file cannot be read in the encoding it names. Save it as UTF-8.") from None
    if events.pages > 1:
        raise OcrFileError(f"This file holds {events.pages} pages; give a file of one page.")
    return OcrPage(tuple(events.lines), events.width, events.height, "ALTO")


class _Events:
    """Handlers of the parser, and the elements that are open."""

    def __init__(self, words_max: int) -> None:
        self.words_max = words_max
        self.lines: list[OcrLine] = []
        self.width = self.height = 0.0
        self.pages = self.depth = self.count = 0
        self.words: list[OcrWord] = []
        self.in_line = False
        self.begins = False

    def refuse_entity(self, *_: object) -> None:
        raise OcrFileError(
            "This file declares entities, which no reading of a page needs. Save it without them."
        )

    def begin(self, name: str, given: dict[str, str]) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise OcrFileError("This file nests its elements deeper than any page does.")
        local = name.rpartition(" ")[2]
        if local == "Page":
            self.pages += 1
            self.width, self.height = _number(given, "WIDTH"), _number(given, "HEIGHT")
        elif local == "TextBlock":
            self.begins = bool(self.lines)
        elif local == "TextLine":
            self.in_line, self.words = True, []
        elif local == "String" and self.in_line:
            self.take(given)
        elif local == "HYP" and self.words:
            last = self.words[-1]
            if last.text[-1:] not in HYPHENS:
                self.words[-1] = _with_hyphen(last)

    def take(self, given: dict[str, str]) -> None:
        text = " ".join(given.get("CONTENT", "").split())
        if not text:
            return
        # A String is a word by the standard; some write a whole phrase into one.
        parts, at = text.split(" "), 0
        self.count += len(parts)
        if self.count > self.words_max:
            raise OcrFileError(f"This file has more than {self.words_max} words; give the file of one page.")
        x, y, w, h = (_number(given, key) for key in ("HPOS", "VPOS", "WIDTH", "HEIGHT"))
        if w <= 0 or h <= 0:
            raise OcrFileError(f"“{text[:40]}” has no box: HPOS, VPOS, WIDTH and HEIGHT are wanted.")
        for part in parts:
            begin = x + w * at / len(text)
            self.words.append(
                OcrWord(
                    part,
                    begin,
                    y,
                    w * len(part) / len(text),
                    h,
                    len(self.lines) + 1,
                    _number(given, "WC", 1.0),
                )
            )
            at += len(part) + 1

    def end(self, name: str) -> None:
        self.depth -= 1
        if name.rpartition(" ")[2] == "TextLine":
            if self.words:
                self.lines.append(OcrLine(tuple(self.words), self.begins))
                self.begins = False
            self.in_line = False


def _with_hyphen(word: OcrWord) -> OcrWord:
    return OcrWord(word.text + "-", word.x, word.y, word.w, word.h, word.line, word.sure)


def _number(given: dict[str, str], key: str, default: float = 0.0) -> float:
    written = given.get(key, "").strip()
    if not written:
        return default
    if len(written) > 20 or not re.fullmatch(r"-?\d+(\.\d+)?([eE][+-]?\d{1,2})?", written):
        raise OcrFileError(f"{key} must be a number, and is “{written[:40]}”.")
    number = float(written)
    return number if math.isfinite(number) else default
