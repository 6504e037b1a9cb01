"""Previews of an entry or a correction before it is stored: lines, totals, what else would change."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest
from typing import Any

import engine
from engine import Line, Position, Result
from engine.log import changes_of
from scorepad import ledger, pad_results, replay_budget
from scorepad.ledger import Replay
from scorepad.models import Pad

ARTICLES = ("A ", "An ", "The ")
OF_ENDS = (":", ";", ",")


def preview(pad: Pad, sent: Any) -> dict[str, Any]:
    """The answer of the preview address. Nothing is stored."""
    return preview_together(pad, [sent])


def preview_together(pad: Pad, sent: Sequence[Any]) -> dict[str, Any]:
    """The same of entries that are judged as a whole."""
    replay = ledger.replay(pad)
    shown: dict[str, Any] = {"head": replay.head, "error": None}
    try:
        entries = [ledger.read_entry(pad, one)[0] for one in sent]
        ledger.check_room(pad, replay, len(entries))
        after = _position_after(pad, replay, entries)
    except engine.Refused as refused:
        at = _entry_at_fault(replay, refused)
        return {**shown, "error": refused.as_dict()["error"], "at": at}
    before = replay.position.result() if replay.position else None
    now = after.result()
    places = {place for own, entry in enumerate(entries, replay.head) for place in _places(after, entry, own)}
    result = now.as_dict()
    changes = _changes(before, now, places, after) if before else []
    return {
        **shown,
        "lines": [line.as_dict() for line in now.lines if line.entry in places],
        "lines_were": [line.as_dict() for line in before.lines if line.entry in places] if before else [],
        "totals": result["totals"],
        "totals_were": dict(before.totals) if before else {},
        "status": now.status,
        "winners": result["winners"],
        "ended": result["ended"],
        "state": result["state"],
        "changes": changes,
        "says": _sentence(changes, before, now) if before else "",
    }


def _position_after(pad: Pad, replay: Replay, entries: Sequence[dict[str, Any]]) -> Position:
    if len(entries) > 1:
        return ledger.position_together(pad, replay, entries)
    (entry,) = entries
    with replay_budget.spend(ledger.replay_cost(replay, entry)):
        return ledger.position_after(pad, replay, entry)


def _entry_at_fault(replay: Replay, refused: engine.Refused) -> dict[str, Any] | None:
    """The stored entry that could not stand any more, when a correction is refused because of it."""
    if refused.entry is None or refused.entry >= replay.head or replay.position is None:
        return None
    entry = replay.position.entries[refused.entry]
    where = _places_in_words(replay.position, {refused.entry})[refused.entry]
    return {"entry": refused.entry, "id": entry.get("id"), "is": entry, "where": where}


def _places(after: Position, entry: dict[str, Any], own: int) -> set[int]:
    """The places in the log that an entry is about: its own, or those of the entries it corrects."""
    changed = {after.places[target] for target in changes_of(entry)}
    return {place for place in changed if place is not None} or {own}


def _changes(before: Result, now: Result, places: Collection[int], after: Position) -> list[dict[str, Any]]:
    """The lines of other entries that go, come or count otherwise, in order of play."""
    old, new = _by_key(before.lines, places), _by_key(now.lines, places)
    found: list[tuple[int, Line | None, Line | None]] = []
    for key in sorted(old.keys() | new.keys()):
        for gone, come in zip_longest(old.get(key, ()), new.get(key, ())):
            if gone is None or come is None or gone.points != come.points:
                found.append((key[0], gone, come))
    if not found:
        return []
    where = _places_in_words(after, {place for place, _, _ in found})
    played = {place: order for order, (place, _) in enumerate(after.steps)}
    found.sort(key=lambda change: played[change[0]])
    return [_change(gone, come, where[place]) for place, gone, come in found]


def _by_key(lines: Iterable[Line], places: Collection[int]) -> dict[tuple[int, str, str], list[Line]]:
    keyed = defaultdict(list)
    for line in lines:
        if line.entry not in places:
            keyed[line.entry, line.player, line.symbol].append(line)
    return dict(keyed)


def _change(gone: Line | None, come: Line | None, where: str) -> dict[str, Any]:
    line = come or gone
    assert line is not None
    place = f" in {where}" if where else f" (entry {line.entry + 1})"
    if gone is not None and come is not None:
        kind, says = "changed", f"{_spoken(come)}{place} counts {come.points} instead of {gone.points}"
    elif come is not None:
        kind, says = "new", f"{_spoken(come)}{place} is new and counts {come.points}"
    else:
        kind, says = "gone", f"{_spoken(line)}{place} goes"
    return {
        "kind": kind,
        "was": gone.as_dict() if gone else None,
        "line": come.as_dict() if come else None,
        "where": where,
        "says": says,
    }


def _spoken(line: Line) -> str:
    """A line as one speaks of it: "the GRAND VICTORY of Bert", or "Bert's 15 against"."""
    article = next((article for article in ARTICLES if line.why.startswith(article)), None)
    if article is None:
        return f"{line.player}'s {abs(line.points)} ({line.symbol})"
    thing = line.why[len(article) :]
    for end in OF_ENDS:
        thing = thing.partition(end)[0]
    return f"the {thing} of {line.player}"


def _sentence(changes: Sequence[dict[str, Any]], before: Result, now: Result) -> str:
    """All that else would change, in one sentence; empty when nothing does."""
    parts = [change["says"] for change in changes]
    names = " and ".join(now.winners)
    wins = "wins" if len(now.winners) == 1 else "win"
    if before.winners and not now.winners:
        parts.append("the game is not over any more")
    elif before.winners and before.winners != now.winners:
        parts.append(f"{names} {wins} instead")
    elif now.winners and not before.winners:
        parts.append(f"the game is over and {names} {wins}")
    return "; ".join(parts)


def _places_in_words(position: Position, places: Collection[int]) -> dict[int, str]:
    """For each of these entries the deal or hand it belongs to, once the corrections are applied."""
    states = position.states_before(places)
    return {place: pad_results.deal_or_hand(state) for place, state in states.items()}
