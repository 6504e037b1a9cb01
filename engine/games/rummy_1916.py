"""Rummy as the United Games Co. told it in 1916. The pack is not described, so a card is only its number."""

from __future__ import annotations

from engine.rules import Field
from engine.rummy import points_against


def any_pack(hands: list[list[int]]) -> None:
    """Let any cards stand together: nothing is known of the pack."""


CARDS = Field("cards", "pieces", "Or the cards themselves", values=range(1, 100), least=1, code="bad-card")
GAME = points_against("rummy-1916", "Rummy (United, 1916)", "rummy-1916", CARDS, sum, any_pack)
