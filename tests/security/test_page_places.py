"""Few pages are worked on at once; taps and pictures need no place among them."""

import threading
import time

import pytest

from config import asgi
from ratelimit import page_places
from ratelimit.page_places import Places
from ratelimit.work_budget import WorkBudget, WorkRule, WorkRules, on_account
from scorepad.limits import limit

PATIENCE = 10


def visitor(work, *given):
    thread = threading.Thread(target=work, args=given, daemon=True)
    thread.start()
    return thread


class Visits:
    """Who is at work, and how many were at most at once."""

    def __init__(self, here):
        self.here, self.now, self.most, self.lock = here, 0, 0, threading.Lock()

    def __call__(self):
        with self.here.taken():
            with self.lock:
                self.now += 1
                self.most = max(self.most, self.now)
            time.sleep(0.02)
            with self.lock:
                self.now -= 1


def test_so_many_work_at_once_and_all_have_their_turn():
    visits = Visits(Places(2, PATIENCE))
    for thread in [visitor(visits) for _ in range(7)]:
        thread.join(PATIENCE)
    assert (visits.most, visits.now) == (2, 0)


def test_nobody_waits_for_ever_for_one_who_keeps_his_place():
    here, went = Places(1, 0.05), []
    with here.taken():
        thread = visitor(lambda: here.taken().__enter__() or went.append(1))
        thread.join(PATIENCE)
    assert went == [1]


def test_who_waits_for_another_turn_leaves_his_place():
    here, order = Places(1, PATIENCE), []

    def other():
        with here.taken():
            order.append("other")

    with here.taken():
        thread = visitor(other)
        with page_places.left():
            thread.join(PATIENCE)
        order.append("first")
    assert order == ["other", "first"]
    with page_places.left():
        order.append("no place needed")


def test_who_has_left_his_place_does_not_wait_for_ever_to_have_it_again():
    here = Places(1, 0.05)
    keeps, done, returned = threading.Event(), threading.Event(), threading.Event()

    def keeper():
        with here.taken():
            keeps.set()
            done.wait(PATIENCE)

    def leaver():
        with here.taken():
            with page_places.left():
                visitor(keeper)
                keeps.wait(PATIENCE)
            returned.set()

    leaving = visitor(leaver)
    assert returned.wait(PATIENCE)
    leaving.join(PATIENCE)
    # His place was another's by then: it is given back once.
    assert not here.free.acquire(blocking=False)
    done.set()
    assert here.free.acquire(timeout=PATIENCE) and not here.free.acquire(blocking=False)


def test_a_page_that_waits_for_its_turn_at_long_logs_keeps_no_place():
    rule = WorkRule(100, 1, 5)
    budget = WorkBudget(lambda: WorkRules(rule, rule, PATIENCE, "Spent.", "Busy."))
    here, began, done = Places(1, PATIENCE), threading.Event(), threading.Event()

    def long_log():
        with on_account(lambda: "a"), budget.spend():
            began.set()
            done.wait(PATIENCE)

    def page():
        with here.taken(), on_account(lambda: "b"), budget.spend():
            pass

    threads = [visitor(long_log)]
    began.wait(PATIENCE)
    threads.append(visitor(page))
    while not budget._present["b"]:
        time.sleep(0.01)
    with here.taken():
        done.set()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()


def scope(method, path, length=None):
    headers = [(b"content-length", str(length).encode())] if length is not None else []
    return {"method": method, "path": path, "headers": headers}


@pytest.mark.parametrize(
    ("asked", "pool"),
    [
        (scope("POST", "/pads/abc/entries/", 200), "tap_threads"),
        (scope("POST", "/pads/abc/tap/", 4_096), "tap_threads"),
        (scope("POST", "/pads/abc/draft/", 90), "tap_threads"),
        (scope("POST", "/pads/abc/entries/", 4_097), "page_threads"),
        (scope("POST", "/pads/abc/entries/"), "page_threads"),
        (scope("GET", "/pads/abc/tap/", 0), "page_threads"),
        (scope("POST", "/pads/abc/checks/", 20), "page_threads"),
        (scope("GET", "/"), "page_threads"),
        (scope("GET", "/images/a.jpg"), "image_threads"),
    ],
)
def test_taps_have_threads_of_their_own_and_all_but_pictures_need_a_place(asked, pool):
    application, threads = asgi.way_of(asked)
    assert threads is getattr(asgi, pool)
    assert (application is asgi.in_place) == (pool == "page_threads")


@pytest.mark.parametrize("pool", ["page_threads", "tap_threads"])
def test_those_who_wait_for_their_turn_at_long_logs_leave_a_thread_for_others(pool):
    assert getattr(asgi, pool)._max_workers > limit("REPLAYS_WAITING_MOST")
