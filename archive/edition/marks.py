"""The marks inside a line of text.txt, as docs/format.md explains them, and how each is read and written."""

from __future__ import annotations

import re
from typing import cast

from archive.edition.errors import EditionError
from archive.edition.text import Run, RunKind

FILE = "text.txt"

BLOCK = re.compile(r"=== (?:leaf ([1-9]\d*)|(loose)|(ours)) ===$")
PREFIX = re.compile(r"(?:\[([a-z-]+)(?: (printed|reading) ([a-z0-9-]+))?\](?: |$))?(\+ )?")
TOKEN = re.compile(
    r"(?P<escape>\\.)"
    r"|(?P<passage>\{#[^{}]*\} ?)"
    r"|(?P<mend>\{(?:[^{}\\]|\\.)*\})"
    r"|(?P<supplied>⟨(?:[^⟨⟩\\]|\\.)*⟩)"
    r"|(?P<bold>\*\*)"
    r"|(?P<italic>\*)"
    r"|(?P<hyphen>¬$)"
    r"|(?P<cell> \|\| ?)"
    r"|(?P<stray>[{}⟨⟩¬|\\])"
    r"|(?P<plain>[^\\{}⟨⟩*¬| ]+| )"
)
ANCHORS = re.compile(r"\{#([a-z0-9-]+(?: [a-z0-9-]+)*)((?: =[a-z0-9-]+)*)\} ?$")
MEND = re.compile(r"\{((?:[^{}|→\\]|\\.)+?) → ((?:[^{}|→\\]|\\.)*?) ?\| ([a-z0-9-]+)\}$")
SIGNED = re.compile(r"\{([\^?])((?:[^{}|→\\]|\\.)+)\}$")
SIGNS = {"^": "superior", "?": "doubt"}
"""What stands in braces behind one of these is marked as a whole, unless it is a correction."""
SUPPLIED = re.compile(r"⟨((?:[^⟨⟩|\\]|\\.)+?) \| ([a-z0-9-]+)⟩$")
DASHES = ("-", "‐", "‑", "–", "—")
"""Behind one of these, ¬ prints nothing: the sign belongs to the word, wherever its line ends."""
SPECIAL = re.compile(r"([\\{}⟨⟩*¬|→])")

# Each mark once, as docs/format.md names it. A test holds the two together.
MARKS = (
    "=== leaf N ===",
    "=== loose ===",
    "=== ours ===",
    "[style]",
    "[style printed note]",
    "[style reading note]",
    "+",
    "{#anchor}",
    "{#anchor other =alias}",
    "{printed → reading | note}",
    "{printed → | note}",
    "{^letters}",
    "{?words}",
    "⟨words | note⟩",
    "⟨… | note⟩",
    "**bold**",
    "*italic*",
    "¬",
    "||",
    "\\",
)


def unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text) if "\\" in text else text


def escape(text: str) -> str:
    return SPECIAL.sub(r"\\\1", text)


def guard(text: str, after_style: bool = False) -> str:
    """The words of a line, with a first letter guarded that would be read as a mark of the line; behind the
    mark of a style that is + alone."""
    return re.sub(r"^(?=\+ )" if after_style else r"^(?=[\[=]|\+ )", r"\\", text)


def read_mark(number: int, kind: str, text: str, style: str) -> Run:
    if kind == "hyphen":
        return Run("hyphen", "-", "")
    if kind == "cell" and style in ("row", "rowhead", "tally"):
        return Run("cell", "\t", "\t")
    if kind == "mend" and (signed := SIGNED.match(text)):
        words = unescape(signed[2])
        if words == words.strip() and "  " not in words:
            return Run(cast(RunKind, SIGNS[signed[1]]), words, words)
    if kind == "mend" and (mend := MEND.match(text)):
        printed, reading = unescape(mend[1]), unescape(mend[2])
        if (printed, reading) == (printed.strip(), reading.strip()):
            return Run("mend" if reading else "omitted", printed, reading, "", mend[3])
    if kind == "supplied" and (given := SUPPLIED.match(text)):
        words = unescape(given[1])
        if words == words.strip():
            return Run("lacuna" if words == "…" else "supplied", "", f"⟨{words}⟩", "", given[2])
    wanted = {
        "mend": (
            "a correction is written {printed → reading | note}: the words as printed, the words as they "
            "should read, and a short name for its note, which you make up, in small letters with hyphens, "
            "as in {cash → dash | cash-or-dash}"
        ),
        "supplied": "supplied words are written ⟨words | note⟩",
        "cell": "|| divides the cells of a row, and this line is not a row",
    }
    advice = wanted.get(kind, "this sign is a mark; write \\ before it")
    raise EditionError(FILE, number, f"{text!r}: {advice}")


def write_run(run: Run) -> str:
    if run.kind == "text":
        return escape(run.printed)
    if run.kind == "hyphen":
        return "¬"
    if run.kind == "cell":
        return " || "
    if run.kind in SIGNS.values():
        sign = next(sign for sign, kind in SIGNS.items() if kind == run.kind)
        return f"{{{sign}{escape(run.printed)}}}"
    if run.kind == "mend":
        return f"{{{escape(run.printed)} → {escape(run.reading)} | {run.note}}}"
    if run.kind == "omitted":
        return f"{{{escape(run.printed)} → | {run.note}}}"
    return f"⟨{escape(run.words)} | {run.note}⟩"
