"""Budget of dear work: seconds of processor by address and for all, and how many may do it at once.

It is kept in the memory of this process: nothing is written for it, and a restart fills it up again. The work
is measured, not counted, so what is refused in the end is paid for like what succeeds.
"""

from __future__ import annotations

import math
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from ratelimit import page_places
from ratelimit.limiter import RateLimitError

MAX_ADDRESSES = 10_000
EVERYONE = ""
"""The address under which all are counted together."""


class BusyError(RateLimitError):
    """So many are doing this already that one more would make everybody wait."""

    status, code = 503, "busy"


@dataclass(frozen=True)
class WorkRule:
    """Seconds of processor that can be saved up, the share of a processor that fills them up again, and how
    many may work or wait for their turn at once."""

    seconds: float
    share: float
    at_once: int


@dataclass(frozen=True)
class WorkRules:
    """The rules for one address and for all together, and how long one waits for its turn."""

    address: WorkRule
    everyone: WorkRule
    wait_seconds: float
    says_spent: str
    says_busy: str


_account: ContextVar[Callable[[], str] | None] = ContextVar("account", default=None)
"""The address that pays for what is done now; None for the site's own commands."""


@contextmanager
def on_account(address: Callable[[], str]) -> Iterator[None]:
    """All dear work in here is paid for by this address, which is asked for when there is any."""
    before = _account.set(address)
    try:
        yield
    finally:
        _account.reset(before)


class WorkBudget:
    """One kind of dear work. One request does it at a time: with more the others would not be done sooner."""

    def __init__(self, rules: Callable[[], WorkRules], clock: Callable[[], float] = time.thread_time) -> None:
        self.rules, self.clock = rules, clock
        self._saved: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._present: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._turn = threading.Lock()
        self._working = ContextVar("working", default=False)

    @contextmanager
    def spend(self) -> Iterator[None]:
        """Do dear work in here: raises RateLimitError when the budget is spent, BusyError when too many wait.

        Work within work is paid for once; the site's own commands are free.
        """
        account = _account.get()
        if account is None or self._working.get():
            yield
            return
        address, rules = account(), self.rules()
        self._enter(address, rules)
        try:
            with page_places.left():
                has_turn = self._turn.acquire(timeout=rules.wait_seconds)
            if not has_turn:
                raise BusyError(rules.says_busy, 1)
            try:
                yield from self._measured(address, rules)
            finally:
                self._turn.release()
        finally:
            self._leave(address)

    def _measured(self, address: str, rules: WorkRules) -> Iterator[None]:
        inner, begin = self._working.set(True), self.clock()
        try:
            yield
        finally:
            self._working.reset(inner)
            spent = self.clock() - begin
            with self._lock:
                self._take(address, rules.address, spent)
                self._take(EVERYONE, rules.everyone, spent)

    def _enter(self, address: str, rules: WorkRules) -> None:
        with self._lock:
            for key, rule in ((address, rules.address), (EVERYONE, rules.everyone)):
                left = self._take(key, rule, 0)
                if left <= 0:
                    raise RateLimitError(rules.says_spent, max(1, math.ceil((1 - left) / rule.share)))
                if self._present[key] >= rule.at_once:
                    raise BusyError(rules.says_busy, 1)
            self._present.update((address, EVERYONE))

    def _leave(self, address: str) -> None:
        with self._lock:
            self._present.subtract((address, EVERYONE))
            self._present += Counter()  # Those who are gone are forgotten.

    def _take(self, key: str, rule: WorkRule, spent: float) -> float:
        """Take seconds off what a key has saved up until now; returns what is left."""
        now = time.monotonic()
        saved, at = self._saved.pop(key, (rule.seconds, now))
        left = min(rule.seconds, saved + (now - at) * rule.share) - spent
        if left < rule.seconds:
            self._saved[key] = (left, now)
            while len(self._saved) > MAX_ADDRESSES:
                self._saved.popitem(last=False)
        return left

    def forget(self) -> None:
        """Clear this process's memory, as a fresh process has none."""
        with self._lock:
            self._saved.clear()
