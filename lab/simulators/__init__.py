"""Simulators: the games the lab can play out, a file each, named like the game.

`victory_policies` has the players of Victory Rummy, `grand_victory` how far from a Grand Victory they are.

Rummy of 1916 and Victor or Victim? are not among them: their packs are not known. Rummy of 1926 has no
reading to choose but its length.
"""

from __future__ import annotations

from lab.simulators import rap_rummy, thumbs_up, victory_rummy
from lab.table_kind import Simulator

SIMULATORS: dict[str, Simulator] = {
    module.SIMULATOR.game: module.SIMULATOR for module in (victory_rummy, rap_rummy, thumbs_up)
}
