"""Expiry of unused pads: they show a notice for some weeks, one tap keeps them, and then they are deleted.

A pad is used when something is entered or counted, when it is put here, or when it is told to stay. A club
that asks for it, and is in use itself, keeps its pads.
"""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.module_loading import import_string

from ratelimit import limiter
from ratelimit.limiter import RateLimitError, Rule
from scorepad import pads
from scorepad.limits import limit
from scorepad.live import notify
from scorepad.models import Club, ClubPad, CountCheck, Entry, Pad

DAILY = Rule("expiry", 1, 24 * 3600, "")


@dataclass(frozen=True)
class ExpiryReport:
    """Numbers of pads that were given notice, that stay after all, and that were deleted."""

    noticed: int
    stay: int
    deleted: int


def expire(most: int | None = None) -> ExpiryReport:
    """Give notice, take it back where a pad is used again, and delete what had its notice in full."""
    now, notice = timezone.now(), timedelta(days=limit("PAD_NOTICE_DAYS"))
    soon = _idle(now + notice)
    stay = _set_notice(Pad.objects.filter(notice_at__isnull=False).exclude(pk__in=soon), None, most)
    noticed = _set_notice(soon.filter(notice_at=None), now, most)
    over = _idle(now).filter(notice_at__lte=now - notice).order_by("notice_at")[:most]
    _delete_trials(now, most)
    _delete_empty_clubs(now)
    return ExpiryReport(noticed, stay, sum(_delete(pad, now, notice) for pad in list(over)))


def _delete_trials(now: datetime, most: int | None) -> None:
    """Delete the pads that tried a game while it was declared: they were never meant to stay."""
    for pad in list(Pad.objects.filter(trial_until__lte=now)[:most]):
        # A curator may have begun another trial meanwhile, which takes the place of this one.
        with suppress(Pad.DoesNotExist):
            pads.delete(pad)


def _delete_empty_clubs(now: datetime) -> None:
    """Delete clubs that have had no pad for as long as a pad may have no entry."""
    long_ago = now - timedelta(days=limit("PAD_EMPTY_IDLE_DAYS"))
    Club.objects.filter(touched_at__lt=long_ago, club_pads=None).delete()


def _delete(pad: Pad, now: datetime, notice: timedelta) -> bool:
    """Delete a pad, unless it was used again or deleted in the meantime."""
    with transaction.atomic():
        if not Pad.objects.select_for_update().filter(pk=pad.pk):
            return False
        if not _idle(now).filter(pk=pad.pk, notice_at__lte=now - notice).exists():
            return False
        pads.delete(pad)
    return True


def once_a_day() -> None:
    """The same, and what others want to be done daily: the setting DAILY_TASKS names the functions."""
    try:
        limiter.check(DAILY, "")
    except RateLimitError:
        return
    limiter.count(DAILY, "")
    expire(limit("PADS_EXPIRED_AT_ONCE_MOST"))
    for task in settings.DAILY_TASKS:
        import_string(task)()


def _idle(at: datetime) -> QuerySet[Pad]:
    """The pads that will have been idle too long at this moment; those without an entry sooner.

    A time in the future, which a file brought in once, is no use.
    """
    tomorrow = timezone.now() + timedelta(days=1)
    long_ago = at - timedelta(days=limit("PAD_IDLE_DAYS"))
    lately = at - timedelta(days=limit("PAD_EMPTY_IDLE_DAYS"))
    entries, checks = (kind.objects.filter(pad=OuterRef("pk")) for kind in (Entry, CountCheck))
    kept = ClubPad.objects.filter(pad=OuterRef("pk"))
    idle = Pad.objects.annotate(since=Coalesce("touched_at", "made_at"))
    return idle.filter(
        Q(since__lt=long_ago) | Q(since__gt=tomorrow) | (Q(since__lt=lately) & ~Exists(entries)),
        ~Exists(entries.filter(made_at__range=(long_ago, tomorrow))),
        ~Exists(checks.filter(made_at__range=(long_ago, tomorrow))),
        ~Exists(kept.filter(club__kept_at__range=(long_ago, tomorrow))),
    )


def _set_notice(which: QuerySet[Pad], notice_at: datetime | None, most: int | None) -> int:
    told = list(which.values_list("pk", "code")[:most])
    for pk, code in told:
        Pad.objects.filter(pk=pk).update(notice_at=notice_at, revision=F("revision") + 1)
        notify.wake(code, notify.PAD)
    return len(told)


@transaction.atomic
def stay(pad: Pad) -> Pad:
    """Keep an unused pad: its notice is taken back, and it counts as used today."""
    Pad.objects.filter(pk=pad.pk).update(
        touched_at=timezone.now(), notice_at=None, revision=F("revision") + 1
    )
    notify.wake(pad.code, notify.PAD)
    return Pad.objects.get(pk=pad.pk)
