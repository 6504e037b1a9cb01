"""The child process that looks for words on a page: those of a known text, or whatever it reads there. It
works for seconds, so it does so beside the site. In: a line of JSON, then pixels. Out: JSON.

It limits itself before it reads a pixel, and Tesseract, which it starts, has the same limits.
"""

from __future__ import annotations

import json
import math
import resource
import sys
from pathlib import Path
from typing import Any


def limit(memory: int, seconds: float) -> None:
    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, math.ceil(seconds)),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))


def work(task: dict[str, Any]) -> dict[str, Any]:
    from PIL import Image

    image = Image.frombytes(task["mode"], tuple(task["size"]), sys.stdin.buffer.read())
    if task["job"] == "read":
        from archive.ocr import tesseract
        from archive.ocr import transcription as transcribing

        try:
            reading = transcribing.read(image, task["language"], task["reader_seconds"])
        except tesseract.TesseractError as fault:
            return {"fault": str(fault)}
        return {
            "rows": transcribing.text_of(reading, task["anchor"]),
            "words": transcribing.records_of(reading, task["anchor"]),
        }
    from archive.ocr.alignment import align

    found = align(image, task["known"], task["language"], reader_seconds=task["reader_seconds"])
    return {"words": found.words, "missing": found.missing}


def main() -> None:
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    task = json.loads(sys.stdin.buffer.readline())
    limit(task["memory"], task["seconds"])
    try:
        found = work(task)
    except ModuleNotFoundError:
        raise
    except (MemoryError, ImportError):
        # A library that finds no room to be loaded says so in its own way.
        found = {"fault": "memory"}
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
