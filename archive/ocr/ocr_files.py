"""Readings made elsewhere: hOCR and ALTO files. Neither is trusted: no entity is declared, no other file is
opened, nothing nests deep, and sizes are bounded."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace

from archive.ocr.tesseract import Read
from archive.ocr.transcription import Reading, ReadLine

BYTES_MOST = 12_000_000
WORDS_MOST = 20_000
"""No leaf has so many; a file that says so is not about one leaf."""
DEPTH_MOST = 100


class OcrFileError(Exception):
    """A file that is no reading of a page; the sentence says what to do."""


@dataclass(frozen=True)
class Page:
    """What a file says: lines with boxes in its own measure, and the size of its page in that measure."""

    lines: tuple[ReadLine, ...]
    width: float
    height: float
    by: str


def read_file(
    content: bytes, width: int, height: int, bytes_most: int = BYTES_MOST, words_most: int = WORDS_MOST
) -> Reading:
    """A reading from the bytes of a file, its boxes brought to an image of this size."""
    from archive.ocr import alto, hocr

    if len(content) > bytes_most:
        raise OcrFileError(f"This file is larger than {bytes_most / 1e6:.3g} MB; give the file of one page.")
    if b"<!ENTITY" in content:
        raise OcrFileError(
            "This file declares entities, which no reading of a page needs. Save it without them."
        )
    head = content[:4000].lower()
    if b"<alto" in head:
        page = alto.read(content, words_most)
    elif b"<html" in head or b"ocr_page" in head or b"ocrx_word" in content:
        page = hocr.read(content, words_most)
    else:
        raise OcrFileError("This is neither hOCR nor ALTO. Tesseract writes both: hocr and alto.")
    if not page.lines:
        raise OcrFileError("This file has no words with places.")
    return _on_image(page, width, height)


def _on_image(page: Page, width: int, height: int) -> Reading:
    across = width / page.width if page.width > 0 else 1.0
    down = height / page.height if page.height > 0 else 1.0
    if not 0.8 < across / down < 1.25:
        raise OcrFileError("The page of this file has another shape than the image; is it of another page?")
    lines = []
    for line in page.lines:
        clean = [replace(word, text=_clean(word.text)) for word in line.words]
        moved = [_moved(word, across, down, width, height) for word in clean if word.text]
        if moved:
            lines.append(ReadLine(tuple(moved), line.begins))
    return Reading(tuple(lines), page.by)


def _clean(text: str) -> str:
    """Without signs that nobody sees and databases refuse. A soft hyphen at the end was printed."""
    text = f"{text[:-1]}-" if text.endswith("\u00ad") else text
    return "".join(sign for sign in text if unicodedata.category(sign) not in ("Cc", "Cs", "Cf", "Cn", "Co"))


def _moved(word: Read, across: float, down: float, width: int, height: int) -> Read:
    x0, y0 = max(0.0, word.x * across), max(0.0, word.y * down)
    x1, y1 = min(float(width), (word.x + word.w) * across), min(float(height), (word.y + word.h) * down)
    if x1 <= x0 or y1 <= y0:
        raise OcrFileError(f"The box of “{word.text[:40]}” does not lie on the image.")
    return replace(word, x=x0, y=y0, w=x1 - x0, h=y1 - y0)
