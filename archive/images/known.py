"""What an identifier stands for. Asked for every tile, so a process remembers it for a few seconds."""

from __future__ import annotations

import time
from dataclasses import dataclass

from archive.models import PageImage

SECONDS = 5.0
REMEMBERED_MAX = 2_000


@dataclass(frozen=True)
class Known:
    identifier: str
    width: int
    height: int
    checksum: str
    book: str
    rights: str


_remembered: dict[str, tuple[float, Known | None]] = {}


def known(identifier: str) -> Known | None:
    now = time.monotonic()
    found = _remembered.get(identifier)
    if found is not None and found[0] > now:
        return found[1]
    if len(_remembered) >= REMEMBERED_MAX:
        _remembered.clear()
    fact = _ask(identifier)
    _remembered[identifier] = (now + SECONDS, fact)
    return fact


def forget() -> None:
    """After an image was recorded, or between tests."""
    _remembered.clear()


def _ask(identifier: str) -> Known | None:
    row = (
        PageImage.objects.filter(identifier=identifier)
        .values_list(
            "identifier", "width", "height", "checksum", "leaf__book__slug", "leaf__book__rights_address"
        )
        .first()
    )
    return Known(*row) if row else None
