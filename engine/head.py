"""The head of a sheet: which game, by which readings, who sits where and who deals."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.fields import quote
from engine.games import GAMES
from engine.player_names import check_names
from engine.rules import Game, Refused, Table, listed

PINNED = re.compile(r"[a-z0-9-]+@[0-9a-f]{32}")
"""A declared game: its key, and the digest of the text that declares it."""


def read_head(sheet: Mapping[str, Any]) -> tuple[Game, Table]:
    """Return the game of a sheet and its table, or refuse the first fault."""
    game = _game(sheet)
    options = _options(game, sheet.get("options", {}))
    players = _players(game, options, sheet.get("players"))
    return game, Table(options, players, _dealer(players, sheet.get("dealer", players[0])))


def _game(sheet: Mapping[str, Any]) -> Game:
    key = sheet.get("game")
    is_pinned = type(key) is str and PINNED.fullmatch(key) is not None
    if "declaration" in sheet and not is_pinned:
        says = f'Only a sheet of a declared game has a "declaration", not one of {quote(key)}. Take it out.'
        raise Refused("bad-sheet", says)
    if is_pinned:
        from engine.declared.pinned import pinned_game  # Few sheets need it, and it reads TOML.

        return pinned_game(sheet)
    if type(key) is not str or key not in GAMES:
        raise Refused("unknown-game", f"{quote(key)} is not a game we score. We score {listed([*GAMES])}.")
    return GAMES[key]


def _options(game: Game, chosen: Any) -> dict[str, Any]:
    if type(chosen) is not dict:
        raise Refused("bad-option", '"options" must be an object of options and their values.')
    declared = {option.key: option for option in game.options}
    for key in chosen:
        if key not in declared:
            raise Refused(
                "unknown-option", f"{game.title} has no option {quote(key)}. It has {listed([*declared])}."
            )
    for key, value in chosen.items():
        if not declared[key].admits(value):
            says = f'"{key}" cannot be {quote(value)}. It takes {declared[key].range}.'
            raise Refused("bad-option", says, cites=declared[key].cites)
    options = {option.key: chosen.get(option.key, option.default) for option in game.options}
    game.option_rule(options)
    return options


def _players(game: Game, options: Mapping[str, Any], names: Any) -> tuple[str, ...]:
    if type(names) is not list:
        raise Refused("bad-players", '"players" must be a list of names in seat order.')
    least, most = game.seats_for(options)
    if not least <= len(names) <= most:
        raise Refused("bad-players", f"{game.title} seats {least} to {most} players; here are {len(names)}.")
    check_names(names)
    return tuple(names)


def _dealer(players: tuple[str, ...], name: Any) -> int:
    if type(name) is not str or name not in players:
        says = f'"dealer" is {quote(name)}, who is not at this table. The players are {listed([*players])}.'
        raise Refused("unknown-player", says)
    return players.index(name)
