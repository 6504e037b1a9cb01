"""An entry of a game declared as data against the same entry of the same game in code: Rummy of 1916."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

import engine
from engine.declared import read_declaration
from engine.declared.golden import pinned_sheet
from tests.bench.bench_replay import least
from tests.engine.declarations import RUMMY_1916

ENTRY_MOST = 2.5  # times a coded game's
HANDS = 398  # of 400, so that the game is not over


def sheet_of(hands: int) -> dict[str, Any]:
    """A log of so many hands of four players."""
    players = ["Ada", "Ben", "Cyd", "Dot"]
    entries: list[dict[str, Any]] = []
    for number in range(hands):
        winner = players[number % 4]
        left = {name: {"count": 1 + (number + at) % 60} for at, name in enumerate(players) if name != winner}
        entries.append({"type": "hand", "winner": winner, "hands": left})
    return {
        "tally": 1,
        "game": "rummy-1916",
        "options": {"rounds": 100},
        "players": players,
        "entries": entries,
    }


def main() -> int:
    coded = sheet_of(HANDS)
    declared = pinned_sheet(read_declaration(RUMMY_1916), coded)
    assert engine.score(coded).totals == engine.score(declared).totals
    replay = least(partial(engine.score, declared)) / least(partial(engine.score, coded))
    hand = coded["entries"][0]
    taps = [least(partial(engine.replay(sheet).enter, hand)) for sheet in (declared, coded)]
    tap = taps[0] / taps[1]
    print(f"an entry of a declared game / of a coded one   {replay:6.2f}  (at most {ENTRY_MOST})")
    print(f"  a tap at the end of {HANDS} hands              {tap:6.2f}  (at most {ENTRY_MOST})")
    return int(max(replay, tap) > ENTRY_MOST)


if __name__ == "__main__":
    sys.exit(main())
