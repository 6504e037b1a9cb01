"""Rate limiter: counts by key in a table of its own, so that nothing else has to run beside the database.

Time goes in windows. What counts is the present window, those before it within the rule's time, and the share
of the oldest that is still within reach, so that the border between two windows cannot be used to do
everything twice.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import Error, IntegrityError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from ratelimit.configured_limits import in_minutes
from ratelimit.models import Count


class RateLimitError(Exception):
    """This was done too often under one key. The sentence says what to do instead, and when."""

    status, code = 429, "too-often"

    def __init__(self, says: str, seconds: int) -> None:
        self.says = says.format(wait=in_minutes(math.ceil(seconds / 60)))
        self.seconds = seconds
        super().__init__(self.says)


@dataclass(frozen=True)
class Rule:
    """So often in so many seconds, and what is said of more; {wait} in it is the time that is left.

    With more `windows` the time is cut finer, so that a pause lasts nearly the whole time from each turn.
    """

    kind: str
    most: int
    seconds: int
    says: str
    windows: int = 1

    @property
    def width(self) -> float:
        """Seconds of one window."""
        return self.seconds / self.windows


@dataclass(frozen=True)
class Turn:
    """A turn that was counted, and can be given back."""

    kind: str
    key: str
    window: int


Key = str | tuple[str, str]
"""A key of two parts can also be cleared by its first part, whatever the second one is."""
HALF = 32
"""Letters of a hash that stand for each part of such a key."""

_blocked: dict[str, float] = {}
"""Until when a key is refused, as far as this process knows."""
MAX_BLOCKED = 10_000
MAX_REMOVED = 500


def check(rule: Rule, key: Key) -> None:
    """Raise RateLimitError if there is no turn left."""
    _check(rule, _hashed(key))


def _check(rule: Rule, hashed: str, own: int = 0) -> None:
    """The same for a key that is hashed already; `own` turns do not count."""
    counts, gone = _windows(rule, hashed)
    if _sum(rule, counts, gone) - own >= rule.most:
        raise RateLimitError(rule.says, _wait(rule, counts, gone))


def used(rule: Rule, key: Key) -> float:
    """The turns of this key that count now."""
    return _sum(rule, *_windows(rule, _hashed(key)))


def _windows(rule: Rule, hashed: str) -> tuple[list[int], float]:
    """The counts within reach, the newest first, and how many seconds of the newest window are gone."""
    at, gone = divmod(timezone.now().timestamp(), rule.width)
    oldest = int(at) - rule.windows
    found = Count.objects.filter(kind=rule.kind, address=hashed, window__gte=oldest)
    stored = dict(found.values_list("window", "count"))
    return [stored.get(window, 0) for window in range(int(at), oldest - 1, -1)], gone


def _sum(rule: Rule, counts: list[int], gone: float) -> float:
    return sum(counts[:-1]) + counts[-1] * (1 - gone / rule.width)


def _wait(rule: Rule, counts: list[int], gone: float) -> int:
    """Seconds until there is a turn again, if nothing more is tried; the newest count comes first."""
    later, whole, fading = 0, sum(counts[:-1]), counts[-1]
    while whole >= rule.most:
        later += 1
        whole, fading = sum(counts[: -1 - later]), counts[-1 - later]
    share = 1 - (rule.most - whole) / fading if fading else 0
    return max(1, math.ceil(rule.width * (later + share) - gone) + 1)


def count(rule: Rule, key: Key) -> Turn:
    """Count one turn. Rows whose time is over go when a new one comes."""
    now = timezone.now().timestamp()
    turn = Turn(rule.kind, _hashed(key), int(now // rule.width))
    which: dict[str, Any] = {"kind": turn.kind, "address": turn.key, "window": turn.window}
    with transaction.atomic():
        if Count.objects.filter(**which).update(count=F("count") + 1):
            return turn
        _remove_expired(int(now))
        try:
            with transaction.atomic():
                until = math.ceil((turn.window + rule.windows + 1) * rule.width)
                Count.objects.create(**which, count=1, until=until)
        except IntegrityError:
            # Another request made the row in between.
            Count.objects.filter(**which).update(count=F("count") + 1)
    return turn


def _remove_expired(now: int) -> None:
    """Remove rows that no longer count, but for those that another request removes: two that wait for each
    other's rows, while they hold counts of their own, would be a deadlock."""
    expired = Count.objects.filter(until__lt=now).select_for_update(skip_locked=True)
    if gone := list(expired.values_list("pk", flat=True)[:MAX_REMOVED]):
        Count.objects.filter(pk__in=gone).delete()


@transaction.atomic
def take(wanted: Iterable[tuple[Rule, Key]]) -> list[Turn]:
    """Count a turn under each rule and key, or under none: RateLimitError if one of them has no turn left.

    The row is counted up before it is read, and held until the end: of many at once, no more get a turn than
    one after the other would.
    """
    turns = []
    for rule, key in wanted:
        turns.append(count(rule, key))
        _check(rule, turns[-1].key, own=1)
    return turns


def give_back(turns: Iterable[Turn]) -> None:
    """Take these turns off the counts again."""
    for turn in turns:
        row = Count.objects.filter(kind=turn.kind, address=turn.key, window=turn.window, count__gt=0)
        row.update(count=F("count") - 1)


def counts(rule: Rule, key: Key) -> dict[int, int]:
    """The turns of this key, by window."""
    return dict(Count.objects.filter(kind=rule.kind, address=_hashed(key)).values_list("window", "count"))


def subtract(rule: Rule, key: Key, turns: Mapping[int, int]) -> None:
    """Take so many turns off each window of this key."""
    for window, number in turns.items():
        row = Count.objects.filter(kind=rule.kind, address=_hashed(key), window=window, count__gte=number)
        row.update(count=F("count") - number)


def clear(rule: Rule, key: Key) -> None:
    """Forget every turn of this key."""
    Count.objects.filter(kind=rule.kind, address=_hashed(key)).delete()


def clear_all(rule: Rule, first: str) -> None:
    """Forget every turn of the keys of two parts that begin with this one."""
    Count.objects.filter(kind=rule.kind, address__startswith=_hashed(first)[:HALF]).delete()


def record_failure(rule: Rule, address: str) -> None:
    """Count a wrong guess, which is answered only if there was a turn left; raises RateLimitError else.

    It is refused anyway, so a database that cannot write now does not matter. For keys too long to guess: the
    right ones are never counted, and work however many wrong ones came from the same address.
    """
    _check_memory(rule, address)
    try:
        take([(rule, address)])
    except Error:
        return
    except RateLimitError as fault:
        if len(_blocked) >= MAX_BLOCKED:
            _blocked.clear()
        _blocked[f"{rule.kind} {address}"] = timezone.now().timestamp() + fault.seconds
        raise


def _check_memory(rule: Rule, address: str) -> None:
    """The same as check, from this process's own memory: a flood of wrong guesses writes nothing."""
    until = _blocked.get(f"{rule.kind} {address}")
    if until is None:
        return
    seconds = until - timezone.now().timestamp()
    if seconds > 0:
        raise RateLimitError(rule.says, math.ceil(seconds))
    _blocked.pop(f"{rule.kind} {address}", None)


def _hashed(key: Key) -> str:
    if isinstance(key, tuple):
        return _hashed(key[0])[:HALF] + _hashed("\n".join(key))[:HALF]
    return salted_hmac("turnstile", key, algorithm="sha256").hexdigest()
