"""Do the chips on the table come to what the log says? A count check never changes the log."""

from typing import Any

from django.db import transaction

import engine
from scorepad import ledger
from scorepad.ledger import Who
from scorepad.limits import limit
from scorepad.models import CountCheck, Pad

LOOK_BACK = 20
"""So many earlier counts are compared: each means replaying the log up to it."""


def check(pad: Pad, counted: Any, who: Who) -> dict[str, Any]:
    """Keep a count of everyone's chips in points, and say how it compares with the log."""
    if not isinstance(counted, dict) or set(counted) != set(pad.players):
        raise engine.Refused("bad-count", "Count the chips of every player, in points.")
    counts = [counted[name] for name in pad.players]
    if any(type(count) is not int or not -(10**9) <= count <= 10**9 for count in counts):
        raise engine.Refused("bad-count", "A count is a whole number of points.")
    with transaction.atomic():
        Pad.objects.select_for_update().get(pk=pad.pk)
        if pad.count_checks.count() >= limit("COUNT_CHECKS_PER_PAD_MOST"):
            raise engine.Refused("too-many-checks", "This pad has been counted too often.")
        now = ledger.position(pad)
        since = _last_good(pad)
        row = CountCheck.objects.create(
            pad=pad, head=len(now.entries), counted=counts, seat=who.seat, device=who.device
        )
    return compared(pad, row, now, since)


def compared(pad: Pad, row: CountCheck, now: engine.Position, since: int) -> dict[str, Any]:
    """How a count differs from the log at its time, and which entries could be the reason."""
    totals = _totals_at(pad, row.head, now)
    missing = {name: totals[name] - count for name, count in zip(pad.players, row.counted, strict=True)}
    short = sum(missing.values())
    suspects = [
        {"number": recorded.number, "id": recorded.id, "entry": recorded.entry}
        for recorded in ledger.log(pad, after=since, most=row.head)
    ]
    return {
        "head": row.head,
        "expected": totals,
        "counted": dict(zip(pad.players, row.counted, strict=True)),
        "missing": missing,
        "short": short,
        "since": suspects if any(missing.values()) else [],
        "says": _sentence(short, missing),
    }


def _totals_at(pad: Pad, head: int, now: engine.Position) -> dict[str, int]:
    if head != len(now.entries):
        now = engine.replay(ledger.sheet(pad, most=head))
    return dict(zip(now.table.players, now.totals, strict=True))


def _last_good(pad: Pad) -> int:
    """How far the log was when the chips last agreed with it; 0 when they never did."""
    now = ledger.position(pad)
    for row in pad.count_checks.order_by("-pk")[:LOOK_BACK]:
        totals = _totals_at(pad, row.head, now)
        if [totals[name] for name in pad.players] == row.counted:
            return row.head
    return 0


def _sentence(short: int, missing: dict[str, int]) -> str:
    wrong = [name for name, points in missing.items() if points]
    if not wrong:
        return "The chips agree with the log."
    if short:
        less = "less" if short > 0 else "more"
        return f"The table has {abs(short)} points {less} in chips than it should."
    return f"The table has all its chips, but not where they should be: look at {' and '.join(wrong)}."
