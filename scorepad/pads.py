"""A pad as a whole: its names and settings, stopping and reopening, deletion, and its summary as JSON."""

import json
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

import engine
from scorepad import declarations, drafts, ledger, pad_results
from scorepad.access import handover
from scorepad.chips import denominations
from scorepad.ledger import validators
from scorepad.limits import limit
from scorepad.live import notify
from scorepad.models import Club, Entry, Pad


def summary(pad: Pad) -> dict[str, Any]:
    """The pad without its log, as the `pad` event, about.json and the keeper's calls tell it."""
    ends, asked = ends_at(pad), handover.request_of(pad)
    return {
        "game": pad.game,
        "players": list(pad.players),
        "dealer": pad.players[pad.dealer],
        "variant": pad.variant or None,
        "settings": pad.settings,
        "stopped": stopped(pad),
        "revision": pad.revision,
        "evening": f"/evenings/{pad.evening.code}/" if pad.evening else None,
        "next": f"/pads/{pad.code}/next/" if next_pad(pad) else None,
        "asks_to_keep": asked.as_dict() if asked else None,
        "ends": ends.isoformat() if ends else None,
    }


def checked_settings(settings: Any) -> dict[str, Any]:
    if not isinstance(settings, dict):
        raise engine.Refused("bad-settings", '"settings" must be an object.')
    validators.check_storable(settings, "bad-settings", "The settings")
    if len(json.dumps(settings)) > limit("PAD_SETTINGS_BYTES_MOST"):
        raise engine.Refused("bad-settings", "These settings are too long.")
    return settings


def change(pad: Pad, **values: Any) -> Pad:
    """Change a pad's own columns and notify the phones. The caller holds the row lock."""
    Pad.objects.filter(pk=pad.pk).update(**values, revision=F("revision") + 1)
    notify.wake(pad.code, notify.PAD)
    return Pad.objects.get(pk=pad.pk)


def lock(pad: Pad) -> Pad:
    return Pad.objects.select_for_update().get(pk=pad.pk)


def rename(pad: Pad, players: Any, dealer: Any = None) -> Pad:
    """Give the seats other names. Before the first entry the seats and the dealer may change too."""
    with transaction.atomic():
        pad = lock(pad)
        begun = ledger.head(pad) > 0
        if begun and isinstance(players, list) and len(players) != len(pad.players):
            says = "The game has begun, so its seats stay. Stop here and start again with other seats."
            raise engine.Refused("bad-players", says)
        if begun and dealer is not None:
            raise engine.Refused("bad-dealer", "The game has begun, so the first dealer stays.")
        named = declarations.named_in_sheet(pad.game)
        sheet = {"tally": 1, **named, "options": pad.options, "players": players}
        if dealer is not None:
            sheet["dealer"] = dealer
        table = engine.replay(sheet).table
        former = {}
        if begun:
            former = {**pad.former_names, **{name: seat for seat, name in enumerate(pad.players)}}
            if len(former) > limit("FORMER_NAMES_PER_PAD_MOST"):
                raise engine.Refused("too-many-names", "The seats of this pad have had too many names.")
        elif list(table.players) != pad.players:
            # A name may move to another seat now: what was filled in and counted must not go astray.
            drafts.drop(pad)
            pad.count_checks.all().delete()
        first = table.dealer if dealer is not None else pad.dealer % len(table.players)
        return change(pad, players=list(table.players), former_names=former, dealer=first)


def change_settings(pad: Pad, settings: Any) -> Pad:
    denominations.check_stake(engine.GAMES.get(pad.game), pad.options, settings)
    with transaction.atomic():
        return change(lock(pad), settings=checked_settings(settings))


def stop(pad: Pad) -> Pad:
    """No more entries until the keeper reopens it."""
    with transaction.atomic():
        pad = lock(pad)
        return pad if pad.stopped_at else change(pad, stopped_at=timezone.now())


def reopen(pad: Pad) -> Pad:
    with transaction.atomic():
        pad = lock(pad)
        return change(pad, stopped_at=None) if pad.stopped_at else pad


def delete(pad: Pad) -> None:
    """Delete a whole pad, its log and its links. This is the one delete there is."""
    with transaction.atomic():
        pad = lock(pad)
        # The database lets entries go only when their pad is marked; see the second migration.
        Pad.objects.filter(pk=pad.pk).update(removed_at=timezone.now())
        Entry.objects.filter(pad=pad).delete()
        Club.objects.filter(club_pads__pad=pad).update(touched_at=timezone.now())
        evening = pad.evening
        pad.delete()
        declarations.drop_unused(pad.game)
        if evening is not None and not evening.pads.exists():
            evening.delete()
        notify.wake(pad.code, notify.LINKS)


def next_pad(pad: Pad) -> Pad | None:
    """The next game of the evening, once it is begun."""
    return Pad.objects.filter(follows=pad).first()


def ends_at(pad: Pad) -> datetime | None:
    """The time at which an unused pad will be deleted; None while it has no notice, or was used since."""
    if pad.notice_at is None or pad.entries.filter(made_at__gte=pad.notice_at).exists():
        return None
    return pad.notice_at + timedelta(days=limit("PAD_NOTICE_DAYS"))


def stopped(pad: Pad) -> dict[str, Any] | None:
    """The time, and the deal or hand, at which a pad was stopped; None while it is played."""
    if pad.stopped_at is None:
        return None
    place = pad_results.result(pad).place
    return {
        "at": pad.stopped_at.isoformat(),
        "where": place,
        "says": f"stopped in {place}" if place else "stopped",
    }
