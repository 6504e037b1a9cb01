"""Denominations: the values of the chips on the table, and how many of each everyone began with."""

from collections.abc import Mapping
from typing import Any, Protocol

import engine
from scorepad.chips import change

MAX_KINDS = 3
MAX_VALUE = 100
MULTIPLE_OF = 5
MAX_NUMBER = 1_000
STAKE_OFFERED = 300


class ChipTable(Protocol):
    """A pad, or its state: the game, how it is played, and the settings that are no rules."""

    @property
    def game(self) -> str: ...

    @property
    def options(self) -> Mapping[str, Any]: ...

    @property
    def settings(self) -> Mapping[str, Any]: ...


def values(pad: ChipTable) -> tuple[int, ...]:
    """The values of the chips on the table; a pad that says nothing uses the one value of the book."""
    given = pad.settings.get("chips")
    if isinstance(given, list) and given and all(type(value) is int and value > 0 for value in given):
        return tuple(sorted(given))
    return tuple(starting_chips(pad)) or (int(pad.options.get("chip_value", 5)),)


def starting_chips(pad: ChipTable) -> dict[int, int]:
    """The chips of each value every player began with; empty where the table did not say so."""
    given, game = pad.settings.get("chips"), engine.GAMES.get(pad.game)
    stake = game.stake if game else None
    if stake is None or not isinstance(given, dict):
        return {}
    try:
        chips = _parse_starting_chips(given)
    except engine.Refused:
        return {}
    return chips if change.worth(chips) == pad.options.get(stake) else {}


def stake_of(game: engine.Game | None, settings: Any) -> dict[str, int]:
    """The stake that starting chips come to, as an option; nothing where no chips are counted out."""
    given = settings.get("chips") if isinstance(settings, dict) else None
    if game is None or game.stake is None or not isinstance(given, dict):
        return {}
    return {game.stake: change.worth(_parse_starting_chips(given))}


def check_stake(game: engine.Game | None, options: Mapping[str, Any], settings: Any) -> None:
    """Refuse starting chips that do not come to the stake of a table."""
    for option, chips in stake_of(game, settings).items():
        if options.get(option, chips) != chips:
            says = f"These chips come to {chips}, but the stake is {options[option]}. Change one of the two."
            raise engine.Refused("bad-settings", says)


def parse_chips(given: Any) -> dict[int, int]:
    """Chips as JSON says them, `{"5": 20, "10": 10}`, counted by value."""
    says = "Say how many chips of each value, such as 5: 20, 10: 10, 25: 4."
    if not isinstance(given, Mapping):
        raise engine.Refused("bad-settings", says)
    chips = {}
    for value, number in given.items():
        worth = (
            int(value)
            if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 4
            else 0
        )
        if worth % MULTIPLE_OF or not MULTIPLE_OF <= worth <= MAX_VALUE:
            raise engine.Refused(
                "bad-settings", f"A chip is worth 5, 10 or another multiple of 5, up to {MAX_VALUE}."
            )
        if type(number) is not int or not 0 <= number <= MAX_NUMBER:
            raise engine.Refused("bad-settings", f"There are 0 to {MAX_NUMBER} chips of one value. {says}")
        chips[worth] = number
    return dict(sorted(chips.items()))


def _parse_starting_chips(given: Mapping[str, Any]) -> dict[int, int]:
    chips = parse_chips(given)
    if len(chips) > MAX_KINDS or not change.worth(chips):
        raise engine.Refused("bad-settings", "Start with one to three values of chips, and with some chips.")
    return chips
