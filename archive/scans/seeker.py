"""The child process that looks for words on a page: those of a known text, or whatever it reads there. It
works for seconds, so it does so beside the site. In: a line of JSON, then pixels. Out: JSON."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from PIL import Image


def work(task: dict[str, Any], image: Image.Image) -> dict[str, Any]:
    if task["job"] == "read":
        from archive.words import tesseract, transcribing

        try:
            reading = transcribing.read(image, task["language"])
        except tesseract.NotRead as fault:
            return {"fault": str(fault)}
        return {
            "rows": transcribing.text_of(reading, task["anchor"]),
            "words": transcribing.records_of(reading, task["anchor"]),
        }
    from archive.words.aligning import align

    found = align(image, task["known"], task["language"])
    return {"words": found.words, "missing": found.missing}


def main() -> None:
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    task = json.loads(sys.stdin.buffer.readline())
    image = Image.frombytes(task["mode"], tuple(task["size"]), sys.stdin.buffer.read())
    sys.stdout.write(json.dumps(work(task, image)))


if __name__ == "__main__":
    main()
