"""Declared games of pads: the text that a pad was begun with is kept here, whatever becomes of its book.

A pad names such a game `key@digest`, and the digest is of the text, so what is found under it never changes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import engine
from engine.declared import DeclarationError, declaration_of, digest_of
from scorepad import archive_lookup
from scorepad.models import Declaration, Pad

GAMES_IN_MEMORY = 256


def game_of(name: str) -> engine.Game | None:
    """The game of this name: one of the engine's, or a declared one that a pad here was begun with."""
    if "@" not in name:
        return engine.GAMES.get(name)
    try:
        return _kept_game(name)
    except Declaration.DoesNotExist:
        return None


def game_to_begin(name: object) -> engine.Game | None:
    """The same, or a game that a published book declares now: by its whole name, or by its key alone."""
    if not isinstance(name, str):
        return None
    return game_of(name) or next((game for game in offered() if name in (game.key, key_of(game.key))), None)


def offered() -> list[engine.Game]:
    """The games that published books declare, as they stand now, by title."""
    found = []
    for text in archive_lookup.declared_games():
        try:
            found.append(declaration_of(text).game)
        except DeclarationError:
            continue  # It was published by a version that read it otherwise.
    return sorted(found, key=lambda game: game.title.casefold())


def key_of(name: str) -> str:
    """The key of a game, without the digest of a declared one."""
    return name.partition("@")[0]


def named_in_sheet(game: object) -> dict[str, Any]:
    """The fields of a tally sheet that name a game; of a declared one its text too."""
    known = game_to_begin(game)
    if known is None or known.declaration is None:
        return {"game": game}
    return {"game": known.key, "declaration": known.declaration}


def keep(game: engine.Game) -> None:
    """Keep the text of a declared game, in the transaction that stores its pad."""
    if game.declaration is not None:
        keep_text(game.declaration)


def keep_text(text: str) -> None:
    # Locked until the pad is stored, so that whoever deletes the last pad of before finds this one.
    locked = Declaration.objects.select_for_update()
    locked.get_or_create(digest=digest_of(text), defaults={"text": text})


def drop_unused(name: str) -> None:
    """Delete the text of a declared game when its last pad is gone, in the transaction that deletes it."""
    if "@" not in name:
        return
    # Locked before pads are looked for: one that is begun at this moment is waited for, and found.
    kept = Declaration.objects.select_for_update().filter(digest=name.rpartition("@")[2]).first()
    if kept is not None and not Pad.objects.filter(game=name).exists():
        kept.delete()


def revised(game: engine.Game) -> engine.Game | None:
    """The declaration as it is published now, where it is another than this one; None if it is the same."""
    if game.declaration is None:
        return None
    now = [one for one in offered() if key_of(one.key) == key_of(game.key) and one.book == game.book]
    return now[0] if now and now[0].key != game.key else None


@lru_cache(maxsize=GAMES_IN_MEMORY)
def _kept_game(name: str) -> engine.Game:
    row = Declaration.objects.get(digest=name.rpartition("@")[2])
    found = declaration_of(row.text)
    if found.name != name:
        raise Declaration.DoesNotExist
    return found.game
