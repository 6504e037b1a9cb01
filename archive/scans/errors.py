"""Errors of scans. The reasons why a file is refused have one sentence each, which says what to do.

The worker of the sandbox imports this module, so it imports nothing of Django.
"""

from __future__ import annotations

from archive.publication.errors import EditError

REASONS = {
    "empty": "This file is empty. Copy it from the camera again.",
    "large": "This file is too large: a picture has at most {bytes_max} MB, a PDF or TIFF {document_max}.",
    "kind": "This file is not a JPEG, PNG, WebP or TIFF image, nor a PDF. Save it as one of these.",
    "locked": "This PDF asks for a password. Save it without one.",
    "heic": "This is a HEIC or AVIF picture. Set the camera to “most compatible”, or save it as JPEG.",
    "drawing": "This is a drawing (SVG), which can carry programs. Send a photograph as JPEG or PNG.",
    "animated": "This file holds several pictures, an animation. Send each page as a file of its own.",
    "short": "This file ends too early: its end is missing. Copy it from the camera again.",
    "damaged": "This file is damaged: its parts do not fit together. Copy it from the camera again.",
    "behind": "Something follows the end of the picture. Save it again in an image program.",
    "inside": "A page or a program is hidden in the picture’s metadata. Save it again in an image program.",
    "notes": "The metadata in this file is much too long. Save it again without it.",
    "pixels": "This picture has too many pixels: at most {pixels_max} million. Send it smaller.",
    "side": "This picture is too long on one side: at most {side_max} pixels. Send it in parts.",
    "small": "This picture is too small to read a page from: at least {side_least} pixels a side.",
    "memory": "This file needs more memory to open than any photograph does, so it was not opened.",
    "slow": "This file takes longer to open than photographs do, so it was left. If it is one, try again.",
    "unreadable": "This picture cannot be read. Save it again in an image program, as JPEG or PNG.",
    "blank": "This picture has the same colour all over, so no page is on it. Photograph the page again.",
    "frames": "This file has too many pages: at most {frames_max}. Divide it.",
    "lost": "The file of this scan is missing. The administrator can run manage.py verify to learn more.",
    "busy": "Several pictures are being opened at once. Try this one again in a few seconds.",
}


class ScanError(Exception):
    """Refusal of a file. `reason` is a key of REASONS; nothing of the file was kept."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def sentence_of(reason: str, **limits: int) -> str:
    return REASONS.get(reason, REASONS["unreadable"]).format_map(limits)


class ScanChangedError(EditError):
    """Another curator was quicker, so nothing was done; the page shows the scan as it now is."""


class ScanRemovedError(EditError):
    """Another curator has removed the scan, so there is no page of it any more."""

    def __init__(self) -> None:
        super().__init__("This scan has been removed meanwhile. Send the picture again if you need it.")


class SandboxError(Exception):
    """The worker gave no answer: it took too long, or failed."""


class SandboxMemoryError(SandboxError):
    """The worker needed more memory than it may have."""


class SandboxStoppedError(Exception):
    """The site stops, and its worker was ended. The job is still to be done."""
