"""Pinned game of a sheet: `game` is `name@digest`, and the sheet brings the declaration with that digest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.declared.errors import DeclarationError
from engine.declared.schema import declaration_of, digest_of
from engine.fields import quote
from engine.rules import Game, Refused

FAULT = "bad-declaration"


def pinned_game(sheet: Mapping[str, Any]) -> Game:
    """The game that the sheet's own declaration makes, or a refusal."""
    name, text = sheet["game"], sheet.get("declaration")
    if text is None:
        says = f'{quote(name)} is declared as data, and the sheet lacks the "declaration" with its text.'
        raise Refused(FAULT, says)
    if type(text) is not str:
        raise Refused(FAULT, f'"declaration" must be the text of the declaration, not {quote(text)}.')
    key, _, digest = name.rpartition("@")
    if digest_of(text) != digest:
        says = f"The declaration is not the one that {quote(name)} names: its digest is {digest_of(text)}."
        raise Refused(FAULT, says)
    try:
        declaration = declaration_of(text)
    except DeclarationError as fault:
        raise Refused(FAULT, f"The declaration cannot be read. {fault}") from None
    if declaration.key != key:
        raise Refused(FAULT, f"The declaration declares {declaration.key}, and the sheet names {quote(key)}.")
    return declaration.game
