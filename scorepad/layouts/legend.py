"""Legends: what each sign on a pad means, and the passage that says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine.games import rap_rummy, thumbs_up
from engine.games.thumbs_up import CHIPS_OF_THE_LAST, SPOKEN, VALUES
from engine.pack import DRAGON, SUIT_COLORS, SUIT_NAMES
from engine.rules import listed


@dataclass(frozen=True)
class Sign:
    """One sign of a pad: `kind` says how it is drawn, `look` in which colour or shape, `text` is on it."""

    kind: str
    words: str
    text: str = ""
    look: str = ""
    cite: str = ""


DEALS = Sign("deals", "deals this time", "D")
COMMON = (
    Sign("own", "your seat", "Ann"),
    Sign("new", "what was entered last, or who is asked about now"),
    Sign("pending", "kept on this phone; the server has not answered yet"),
)
OUT_OF_REACH = Sign("refused", "not possible now; tap it to read why")


def suit_signs() -> list[Sign]:
    """The suits of the pack of 1926 as its cards are drawn, and the Dragon."""
    printed, dragons = rap_rummy.cite("suits", "dragons")
    suits = [
        Sign("suit", f"{name}, printed in {SUIT_COLORS[suit]}", suit, SUIT_COLORS[suit], printed)
        for suit, name in SUIT_NAMES.items()
    ]
    return [*suits, Sign("word", f"counts {DRAGON}, one in each suit", "Dragon", cite=dragons)]


def block_signs(letters: Mapping[str, str], chip_value: int) -> list[Sign]:
    """The blocks of Thumbs Up with their values, and what is written beside them."""
    values, free = thumbs_up.cite("block-values", "pay-other-colors")
    against, last = thumbs_up.cite("liberty-against", "last-to-notice")
    colors = listed([f"{letter} {color}" for color, letter in letters.items()])
    blocks = [
        Sign("block", f"{spoken}, {VALUES[symbol]} points", look=symbol, cite=values)
        for symbol, spoken in SPOKEN.items()
        if symbol != "liberty"
    ]
    costly = f"{SPOKEN['liberty']}, {VALUES['liberty']} points against whoever is left with it"
    fee = f"the last to notice, who pays {CHIPS_OF_THE_LAST} chips more: {CHIPS_OF_THE_LAST * chip_value}"
    return [
        *blocks,
        Sign("block", costly, look="liberty", cite=against),
        Sign("word", f"the colour of a block: {colors}", next(iter(letters.values()))),
        Sign("word", "of the player’s own colour, and costs nothing", "free", cite=free),
        Sign("word", fee, "last", cite=last),
    ]
