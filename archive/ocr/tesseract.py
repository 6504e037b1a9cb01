"""Tesseract, where it is installed: words of a page with their boxes, read by a child process. It has a limit
of time here, and those of memory and processor time that the process which starts it has."""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from archive.ocr.binarize import Grey

MAX_SECONDS = 60.0
LANGUAGES = {"en": "eng", "de": "deu", "fr": "fra", "es": "spa", "it": "ita", "nl": "nld"}
OTHERWISE = "eng"
NAMES = {
    "eng": "English", "deu": "German", "fra": "French", "spa": "Spanish", "ita": "Italian", "nld": "Dutch",
    "dan": "Danish", "swe": "Swedish", "nor": "Norwegian", "por": "Portuguese", "pol": "Polish",
    "lat": "Latin",
    "ces": "Czech", "hun": "Hungarian", "rus": "Russian", "enm": "Middle English", "frm": "Middle French",
    "frk": "German in Fraktur", "deu_frak": "German in Fraktur", "deu_latf": "German in Fraktur",
    "dan_frak": "Danish in Fraktur", "script/Fraktur": "Fraktur", "script/Latin": "Latin letters",
}  # fmt: skip
NO_LANGUAGES = ("osd", "equ", "snum")
"""What Tesseract lists beside languages: it tells scripts and formulas apart."""
CODE = re.compile(r"(?:script/)?[A-Za-z]{3,30}(?:_[A-Za-z]{2,20}){0,3}")
LIST_SECONDS = 5
MISSING = "Tesseract is not installed here, so no first transcription can be made; write the lines by hand."


@dataclass(frozen=True)
class OcrWord:
    """A word as it was read, in pixels of the page that was given. `line` counts the lines read, `sure` is
    between 0 and 1, `paragraph` counts the paragraphs that the reader itself saw."""

    text: str
    x: float
    y: float
    w: float
    h: float
    line: int
    sure: float
    paragraph: int = 0


class TesseractError(Exception):
    """The reader gave no answer; the sentence says why."""


def is_installed() -> bool:
    return shutil.which("tesseract") is not None


@lru_cache(maxsize=1)
def installed_languages() -> tuple[tuple[str, str], ...]:
    """The languages that can be read here, each with its code and its name. Asked once a process."""
    program = shutil.which("tesseract")
    if program is None:
        return ()
    try:
        listed = subprocess.run(  # noqa: S603 - a fixed program and question, no shell
            [program, "--list-langs"], capture_output=True, timeout=LIST_SECONDS, check=True
        ).stdout.decode(errors="replace")
    except (OSError, subprocess.SubprocessError):
        return ()
    codes = [line.strip() for line in listed.splitlines()[1:]]
    found = [code for code in codes if CODE.fullmatch(code) and code not in NO_LANGUAGES]
    return tuple(sorted(((code, NAMES.get(code, code)) for code in found), key=lambda pair: pair[1]))


def language_for(book: str, *chosen: str) -> str:
    """The code of the language to read in: the first of those chosen that is installed, otherwise that of the
    book, whose language is written as in its catalogue (en, de-AT)."""
    codes = [code for code, _ in installed_languages()]
    wanted = (*chosen, LANGUAGES.get(book[:2], "") if CODE.fullmatch(book) is None else book)
    return next((code for code in wanted if code in codes), OTHERWISE)


def read_words(grey: Grey, language: str = "en", seconds: float = MAX_SECONDS) -> list[OcrWord]:
    """The words of a page, in the order in which they were read. TesseractError if there is no answer."""
    program = shutil.which("tesseract")
    if program is None:
        raise TesseractError(MISSING)
    height, width = grey.shape
    page = b"P5 %d %d 255\n" % (width, height) + grey.tobytes()
    asked = [program, "stdin", "stdout", "-l", _code(language), "--dpi", "300", "tsv"]
    environment = {"OMP_THREAD_LIMIT": "1", "PATH": os.defpath, "LC_ALL": "C.UTF-8"}
    if "TESSDATA_PREFIX" in os.environ:
        environment["TESSDATA_PREFIX"] = os.environ["TESSDATA_PREFIX"]
    try:
        child = subprocess.Popen(  # noqa: S603 - a fixed program, its page through a pipe, no shell
            asked, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
        )
    except OSError as fault:
        raise TesseractError(f"Tesseract could not be started: {fault.strerror}.") from None
    with child:
        try:
            table, _ = child.communicate(page, timeout=seconds)
        except subprocess.TimeoutExpired:
            child.kill()
            raise TesseractError(f"Tesseract took longer than {seconds:g} seconds over this page.") from None
    if child.returncode:
        raise TesseractError("Tesseract could not read this page.")
    return parse_tsv(table.decode(errors="replace"))


def _code(language: str) -> str:
    """A code of Tesseract's as it is; of a language as catalogues write it, that of Tesseract."""
    return language if CODE.fullmatch(language) else LANGUAGES.get(language[:2], OTHERWISE)


def parse_tsv(table: str) -> list[OcrWord]:
    """The words in Tesseract's own table of tabs."""
    found: list[OcrWord] = []
    lines: dict[Sequence[str], int] = {}
    paragraphs: dict[Sequence[str], int] = {}
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        text = (row.get("text") or "").strip()
        if row.get("level") != "5" or not text:
            continue
        key = (row["block_num"], row["par_num"], row["line_num"])
        line = lines.setdefault(key, len(lines) + 1)
        paragraph = paragraphs.setdefault(key[:2], len(paragraphs) + 1)
        x, y, w, h = (float(row[name]) for name in ("left", "top", "width", "height"))
        found.append(OcrWord(text, x, y, w, h, line, max(0.0, float(row["conf"])) / 100, paragraph))
    return found
