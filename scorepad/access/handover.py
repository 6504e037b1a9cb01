"""Handover of a pad: a player asks to keep it, waits a minute, and gets a keeper's link unless told no."""

from django.db import transaction
from django.utils import timezone

import engine
from scorepad.access import links
from scorepad.access.permissions import PadAccess, lock_for
from scorepad.ledger.entries import Who
from scorepad.live import notify
from scorepad.models import Handover, Link, Pad

WAIT_SECONDS = 60


def ask_to_keep(access: PadAccess) -> dict[str, object]:
    """Ask for the pad when its keeper's phone is gone. A minute later the player has it, unless told no."""
    with transaction.atomic():
        lock_for(access)
        row = Handover.objects.filter(pad=access.pad).first()
        if row is None or row.link_id != access.link_id or row.declined:
            if row is not None and row.declined and _seconds_since(row) < WAIT_SECONDS:
                raise engine.Refused("declined", "The keeper has said no. Ask at the table.")
            Handover.objects.filter(pad=access.pad).delete()
            row = Handover.objects.create(
                pad=access.pad, link_id=access.link_id, seat=access.who.seat, device=access.who.device
            )
            notify.wake(access.pad.code, notify.PAD)
        return {"wait": max(0, WAIT_SECONDS - _seconds_since(row)), "given": False}


def take_over(access: PadAccess) -> tuple[Link, str] | None:
    """A keeper's link with its token, once the minute is over; None before."""
    with transaction.atomic():
        lock_for(access)
        row = Handover.objects.filter(pad=access.pad, link_id=access.link_id, declined=False).first()
        if row is None or _seconds_since(row) < WAIT_SECONDS:
            return None
        row.delete()
        notify.wake(access.pad.code, notify.PAD)
        return links.another_link(access.pad, links.KEEP)


@transaction.atomic
def decline(pad: Pad) -> None:
    Handover.objects.filter(pad=pad).update(declined=True, asked_at=timezone.now())
    notify.wake(pad.code, notify.PAD)


def request_of(pad: Pad) -> dict[str, object] | None:
    """The request to keep the pad, with the name of the one who asks, for the keeper's page; or None."""
    row = Handover.objects.filter(pad=pad, declined=False).first()
    if row is None:
        return None
    who = Who(row.seat, row.device).named(pad.players)
    return {"who": who or None, "wait": max(0, WAIT_SECONDS - _seconds_since(row))}


def _seconds_since(row: Handover) -> int:
    return int((timezone.now() - row.asked_at).total_seconds())
