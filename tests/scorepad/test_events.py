"""The stream of a pad, over HTTP against a running server."""

import itertools
import queue
import time

import pytest

from tests.scorepad.conftest import victory
from tests.scorepad.live_server import Listener, Server, free_port

COLORS = itertools.cycle(["red", "white", "blue"])


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("served"), free_port())
    server.prepare()
    server.start()
    yield server
    server.kill()


@pytest.fixture
def pad(server):
    return server.make_pad()


def deal(names):
    """Entries that always stand: everyone in turn is out with two VICTORIES and no AXIS card is left."""
    for count in itertools.count():
        player = names[count % len(names)]
        yield {"type": "victory", "player": player, "color": next(COLORS)}
        yield {"type": "victory", "player": player, "color": next(COLORS)}
        yield {"type": "axis", "player": player, "cards": 0}


def test_a_phone_is_greeted_with_the_head_the_names_and_the_draft(server, pad):
    phone = Listener(server, pad["code"], pad["watch"])
    assert phone.next("hello")[2] == {"head": 0, "role": "watch"}
    assert phone.next("pad")[2]["players"] == ["Ann", "Bert", "Cleo"]
    assert phone.next("draft")[2] == {"draft": None}
    phone.close()


def test_every_phone_at_the_table_hears_of_an_entry_within_a_second(server, pad):
    phones = [Listener(server, pad["code"], pad[role]) for role in ("keep", "play", "watch", "watch")]
    for phone in phones:
        phone.next("hello")
    began = time.monotonic()
    server.enter(pad, victory("a1"))
    assert [phone.next("entry", 1)[1:] for phone in phones] == [(1, {"number": 1, "id": "a1"})] * 4
    assert time.monotonic() - began < 1
    for phone in phones:
        phone.close()


def test_another_table_hears_nothing(server, pad):
    other = server.make_pad()
    phone = Listener(server, other["code"], other["watch"])
    phone.next("hello")
    server.enter(pad, victory("a1"))
    with pytest.raises(queue.Empty):
        phone.next("entry", 0.5)
    phone.close()


def test_a_refused_entry_wakes_nobody(server, pad):
    phone = Listener(server, pad["code"], pad["watch"])
    phone.next("hello")
    server.enter(pad, {"id": "x", "type": "axis", "player": "Ann", "cards": 0})
    with pytest.raises(queue.Empty):
        phone.next("entry", 0.5)
    phone.close()


def test_a_phone_that_comes_back_gets_what_it_missed_in_order(server, pad):
    server.enter(pad, victory("a1"), victory("a2", "Bert"), victory("a3", "Cleo"))
    phone = Listener(server, pad["code"], pad["play"], last=1)
    assert phone.numbers(2) == [2, 3]
    page = Listener(server, pad["code"], pad["play"], after=2)
    assert page.numbers(1) == [3]
    phone.close()
    page.close()


def test_a_phone_far_behind_is_told_to_read_the_whole_sheet(server):
    pad = server.make_pad(options={"target": 10_000})
    entries = deal(["Ann", "Bert", "Cleo"])
    for _ in range(3):
        results = server.enter(pad, *itertools.islice(entries, 40))
        assert {result["status"] for result in results} == {"stored"}
    phone = Listener(server, pad["code"], pad["watch"], last=2)
    assert phone.next("reset")[1:] == (120, {"head": 120})
    server.enter(pad, next(entries))
    assert phone.numbers(1) == [121]
    phone.close()


def test_nothing_is_missed_while_phones_come_and_entries_are_made(server):
    pad = server.make_pad(options={"target": 10_000})
    entries = deal(["Ann", "Bert", "Cleo"])
    phones = []
    for _ in range(30):
        server.enter(pad, next(entries))
        phones.append(Listener(server, pad["code"], pad["watch"], last=0))
    for phone in phones:
        assert phone.numbers(30) == list(range(1, 31))
        phone.close()


def test_after_a_restart_phones_catch_up_and_miss_nothing(server, pad):
    phone = Listener(server, pad["code"], pad["watch"])
    phone.next("hello")
    server.enter(pad, victory("a1"))
    assert phone.numbers(1) == [1]
    server.kill()
    assert phone.ended.wait(5)
    server.start()
    server.enter(pad, victory("a2", "Bert"))
    again = Listener(server, pad["code"], pad["watch"], last=1)
    assert again.numbers(1) == [2]
    again.close()


def test_names_and_stopping_reach_the_phones(server, pad):
    phone = Listener(server, pad["code"], pad["watch"])
    phone.next("pad")
    server.call("POST", f"/pads/{pad['code']}/names/", {"players": ["Anna", "Bert", "Cleo"]}, pad["keep"])
    assert phone.next("pad")[2]["players"][0] == "Anna"
    server.call("POST", f"/pads/{pad['code']}/stop/", {}, pad["keep"])
    assert phone.next("pad")[2]["stopped"]["says"] == "stopped in deal 1"
    phone.close()


def test_the_shared_draft_reaches_the_phones(server):
    pad = server.make_pad(game="rap-rummy")
    phone = Listener(server, pad["code"], pad["watch"])
    phone.next("draft")
    put = [{"field": "hands", "player": "Bert", "value": {"count": 7}}]
    server.call("POST", f"/pads/{pad['code']}/draft/", {"type": "hand", "put": put}, pad["play"])
    assert phone.next("draft")[2]["draft"]["entry"] == {"type": "hand", "hands": {"Bert": {"count": 7}}}
    phone.close()


def test_the_number_of_phones_is_told(server, pad):
    first = Listener(server, pad["code"], pad["watch"])
    second = Listener(server, pad["code"], pad["play"])
    counts = [first.next("watchers")[2]["count"], second.next("watchers")[2]["count"]]
    assert counts[-1] == 2
    second.close()
    while first.next("watchers", 5)[2]["count"] != 1:
        pass
    first.close()


def test_rotating_a_link_closes_its_streams_within_five_seconds(server, pad):
    player = Listener(server, pad["code"], pad["play"])
    watcher = Listener(server, pad["code"], pad["watch"])
    player.next("hello")
    watcher.next("hello")
    server.call("POST", f"/pads/{pad['code']}/links/", {"rotate": "play"}, pad["keep"])
    assert player.ended.wait(5)
    assert not watcher.ended.is_set()
    assert Listener(server, pad["code"], pad["play"]).status == 404
    watcher.close()


def test_deleting_a_pad_closes_its_streams(server, pad):
    watcher = Listener(server, pad["code"], pad["watch"])
    watcher.next("hello")
    server.call("POST", f"/pads/{pad['code']}/delete/", {}, pad["keep"])
    assert watcher.ended.wait(5)


@pytest.mark.parametrize("token", [None, "x" * 32])
def test_a_stranger_hears_nothing(server, pad, token):
    assert Listener(server, pad["code"], token).status == 404


def test_the_token_of_another_pad_opens_no_stream(server, pad):
    assert Listener(server, pad["code"], server.make_pad()["keep"]).status == 404
