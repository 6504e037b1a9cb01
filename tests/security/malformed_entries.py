"""Sheets whose struck out and replaced entries are malformed. The contract looks at no field of an entry that
does not stand, so all of these come in."""

import copy
import json
from collections.abc import Iterator
from typing import Any

from django.conf import settings

import engine

Entry = dict[str, Any]
CORRECTIONS = {entry_type.key for entry_type in engine.CORRECTIONS}

ODD_VALUES: list[Any] = [
    None, True, 0, -1, 10**15, 0.5, "", "\u202e<b>", "=1+1", "x" * 5_000, [], {}, [[[]]], [None] * 50,
    ["red V", 7, None], {"": {}}, {"count": None}, {"cards": 3}, {"cards": ["B1", {}]},
    {"blocks": "blue dot"}, {"not-at-table": 1}, "Nobody", ["Nobody"], {"Nobody": {"count": 3}},
    {"Nobody": None, "=0": [], "0": 1}, {"from": "Nobody"},
]  # fmt: skip


def sheets(game: str) -> Iterator[dict[str, Any]]:
    """Good sheets of a game, each with a batch of malformed entries that were corrected at once."""
    base = _good_sheet(game)
    found = list(_malformed(game, base["players"]))
    for batch in range(0, len(found), 12):
        for corrected in (_struck_out, _replaced, _never_right, _revised_and_inserted):
            yield corrected(copy.deepcopy(base), found[batch : batch + 12])


def _good_sheet(game: str) -> dict[str, Any]:
    """The longest golden sheet without corrections and with an end still to come, its first ten entries."""
    plain = [sheet for sheet in _golden(game) if all(map(_is_plain, sheet["entries"]))]
    longest = max(plain, key=lambda sheet: len(sheet["entries"]))
    entries = [{**entry, "id": f"g{place}"} for place, entry in enumerate(longest["entries"][:10])]
    return {**longest, "entries": entries}


def _is_plain(entry: Entry) -> bool:
    return entry["type"] not in CORRECTIONS


def _golden(game: str) -> list[dict[str, Any]]:
    cases = json.loads((settings.FIXTURES / "sheets" / f"{game}.json").read_text(encoding="utf-8"))
    return [case["sheet"] for case in cases if "error" not in case and case["sheet"].get("entries")]


def _malformed(game: str, players: list[str]) -> Iterator[Entry]:
    """An entry of each type, with each field and each part of one missing or odd."""
    for entry in _examples(game):
        yield {"type": entry["type"]}
        yield {"type": entry["type"], "nothing": {"of": "this"}, "entry": 3, "of": ["g0"]}
        for path in _paths(entry):
            yield _changed(entry, path)
            for odd in ODD_VALUES if len(path) == 1 else ODD_VALUES[::3]:
                yield _changed(entry, path, odd)


def _examples(game: str) -> list[Entry]:
    """For each type the golden entry with most in it."""
    found: dict[str, Entry] = {}
    for sheet in _golden(game):
        for entry in sheet["entries"]:
            if _is_plain(entry) and len(str(entry)) > len(str(found.get(entry["type"], ""))):
                found[entry["type"]] = {key: value for key, value in entry.items() if key != "id"}
    return list(found.values())


def _paths(value: Any, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key in value if isinstance(value, dict) else ():
        if key != "type":
            yield (*before, key)
            yield from _paths(value[key], (*before, key))


def _changed(entry: Entry, path: tuple[str, ...], *odd: Any) -> Entry:
    """The entry with another value at this place, or none."""
    new = copy.deepcopy(entry)
    within: Any = new
    for step in path[:-1]:
        within = within[step]
    if odd:
        within[path[-1]] = odd[0]
    else:
        del within[path[-1]]
    return new


def _struck_out(sheet: dict[str, Any], malformed: list[Entry]) -> dict[str, Any]:
    """Each malformed entry comes after the good ones, and is void at once."""
    for place, entry in enumerate(malformed):
        sheet["entries"] += [{**entry, "id": f"b{place}"}, {"type": "void", "of": f"b{place}"}]
    return sheet


def _replaced(sheet: dict[str, Any], malformed: list[Entry]) -> dict[str, Any]:
    """The first entry is replaced by each malformed one, and in the end by itself."""
    first = {key: value for key, value in sheet["entries"][0].items() if key != "id"}
    for entry in malformed:
        sheet["entries"] += [{"type": "amend", "of": "g0", "entry": instead} for instead in (entry, first)]
    return sheet


def _never_right(sheet: dict[str, Any], malformed: list[Entry]) -> dict[str, Any]:
    """The log begins with malformed entries, replaced by others as bad and struck out after that."""
    wrong = [{**entry, "id": f"b{place}"} for place, entry in enumerate(malformed)]
    turns = zip(wrong, malformed[1:] + malformed[:1], strict=True)
    worse = [{"type": "amend", "of": entry["id"], "entry": instead} for entry, instead in turns]
    gone = [{"type": "void", "of": entry["id"]} for entry in wrong]
    sheet["entries"] = [*wrong, *worse, *gone, *sheet["entries"]]
    return sheet


def _revised_and_inserted(sheet: dict[str, Any], malformed: list[Entry]) -> dict[str, Any]:
    """The first entry is revised to each malformed one and back; each is inserted too, and struck out."""
    first = {key: value for key, value in sheet["entries"][0].items() if key != "id"}
    for place, entry in enumerate(malformed):
        turns = [
            {"type": "revise", "changes": [{"of": "g0", "entry": instead}]} for instead in (entry, first)
        ]
        insert = {"type": "insert", "id": f"i{place}", "after": None, "entry": entry}
        sheet["entries"] += [*turns, insert, {"type": "void", "of": f"i{place}"}]
    return sheet
