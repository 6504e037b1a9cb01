"""Handover of a pad: a player asks to become an owner, because the owner's phone may be gone.

An owner says yes or no. Without an answer the player becomes one when no owner's phone was seen for hours,
in which every phone of the pad shows that he asked; never while the pad is stopped. Nobody is sent away by
it: for some days a new owner can neither end an owner's link nor delete the pad.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import constant_time_compare

import engine
from scorepad.access import links
from scorepad.access.permissions import PadAccess, lock_for
from scorepad.ledger.entries import Who
from scorepad.limits import limit
from scorepad.live import notify
from scorepad.models import Handover, Link, Pad


@dataclass(frozen=True)
class Request:
    """An open request as one phone sees it. `until` is when it is granted without an answer."""

    who: str
    until: datetime
    is_granted: bool
    is_own: bool

    @property
    def wait(self) -> int:
        """Seconds until the player may become an owner."""
        return 0 if self.is_granted else max(0, int((self.until - timezone.now()).total_seconds()))

    @property
    def hours(self) -> int:
        return limit("HANDOVER_HOURS")

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


def ask(access: PadAccess, claim: str) -> tuple[Request, str]:
    """Ask to become an owner: the request, and what this phone collects it with; twice is once."""
    with transaction.atomic():
        pad = lock_for(access)
        _check_not_stopped(pad)
        row = Handover.objects.filter(pad=pad).first()
        if row is not None and _is_open(row):
            if not _is_claimed(row, claim):
                raise engine.Refused("asked-already", f"{_name(row, pad) or 'A phone'} has asked already.")
            return _request(row, pad, claim), claim
        if row is not None and row.declined and timezone.now() < row.asked_at + _pause():
            raise engine.Refused("declined", "The owner has said no. Ask at the table.")
        Handover.objects.filter(pad=pad).delete()
        claim = secrets.token_urlsafe(24)
        row = Handover.objects.create(
            pad=pad,
            link=access.link,
            seat=access.who.seat,
            device=access.who.device,
            claim_hash=links.hashed(claim),
        )
        _tell(pad)
        return _request(row, pad, claim), claim


def take_over(access: PadAccess, claim: str) -> tuple[Link, str] | None:
    """An owner's link with its token for the phone that asked, when it may have one; None before."""
    with transaction.atomic():
        pad = lock_for(access)
        row = Handover.objects.filter(pad=pad, link=access.link).first()
        if row is None or not _is_open(row) or not _is_claimed(row, claim):
            return None
        _check_not_stopped(pad)
        if not _request(row, pad, claim).is_ready:
            return None
        row.delete()
        _tell(pad)
        return links.another_link(pad, links.KEEP, given_at=timezone.now())


@transaction.atomic
def answer(access: PadAccess, yes: bool) -> None:
    """The owner's answer to a request that is open."""
    pad = lock_for(access)
    now = timezone.now()
    said = {"granted_at": now} if yes else {"declined": True, "granted_at": None, "asked_at": now}
    if Handover.objects.filter(pad=pad, declined=False).update(**said):
        _tell(pad)


def request_of(pad: Pad, claim: str = "") -> Request | None:
    """The open request of this pad, which a stopped one has not; `claim` is what a phone collects with."""
    row = getattr(pad, "handover", None)
    if row is None or pad.stopped_at or not _is_open(row):
        return None
    return _request(row, pad, claim)


def _request(row: Handover, pad: Pad, claim: str) -> Request:
    return Request(_name(row, pad), _until(row), row.granted_at is not None, _is_claimed(row, claim))


def _name(row: Handover, pad: Pad) -> str:
    return Who(row.seat, row.device).named(pad.players) or ""


def _until(row: Handover) -> datetime:
    """No owner's phone was seen since the later of the question and the last sign."""
    return max(row.asked_at, row.seen_at or row.asked_at) + _wait()


def _is_open(row: Handover) -> bool:
    """Until it is declined; and if nobody collects it, others may ask after as long again."""
    since = max(row.granted_at or row.asked_at, _until(row))
    return not row.declined and timezone.now() < since + _wait()


def _is_claimed(row: Handover, claim: str) -> bool:
    return bool(claim and row.claim_hash) and constant_time_compare(links.hashed(claim), row.claim_hash or "")


def _check_not_stopped(pad: Pad) -> None:
    if pad.stopped_at:
        raise engine.Refused("stopped", "This pad is stopped. Nobody becomes its owner until it is reopened.")


def _tell(pad: Pad) -> None:
    """Every phone shows it: the pad has changed."""
    Pad.objects.filter(pk=pad.pk).update(revision=F("revision") + 1)
    notify.wake(pad.code, notify.PAD)


def _wait() -> timedelta:
    return timedelta(hours=limit("HANDOVER_HOURS"))


def _pause() -> timedelta:
    return timedelta(minutes=limit("HANDOVER_AGAIN_MINUTES"))
