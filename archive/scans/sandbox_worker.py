"""The child process in which foreign files are opened. It is started anew for each file and told what to do
on its command line; the file is its input, and its output is one line of JSON and then bare pixels.

It limits itself before it reads a byte, and nothing can lift a limit again. It imports neither Django nor the
settings: it knows no secret and no database.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL import Image

    from archive.scans.decode import Opened


def limit(memory: int, seconds: int, output: int) -> None:
    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, output),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))


def work(task: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    from archive.scans.formats.examining import Limits, look_at

    file, room, limits = sys.stdin.buffer, task["room"], Limits(**task["limits"])
    anatomy = look_at(file, limits)
    # Only now are decoders loaded: to turn a file away must not cost what opening one does.
    from archive.scans.decode import open_picture

    if not task["steps"]:
        found = open_picture(file, anatomy, limits, task["frame"], room)
        return _head(found) | _shape(found.image), found.image.tobytes()
    from archive.scans.developing import develop, room_for
    from archive.scans.geometry import steps_from

    steps = steps_from(task["steps"])
    # No larger than the page needs: of a huge picture most would only be thrown away again.
    needed = room_for(*anatomy.upright, steps, room)
    found = open_picture(file, anatomy, limits, task["frame"], needed)
    image = develop(found.image, steps, room)
    return _head(found) | _shape(image), image.tobytes()


def _head(found: Opened) -> dict[str, Any]:
    return {"kind": found.kind, "width": found.width, "height": found.height, "frames": found.frames}


def _shape(image: Image.Image) -> dict[str, Any]:
    return {"mode": image.mode, "size": image.size}


def main() -> None:
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    task = json.loads(sys.argv[1])
    limit(task["memory"], task["seconds"], task["output"])
    from archive.scans.errors import Refused

    pixels = b""
    try:
        head, pixels = work(task)
    except Refused as refused:
        head = {"refused": refused.reason}
    except MemoryError:
        head = {"refused": "memory"}
    except Exception as fault:
        # Whatever a decoder says of a file means one thing: it is not a picture we can read.
        short = "truncated" in str(fault) or isinstance(fault, EOFError)
        head = {"refused": "short" if short else "unreadable"}
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\n" + pixels)


if __name__ == "__main__":
    main()
