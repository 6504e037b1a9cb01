"""The child process that looks for the words of a text on a scan. It works for seconds, so it does so beside
the site; like every child here it limits itself and knows no secret. In: a line of JSON, then pixels."""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main() -> None:
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from PIL import Image

    from archive.words.aligning import align

    task = json.loads(sys.stdin.buffer.readline())
    image = Image.frombytes(task["mode"], tuple(task["size"]), sys.stdin.buffer.read())
    found = align(image, task["known"], task["language"])
    sys.stdout.write(json.dumps({"words": found.words, "missing": found.missing}))


if __name__ == "__main__":
    main()
