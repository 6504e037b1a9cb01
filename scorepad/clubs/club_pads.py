"""Pads of a club: added by who owns both, taken out by the owner of either, kept from expiry if it asks.

From the moment a pad is added until it is taken out, the club's links may watch it, and no more.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

import engine
from engine.rules import listed
from scorepad.access import links
from scorepad.access.links import AnyLink
from scorepad.limits import limit
from scorepad.live import notify
from scorepad.models import Club, ClubPad, Pad

NAME_MOST = 60
PLAYERS_IN_NAME = 3
ROLES = (links.KEEP, links.WATCH)


@dataclass(frozen=True)
class NewClub:
    """A new club with the addresses of its two links. The tokens are shown here and nowhere else."""

    club: Club
    keep: str
    watch: str
    keep_link: AnyLink


def create(pads: Sequence[Pad]) -> NewClub:
    """Make a club of these pads, called by who plays."""
    with transaction.atomic():
        club = Club.objects.create(name=_name(pads))
        made = {role: links.new_link(club, role) for role in ROLES}
        add(club, pads)
    addresses = {role: links.address(club, token) for role, (_, token) in made.items()}
    return NewClub(club, **addresses, keep_link=made[links.KEEP][0])


def _name(pads: Sequence[Pad]) -> str:
    names = list(dict.fromkeys(name for pad in pads for name in pad.players))
    shown = names[:PLAYERS_IN_NAME]
    more = len(names) - len(shown)
    called = f"{', '.join(shown)} and {more} more" if more else listed(shown)
    return called if len(called) <= NAME_MOST else f"{called[: NAME_MOST - 1]}…"


def rename(club: Club, name: object) -> None:
    called = " ".join(name.split()) if isinstance(name, str) else ""
    if not called or len(called) > NAME_MOST or not called.isprintable():
        raise engine.Refused("bad-name", f"A club needs a name of 1 to {NAME_MOST} letters.")
    Club.objects.filter(pk=club.pk).update(name=called)


@transaction.atomic
def add(club: Club, pads: Sequence[Pad]) -> None:
    """Add these pads; those that are in it already stay."""
    links.lock(club)
    here = set(club.club_pads.values_list("pad_id", flat=True))
    new = [pad for pad in pads if pad.pk not in here]
    if any(pad.trial_until for pad in new):
        raise engine.Refused("trial-table", "A trial pad is deleted soon, so no club can have it.")
    most, clubs_most = limit("PADS_PER_CLUB_MOST"), limit("CLUBS_PER_PAD_MOST")
    if len(here) + len(new) > most:
        raise engine.Refused("club-full", f"A club holds at most {most} pads. Make another club.")
    if any(pad.club_pads.count() >= clubs_most for pad in new):
        raise engine.Refused(
            "too-many-clubs", f"A pad can be in at most {clubs_most} clubs. Leave one first."
        )
    ClubPad.objects.bulk_create(ClubPad(club=club, pad=pad) for pad in new)
    now = timezone.now()
    Club.objects.filter(pk=club.pk).update(touched_at=now)
    # A club that asks for its pads to be kept goes on asking while it is used.
    Club.objects.filter(pk=club.pk, kept_at__isnull=False).update(kept_at=now)


def follow(before: Pad, pad: Pad) -> None:
    """Add the next game of an evening to the clubs that the game before is in, where there is room."""
    for row in before.club_pads.select_related("club"):
        if row.club.club_pads.count() < limit("PADS_PER_CLUB_MOST"):
            add(row.club, [pad])


@transaction.atomic
def remove(club: Club | None, codes: Iterable[str]) -> None:
    """Take these pads out: at the next request the club's links do not open them."""
    rows = ClubPad.objects.filter(club=club, pad__code__in=list(codes)) if club else ClubPad.objects.none()
    if club is None or not rows.exists():
        raise engine.Refused("not-in-club", "This pad is not in the club any more.")
    rows.delete()
    Club.objects.filter(pk=club.pk).update(touched_at=timezone.now())


@transaction.atomic
def keep(club: Club, is_kept: bool) -> None:
    """Ask that the pads of this club are kept, from now on, or stop asking. Notices are taken back."""
    Club.objects.filter(pk=club.pk).update(kept_at=timezone.now() if is_kept else None)
    if not is_kept:
        return
    noticed = Pad.objects.filter(club_pads__club=club, notice_at__isnull=False)
    for pk, code in list(noticed.values_list("pk", "code")):
        Pad.objects.filter(pk=pk).update(notice_at=None, revision=F("revision") + 1)
        notify.wake(code, notify.PAD)


def ending(club: Club) -> list[Pad]:
    """The pads that have had notice and will be deleted, the first to go first."""
    noticed = Q(notice_at__isnull=False)
    return list(Pad.objects.filter(noticed, club_pads__club=club).order_by("notice_at", "pk"))
