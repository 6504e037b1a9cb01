"""Transcription of a page: its printed lines with their words, and those lines as the edition writes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Any

from PIL import Image

from archive.edition.marks import escape
from archive.ocr import tesseract
from archive.ocr.tesseract import OcrWord

PARAGRAPH_DISTANCE = 1.35
"""So many times the usual distance of two lines, from baseline to baseline, sets a paragraph apart."""


@dataclass(frozen=True)
class OcrLine:
    """One printed line. `begins` says that a new paragraph or block begins with it."""

    words: tuple[OcrWord, ...]
    begins: bool = False


@dataclass(frozen=True)
class Transcription:
    """The text read on an image, with boxes in pixels of that image; `by` names the reader."""

    lines: tuple[OcrLine, ...]
    by: str

    @property
    def words(self) -> list[OcrWord]:
        return [word for line in self.lines for word in line.words]


def read_page(
    image: Image.Image, language: str = "en", reader_seconds: float = tesseract.MAX_SECONDS
) -> Transcription:
    """Read by Tesseract; TesseractError, with a sentence, where that cannot be."""
    # With numpy, which the site itself does without.
    from archive.ocr.binarize import prepare_page

    page_image = prepare_page(image)
    words = []
    for word in tesseract.read_words(page_image.grey, language, reader_seconds):
        x, y, w, h = page_image.box_back(word.x, word.y, word.x + word.w, word.y + word.h)
        words.append(replace(word, x=x, y=y, w=w, h=h))
    return Transcription(group_lines(word for word in words if is_text(word)), "Tesseract")


def is_text(word: OcrWord) -> bool:
    """Stains are read as signs, with little certainty; letters and figures are kept however doubtful."""
    return any(sign.isalnum() for sign in word.text) or word.sure >= 0.5


def group_lines(words: Iterable[OcrWord]) -> tuple[OcrLine, ...]:
    """Words by the line they say they are in. A paragraph begins where the reader saw one, or where a line
    stands clearly further below the last than lines of this page do; loose print is no row of paragraphs."""
    groups: dict[int, list[OcrWord]] = {}
    for word in words:
        groups.setdefault(word.line, []).append(word)
    lines = list(groups.values())
    steps = [_foot(below) - _foot(above) for above, below in pairwise(lines)]
    usual = median([step for step in steps if step > 0] or [0.0])
    begins = [
        not -usual < step <= usual * PARAGRAPH_DISTANCE or _is_new(above, below)
        for step, (above, below) in zip(steps, pairwise(lines), strict=True)
    ]
    return tuple(OcrLine(tuple(line), new) for line, new in zip(lines, [False, *begins], strict=False))


def _foot(line: Sequence[OcrWord]) -> float:
    """About its baseline: most lines have words without a letter that hangs below it."""
    feet = sorted(word.y + word.h for word in line)
    return feet[len(feet) // 4]


def _is_new(above: Sequence[OcrWord], below: Sequence[OcrWord]) -> bool:
    """The reader saw a new paragraph; it errs at short last lines, where a small letter goes on."""
    return above[-1].paragraph != below[0].paragraph and not below[0].text[:1].islower()


def transcript_lines(reading: Transcription, anchor: str) -> list[str]:
    """The lines as text.txt has them: signs that would be marks are guarded, a word divided at the end of a
    line is marked so, an empty string is an empty line. The first line begins the passage `anchor`."""
    rows: list[str] = []
    lines = reading.lines
    for number, line in enumerate(lines):
        text = " ".join(word.text for word in line.words)
        following = lines[number + 1] if number + 1 < len(lines) else None
        divided = bool(following and not following.begins and _is_divided(text, following.words[0].text))
        written = escape(text[:-1] if divided else text) + ("¬" if divided else "")
        if rows and line.begins:
            rows.append("")
        rows.append(f"{{#{anchor}}} {written}" if not rows else _guarded(written))
    return rows


def _is_divided(text: str, following: str) -> bool:
    return len(text) > 1 and text[-1] in "-‐" and text[-2].isalpha() and following[:1].islower()


def _guarded(text: str) -> str:
    return f"\\{text}" if text.startswith(("[", "=", "+ ")) else text


def word_records(reading: Transcription, anchor: str) -> list[dict[str, Any]]:
    """The words in the form of PageImage.words, with the numbers their lines have in transcript_lines."""
    records = []
    for number, line in enumerate(reading.lines, 1):
        offset = 0
        for word in line.words:
            box = {name: round(getattr(word, name)) for name in "xywh"}
            record = {
                "text": word.text,
                "line": number,
                "offset": offset,
                "row": number - 1,
                "passage": anchor,
            }
            records.append(record | box)
            offset += len(word.text) + 1
    return records
