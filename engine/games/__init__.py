"""The registry: every game the engine plays, in the order they are offered."""

from __future__ import annotations

from engine.games import rap_rummy, rummy_1916, rummy_1926, thumbs_up, victor_or_victim, victory_rummy
from engine.rules import Game

GAMES: dict[str, Game] = {
    module.GAME.key: module.GAME
    for module in (victory_rummy, thumbs_up, rap_rummy, rummy_1926, rummy_1916, victor_or_victim)
}
