"""The worker of the sandbox: a child process that does one job and ends. `sandbox` starts it.

Its command line is the task as JSON: the job, its limits and arguments. Its input is a foreign file
(`examine`, `cut`) or one of our own pages, as a line of JSON and then pixels (`align`, `read`). Its output is
one line of JSON, and after it, for `examine` and `cut`, bare pixels.

It limits itself before it reads a byte, nothing can lift a limit again, and Tesseract, which `align` and
`read` start, has the same limits. It imports neither Django nor the settings: it knows no secret and no
database.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL import Image

    from archive.scans.decode import DecodedImage

Task = dict[str, Any]
Answer = tuple[dict[str, Any], bytes]

BLANK_LEVELS_MOST = 4
"""So much one colour may differ from itself, of 255: files that are packed with loss are not exact."""


def set_limits(memory: int, seconds: int, output: int | None) -> None:
    for limit, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, output),
        (resource.RLIMIT_CORE, 0),
    ):
        if most is not None:
            resource.setrlimit(limit, (most, most))


def examine(task: Task) -> Answer:
    """Check a foreign file and decode it to a small copy."""
    from archive.scans.errors import ScanError
    from archive.scans.formats.checks import FileLimits, check_file

    file, limits = sys.stdin.buffer, FileLimits(**task["file_limits"])
    parsed = check_file(file, limits)
    # Only now are decoders loaded: to refuse a file must not cost what opening one does.
    from archive.scans.decode import decode

    found = decode(file, parsed, limits, task["frame"], task["side_max"])
    if found.frames == 1 and _is_blank(found.image):
        raise ScanError("blank")
    return _head(found, found.image), found.image.tobytes()


def _is_blank(image: Image.Image) -> bool:
    """True for one colour all over. An empty page among those of one file is taken in with them."""
    from PIL import ImageStat

    return all(most - least <= BLANK_LEVELS_MOST for least, most in ImageStat.Stat(image).extrema)


def cut(task: Task) -> Answer:
    """Cut a page from a foreign file that was examined before, at its full size."""
    from archive.scans.crop import crop_page, side_needed
    from archive.scans.decode import decode
    from archive.scans.formats.checks import FileLimits, check_file
    from archive.scans.geometry import steps_from

    file, limits = sys.stdin.buffer, FileLimits(**task["file_limits"])
    parsed = check_file(file, limits)
    steps = steps_from(task["steps"])
    # No larger than the page needs: of a huge picture most would only be thrown away again.
    needed = side_needed(*parsed.upright, steps, task["side_max"])
    found = decode(file, parsed, limits, task["frame"], needed)
    page = crop_page(found.image, steps, task["side_max"])
    return _head(found, page), page.tobytes()


def _head(found: DecodedImage, image: Image.Image) -> dict[str, Any]:
    facts = {"kind": found.kind, "width": found.width, "height": found.height, "frames": found.frames}
    return facts | {"mode": image.mode, "size": image.size}


def align(task: Task) -> Answer:
    """Find the words of a known text on a page."""
    from archive.ocr.alignment import align as align_words

    page, words = _page()
    found = align_words(
        page,
        words["known"],
        task["language"],
        reader_seconds=task["reader_seconds"],
        regions=words.get("regions", ()),
    )
    sure = [word | {"sure": round(one, 2)} for word, one in zip(found.words, found.sure, strict=True)]
    return {"words": sure, "missing": found.missing, "fits": found.fits}, b""


def read(task: Task) -> Answer:
    """Read a page without a text."""
    from archive.ocr import transcription
    from archive.ocr.tesseract import TesseractError

    page, _ = _page()
    try:
        found = transcription.read_page(page, task["language"], task["reader_seconds"])
    except TesseractError as fault:
        return {"fault": str(fault)}, b""
    rows = transcription.transcript_lines(found, task["anchor"])
    return {"rows": rows, "words": transcription.word_records(found, task["anchor"])}, b""


def _page() -> tuple[Image.Image, dict[str, Any]]:
    from PIL import Image

    head = json.loads(sys.stdin.buffer.readline())
    return Image.frombytes(head["mode"], tuple(head["size"]), sys.stdin.buffer.read()), head


FOREIGN_FILE_JOBS = {"examine": examine, "cut": cut}
PAGE_JOBS = {"align": align, "read": read}


def _run_on_foreign_file(task: Task) -> Answer:
    from archive.scans.errors import ScanError

    try:
        return FOREIGN_FILE_JOBS[task["job"]](task)
    except ScanError as refused:
        reason = refused.reason
    except MemoryError:
        reason = "memory"
    except Exception as fault:
        # Every error of a decoder means one thing: it is not a picture we can read.
        short = "truncated" in str(fault) or isinstance(fault, EOFError)
        reason = "short" if short else "unreadable"
    return {"refused": reason}, b""


def _run_on_page(task: Task) -> Answer:
    try:
        return PAGE_JOBS[task["job"]](task)
    except ModuleNotFoundError:
        raise
    except (MemoryError, ImportError):
        # A library that finds no room to be loaded says so in its own way.
        return {"fault": "memory"}, b""


def main() -> None:
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    task = json.loads(sys.argv[1])
    set_limits(**task["limits"])
    run = _run_on_foreign_file if task["job"] in FOREIGN_FILE_JOBS else _run_on_page
    head, pixels = run(task)
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\n" + pixels)


if __name__ == "__main__":
    main()
