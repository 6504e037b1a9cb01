"""The sandbox: child processes with hard limits of memory and time, for work the site must not do itself.

The site never decodes a foreign file: a child does (`examine`, `cut_page`), and gives back a few numbers and
bare pixels. Finding and reading the words of a page takes seconds, so a child does that as well (`align`,
`read`). A child that does not end in time is killed with all it has started; its input and output are
nameless files, so nothing of it stays behind. `sandbox_worker` is the program that runs in the child.
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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from django.conf import settings
from PIL import Image

from archive.scans.decode import DECODERS
from archive.scans.errors import (
    SandboxError,
    SandboxMemoryError,
    SandboxStoppedError,
    ScanError,
    sentence_of,
)
from archive.scans.formats import DOCUMENTS, HEAD_BYTES, PDF, kind_of
from archive.scans.formats.checks import FileLimits
from archive.scans.geometry import Steps, record_of
from ratelimit import page_places

WORKER = Path(__file__).with_name("sandbox_worker.py")
MAX_DECODERS = 2
MAX_PAGES_WAITING = 4
"""So many threads for pages may wait for decoders; the others go on drawing pages."""
MAX_HEAD = 10_000
MIN_SIDE = 100
MAX_FRAMES = 200
COPY_SIDE = 1_800
"""The longer side of the copy that previews are drawn from."""
STARTING_SECONDS = 0.5
MAX_CROWDING = 6.0

_decoders = threading.BoundedSemaphore(MAX_DECODERS)
_pages_waiting = threading.BoundedSemaphore(MAX_PAGES_WAITING)
_children: set[subprocess.Popen[bytes]] = set()
_lock = threading.Lock()
_stopped = threading.Event()


@dataclass(frozen=True)
class ExaminedFile:
    """A file that is a picture: its kind and size, and a small copy of it in plain pixels."""

    kind: str
    width: int
    height: int
    frames: int
    copy: Image.Image


def sentence_for(reason: str) -> str:
    """The sentence for the reason of a refusal, with the limits as they are set."""
    return sentence_of(
        reason,
        bytes_max=settings.SCAN_BYTES_MAX // 1_000_000,
        document_max=settings.SCAN_DOCUMENT_BYTES_MAX // 1_000_000,
        pixels_max=settings.SCAN_PIXELS_MAX // 1_000_000,
        side_max=settings.SCAN_SIDE_MAX,
        side_least=MIN_SIDE,
        frames_max=MAX_FRAMES,
    )


def examine(file: BinaryIO, frame: int = 0) -> ExaminedFile:
    """Let a page of a file in, or raise ScanError; `file` is a real file."""
    file.seek(0)
    # Pages of documents are often packed in ways that take longer to open.
    seconds = settings.SCAN_EXAMINE_SECONDS * (4 if kind_of(file.read(HEAD_BYTES)) in DOCUMENTS else 1)
    task = {"job": "examine", "frame": frame, "side_max": COPY_SIDE}
    head, image = _decode(file, task, seconds)
    return ExaminedFile(head["kind"], head["width"], head["height"], head["frames"], image)


def cut_page(file: BinaryIO, steps: Steps, frame: int = 0) -> Image.Image:
    """A page cut from an original that was let in before, at its full size."""
    side_max = settings.SCAN_PAGE_SIDE_MAX
    task = {"job": "cut", "steps": record_of(steps), "frame": frame, "side_max": side_max}
    return _decode(file, task, settings.SCAN_WORK_SECONDS)[1]


def align(
    page: Image.Image, known: list[dict[str, Any]], language: str, regions: Sequence[Sequence[float]] = ()
) -> dict[str, Any]:
    """The known words of a page with their places, as `words`, and those that were not found, as
    `missing`; `fits` is false if they hardly are the text of this page. Regions are in pixels of the page:
    left, top, right and lower edge of each."""
    return _search(page, {"job": "align", "language": language}, {"known": known, "regions": list(regions)})


def read(page: Image.Image, language: str, anchor: str) -> dict[str, Any]:
    """The text of a page as `rows` and `words`; or, as `fault`, a sentence why Tesseract cannot read it."""
    return _search(page, {"job": "read", "language": language, "anchor": anchor}, {})


def stop() -> None:
    """End every child that aligns or reads, and begin none any more: they would outlast a shutdown."""
    with _lock:
        _stopped.set()
        for child in _children:
            _kill(child)


def crowding() -> float:
    """The load of each processor, at least 1: so many seconds a second of work takes."""
    return min(max(os.getloadavg()[0] / (os.cpu_count() or 1), 1.0), MAX_CROWDING)


def _decode(file: BinaryIO, task: dict[str, Any], seconds: float) -> tuple[dict[str, Any], Image.Image]:
    limits = FileLimits(
        pixels=settings.SCAN_PIXELS_MAX,
        side=settings.SCAN_SIDE_MAX,
        side_least=MIN_SIDE,
        metadata=settings.SCAN_NOTES_MAX,
        frames=MAX_FRAMES,
    )
    output = MAX_HEAD + 3 * (task["side_max"] + 1) ** 2
    task = task | {
        "file_limits": asdict(limits),
        "limits": _limits(settings.SCAN_MEMORY_MAX, seconds, output),
    }
    with _decoder(), _opened_anew(file) as given, tempfile.TemporaryFile() as out:
        try:
            # A file costs processor time; the clock runs a little longer, for starting and storing.
            status = _run(task, given, out, (seconds + STARTING_SECONDS) * crowding(), {"LANG": "C.UTF-8"})
        except subprocess.TimeoutExpired:
            raise ScanError("slow") from None
        _check_decoder(status)
        return _read_image(out, task["side_max"])


@contextmanager
def _decoder() -> Iterator[None]:
    """One of the few that decode at once. Whoever waits for it, or for the child, keeps no place at the
    processor; and not all threads for pages may wait here."""
    of_page = page_places.is_page()
    if of_page and not _pages_waiting.acquire(blocking=False):
        raise ScanError("busy")
    try:
        with page_places.left():
            if not _decoders.acquire(timeout=settings.SCAN_WORK_SECONDS):
                raise ScanError("busy")
            try:
                yield
            finally:
                _decoders.release()
    finally:
        if of_page:
            _pages_waiting.release()


def _limits(memory: int, seconds: float, output: int | None = None) -> dict[str, int | None]:
    return {"memory": memory, "seconds": math.ceil(seconds), "output": output}


@contextmanager
def _opened_anew(file: BinaryIO) -> Iterator[BinaryIO]:
    """The same file with a position of its own: how far a child has read must not be where we go on reading.
    A file that has no name any more is found through the process's own list."""
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


def _check_decoder(status: int) -> None:
    if status in (-signal.SIGXCPU, -signal.SIGKILL):
        raise ScanError("slow")
    if status != 0:
        raise ScanError("memory" if status in (-signal.SIGXFSZ, 1) else "unreadable")


def _read_image(out: BinaryIO, side_max: int) -> tuple[dict[str, Any], Image.Image]:
    """The answer of a child. It has seen a foreign file, so it is not trusted: every number is checked."""
    out.seek(0)
    try:
        head: dict[str, Any] = json.loads(out.readline(MAX_HEAD))
        if "refused" in head:
            raise ScanError(str(head["refused"]))
        width, height = (int(side) for side in head["size"])
        mode = {"L": "L", "RGB": "RGB"}[head["mode"]]
        facts: dict[str, Any] = {name: int(head[name]) for name in ("width", "height", "frames")}
        facts |= {"kind": {kind: kind for kind in (*DECODERS, PDF)}[head["kind"]]}
    except (ValueError, KeyError, TypeError):
        raise ScanError("unreadable") from None
    fits = 0 < width <= side_max and 0 < height <= side_max
    pixels = out.read(width * height * len(mode)) if fits else b""
    if not pixels or len(pixels) != width * height * len(mode):
        raise ScanError("unreadable")
    return facts, Image.frombytes(mode, (width, height), pixels)


def _search(page: Image.Image, task: dict[str, Any], words: dict[str, Any]) -> dict[str, Any]:
    seconds = settings.SCAN_SEEK_SECONDS
    task = task | {
        "limits": _limits(settings.SCAN_SEEK_MEMORY_MAX, seconds),
        "reader_seconds": settings.TESSERACT_SECONDS_MAX,
    }
    environment = {name: os.environ[name] for name in ("PATH", "TESSDATA_PREFIX") if name in os.environ}
    environment |= {"OMP_THREAD_LIMIT": "1", "OPENBLAS_NUM_THREADS": "1"}
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out:
        given.write(json.dumps(words | {"mode": page.mode, "size": page.size}).encode() + b"\n")
        given.write(page.tobytes())
        given.flush()
        os.lseek(given.fileno(), 0, os.SEEK_SET)
        try:
            with page_places.left():
                status = _run(task, given, out, seconds, environment, cwd=None, can_be_stopped=True)
        except subprocess.TimeoutExpired:
            raise SandboxError(f"it took longer than {seconds:g} seconds") from None
        if status:
            raise SandboxError(f"it ended with {status}")
        return _read_words(out)


def _read_words(out: BinaryIO) -> dict[str, Any]:
    out.seek(0)
    try:
        found: dict[str, Any] = json.loads(out.read())
    except ValueError:
        raise SandboxError("it said nothing that can be read") from None
    if found.get("fault") == "memory":
        raise SandboxMemoryError("it needed more memory than it may have")
    return found


def _run(
    task: dict[str, Any],
    given: BinaryIO,
    out: BinaryIO,
    seconds: float,
    environment: Mapping[str, str],
    cwd: str | None = "/",
    can_be_stopped: bool = False,
) -> int:
    """The exit status of a worker; TimeoutExpired if it was killed for taking too long."""
    with _lock:
        if can_be_stopped and _stopped.is_set():
            raise SandboxStoppedError
        child = subprocess.Popen(  # noqa: S603 - our own program, no shell
            [sys.executable, "-I", str(WORKER), json.dumps(task)],
            stdin=given,
            stdout=out,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=cwd,
            start_new_session=True,
        )
        if can_be_stopped:
            _children.add(child)
    try:
        status = child.wait(seconds)
    finally:
        with _lock:
            _kill(child)
            _children.discard(child)
    if status and can_be_stopped and _stopped.is_set():
        raise SandboxStoppedError
    return status


def _kill(child: subprocess.Popen[bytes]) -> None:
    """With all processes that it has started itself: they are one group."""
    if child.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
