"""Asking the child process that looks at pages. It works for seconds, with hard limits of time and memory; a
site that stops ends every child it has."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from PIL import Image

SEEKER = Path(__file__).with_name("seeker.py")
_children: set[subprocess.Popen[bytes]] = set()
_lock = threading.Lock()
_stopped = threading.Event()


class NotFound(Exception):
    """The child gave no answer: it took too long, or failed."""


class TooMuch(NotFound):
    """It needed more memory than it may have."""


class Stopped(Exception):
    """The site stops, and its child was ended. What was asked for is still to be done."""


def ask(page: Image.Image, task: dict[str, Any]) -> dict[str, Any]:
    """What the child finds on a page."""
    task = task | {
        "mode": page.mode,
        "size": page.size,
        "memory": settings.SCAN_SEEK_MEMORY_MAX,
        "seconds": settings.SCAN_SEEK_SECONDS,
        "reader_seconds": settings.TESSERACT_SECONDS_MAX,
    }
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out:
        given.write(json.dumps(task).encode() + b"\n")
        given.write(page.tobytes())
        given.flush()
        os.lseek(given.fileno(), 0, os.SEEK_SET)
        _run(given, out)
        out.seek(0)
        try:
            found: dict[str, Any] = json.loads(out.read())
        except ValueError:
            raise NotFound("it said nothing that can be read") from None
    if found.get("fault") == "memory":
        raise TooMuch("it needed more memory than it may have")
    return found


def _run(given: BinaryIO, out: BinaryIO) -> None:
    environment = {name: os.environ[name] for name in ("PATH", "TESSDATA_PREFIX") if name in os.environ}
    with _lock:
        if _stopped.is_set():
            raise Stopped
        child = subprocess.Popen(  # noqa: S603
            [sys.executable, "-I", str(SEEKER)],
            stdin=given,
            stdout=out,
            stderr=subprocess.DEVNULL,
            env=environment | {"OMP_THREAD_LIMIT": "1", "OPENBLAS_NUM_THREADS": "1"},
            start_new_session=True,
        )
        _children.add(child)
    try:
        status = child.wait(settings.SCAN_SEEK_SECONDS)
    except subprocess.TimeoutExpired:
        raise NotFound(f"it took longer than {settings.SCAN_SEEK_SECONDS:g} seconds") from None
    finally:
        with _lock:
            _end(child)
            _children.discard(child)
    if status and _stopped.is_set():
        raise Stopped
    if status:
        raise NotFound(f"it ended with {status}")


def _end(child: subprocess.Popen[bytes]) -> None:
    """With whatever it has started itself: they are one group."""
    if child.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def stop() -> None:
    """End every child, and begin none any more."""
    with _lock:
        _stopped.set()
        for child in _children:
            _end(child)
