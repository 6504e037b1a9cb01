"""Trial table of a declared game: a pad that plays a draft, and its log as an example sheet.

Drafts are the archive's and pads are the score pad's; only here are both known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from archive.curation.game_drafts import OpenGame
from archive.models import GameDraft
from engine.declared import Declaration
from engine.declared.golden import pinned_sheet
from engine.log import CORRECTION_KINDS
from scorepad import imports, ledger, pads
from scorepad.limits import limit
from scorepad.models import Pad
from scorepad.new_pads import NewPad

NAMES = ("Ann", "Bert", "Cora", "Dan", "Eva", "Fred", "Gail", "Hugo", "Ida", "Jack", "Kate", "Leo")


def open_table(game: OpenGame) -> Pad | None:
    """The pad that tries this draft, if one does and has not expired."""
    code = game.draft.trial if game.draft else ""
    return Pad.objects.filter(code=code, trial_until__gt=timezone.now()).first() if code else None


def begin(
    draft: GameDraft, declaration: Declaration, players: Sequence[str], options: Mapping[str, Any]
) -> NewPad:
    """A new pad that plays this declaration; the one before it goes. Raises engine.Refused."""
    sheet = {"tally": 1, "game": declaration.key, "players": [*players], "options": dict(options)}
    brought = imports.read(pinned_sheet(declaration, {**sheet, "title": "Trial pad"}))
    brought[0].trial_until = timezone.now() + timedelta(hours=limit("TRIAL_TABLE_HOURS"))
    with transaction.atomic():
        held = GameDraft.objects.select_for_update().get(pk=draft.pk)
        for old in Pad.objects.filter(code=held.trial, trial_until__isnull=False):
            pads.delete(old)
        new = imports.store(brought)
        GameDraft.objects.filter(pk=draft.pk).update(trial=new.pad.code)
    return new


def sheet_of(pad: Pad, declaration: Declaration) -> dict[str, Any]:
    """The log of a pad as an example sheet: it names the game by its key, and only what is not as usual."""
    entries = [recorded.entry for recorded in ledger.log(pad)]
    if not any(entry["type"] in CORRECTION_KINDS for entry in entries):
        entries = [{key: value for key, value in entry.items() if key != "id"} for entry in entries]
    usual = {option.key: option.default for option in declaration.options}
    options = {key: value for key, value in pad.options.items() if usual.get(key) != value}
    sheet: dict[str, Any] = {"tally": 1, "game": declaration.key, "players": list(pad.players)}
    if options:
        sheet["options"] = options
    if pad.dealer:
        sheet["dealer"] = pad.players[pad.dealer]
    return {**sheet, "entries": entries}
