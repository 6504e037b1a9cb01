"""The door for foreign files. The site itself never decodes one: a child process with hard limits does, and
gives back a few numbers and bare pixels. A child that does not come back in time is killed with all it holds;
its input and output are nameless files, so nothing of it stays behind.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from django.conf import settings
from PIL import Image

from archive.scans.decode import PLUGINS
from archive.scans.errors import Refused, sentence_of
from archive.scans.formats import TIFF, kind_of
from archive.scans.formats.examining import Limits
from archive.scans.geometry import Steps, record_of

CHILD = Path(__file__).with_name("sandbox_worker.py")
CHILDREN_MOST = 2
HEAD_MOST = 10_000
SIDE_LEAST = 100
FRAMES_MOST = 200
COPY_SIDE = 1_800
"""The longer side of the copy that previews are drawn from."""
STARTING_SECONDS = 0.5
CROWDING_MOST = 6.0
_turns = threading.BoundedSemaphore(CHILDREN_MOST)


@dataclass(frozen=True)
class Examined:
    """A file that is a picture: what it is, and a small copy of it in plain pixels."""

    kind: str
    width: int
    height: int
    frames: int
    copy: Image.Image


def words_for(reason: str) -> str:
    """The sentence for a reason, with the limits as they are set."""
    return sentence_of(
        reason,
        bytes_max=settings.SCAN_BYTES_MAX // 1_000_000,
        pixels_max=settings.SCAN_PIXELS_MAX // 1_000_000,
        side_max=settings.SCAN_SIDE_MAX,
        side_least=SIDE_LEAST,
        frames_max=FRAMES_MOST,
    )


def examine(file: BinaryIO, tiff: bool = False, frame: int = 0) -> Examined:
    """Let a file in, or raise Refused; `file` is a real file. TIFF only where the machine's owner asks."""
    file.seek(0)
    if kind_of(file.read(512)) == TIFF and not tiff:
        raise Refused("tiff")
    seconds = settings.SCAN_EXAMINE_SECONDS * (4 if tiff else 1)
    head, image = _ask(file, {"steps": None, "frame": frame, "room": COPY_SIDE}, tiff, seconds)
    return Examined(head["kind"], head["width"], head["height"], head["frames"], image)


def cut_page(file: BinaryIO, steps: Steps, frame: int = 0) -> Image.Image:
    """A page cut from an original that was let in before, at its full size."""
    task = {"steps": record_of(steps), "frame": frame, "room": settings.SCAN_PAGE_SIDE_MAX}
    return _ask(file, task, True, settings.SCAN_WORK_SECONDS)[1]


def crowding() -> float:
    """How many want each processor, at least 1: so many seconds a second of work takes."""
    return min(max(os.getloadavg()[0] / (os.cpu_count() or 1), 1.0), CROWDING_MOST)


def _ask(
    file: BinaryIO, task: dict[str, Any], tiff: bool, seconds: float
) -> tuple[dict[str, Any], Image.Image]:
    limits = Limits(
        pixels=settings.SCAN_PIXELS_MAX,
        side=settings.SCAN_SIDE_MAX,
        side_least=SIDE_LEAST,
        notes=settings.SCAN_NOTES_MAX,
        frames=FRAMES_MOST,
        tiff=tiff,
    )
    output = HEAD_MOST + 3 * (task["room"] + 1) ** 2
    task = task | {"limits": asdict(limits), "memory": settings.SCAN_MEMORY_MAX, "output": output}
    # The processor's time is what a file costs; the clock runs a little longer, for starting and storing.
    task["seconds"] = math.ceil(seconds)
    if not _turns.acquire(timeout=settings.SCAN_WORK_SECONDS):
        raise Refused("busy")
    try:
        with tempfile.TemporaryFile() as out:
            _run(json.dumps(task), file, out, (seconds + STARTING_SECONDS) * crowding())
            return _read(out, task["room"])
    finally:
        _turns.release()


@contextmanager
def opened_anew(file: BinaryIO) -> Iterator[BinaryIO]:
    """The same file with a place of its own to read from: where a child has read to must not be where we go
    on reading. One that has no name any more is found through the process's own list."""
    own = Path(f"/proc/self/fd/{file.fileno()}")
    if own.exists():
        with own.open("rb") as again:
            yield again
        return
    with tempfile.TemporaryFile() as copy:
        file.seek(0)
        shutil.copyfileobj(file, copy)
        copy.flush()
        os.lseek(copy.fileno(), 0, os.SEEK_SET)
        yield cast(BinaryIO, copy)


def _run(task: str, file: BinaryIO, out: BinaryIO, seconds: float) -> None:
    with opened_anew(file) as given:
        child = subprocess.Popen(  # noqa: S603
            [sys.executable, "-I", str(CHILD), task],
            stdin=given,
            stdout=out,
            stderr=subprocess.DEVNULL,
            env={"LANG": "C.UTF-8"},
            cwd="/",
            start_new_session=True,
        )
    try:
        status = child.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Refused("slow") from None
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()
    if status in (-signal.SIGXCPU, -signal.SIGKILL):
        raise Refused("slow")
    if status != 0:
        raise Refused("memory" if status in (-signal.SIGXFSZ, 1) else "unreadable")


def _read(out: BinaryIO, room: int) -> tuple[dict[str, Any], Image.Image]:
    """What the child said. It has seen a foreign file, so it is not trusted: every number is looked at."""
    out.seek(0)
    try:
        head: dict[str, Any] = json.loads(out.readline(HEAD_MOST))
        if "refused" in head:
            raise Refused(str(head["refused"]))
        width, height = (int(side) for side in head["size"])
        mode = {"L": "L", "RGB": "RGB"}[head["mode"]]
        facts: dict[str, Any] = {name: int(head[name]) for name in ("width", "height", "frames")}
        facts |= {"kind": {kind: kind for kind in PLUGINS}[head["kind"]]}
    except (ValueError, KeyError, TypeError):
        raise Refused("unreadable") from None
    pixels = out.read(width * height * len(mode)) if 0 < width <= room and 0 < height <= room else b""
    if not pixels or len(pixels) != width * height * len(mode):
        raise Refused("unreadable")
    return facts, Image.frombytes(mode, (width, height), pixels)
