"""Verification of stored pads: numbers without gaps, seals that hold, points as acknowledged."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any

from django.db import Error, connection
from django.db.models import Max, QuerySet

import engine
from scorepad import declarations
from scorepad.ledger import seals, seat_names
from scorepad.ledger.entries import sheet_head
from scorepad.models import Entry, Pad

PADS_PER_QUERY = 200
MIN_ID = -(2**63)
"""No row has a lower number."""


def pad_ids(code: str = "") -> Iterator[int]:
    """Primary keys of all pads, the oldest first, or of the one with this code. Not their codes: one that
    cannot be read would hide those after it."""
    pads = Pad.objects.filter(code=code) if code else Pad.objects.all()
    last = MIN_ID
    while found := list(
        pads.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:PADS_PER_QUERY]
    ):
        yield from found
        last = found[-1]


def verify(pk: int) -> tuple[int, list[str]]:
    """Count the entries of a pad and describe its faults in sentences; none if all is well."""
    try:
        length, fault = _check_pad(pk)
    except Exception as why:
        # Any fault is reported as this pad's, and the pads after it are still checked.
        length, fault = 0, _find_unreadable(pk)
        if not fault and isinstance(why, Error):
            raise
        fault = fault or f"it was altered: it cannot be read ({why!r})."
    return length, [f"Pad {_label(pk)}: {fault}"] if fault else []


def _label(pk: int) -> str:
    """Its code; if not even that can be read, the number of its row."""
    codes = Pad.objects.filter(pk=pk).values_list("code", flat=True)
    return str(codes.first()) if _is_readable(codes) else f"in row {pk}"


def _check_pad(pk: int) -> tuple[int, str]:
    # People play on meanwhile. What is claimed of the log is read before the log, which only grows; the table
    # is read after it, since seats and dealer are settled once there is an entry.
    claims = Pad.objects.filter(pk=pk).values_list("pk", "last_seal", "table_seal")
    claimed = claims.annotate(counted=Max("count_checks__head")).first()
    if claimed is None:
        return 0, ""  # Deleted since it was listed.
    _, last_seal, table_seal, counted = claimed
    rows = list(Entry.objects.filter(pad=pk).order_by("number", "pk"))
    pad = Pad.objects.filter(pk=pk).first()
    if pad is None:
        return 0, ""
    # The first altered row explains all that do not fit after it.
    whole, gap = _check_numbers(rows)
    fault = _check_seals(pad, rows[:whole]) or gap or _check_end(rows, last_seal, counted or 0)
    fault = fault or _check_table(pad)
    if not fault and table_seal and not last_seal:
        fault = "it was altered: the seal of its last entry, which is kept with that of its table, is gone."
    return len(rows), fault or _check_points(pad, rows)


def _find_unreadable(pk: int) -> str:
    """Name the entry of a pad that cannot be fetched, or the pad itself."""
    entries = Entry.objects.filter(pad=pk).order_by("number")
    for entry, number in entries.values_list("pk", "number"):
        if not _is_readable(Entry.objects.filter(pk=entry)):
            return f"entry {number} was altered: what it says cannot be read."
    return "" if _is_readable(Pad.objects.filter(pk=pk)) else "it was altered: it cannot be read."


def _is_readable(rows: QuerySet[Any]) -> bool:
    try:
        rows.first()
    except Error:
        # A row with text that is none; or the database is away, and then says so.
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return False
    except Exception:
        return False
    return True


def _check_numbers(rows: Sequence[Entry]) -> tuple[int, str]:
    """Count the rows that are numbered without gaps, and describe the first fault after them."""
    for expected, row in enumerate(rows, 1):
        if row.number > expected:
            return expected - 1, f"entry {expected} is missing: the next one is {row.number}."
        if row.number < expected:
            return expected - 1, f"entry {row.number} stands there twice."
    return len(rows), ""


def _check_end(rows: Sequence[Entry], last_seal: str | None, counted: int) -> str:
    """Check that no entries are missing at the end: the pad has the last seal, a chip count its head."""
    # One that is further up was kept before a process of an older version went on with the log.
    if last_seal and all(row.seal != last_seal for row in rows):
        return f"entry {len(rows) + 1} is missing: the log went on after entry {len(rows)}."
    if counted > len(rows):
        return f"entry {len(rows) + 1} is missing: the chips were counted after entry {counted}."
    return ""


def _check_seals(pad: Pad, rows: Sequence[Entry]) -> str:
    before = seals.FIRST_SEAL
    for row in rows:
        if not _seal_fits(row, before):
            try:
                differs = _describe_difference(pad, rows, row, before)
            except Exception:
                differs = "what it says cannot be read."
            return f"entry {row.number} was altered: {differs}"
        before = row.seal
    return ""


def _check_table(pad: Pad) -> str:
    if pad.table_seal is not None and pad.table_seal != seals.table_seal(pad):
        return (
            "it was altered: its game, readings, number of seats, first dealer, variant, heading or version "
            "is not what it was begun with."
        )
    return ""


def _describe_difference(pad: Pad, rows: Sequence[Entry], row: Entry, before: str) -> str:
    """A seal says that a row differs, not where. What has few values is tried until the seal fits."""
    for seat in (None, *range(len(pad.players))):
        if _seal_fits(row, before, seat=seat):
            return f"its seat was {'none' if seat is None else seat} and is {_seat_text(row.seat)} now."
    for device in {other.device for other in rows} | {""}:
        if _seal_fits(row, before, device=device):
            return f"its device was {device!r} and is {row.device!r} now."
    for step in (None, *range(1, row.number + 1)):
        if _seal_fits(row, before, step=step):
            return "the step it was stored in was changed."
    for other in rows:
        last = rows[other.number - 2].seal if other.number > 1 else seals.FIRST_SEAL
        for earlier in (last, other.seal):
            if other.number != row.number and _seal_fits(row, earlier, number=other.number):
                return f"it was sealed as entry {other.number} and stands in the wrong place."
    following = rows[row.number] if row.number < len(rows) else None
    if (
        following is not None
        and not _seal_fits(following, row.seal)
        and _seal_fits(following, seals.seal(before, row))
    ):
        return "its seal itself was changed; what it says is as it was."
    if _check_points(pad, rows[: row.number]):
        return "what it says is not what was acknowledged, since it scores differently."
    around = [*rows[max(row.number - 2, 0) : row.number], *([following] if following else [])]
    if [other.made_at for other in around] != sorted(other.made_at for other in around):
        return f"its time, {row.made_at:%Y-%m-%d %H:%M:%S}, is not between those of its neighbours."
    return "what it says, its id or its time is not what was sealed."


def _seat_text(seat: int | None) -> str:
    return "none" if seat is None else str(seat)


def _seal_fits(row: Entry, before: str, **otherwise: object) -> bool:
    tried = copy.copy(row) if otherwise else row
    for name, value in otherwise.items():
        setattr(tried, name, value)
    try:
        return seals.seal(before, tried) == row.seal
    except (AttributeError, OverflowError, TypeError, ValueError):
        return False  # Its time is no time.


def _check_points(pad: Pad, rows: Sequence[Entry]) -> str:
    """Replay the log as this engine scores it, and compare with what the phones were told."""
    game = declarations.game_of(pad.game)
    if game is None:
        return f"there is no game {pad.game!r} here."
    entries = [{"id": row.entry_id, **seat_names.to_names(game, row.body, pad.players)} for row in rows]
    start = sheet_head(pad)
    try:
        engine.replay({**start, "entries": entries})
    except engine.Refused as refused:
        if pad.engine != engine.__version__:
            return ""  # A newer engine may refuse what an older one took; the pad itself says so.
        place = f"entry {refused.entry + 1}" if refused.entry is not None else "its heading"
        return f"{place} is not valid: {refused}"
    steps = [row.step for row in rows]
    scores = seals.digests(start, entries, steps) if pad.engine == engine.__version__ else None
    if scores is None:
        return ""
    for row, scored in zip(rows, scores, strict=True):
        if row.scored != scored:
            return f"entry {row.number} scores otherwise than it was acknowledged."
    return ""
