"""OCR files made elsewhere, hOCR or ALTO. They are not trusted: no entity is declared, no other file is
opened, nothing nests deep, and sizes are bounded."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace

from archive.ocr.tesseract import OcrWord
from archive.ocr.transcription import OcrLine, Transcription

MAX_BYTES = 12_000_000
MAX_WORDS = 20_000
"""No leaf has so many; a file that says so is not about one leaf."""
MAX_DEPTH = 100


class OcrFileError(Exception):
    """A file that is no OCR of a page; the sentence says what to do."""


@dataclass(frozen=True)
class OcrPage:
    """The content of a file: lines with boxes in its own units, and the size of its page in those units."""

    lines: tuple[OcrLine, ...]
    width: float
    height: float
    by: str


def read_ocr_file(
    content: bytes, width: int, height: int, bytes_max: int = MAX_BYTES, words_max: int = MAX_WORDS
) -> Transcription:
    """The transcription in the bytes of a file, its boxes scaled to an image of this size."""
    return on_image(parse_ocr_file(content, bytes_max, words_max), width, height)


def parse_ocr_file(content: bytes, bytes_max: int = MAX_BYTES, words_max: int = MAX_WORDS) -> OcrPage:
    """The page in the bytes of a file, in its own units."""
    from archive.ocr.alto import read_alto
    from archive.ocr.hocr import read_hocr

    if len(content) > bytes_max:
        raise OcrFileError(f"This file is larger than {bytes_max / 1e6:.3g} MB; give the file of one page.")
    if b"<!ENTITY" in content:
        raise OcrFileError(
            "This file declares entities, which no reading of a page needs. Save it without them."
        )
    head = content[:4000].lower()
    if b"<alto" in head:
        page = read_alto(content, words_max)
    elif b"<html" in head or b"ocr_page" in head or b"ocrx_word" in content:
        page = read_hocr(content, words_max)
    else:
        raise OcrFileError("This is neither hOCR nor ALTO. Tesseract can write both.")
    if not page.lines:
        raise OcrFileError("This file has no words with places.")
    return page


def on_image(page: OcrPage, width: float, height: float) -> Transcription:
    """The page with its boxes in pixels of an image of this size, of which it must have the shape."""
    across = width / page.width if page.width > 0 else 1.0
    down = height / page.height if page.height > 0 else 1.0
    if not 0.8 < across / down < 1.25:
        raise OcrFileError("The page of this file has another shape than the image; is it of another page?")
    lines = []
    for line in page.lines:
        clean = [replace(word, text=_clean(word.text)) for word in line.words]
        moved = [_moved(word, across, down, width, height) for word in clean if word.text]
        if moved:
            lines.append(OcrLine(tuple(moved), line.begins))
    return Transcription(tuple(lines), page.by)


def _clean(text: str) -> str:
    """Without control characters, which are invisible and which databases refuse. A soft hyphen at the end
    was printed."""
    text = f"{text[:-1]}-" if text.endswith("\u00ad") else text
    return "".join(sign for sign in text if unicodedata.category(sign) not in ("Cc", "Cs", "Cf", "Cn", "Co"))


def _moved(word: OcrWord, across: float, down: float, width: float, height: float) -> OcrWord:
    x0, y0 = max(0.0, word.x * across), max(0.0, word.y * down)
    x1, y1 = min(width, (word.x + word.w) * across), min(height, (word.y + word.h) * down)
    if x1 <= x0 or y1 <= y0:
        raise OcrFileError(f"The box of “{word.text[:40]}” does not lie on the image.")
    return replace(word, x=x0, y=y0, w=x1 - x0, h=y1 - y0)
