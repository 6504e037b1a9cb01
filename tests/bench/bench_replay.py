"""Replaying a long log against reading its JSON, and importing the engine against what it stands on."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import cycle, islice
from tempfile import TemporaryDirectory
from typing import Any

import engine

CORRECTION_MOST = 20.0  # times a tap: the mean of corrections of the last 200 entries of 2,000
REPLAY_MOST = 10.0  # times json.loads of the same text
GROWTH_MOST = 1.5  # the cost of an entry in a log ten times as long
IMPORT_MOST = 2.0  # times importing json and dataclasses
ROUNDS = 15


def long_sheet(entries_wanted: int) -> dict[str, Any]:
    """A Victory Rummy log of this length in which every entry matters.

    The highest target allows under 6,000 entries, all in red, so the rest of the log are amendments.
    """
    players = ["Ada", "Ben", "Cyd", "Dot"]
    red = [{"type": "victory", "player": name, "color": "red"} for name in players]
    plain: list[dict[str, Any]] = []
    while len(plain) < entries_wanted * 11 // 20:
        deal = len(plain) // 3 % len(players)
        for entry in (red[deal], red[deal], {"type": "axis", "player": players[deal], "cards": 0}):
            plain.append({"id": f"e{len(plain)}"} | entry)
    first_of_deals = cycle(range(0, len(plain), 3))
    amended = ({"type": "amend", "of": f"e{place}", "entry": red[place // 3 % 4]} for place in first_of_deals)
    entries = [*plain, *islice(amended, entries_wanted - len(plain))]
    return {
        "tally": 1,
        "game": "victory-rummy",
        "options": {"target": 10000, "finish": "end-of-deal"},
        "players": players,
        "entries": entries,
    }


def correction_ratios() -> tuple[float, float]:
    """A correction of one of the last 200 entries of a log of 2,000 against a plain entry: on average, and of
    the oldest."""
    sheet = long_sheet(3_700)
    sheet["entries"] = sheet["entries"][:2_001]
    position = engine.replay(sheet)
    tap = least(partial(position.enter, {**sheet["entries"][0], "id": "tap"}))
    some = sheet["entries"][-200::20]
    amends = [{"type": "amend", "of": entry["id"], "entry": _bare(entry)} for entry in some]
    ratios = [least(partial(position.enter, amend)) / tap for amend in amends]
    return sum(ratios) / len(ratios), ratios[0]


def _bare(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key != "id"}


def least(run: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    times = []
    for _ in range(ROUNDS):
        begin = clock()
        run()
        times.append(clock() - begin)
    return min(times)


def child_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds_to_import(modules: str, compiled: str) -> float:
    """As a person has it from the second run on: with compiled modules, kept here in a folder of our own."""
    command = [sys.executable, "-S", "-c", f"import {modules}"]
    environment = {"PATH": os.environ["PATH"], "PYTHONPYCACHEPREFIX": compiled}
    return least(lambda: subprocess.run(command, check=True, env=environment), child_seconds)


def main() -> int:
    sheet = long_sheet(10_000)
    short = long_sheet(1_000)
    text = json.dumps(sheet)
    engine.score(json.loads(text))
    replayed = least(lambda: engine.score(sheet))
    ratio = replayed / least(lambda: json.loads(text))
    growth = replayed / least(lambda: engine.score(short)) / 10
    correction, oldest = correction_ratios()
    with TemporaryDirectory() as compiled:
        nothing = seconds_to_import("sys", compiled)
        floor = seconds_to_import("json, dataclasses", compiled) - nothing
        imported = (seconds_to_import("engine", compiled) - nothing) / floor
    print(f"replay of 10,000 entries / json.loads      {ratio:6.2f}  (at most {REPLAY_MOST})")
    print(f"cost of an entry, 10,000 against 1,000      {growth:6.2f}  (at most {GROWTH_MOST})")
    print(f"correction of one of the last 200 / tap     {correction:6.2f}  (at most {CORRECTION_MOST})")
    print(f"  of the oldest of them                     {oldest:6.2f}")
    print(f"import engine / import json, dataclasses   {imported:6.2f}  (at most {IMPORT_MOST})")
    is_slow = ratio > REPLAY_MOST or growth > GROWTH_MOST or correction > CORRECTION_MOST
    return int(is_slow or imported > IMPORT_MOST)


if __name__ == "__main__":
    sys.exit(main())
