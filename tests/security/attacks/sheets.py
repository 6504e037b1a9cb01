"""Logs for the attacks: long ones, and ones with entries that were struck out and are malformed."""

import json
import random

from tests.scorepad.live_server import ROOT
from tests.security.broken_sheets import spoiled_value

PLAYERS = [f"Player {number}" for number in range(1, 9)]
COLORS, SIGNS = ("blue", "green", "red", "black", "fifth"), ("dot", "dash", "v")
RACKS = [
    [f"{COLORS[(seat + block) % 5]} {SIGNS[(seat // 5 + block) % 3]}" for block in range(5)]
    for seat in range(len(PLAYERS))
]
HANDS_MOST = 1_000
"""The highest number of hands a table can agree on."""


def dear_hand(number):
    """A hand of Thumbs Up with two boxes: of all entries the engine works longest on these."""
    winner = PLAYERS[number % len(PLAYERS)]
    losers = {name: {"blocks": rack} for name, rack in zip(PLAYERS, RACKS, strict=True) if name != winner}
    last = PLAYERS[(number + 1) % len(PLAYERS)]
    return {"type": "hand", "winner": winner, "losers": losers, "last": last}


def dear_sheet(hands, agreed=0):
    """A log of so many such hands; 0 agreed hands go on until the players stop."""
    entries = [{"id": f"e{number}", **dear_hand(number)} for number in range(hands)]
    options = {"hands": agreed, "sets": 2}
    return {"tally": 1, "game": "thumbs-up", "options": options, "players": PLAYERS, "entries": entries}


def brittle_sheet(hands):
    """A log in which the first hand was struck out, and one more than agreed was played for it.

    Putting the first hand back is refused, but only because of the last one: all of them are replayed.
    """
    hands = min(hands, HANDS_MOST)
    sheet = dear_sheet(hands, agreed=hands)
    one_more = {"id": "one-more", **dear_hand(hands)}
    return {**sheet, "entries": [*sheet["entries"], {"type": "void", "of": "e0"}, one_more]}


def refused_correction(number):
    return {"id": f"late{number}", "type": "amend", "of": "e0", "entry": dear_hand(1)}


def voided_sheet(hands, voids):
    """Hands with corrections at the end, each of which strikes one of the first out."""
    sheet = dear_sheet(hands)
    struck_out = [{"type": "void", "of": f"e{at}"} for at in range(voids)]
    return {**sheet, "entries": sheet["entries"] + struck_out}


def counted_pad(hands, counts=20):
    """A pad.json whose chips were counted often, each time wrongly and at another moment."""
    checks = [{"head": hands - 2 - at, "counted": [1] * len(PLAYERS)} for at in range(counts)]
    return {"pad": 1, "sheet": dear_sheet(hands), "checks": checks}


def malformed_sheets(count, seed=12):
    """For each game so many sheets of its own, with spoiled entries that were struck out or replaced."""
    for path in sorted((ROOT / "fixtures" / "sheets").glob("*.json")):
        good = [one["sheet"] for one in json.loads(path.read_text()) if is_good(one)]
        chance = random.Random(f"{seed} {path.stem}")
        for number in range(count):
            yield _with_spoiled(chance.choice(good), chance, struck_out=number % 2 == 0)


def is_good(sample):
    return "result" in sample and bool(sample["sheet"].get("entries"))


def _with_spoiled(sheet, chance, struck_out):
    """The sheet with a spoiled copy of one of its entries in it that does not stand any more."""
    entries = [dict(entry) for entry in sheet["entries"]]
    plain = [entry for entry in entries if entry["type"] not in ("void", "amend", "revise", "insert")]
    spoiled = spoiled_value(
        {key: value for key, value in chance.choice(plain).items() if key != "id"}, chance
    )
    spoiled = spoiled if isinstance(spoiled, dict) else {}
    bad = {**spoiled, "type": chance.choice(plain)["type"], "id": "spoiled"}
    if struck_out:
        return {**sheet, "entries": [bad, {"type": "void", "of": "spoiled"}, *entries]}
    # Replaced by the entry that really came there.
    first = entries[0]
    body = {key: value for key, value in first.items() if key != "id"}
    if first in plain and not any(one.get("of") == first.get("id", "") for one in entries):
        return {**sheet, "entries": [bad, {"type": "amend", "of": "spoiled", "entry": body}, *entries[1:]]}
    return {**sheet, "entries": [bad, {"type": "void", "of": "spoiled"}, *entries]}
