"""A pad as a whole: begin it, rename its seats, stop, reopen, begin again, delete."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

import engine
from engine.fields import shown
from scorepad import archive_lookup, drafts
from scorepad.access import links
from scorepad.chips import denominations
from scorepad.ledger import entries as ledger
from scorepad.ledger import names as seats
from scorepad.limits import limit
from scorepad.live import notify
from scorepad.models import Entry, Evening, Pad

WISHES = frozenset(("game", "options", "players", "dealer", "variant", "settings", "title", "date", "notes"))
HEADING = ("title", "date", "notes")


@dataclass(frozen=True)
class Opened:
    """A new pad with the addresses of its three links. The tokens are shown here and nowhere else."""

    pad: Pad
    keep: str
    play: str
    watch: str
    keep_link_id: int

    def as_dict(self) -> dict[str, str]:
        return {"pad": f"/pads/{self.pad.code}/", "keep": self.keep, "play": self.play, "watch": self.watch}


def make(wish: Mapping[str, Any]) -> Opened:
    """Begin a pad as wished: game, options, players, dealer, variant. The options override the variant's."""
    for key in wish:
        if key not in WISHES:
            raise engine.Refused("bad-sheet", f"A pad has no {shown(key)}. Take it out.")
    variant = _variant(wish)
    options = wish.get("options", {})
    settings = wish.get("settings", variant.settings if variant else {})
    if isinstance(options, dict):
        game = engine.GAMES.get(str(wish.get("game")))
        denominations.check_fits(game, options, settings)
        # Chips counted out to everyone are the stake, whatever stake the variant has.
        options = {
            **(variant.options if variant else {}),
            **options,
            **denominations.stake_of(game, settings),
        }
    sheet: dict[str, Any] = {
        "tally": 1,
        "game": wish.get("game"),
        "options": options,
        "players": wish.get("players"),
    }
    if wish.get("dealer") is not None:
        sheet["dealer"] = wish["dealer"]
    now = engine.replay(sheet)
    return open_pad(
        Pad(
            game=now.game.key,
            options=dict(now.table.options),
            players=list(now.table.players),
            dealer=now.table.dealer,
            variant=variant.slug if variant else "",
            heading=heading(wish),
            settings=checked_settings(settings),
            engine=engine.__version__,
        )
    )


def _variant(wish: Mapping[str, Any]) -> archive_lookup.Variant | None:
    slug = wish.get("variant")
    return None if slug in (None, "") else archive_lookup.required(slug, wish.get("game"))


def heading(wish: Mapping[str, Any]) -> dict[str, Any]:
    """The free texts of a sheet. Scoring ignores them, so any JSON may stand there; it must only fit."""
    texts = {key: wish[key] for key in HEADING if key in wish}
    seats.check_plain(texts, "bad-sheet", "The heading")
    if len(json.dumps(texts)) > limit("HEADING_LENGTH_MOST"):
        raise engine.Refused("bad-sheet", "Title, date and notes are too long. Shorten them.")
    return texts


def checked_settings(settings: Any) -> dict[str, Any]:
    if not isinstance(settings, dict):
        raise engine.Refused("bad-settings", '"settings" must be an object.')
    seats.check_plain(settings, "bad-settings", "The settings")
    if len(json.dumps(settings)) > limit("PAD_SETTINGS_BYTES_MOST"):
        raise engine.Refused("bad-settings", "These settings are too long.")
    return settings


def open_pad(pad: Pad) -> Opened:
    """Store a new pad with its three links."""
    with transaction.atomic():
        pad.touched_at = timezone.now()
        pad.save(force_insert=True)
        made = {role: links.new_link(pad, role) for role in links.ROLES}
    addresses = {role: links.address(pad, token) for role, (_, token) in made.items()}
    return Opened(pad, **addresses, keep_link_id=made[links.KEEP][0].pk)


def _changed(pad: Pad, **values: Any) -> Pad:
    """Change what stands beside the log, and wake the phones. Call it with the pad's row locked."""
    Pad.objects.filter(pk=pad.pk).update(**values, revision=F("revision") + 1)
    notify.wake(pad.code, notify.PAD)
    return Pad.objects.get(pk=pad.pk)


def _locked(pad: Pad) -> Pad:
    return Pad.objects.select_for_update().get(pk=pad.pk)


def rename(pad: Pad, players: Any, dealer: Any = None) -> Pad:
    """Give the seats other names. Before the first entry the seats and the dealer may change too."""
    with transaction.atomic():
        pad = _locked(pad)
        begun = ledger.head(pad) > 0
        if begun and isinstance(players, list) and len(players) != len(pad.players):
            says = "The game has begun, so its seats stay. Stop here and start again with other seats."
            raise engine.Refused("bad-players", says)
        if begun and dealer is not None:
            raise engine.Refused("bad-dealer", "The game has begun, so the first dealer stays.")
        sheet = {"tally": 1, "game": pad.game, "options": pad.options, "players": players}
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
        return _changed(pad, players=list(table.players), former_names=former, dealer=first)


def change_settings(pad: Pad, settings: Any) -> Pad:
    denominations.check_fits(engine.GAMES.get(pad.game), pad.options, settings)
    with transaction.atomic():
        return _changed(_locked(pad), settings=checked_settings(settings))


def stop(pad: Pad) -> Pad:
    """No more entries until the keeper reopens it."""
    with transaction.atomic():
        pad = _locked(pad)
        return pad if pad.stopped_at else _changed(pad, stopped_at=timezone.now())


def reopen(pad: Pad) -> Pad:
    with transaction.atomic():
        pad = _locked(pad)
        return _changed(pad, stopped_at=None) if pad.stopped_at else pad


def again(
    pad: Pad, players: Sequence[str] | None = None, dealer: Any = None, stopping: bool = False
) -> Opened:
    """The next game of the evening, with the same readings: with the same seats, or with these.

    Without a dealer the deal goes on to the left. A pad has one successor: asked twice, it is refused.
    """
    with transaction.atomic():
        pad = _locked(pad)
        if Pad.objects.filter(follows=pad).exists():
            raise engine.Refused("has-next", "The next game has been started already. Open it from this pad.")
        names = list(pad.players) if players is None else players
        sheet = {"tally": 1, "game": pad.game, "options": pad.options, "players": names}
        if dealer is not None:
            sheet["dealer"] = dealer
        table = engine.replay(sheet).table
        first = table.dealer if dealer is not None or players is not None else (pad.dealer + 1) % len(names)
        evening = pad.evening or Evening.objects.create()
        # Its page replays every game, so an evening ends some time; the next game begins another.
        is_over = evening.pads.count() >= limit("GAMES_PER_EVENING_MOST")
        opened = open_pad(
            Pad(
                game=pad.game,
                options=pad.options,
                players=list(table.players),
                dealer=first,
                variant=pad.variant,
                settings=pad.settings,
                engine=engine.__version__,
                evening=Evening.objects.create() if is_over else evening,
                follows=pad,
            )
        )
        stopped = {"stopped_at": timezone.now()} if stopping and not pad.stopped_at else {}
        _changed(pad, evening=evening, **stopped)
        return opened


def delete(pad: Pad) -> None:
    """Delete a whole pad, its log and its links. This is the one delete there is."""
    with transaction.atomic():
        pad = _locked(pad)
        # The database lets entries go only when their pad is marked; see the second migration.
        Pad.objects.filter(pk=pad.pk).update(removed_at=timezone.now())
        Entry.objects.filter(pad=pad).delete()
        evening = pad.evening
        pad.delete()
        if evening is not None and not evening.pads.exists():
            evening.delete()
        notify.wake(pad.code, notify.LINKS)


def where(pad: Pad, now: engine.Position | None = None) -> str:
    """Which deal or hand the table is in, in words; empty when the game counts neither."""
    try:
        state = (now or ledger.position(pad)).result().state
    except engine.Refused:
        return ""
    return place_of(state)


def place_of(state: Mapping[str, Any]) -> str:
    for word in ("deal", "hand"):
        if isinstance(state.get(word), int):
            return f"{word} {state[word]}"
    return ""


def stopped(pad: Pad) -> dict[str, Any] | None:
    """How a stopped pad says so; None while it is played."""
    if pad.stopped_at is None:
        return None
    place = where(pad)
    return {
        "at": pad.stopped_at.isoformat(),
        "where": place,
        "says": f"stopped in {place}" if place else "stopped",
    }
