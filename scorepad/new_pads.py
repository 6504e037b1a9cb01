"""New pads: begun from a form or a program, or as the next game of an evening; and how many may be begun."""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from django.db import Error, transaction
from django.http import HttpRequest
from django.utils import timezone

import engine
from engine.fields import quote
from ratelimit import client_address, limiter
from scorepad import archive_lookup, declarations, expiry, pads
from scorepad.access import links
from scorepad.access.links import AnyLink
from scorepad.chips import denominations
from scorepad.clubs import club_pads
from scorepad.ledger import validators
from scorepad.limits import EVERY_ADDRESS, limit, pads_per_address, pads_per_minute, pads_per_site
from scorepad.models import Evening, Pad

log = logging.getLogger(__name__)

FIELDS = frozenset(("game", "options", "players", "dealer", "variant", "settings", "title", "date", "notes"))
HEADING = ("title", "date", "notes")


@dataclass(frozen=True)
class NewPad:
    """A new pad with the addresses of its three links. The tokens are shown here and nowhere else."""

    pad: Pad
    keep: str
    play: str
    watch: str
    keep_link: AnyLink

    def as_dict(self) -> dict[str, str]:
        return {"pad": f"/pads/{self.pad.code}/", "keep": self.keep, "play": self.play, "watch": self.watch}


@contextmanager
def creation_limit(request: HttpRequest) -> Iterator[None]:
    """Counts a pad before it is created, and takes it off the count if it is not. Raises RateLimitError.

    Once a day the pads that are not used any more are looked for here.
    """
    turns = _turns(client_address.of_request(request))
    try:
        yield
    except BaseException:
        with suppress(Error):
            limiter.give_back(turns)
        raise
    try:
        expiry.once_a_day()
    except Error:
        # The pad is there; that others could not be looked for must not take it away again.
        log.exception("Unused pads could not be looked for.")


@transaction.atomic
def _turns(here: str) -> list[limiter.Turn]:
    """A turn of the address, and then of the whole site by what the address has made already."""
    turns = limiter.take([(pads_per_minute(), here), (pads_per_address(), here)])
    made = limiter.used(pads_per_address(), here)
    return turns + limiter.take([(pads_per_site(made), EVERY_ADDRESS)])


def create(fields: Mapping[str, Any]) -> NewPad:
    """Create a pad from game, options, players, dealer and variant. The options override the variant's."""
    return store(_pad_of(fields), declarations.game_to_begin(fields.get("game")))


def _pad_of(fields: Mapping[str, Any]) -> Pad:
    for key in fields:
        if key not in FIELDS:
            raise engine.Refused("bad-sheet", f"A pad has no {quote(key)}. Take it out.")
    variant = _variant(fields)
    options = fields.get("options", {})
    settings = fields.get("settings", variant.settings if variant else {})
    if isinstance(options, dict):
        game = declarations.game_to_begin(fields.get("game"))
        denominations.check_stake(game, options, settings)
        # Chips counted out to everyone are the stake, whatever stake the variant has.
        options = {
            **(variant.options if variant else {}),
            **options,
            **denominations.stake_of(game, settings),
        }
    sheet: dict[str, Any] = {
        "tally": 1,
        **declarations.named_in_sheet(fields.get("game")),
        "options": options,
        "players": fields.get("players"),
    }
    if fields.get("dealer") is not None:
        sheet["dealer"] = fields["dealer"]
    now = engine.replay(sheet)
    return Pad(
        game=now.game.key,
        options=dict(now.table.options),
        players=list(now.table.players),
        dealer=now.table.dealer,
        variant=variant.slug if variant else "",
        heading=heading(fields),
        settings=pads.checked_settings(settings),
        engine=engine.__version__,
    )


def _variant(fields: Mapping[str, Any]) -> archive_lookup.Variant | None:
    slug = fields.get("variant")
    return None if slug in (None, "") else archive_lookup.required_variant(slug, fields.get("game"))


def heading(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The free texts of a sheet. Scoring ignores them, so any JSON is allowed; it must only fit."""
    texts = {key: fields[key] for key in HEADING if key in fields}
    validators.check_storable(texts, "bad-sheet", "The heading")
    if len(json.dumps(texts)) > limit("HEADING_LENGTH_MOST"):
        raise engine.Refused("bad-sheet", "Title, date and notes are too long. Shorten them.")
    return texts


def store(pad: Pad, game: engine.Game | None = None) -> NewPad:
    """Store a new pad with its three links, and the text of its game if that is declared."""
    with transaction.atomic():
        pad.touched_at = timezone.now()
        if game is not None:
            declarations.keep(game)
        pad.save(force_insert=True)
        made = {role: links.new_link(pad, role) for role in links.ROLES}
    addresses = {role: links.address(pad, token) for role, (_, token) in made.items()}
    return NewPad(pad, **addresses, keep_link=made[links.KEEP][0])


def next_game(
    pad: Pad,
    players: Sequence[str] | None = None,
    dealer: Any = None,
    stopping: bool = False,
    game: Any = None,
) -> NewPad:
    """The next game of the evening: the same one with the same readings, or another; with the same seats, or
    with these.

    Without a dealer the deal goes on to the left. A pad has one successor: asked twice, it is refused.
    """
    with transaction.atomic():
        pad = pads.lock(pad)
        if Pad.objects.filter(follows=pad).exists():
            raise has_next()
        if game is None or game == pad.game:
            following = _same_game(pad, players, dealer)
        else:
            following = _another_game(pad, game, dealer)
        following.trial_until = pad.trial_until
        new = store(following, declarations.game_to_begin(following.game))
        stopped = {"stopped_at": timezone.now()} if stopping and not pad.stopped_at else {}
        put_after(pad, new.pad, **stopped)
        return new


def put_after(pad: Pad, following: Pad, **changed: Any) -> None:
    """Make a stored pad the next game after this one, in its evening. The caller holds the row lock."""
    evening = pad.evening or Evening.objects.create()
    # Its page replays every game, so an evening ends some time; the next game begins another.
    is_over = evening.pads.count() >= limit("GAMES_PER_EVENING_MOST")
    following.evening = Evening.objects.create() if is_over else evening
    following.follows = pad
    following.save(update_fields=["evening", "follows"])
    links.hand_on_new_owner(pad, following)
    club_pads.follow(pad, following)
    pads.change(pad, evening=evening, **changed)


def _same_game(pad: Pad, players: Sequence[str] | None, dealer: Any) -> Pad:
    names = list(pad.players) if players is None else players
    sheet = {
        "tally": 1,
        **declarations.named_in_sheet(pad.game),
        "options": pad.options,
        "players": names,
    }
    if dealer is not None:
        sheet["dealer"] = dealer
    table = engine.replay(sheet).table
    first = table.dealer if dealer is not None or players is not None else (pad.dealer + 1) % len(names)
    return Pad(
        game=pad.game,
        options=pad.options,
        players=list(table.players),
        dealer=first,
        variant=pad.variant,
        settings=pad.settings,
        engine=engine.__version__,
    )


def _another_game(pad: Pad, game: Any, dealer: Any) -> Pad:
    """Another game for the same people: as this evening has played it already, else by the first variant, as
    the form for a new pad offers it."""
    first = dealer if dealer is not None else pad.players[(pad.dealer + 1) % len(pad.players)]
    of_evening = pad.evening.pads.filter(game=str(game)).order_by("-made_at") if pad.evening else []
    for before in of_evening:
        return _same_game(before, pad.players, first)
    fields: dict[str, Any] = {"game": game, "players": list(pad.players), "dealer": first}
    offered = archive_lookup.variants_of_game(str(game))
    named = engine.GAMES.get(str(game))
    stake = named.stake if named else None
    if stake and not (offered and offered[0]["options"].get(stake)):
        # Nobody begins with nothing who has not chosen to.
        fields["options"] = {stake: denominations.STAKE_OFFERED}
    return _pad_of({**fields, "variant": offered[0]["slug"]} if offered else fields)


def has_next() -> engine.Refused:
    return engine.Refused("has-next", "The next game has been started already. Open it from this pad.")
