"""The PDF of a rulebook: tagged, PDF/UA-1, set by Typst in a child process with hard limits."""

from __future__ import annotations

import io
import json
import math
import os
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Literal

import segno

from archive.offprints.content import Offprint
from archive.offprints.limits import limit

Layout = Literal["facing", "reading"]
WORKER = Path(__file__).with_name("typst_worker.py")
TEMPLATE = Path(__file__).with_name("book.typ")
MEMORY_MAX = 2_000_000_000
BYTES_MAX = 50_000_000
STARTING_SECONDS = 5.0
LONGEST_ERROR = 2_000


class OffprintError(Exception):
    """An offprint could not be made."""


def as_pdf(shown: Offprint, layout: Layout) -> bytes:
    """The file. The child has nothing to read but the words, and nowhere to write but its output."""
    seconds = limit("OFFPRINT_SECONDS_MAX")
    task = {"limits": {"memory": MEMORY_MAX, "seconds": seconds, "output": BYTES_MAX}}
    inputs = {"book": json.dumps(_data(shown)), "layout": layout, "code": _code(shown.revision_address)}
    given = {
        "template": TEMPLATE.read_text(),
        "inputs": inputs,
        "timestamp": math.floor(shown.made.timestamp()),
    }
    with (
        tempfile.TemporaryDirectory(prefix="tallyroom-pdf-") as empty,
        tempfile.TemporaryFile() as words,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as faults,
    ):
        words.write(json.dumps(given).encode())
        words.flush()
        os.lseek(words.fileno(), 0, os.SEEK_SET)
        child = subprocess.Popen(  # noqa: S603 - our own program, no shell
            [sys.executable, "-I", str(WORKER), json.dumps(task)],
            stdin=words,
            stdout=out,
            stderr=faults,
            env={"LANG": "C.UTF-8"},
            cwd=empty,
            start_new_session=True,
        )
        try:
            # Processor time is bounded in the child; a crowded machine takes longer for it.
            status = child.wait(seconds * 4 + STARTING_SECONDS)
        except subprocess.TimeoutExpired:
            raise OffprintError("Typesetting took too long.") from None
        finally:
            with suppress(ProcessLookupError):
                child.kill()
            child.wait()
        if status:
            faults.seek(0)
            raise OffprintError(faults.read()[-LONGEST_ERROR:].decode(errors="replace"))
        out.seek(0)
        return out.read()


def _data(shown: Offprint) -> dict[str, object]:
    language, *others = shown.language.casefold().split("-")
    # Typst knows a language and a country, and refuses what else may stand in such a code: de-Latn, de-1901.
    region = next((part for part in others if len(part) == 2 and part.isalpha()), "")
    made = shown.made
    day = {"year": made.year, "month": made.month, "day": made.day}
    data = asdict(shown)
    del data["made"]
    return data | {"lang": language, "region": region, "day": day}


def _code(address: str) -> str:
    """The QR code of an address, as a drawing."""
    drawing = io.BytesIO()
    segno.make(address, error="m", micro=False).save(drawing, kind="svg", border=2)
    return drawing.getvalue().decode()
