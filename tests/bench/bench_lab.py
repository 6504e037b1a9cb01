"""Evenings of the reading lab in a second, played and scored, and how their cost grows with the players."""

from __future__ import annotations

import sys
import time

from lab.evening import play
from lab.grid import STUDIES, Study
from lab.table_kind import Chance, Kind

EVENINGS = 40
ROUNDS = 3
GROWTH_MOST = 2.0
"""Times the cost that players alone explain: twice as many have twice as many hands and turns."""

FLOORS = {"victory-rummy": 20, "rap-rummy": 60, "thumbs-up": 60}
"""Evenings a second, on a slow and busy core, each scored by every reading of its game."""

SMALL = {"victory-rummy": 2, "rap-rummy": 2, "thumbs-up": 2}


def seconds(study: Study, kind: Kind) -> float:
    """The seconds of one evening: the least of a few rounds, so that a busy moment does not count."""
    tables = [{}, *(reading.options for reading in study.readings)]
    times = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        for number in range(EVENINGS):
            play(study.game, kind, Chance("bench", number), tables)
        times.append((time.process_time() - begin) / EVENINGS)
    return min(times)


def main() -> int:
    missed = 0
    for game, study in STUDIES.items():
        kind = study.cells[0].kind
        many = len(kind.policies)
        whole = seconds(study, kind)
        few = seconds(study, kind._replace(policies=kind.policies[: SMALL[game]]))
        growth = whole / few / (many / SMALL[game])
        print(f"{game:15} evenings of {many} a second  {1 / whole:7.0f}  (at least {FLOORS[game]})")
        print(f"{'':15} evenings of {SMALL[game]} a second  {1 / few:7.0f}")
        print(f"{'':15} cost of {many} against {SMALL[game]}, each  {growth:5.2f}  (at most {GROWTH_MOST})")
        missed |= 1 / whole < FLOORS[game] or growth > GROWTH_MOST
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
