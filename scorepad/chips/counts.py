"""Count checks: the chips on the table compared with what the log says. They never change the log."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from django.db import transaction

import engine
from scorepad import ledger, replay_budget
from scorepad.chips import change, denominations, purses
from scorepad.chips.purses import Held
from scorepad.ledger import Who
from scorepad.ledger.seals import CORRECTIONS
from scorepad.limits import limit
from scorepad.models import CountCheck, Pad
from scorepad.pad_state import PadState

MAX_COMPARED = 20
"""So many earlier counts are compared: each may mean replaying the log up to it."""


MAX_SUSPECTS = 200
"""So many entries are told that could be the reason of a difference, the newest: nobody reads more."""

Count = int | dict[int, int]
"""The count of one player: points, or chips by value."""


def check(pad: Pad, counted: Any, who: Who) -> dict[str, Any]:
    """Keep a count of everyone's chips, in points or by value, and say how it compares with the log."""
    counts = _counts(pad, counted)
    now = ledger.position(pad)
    with replay_budget.spend(len(now.entries)):
        since = _last_good(pad, now)
        held, _ = purses.follow(PadState(now), denominations.starting_chips(pad))
    points = [_points(count, held, seat) for seat, count in enumerate(counts)]
    row = CountCheck(pad=pad, head=len(now.entries), counted=points, seat=who.seat, device=who.device)
    with transaction.atomic():
        ledger.lock(pad)
        if _counts(pad, counted) != counts:
            raise engine.Refused("bad-count", "The seats were changed meanwhile. Count the chips again.")
        if pad.count_checks.count() >= limit("COUNT_CHECKS_PER_PAD_MOST"):
            raise engine.Refused("too-many-checks", "This pad has been counted too often.")
        # It is a count of the log as it was read: what was entered since then was not counted with it.
        row.save(force_insert=True)
    found = compare(pad, row, now, since)
    missing_chips = _missing_chips(pad, counts)
    if missing_chips is not None:
        found["missing_chips"] = {str(value): number for value, number in missing_chips.items()}
        if any(missing_chips.values()):
            found["says"] = _chips_sentence(missing_chips)
    return found


def _counts(pad: Pad, counted: Any) -> list[Count]:
    if not isinstance(counted, dict) or set(counted) != set(pad.players):
        raise engine.Refused("bad-count", "Count the chips of every player, in points or by value.")
    return [_count(counted[name]) for name in pad.players]


def _count(given: Any) -> Count:
    if isinstance(given, dict):
        try:
            return denominations.parse_chips(given)
        except engine.Refused as refused:
            raise engine.Refused("bad-count", refused.message) from refused
    if type(given) is not int or not -(10**9) <= given <= 10**9:
        raise engine.Refused("bad-count", "A count is a whole number of points, or of chips by value.")
    return given


def _points(count: Count, held: Held | None, seat: int) -> int:
    """Chips on the table are not all a player has: what he is owed is his, what he owes is not."""
    if isinstance(count, int):
        return count
    return change.worth(count) + (held.is_owed(seat) - held.owes(seat) if held else 0)


def _missing_chips(pad: Pad, counts: Sequence[Count]) -> dict[int, int] | None:
    """The chips of each value that the table lacks; None unless all are counted by value and known."""
    start = denominations.starting_chips(pad)
    by_value = [count for count in counts if isinstance(count, dict)]
    if not start or len(by_value) < len(counts):
        return None
    values = sorted({*start, *(value for count in by_value for value in count)})
    return {
        value: start.get(value, 0) * len(counts) - sum(count.get(value, 0) for count in by_value)
        for value in values
    }


def compare(pad: Pad, row: CountCheck, now: engine.Position, since: int) -> dict[str, Any]:
    """The difference of a count from the log at its time, and the entries that could be the reason."""
    totals = dict(zip(pad.players, now.totals, strict=True))
    missing = {name: totals[name] - count for name, count in zip(pad.players, row.counted, strict=True)}
    short = sum(missing.values())
    first = max(since, row.head - MAX_SUSPECTS)
    suspects = [
        {"number": number, "id": entry["id"], "entry": entry}
        for number, entry in enumerate(now.entries[first : row.head], first + 1)
    ]
    return {
        "head": row.head,
        "expected": totals,
        "counted": dict(zip(pad.players, row.counted, strict=True)),
        "missing": missing,
        "short": short,
        "since": suspects if any(missing.values()) else [],
        "says": _sentence(pad, short, missing),
    }


def _last_good(pad: Pad, now: engine.Position) -> int:
    """The head of the log when the chips last agreed with it; 0 when they never did."""
    left = limit("ENTRIES_PER_PAD_MOST")
    rows = list(pad.count_checks.order_by("-pk")[:MAX_COMPARED])
    totals = _totals_since_corrections(now, {row.head for row in rows})
    for row in rows:
        if row.head not in totals:
            if row.head > left:
                break
            left -= row.head
            try:
                totals[row.head] = engine.replay(ledger.sheet(pad, most=row.head)).totals
            except engine.Refused:
                # A sheet that came in whole may have been wrong there, and corrected later.
                totals[row.head] = ()
        if list(totals[row.head]) == row.counted:
            return row.head
    return 0


def _totals_since_corrections(now: engine.Position, heads: set[int]) -> dict[int, tuple[int, ...]]:
    """The totals at those heads after which nothing was corrected: the numbers that came later are taken off,
    in one pass for all of them."""
    corrected = [number for number, entry in enumerate(now.entries, 1) if entry["type"] in CORRECTIONS]
    wanted = sorted(head for head in heads if head >= max(corrected, default=0))
    later = {head: [0] * len(now.totals) for head in wanted}
    seats = {name: seat for seat, name in enumerate(now.table.players)}
    for line in now.lines:
        for head in wanted[: bisect_right(wanted, line.entry)]:
            later[head][seats[line.player]] += line.points
    return {
        head: tuple(total - more for total, more in zip(now.totals, taken, strict=True))
        for head, taken in later.items()
    }


def _sentence(pad: Pad, short: int, missing: dict[str, int]) -> str:
    wrong = [name for name, points in missing.items() if points]
    if not wrong:
        return "The chips agree with the log."
    values = denominations.values(pad)
    if short and len(values) == 1 and short % values[0] == 0:
        return _fewer(short // values[0], short)
    if short:
        less = "less" if short > 0 else "more"
        return f"The table has {abs(short)} points {less} in chips than it should."
    return f"The table has all its chips, but not where they should be: look at {' and '.join(wrong)}."


def _chips_sentence(missing: dict[int, int]) -> str:
    """The chips that are missing or too many, when every chip was counted."""
    less = {value: number for value, number in missing.items() if number > 0}
    more = {value: -number for value, number in missing.items() if number < 0}
    if less and more:
        too_few, too_many = change.describe_chips(less), change.describe_chips(more)
        return f"The table has {too_few} less and {too_many} more than it should."
    sentence = _fewer(sum(missing.values()), change.worth(missing))
    return f"{sentence} {'Missing' if less else 'Too many'}: {change.describe_chips(less or more)}."


def _fewer(chips: int, points: int) -> str:
    many = "chip" if abs(chips) == 1 else "chips"
    less = "less" if chips > 0 else "more"
    return f"The table has {abs(chips)} {many} {less} than it should ({abs(points)} points)."
