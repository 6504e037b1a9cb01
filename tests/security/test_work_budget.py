"""Dear work is measured in seconds of processor, paid for by address, and done by one at a time."""

import threading

import pytest

from ratelimit.limiter import RateLimitError
from ratelimit.work_budget import BusyError, WorkBudget, WorkRule, WorkRules, on_account


class Meter:
    """A clock that only goes on when work is done."""

    def __init__(self):
        self.seconds = 0.0

    def __call__(self):
        return self.seconds


def budget(address=WorkRule(2, 0.1, 1), everyone=WorkRule(6, 0.1, 2), wait=0.05):  # noqa: B008 - frozen
    meter = Meter()
    return WorkBudget(lambda: WorkRules(address, everyone, wait, "Spent.", "Busy."), meter), meter


def work(one, meter, address, seconds=1.01, fault=None):
    with on_account(lambda: address), one.spend():
        meter.seconds += seconds
        if fault:
            raise fault


def test_an_address_that_has_spent_its_seconds_waits_and_others_do_not():
    one, meter = budget()
    work(one, meter, "a")
    work(one, meter, "a")
    with pytest.raises(RateLimitError) as refused:
        work(one, meter, "a")
    assert (refused.value.status, refused.value.says) == (429, "Spent.")
    assert 5 <= refused.value.seconds <= 11
    work(one, meter, "b")


def test_what_ends_in_an_error_is_paid_for_too():
    one, meter = budget()
    for _ in range(2):
        with pytest.raises(ValueError, match="refused"):
            work(one, meter, "a", fault=ValueError("refused"))
    with pytest.raises(RateLimitError):
        work(one, meter, "a")


def test_many_addresses_together_spend_one_budget():
    one, meter = budget()
    for address in "abcdef":
        work(one, meter, address)
    with pytest.raises(RateLimitError):
        work(one, meter, "g")


def test_seconds_come_back_with_time(monkeypatch):
    one, meter = budget()
    work(one, meter, "a", 2)
    now = [1000.0]
    monkeypatch.setattr("ratelimit.work_budget.time.monotonic", lambda: now[0])
    one.forget()
    work(one, meter, "a", 2)
    now[0] += 5
    work(one, meter, "a", 0.1)
    now[0] += 1_000
    work(one, meter, "a", 1.9)
    work(one, meter, "a", 0.2)
    with pytest.raises(RateLimitError):
        work(one, meter, "a")


def test_work_within_work_is_paid_for_once_and_does_not_wait_for_itself():
    one, meter = budget()
    with on_account(lambda: "a"), one.spend(), one.spend():
        meter.seconds += 1
    work(one, meter, "a", 0.9)
    work(one, meter, "a")


def test_the_sites_own_commands_are_free():
    one, meter = budget()
    for _ in range(5):
        with one.spend():
            meter.seconds += 10
    work(one, meter, "a")


def test_so_many_work_or_wait_at_once_and_the_rest_is_told_to_come_again():
    one, meter = budget(WorkRule(2, 0.1, 1), WorkRule(6, 0.1, 2))
    inside, done = threading.Event(), threading.Event()

    def hold():
        with on_account(lambda: "a"), one.spend():
            inside.set()
            done.wait(10)

    holder = threading.Thread(target=hold)
    holder.start()
    assert inside.wait(10)
    with pytest.raises(BusyError) as same_address:
        work(one, meter, "a")
    with pytest.raises(BusyError):
        work(one, meter, "b")  # It waits for its turn, and that does not come.
    done.set()
    holder.join()
    work(one, meter, "b")
    told = same_address.value
    assert (told.status, told.code, told.seconds) == (503, "busy", 1)


def test_only_so_many_addresses_are_remembered(monkeypatch):
    monkeypatch.setattr("ratelimit.work_budget.MAX_ADDRESSES", 3)
    one, meter = budget(everyone=WorkRule(1000, 0.1, 2))
    for address in range(10):
        work(one, meter, str(address))
    assert len(one._saved) == 3
