"""Counting by address in a small table of our own, so that nothing else has to run beside the database.

Time goes in windows. What counts is the present window and the share of the one before it that is still
within reach, so that the border between two windows cannot be used to do everything twice.
"""

import math
from dataclasses import dataclass
from typing import Any

from django.db import Error, IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from ratelimit.limits import in_minutes
from ratelimit.models import Count


class RateLimitError(Exception):
    """This was done too often from one address. The sentence says what to do instead, and when."""

    def __init__(self, says: str, seconds: int) -> None:
        self.says = says.format(wait=in_minutes(math.ceil(seconds / 60)))
        self.seconds = seconds
        super().__init__(self.says)


@dataclass(frozen=True)
class Rule:
    """So often in so many seconds, and what is said of more; {wait} in it is the time that is left."""

    kind: str
    most: int
    seconds: int
    says: str


_shut: dict[str, float] = {}
SHUT_MOST = 10_000


def check(rule: Rule, address: str) -> None:
    """Raise TooOften if there is no turn left."""
    key = _hashed(address)
    now = timezone.now().timestamp()
    window, gone = divmod(now, rule.seconds)
    counts = dict(
        Count.objects.filter(
            kind=rule.kind, address=key, window__in=(int(window), int(window) - 1)
        ).values_list("window", "count")
    )
    present, before = counts.get(int(window), 0), counts.get(int(window) - 1, 0)
    if present + before * (1 - gone / rule.seconds) >= rule.most:
        raise RateLimitError(rule.says, _wait(rule, present, before, gone))


def _wait(rule: Rule, present: int, before: int, gone: float) -> int:
    """Seconds until there is a turn again, if nothing more is tried."""
    if present < rule.most:
        return max(1, math.ceil(rule.seconds * (1 - (rule.most - present) / before) - gone) + 1)
    return max(1, math.ceil(rule.seconds - gone + rule.seconds * (1 - rule.most / present)) + 1)


def count(rule: Rule, address: str) -> None:
    """Note one more. Rows whose time is over go when a new one comes."""
    now = timezone.now().timestamp()
    window = int(now // rule.seconds)
    which: dict[str, Any] = {"kind": rule.kind, "address": _hashed(address), "window": window}
    with transaction.atomic():
        if Count.objects.filter(**which).update(count=F("count") + 1):
            return
        Count.objects.filter(until__lt=int(now)).delete()
        try:
            with transaction.atomic():
                Count.objects.create(**which, count=1, until=(window + 2) * rule.seconds)
        except IntegrityError:
            # Somebody else made the row in between.
            Count.objects.filter(**which).update(count=F("count") + 1)


def miss(rule: Rule, address: str) -> None:
    """Note a wrong guess. It is refused anyway, so a database that cannot write now does not matter."""
    try:
        count(rule, address)
        check(rule, address)
    except Error:
        return
    except RateLimitError as fault:
        if len(_shut) >= SHUT_MOST:
            _shut.clear()
        _shut[f"{rule.kind} {address}"] = timezone.now().timestamp() + fault.seconds


def check_quickly(rule: Rule, address: str) -> None:
    """The same as check, from this process's own memory, for what happens at every tap."""
    until = _shut.get(f"{rule.kind} {address}")
    if until is None:
        return
    seconds = until - timezone.now().timestamp()
    if seconds > 0:
        raise RateLimitError(rule.says, math.ceil(seconds))
    _shut.pop(f"{rule.kind} {address}", None)


def forget() -> None:
    """As a fresh process does."""
    _shut.clear()


def _hashed(address: str) -> str:
    return salted_hmac("turnstile", address, algorithm="sha256").hexdigest()
