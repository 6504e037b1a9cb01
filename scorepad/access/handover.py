"""Handover of a pad or a club: a player asks to become an owner, because the owner's phone may be gone.

An owner says yes or no. Without an answer the player becomes one when no owner's phone was seen for hours, of
a club for days, in which every phone shows that he asked; never while the pad is stopped. Nobody is sent away
by it: for some days a new owner can neither end an owner's link nor delete the pad or the club.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import constant_time_compare

import engine
from scorepad.access import links
from scorepad.access.links import AnyLink, Target
from scorepad.access.permissions import ClubAccess, PadAccess, lock_club_for, lock_for
from scorepad.ledger.entries import Who
from scorepad.limits import limit
from scorepad.live import notify
from scorepad.models import ClubHandover, Handover, Pad

Access = PadAccess | ClubAccess
Row = Handover | ClubHandover


@dataclass(frozen=True)
class Request:
    """An open request as one phone sees it. `until` is when it is granted without an answer."""

    who: str
    until: datetime
    is_granted: bool
    is_own: bool
    hours: int

    @property
    def wait(self) -> int:
        """Seconds until the player may become an owner."""
        return 0 if self.is_granted else max(0, int((self.until - timezone.now()).total_seconds()))

    @property
    def days(self) -> int:
        return self.hours // 24

    @property
    def is_ready(self) -> bool:
        return self.wait == 0

    def as_dict(self) -> dict[str, object]:
        return {
            "who": self.who or None,
            "wait": self.wait,
            "granted": self.is_granted,
            "until": self.until.isoformat(),
        }


def ask(access: Access, claim: str) -> tuple[Request, str]:
    """Ask to become an owner: the request, and what this phone collects it with; twice is once."""
    with transaction.atomic():
        target = _locked(access)
        _check_not_stopped(target)
        row = _row(target)
        if row is not None and _is_open(row):
            if not _is_claimed(row, claim):
                raise engine.Refused("asked-already", f"{_name(row, target) or 'A phone'} has asked already.")
            return _request(row, target, claim), claim
        if row is not None and row.declined and timezone.now() < row.asked_at + _pause():
            raise engine.Refused("declined", "The owner has said no. Ask at the table.")
        if row is not None:
            row.delete()
        claim = secrets.token_urlsafe(24)
        row = _new_row(access, target, claim)
        _tell(target)
        return _request(row, target, claim), claim


def _new_row(access: Access, target: Target, claim: str) -> Row:
    fields: dict[str, Any] = {
        "link": access.link,
        "seat": access.who.seat,
        "device": access.who.device,
        "claim_hash": links.hashed(claim),
    }
    if isinstance(target, Pad):
        return Handover.objects.create(pad=target, **fields)
    return ClubHandover.objects.create(club=target, **fields)


def take_over(access: Access, claim: str) -> tuple[AnyLink, str] | None:
    """An owner's link with its token for the phone that asked, when it may have one; None before."""
    with transaction.atomic():
        target = _locked(access)
        row = _row(target)
        if row is None or row.link_id != access.link.pk or not _is_open(row) or not _is_claimed(row, claim):
            return None
        _check_not_stopped(target)
        if not _request(row, target, claim).is_ready:
            return None
        row.delete()
        _tell(target)
        return links.another_link(target, links.KEEP, given_at=timezone.now())


@transaction.atomic
def answer(access: Access, yes: bool) -> None:
    """The owner's answer to a request that is open."""
    target = _locked(access)
    row, now = _row(target), timezone.now()
    if row is None or row.declined:
        return
    said = {"granted_at": now} if yes else {"declined": True, "granted_at": None, "asked_at": now}
    type(row)._default_manager.filter(pk=row.pk).update(**said)
    _tell(target)


def request_of(target: Target, claim: str = "") -> Request | None:
    """The open request of a pad, which a stopped one has not, or a club; `claim` is what a phone collects
    with."""
    row = getattr(target, "handover", None)
    if row is None or (isinstance(target, Pad) and target.stopped_at) or not _is_open(row):
        return None
    return _request(row, target, claim)


def _locked(access: Access) -> Target:
    return lock_for(access) if isinstance(access, PadAccess) else lock_club_for(access)


def _row(target: Target) -> Row | None:
    if isinstance(target, Pad):
        return Handover.objects.filter(pad=target).first()
    return ClubHandover.objects.filter(club=target).first()


def _request(row: Row, target: Target, claim: str) -> Request:
    hours = int(_wait(row).total_seconds()) // 3600
    is_granted = row.granted_at is not None
    return Request(_name(row, target), _until(row), is_granted, _is_claimed(row, claim), hours)


def _name(row: Row, target: Target) -> str:
    """The player who asks, as the pad calls him; a club has his name as it was when he asked."""
    players = target.players if isinstance(target, Pad) else []
    return Who(row.seat, row.device).named(players) or ""


def _until(row: Row) -> datetime:
    """No owner's phone was seen since the later of the question and the last sign."""
    return max(row.asked_at, row.seen_at or row.asked_at) + _wait(row)


def _is_open(row: Row) -> bool:
    """Until it is declined; and if nobody collects it, others may ask after as long again."""
    since = max(row.granted_at or row.asked_at, _until(row))
    return not row.declined and timezone.now() < since + _wait(row)


def _is_claimed(row: Row, claim: str) -> bool:
    return bool(claim and row.claim_hash) and constant_time_compare(links.hashed(claim), row.claim_hash or "")


def _check_not_stopped(target: Target) -> None:
    if isinstance(target, Pad) and target.stopped_at:
        raise engine.Refused("stopped", "This pad is stopped. Nobody becomes its owner until it is reopened.")


def _tell(target: Target) -> None:
    """Every phone shows it: the pad has changed. A club's pages are read anew each time."""
    if isinstance(target, Pad):
        Pad.objects.filter(pk=target.pk).update(revision=F("revision") + 1)
        notify.wake(target.code, notify.PAD)


def _wait(row: Row) -> timedelta:
    """A club meets now and then, so its owner's phone has days to be seen in."""
    if isinstance(row, ClubHandover):
        return timedelta(days=limit("CLUB_HANDOVER_DAYS"))
    return timedelta(hours=limit("HANDOVER_HOURS"))


def _pause() -> timedelta:
    return timedelta(minutes=limit("HANDOVER_AGAIN_MINUTES"))
