"""Rummy as Parker Brothers told it in 1926, the first part of their Rap Rummy booklet, with its 44 cards."""

from __future__ import annotations

from engine import pack
from engine.rules import Field, passages
from engine.rummy import points_against

BOOK = "rap-rummy-1926"
cite = passages(BOOK)


def total(hand: list[str]) -> int:
    return sum(int(card[1:]) for card in hand)


def check_pack(hands: list[list[str]]) -> None:
    pack.check_each_once(hands, cite("the-cards"))


CARDS = Field("cards", "pieces", "Or the cards themselves", values=pack.CARDS, least=1, code="bad-card")
GAME = points_against("rummy-1926", "Rummy (Parker, 1926)", BOOK, CARDS, total, check_pack)
