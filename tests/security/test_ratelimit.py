"""Guessing and making are limited by address, in a small table; spoofed addresses do not help."""

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta

import pytest
from django.db import Error, connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

import engine
from people import invitations
from ratelimit import client_address, limiter
from ratelimit.limiter import RateLimitError, Rule
from ratelimit.models import Count
from scorepad import limits, new_pads
from scorepad.access import join_codes, permissions
from scorepad.models import Pad
from tests.people.conftest import make_person
from tests.scorepad.conftest import Phone, seated, sit_down

PROXY = ["10.0.0.0/8", "fd00::/8"]


@pytest.fixture(autouse=True)
def _nothing_blocked(monkeypatch):
    """Each test has the empty memory of a fresh process."""
    monkeypatch.setattr(limiter, "_blocked", {})


@pytest.mark.parametrize(
    ("remote", "forwarded", "found"),
    [
        ("203.0.113.9", "", "203.0.113.9"),
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
        ("203.0.113.9", "10.0.0.1", "203.0.113.9"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "1.1.1.1, 198.51.100.1, 10.9.9.9", "198.51.100.1"),
        ("10.0.0.1", "10.0.0.7", "10.0.0.7"),
        ("10.0.0.1", "1.1.1.1, nonsense", "10.0.0.1"),
        ("10.0.0.1", "1.1.1.1, unknown, 10.0.0.2", "10.0.0.2"),
        ("10.0.0.1", "198.51.100.1:4711", "198.51.100.1"),
        ("fd00::1", "[2001:db8::7]:80", "2001:db8::7"),
        ("10.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", ", ,", "10.0.0.1"),
        ("", "198.51.100.1", ""),
    ],
)
def test_the_last_hop_that_no_trusted_proxy_stands_behind_is_the_client(remote, forwarded, found):
    assert client_address.client(remote, forwarded, PROXY) == found


def test_without_trusted_proxies_nothing_that_is_told_counts():
    assert client_address.client("127.0.0.1", "198.51.100.1", []) == "127.0.0.1"


def test_a_socket_without_address_is_trusted_only_when_named():
    assert client_address.client("", "198.51.100.1", ["unix"]) == "198.51.100.1"


def test_ipv6_is_counted_by_the_line_not_by_the_address():
    one, other = (
        client_address.counted_under("2001:db8:1:2::1", ""),
        client_address.counted_under("2001:db8:1:2:ffff::9", ""),
    )
    assert one == other == "2001:db8:1:2::/64"
    assert client_address.counted_under("2001:db8:1:3::1", "") != one
    assert client_address.counted_under("::ffff:192.0.2.1", "") == client_address.counted_under(
        "192.0.2.1", ""
    )


RULE = Rule("test", 3, 60, "Wait {wait}.")


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands until it is moved; it begins at the start of a window."""
    now = [timezone.now().replace(second=0, microsecond=0)]
    monkeypatch.setattr(limiter.timezone, "now", lambda: now[0])

    def pass_seconds(seconds):
        now[0] += timedelta(seconds=seconds)

    return pass_seconds


def test_so_many_turns_and_no_more(db, clock):
    for _ in range(3):
        limiter.check(RULE, "a")
        limiter.count(RULE, "a")
    with pytest.raises(RateLimitError):
        limiter.check(RULE, "a")
    limiter.check(RULE, "b")


def test_after_the_wait_that_was_told_there_is_a_turn_again_and_not_before(db, clock):
    clock(50)
    for _ in range(3):
        limiter.count(RULE, "a")
    with pytest.raises(RateLimitError):
        limiter.check(RULE, "a")
    limiter.count(RULE, "a")
    # The border between two windows gives nothing away.
    clock(11)
    with pytest.raises(RateLimitError) as told:
        limiter.check(RULE, "a")
    assert str(told.value) == ("Wait a minute." if told.value.seconds <= 60 else "Wait 2 minutes.")
    clock(told.value.seconds - 3)
    with pytest.raises(RateLimitError):
        limiter.check(RULE, "a")
    clock(3)
    limiter.check(RULE, "a")


def test_rows_whose_time_is_over_go(db, clock):
    for name in "abc":
        limiter.count(RULE, name)
    clock(600)
    limiter.count(RULE, "d")
    assert Count.objects.count() == 1


def test_a_turn_is_taken_under_every_rule_or_under_none(db, clock):
    wide = Rule("wide", 5, 60, "Wait {wait}.")
    turns = [limiter.take([(RULE, "a"), (wide, "a")]) for _ in range(3)]
    with pytest.raises(RateLimitError):
        limiter.take([(wide, "a"), (RULE, "a")])
    assert {row.kind: row.count for row in Count.objects.all()} == {"test": 3, "wide": 3}
    limiter.give_back(turns[0])
    limiter.take([(RULE, "a")])
    limiter.clear(RULE, "a")
    assert {row.kind: row.count for row in Count.objects.all()} == {"wide": 2}


def test_with_finer_windows_a_pause_lasts_nearly_the_whole_time(db, clock):
    fine = Rule("fine", 3, 600, "Wait {wait}.", windows=10)
    clock(50)
    for _ in range(3):
        limiter.take([(fine, "a")])
    clock(540)
    with pytest.raises(RateLimitError) as told:
        limiter.check(fine, "a")
    clock(told.value.seconds - 3)
    with pytest.raises(RateLimitError):
        limiter.check(fine, "a")
    clock(3)
    limiter.check(fine, "a")


def test_addresses_are_not_kept_in_the_clear(db):
    limiter.count(RULE, "203.0.113.9")
    assert Count.objects.get().address.isalnum() and len(Count.objects.get().address) == 64


def test_short_codes_cannot_be_guessed_for_long(db, settings):
    settings.JOIN_GUESSES_PER_ADDRESS_MOST = 3
    table = sit_down()
    code = table.player.post("join/").json()["code"]
    tried = [Phone(None).post("/pads/join/", {"code": f"AAAA{n}B"}).status_code for n in range(2, 5)]
    assert tried == [422, 422, 422]
    answer = Phone(None).post("/pads/join/", {"code": code})
    assert answer.status_code == 429 and int(answer.headers["Retry-After"]) > 0
    assert answer.json()["error"]["message"].startswith("Too many codes")
    page = Client().post("/join/", {"code": code})
    assert page.status_code == 429 and "Retry-After" in page.headers
    # Writing another address into the header changes nothing; coming from another address does.
    spoofed = Client().post("/join/", {"code": code}, headers={"X-Forwarded-For": "198.51.100.1"})
    assert spoofed.status_code == 429
    assert Client(REMOTE_ADDR="198.51.100.1").post("/join/", {"code": code}).status_code == 302


def test_behind_a_trusted_proxy_its_clients_are_told_apart(db, settings):
    settings.TRUSTED_PROXIES, settings.JOIN_GUESSES_PER_ADDRESS_MOST = ["127.0.0.0/8"], 1
    told = [
        Client().post("/join/", {"code": "AAAAAA"}, headers={"X-Forwarded-For": f"9.9.9.9, {address}"})
        for address in ("198.51.100.1", "198.51.100.1", "198.51.100.2")
    ]
    assert [answer.status_code for answer in told] == [422, 429, 422]


def test_tokens_that_never_were_are_counted_and_old_links_are_not(db, settings):
    settings.TOKEN_GUESSES_PER_ADDRESS_MOST = 3
    table = sit_down()
    table.keeper.post("links/", {"revoke": "watch"})
    for _ in range(5):
        assert Client().get(f"/pads/{table.code}/{table.watcher.token}").status_code == 404
        assert table.watcher.get("result.json").status_code == 404
    assert table.player.get("result.json").status_code == 200
    guesses = [Client().get(f"/pads/{table.code}/{'x' * 31}{n}").status_code for n in range(4)]
    assert guesses == [404, 404, 404, 429]
    wrong = Phone("y" * 32, table.code).get("result.json")
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (429, "too-often")
    assert "Retry-After" in wrong.headers
    evening = Phone("y" * 32).get("/evenings/anything/evening.json")
    assert evening.status_code == 429 and "Retry-After" in evening.headers


def test_whoever_has_a_cookie_is_not_shut_out_by_others_who_guess(db, settings):
    settings.TOKEN_GUESSES_PER_ADDRESS_MOST = 1
    table, client = sit_down(), Client()
    client.get(f"/pads/{table.code}/{table.player.token}")
    for status in (404, 429):
        assert Client().get(f"/pads/{table.code}/{'x' * 32}").status_code == status
    assert client.get(f"/pads/{table.code}/").status_code == 200


def test_invitations_cannot_be_guessed_and_old_ones_may_be_opened_again(db, settings):
    settings.INVITATION_GUESSES_PER_ADDRESS_MOST = 2
    token = invitations.invite("curator", "Ada", make_person("Kim Lee", "keeper"))
    old = invitations.invite("curator", "Ada", days=-1)
    for _ in range(4):
        assert Client().get(f"/people/invitation/{old}").status_code == 404
    assert Client().get(f"/people/invitation/{token}").status_code == 200
    assert [Client().get(f"/people/invitation/{'x' * 32}").status_code for _ in range(3)] == [404, 404, 429]
    answer = Client().get(f"/people/invitation/{'y' * 32}")
    assert answer.status_code == 429 and "Too many invitations" in answer.content.decode()
    assert Client().get(f"/people/invitation/{token}").status_code == 200, "guesses shut nobody out"


def test_signing_in_is_paused_by_the_same_address(db, settings):
    settings.SIGN_IN_FAILURES_MOST = 1
    make_person("Kim Lee", "keeper")
    wrong = {"name": "Kim Lee", "password": "wrong"}
    assert Client(REMOTE_ADDR="2001:db8::1").post("/people/sign-in/", wrong).status_code == 422
    paused = Client(REMOTE_ADDR="2001:db8::2").post("/people/sign-in/", wrong)
    assert paused.status_code == 429 and paused.headers["Retry-After"] == "900"
    assert "Wait 15 minutes, then try again." in paused.content.decode()
    settings.SIGN_IN_PAUSE_MINUTES = 1
    paused = Client(REMOTE_ADDR="2001:db8::2").post("/people/sign-in/", wrong)
    assert "Wait a minute, then try again." in paused.content.decode()
    del settings.SIGN_IN_PAUSE_MINUTES
    spoofed = {"X-Forwarded-For": "198.51.100.1"}
    assert (
        Client(REMOTE_ADDR="2001:db8::1").post("/people/sign-in/", wrong, headers=spoofed).status_code == 429
    )
    assert Client(REMOTE_ADDR="2001:db8:0:1::1").post("/people/sign-in/", wrong).status_code == 422


WISH = {"game": "rummy-1916", "players": ["Ann", "Bert"]}


def test_one_address_begins_only_so_many_pads(db, settings):
    settings.PADS_MADE_PER_ADDRESS_MOST = 4
    table = seated(Phone(None).post("/pads/", WISH).json())
    assert Phone(None).post("/pads/", WISH).status_code == 201
    # What is refused costs no turn.
    assert Phone(None).post("/pads/", {"game": "chess"}).status_code == 422
    assert Phone(None).post("/pads/import/", {"tally": 1, **WISH}).status_code == 201
    assert Client().post("/pads/new/", {"game": "rummy-1916", "name": ["Ann", "Bert"]}).status_code == 302
    full = [
        Phone(None).post("/pads/", WISH),
        Phone(None).post("/pads/import/", {"tally": 1, **WISH}),
        Client().post("/pads/new/", {"game": "rummy-1916", "name": ["Ann", "Bert"]}),
        Client().post("/pads/samples/", {"sheet": "victory-rummy/0"}),
        table.keeper.post("rematch/"),
        table.keeper.post("again/", {"players": ["Ann", "Bert"]}),
    ]
    assert [answer.status_code for answer in full] == [429] * 6
    assert all(
        "Very many pads" in answer.content.decode() and "Retry-After" in answer.headers for answer in full
    )
    assert Pad.objects.count() == 4
    assert (
        Client(REMOTE_ADDR="10.1.1.1").post("/pads/", WISH, content_type="application/json").status_code
        == 201
    )


def test_all_together_begin_only_so_many(db, settings):
    settings.PADS_MADE_IN_ALL_MOST = 2
    made = [
        Client(REMOTE_ADDR=f"10.1.1.{n}").post("/pads/", WISH, content_type="application/json").status_code
        for n in range(3)
    ]
    assert made == [201, 201, 429]


@pytest.mark.parametrize("minutes", [3, 20, 60] if os.environ.get("SOAK") else [20])
def test_by_default_a_club_behind_one_address_begins_200_pads_in_every_hour(db, monkeypatch, minutes):
    """However it spreads them over the hour, and evening after evening."""
    began = timezone.now().replace(minute=0, second=0, microsecond=0)
    assert limits.pads_per_address().seconds == 3600
    for hour in range(3):
        for nth in range(200):
            now = began + timedelta(hours=hour, minutes=minutes * nth / 200)
            monkeypatch.setattr(limiter.timezone, "now", lambda now=now: now)
            begin_pads("203.0.113.9")


def begin_pads(address, number=1):
    """So many new pads as far as the counts go."""
    for _ in range(number):
        with new_pads.creation_limit(RequestFactory().post("/pads/", REMOTE_ADDR=address)):
            pass


def test_four_addresses_at_once_leave_the_site_to_others(db, clock, monkeypatch):
    """And when many addresses have used up half of it, those that have made few are served still."""
    monkeypatch.setattr(new_pads.expiry, "once_a_day", lambda: None)
    most = limits.limit("PADS_MADE_IN_ALL_MOST")
    for flooder in ("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"):
        with pytest.raises(RateLimitError):
            begin_pads(flooder, most)
    made = limiter.used(limits.pads_per_site(), limits.EVERY_ADDRESS)
    assert made == 4 * limits.limit("PADS_MADE_PER_MINUTE_MOST") <= most / 4
    begin_pads("203.0.113.9", 100)


def test_what_is_left_when_it_runs_short_is_for_those_who_have_made_few(db, clock, settings, monkeypatch):
    monkeypatch.setattr(new_pads.expiry, "once_a_day", lambda: None)
    settings.PADS_MADE_IN_ALL_MOST, settings.PADS_MADE_PER_ADDRESS_MOST = 40, 20
    with pytest.raises(RateLimitError):
        begin_pads("10.0.0.1", 40)
    assert limiter.used(limits.pads_per_site(), limits.EVERY_ADDRESS) == 20
    with pytest.raises(RateLimitError):
        begin_pads("10.0.0.2", 40)
    assert limiter.used(limits.pads_per_site(), limits.EVERY_ADDRESS) == 30
    for nth in range(10):
        begin_pads(f"10.0.1.{nth}")
        with pytest.raises(RateLimitError):
            begin_pads(f"10.0.1.{nth}")
    with pytest.raises(RateLimitError):
        begin_pads("10.0.2.1")


def test_of_many_codes_tried_at_once_no_more_are_judged_than_one_after_the_other(committed, monkeypatch):
    table, judged = sit_down(), []
    looked_up = join_codes._code
    monkeypatch.setattr(join_codes, "_code", lambda typed: judged.append(typed) or looked_up(typed))

    def guess(nth):
        try:
            join_codes.exchange(f"AAAA{nth:04}", "203.0.113.9")
        except (RateLimitError, engine.Refused, Error):
            pass
        finally:
            connection.close()

    with ThreadPoolExecutor(12) as threads:
        list(threads.map(guess, range(120)))
    assert len(judged) == limits.limit("JOIN_GUESSES_PER_ADDRESS_MOST")
    with pytest.raises(RateLimitError):
        join_codes.exchange(table.player.post("join/").json()["code"], "203.0.113.9")


def test_polling_a_deleted_pad_shuts_no_valid_link_out(db, settings):
    settings.TOKEN_GUESSES_PER_ADDRESS_MOST = 3
    gone, table = sit_down(), sit_down()
    evening = table.keeper.post("rematch/").json()["evening"]
    gone.keeper.post("delete/")
    polled = [gone.player.get("result.json").status_code for _ in range(5)]
    assert polled == [404, 404, 404, 429, 429]
    assert table.player.get("result.json").status_code == 200
    assert table.player.get(f"{evening}evening.json").status_code == 200
    assert Client().get(f"/pads/{table.code}/{table.player.token}").status_code == 302


def test_a_right_token_costs_no_more_questions_when_others_were_wrong(db, settings):
    settings.TOKEN_GUESSES_PER_ADDRESS_MOST = 1
    table, counted = sit_down(), []
    for guessed in (0, 1):
        with CaptureQueriesContext(connection) as asked:
            assert permissions.by_token("203.0.113.9", table.code, table.player.token)
        counted.append(len(asked))
        if not guessed:
            for _ in range(2):
                with suppress(RateLimitError):
                    permissions.by_token("203.0.113.9", table.code, "x" * 32)
    assert counted == [1, 1]


def test_by_default_a_club_behind_one_address_holds_300_streams():
    assert limits.DEFAULTS["STREAMS_PER_ADDRESS_MOST"] >= 300
