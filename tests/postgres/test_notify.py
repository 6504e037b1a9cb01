"""Two processes on one PostgreSQL: what is entered at one is heard at the other, through notices."""

import os
import queue
import time

import pytest
from django.db import connection

from tests.postgres.private_server import ask
from tests.postgres.processes import in_time
from tests.scorepad.conftest import axis, victory
from tests.scorepad.live_server import Listener, Server, free_port

pytestmark = pytest.mark.skipif("TEST_DATABASE_URL" not in os.environ, reason="needs PostgreSQL")

EARS = "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """Two servers on one database. Their sweep sleeps, so only notices can help."""
    var = tmp_path_factory.mktemp("served-twice")
    servers = [Server(var, free_port(), "tests.postgres.no_sweep_settings") for _ in range(2)]
    servers[0].prepare()
    for server in servers:
        server.start()
    yield servers
    for server in servers:
        server.kill()


def heard(phone, server, pad, entry):
    began = time.monotonic()
    assert server.enter(pad, entry)[0]["status"] == "stored"
    assert phone.next("entry", 10)[2]["id"] == entry["id"]
    return time.monotonic() - began


def test_an_entry_at_one_is_heard_at_the_other_within_a_second(two):
    here, there = two
    pad = here.make_pad()
    phone = Listener(there, pad["code"], pad["watch"])
    phone.next("hello")
    wait_for_ears(here, 1)
    in_time([heard(phone, here, pad, entry) for entry in (victory("a1"), victory("a2"), axis("a3"))])
    phone.close()


def test_names_drafts_and_revoked_links_reach_the_other_process(two):
    here, there = two
    pad = here.make_pad()
    phone = Listener(there, pad["code"], pad["watch"])
    phone.next("hello")
    phone.next("pad")
    wait_for_ears(here, 1)
    here.call("POST", f"/pads/{pad['code']}/names/", {"players": ["Anna", "Bert", "Cleo"]}, pad["keep"])
    assert phone.next("pad")[2]["players"][0] == "Anna"
    here.call("POST", f"/pads/{pad['code']}/links/", {"rotate": "watch"}, pad["keep"])
    assert phone.ended.wait(5)


def test_without_a_notice_nothing_is_heard_and_a_notice_alone_is_enough(two):
    """The control: rows changed behind the site's back reach nobody, until somebody says a word."""
    here, there = two
    pad = here.make_pad()
    phone = Listener(there, pad["code"], pad["watch"])
    phone.next("pad")
    wait_for_ears(here, 1)
    ask(
        here.database,
        f"UPDATE scorepad_pad SET revision = revision + 1, dealer = 1 WHERE code = '{pad['code']}'",
    )
    with pytest.raises(queue.Empty):
        phone.next("pad", 2)
    ask(here.database, f"SELECT pg_notify('scorepad', 'elsewhere {pad['code']} pad')")
    assert phone.next("pad", 10)
    phone.close()


def test_a_process_that_lost_its_notices_listens_again(two):
    here, there = two
    pad = here.make_pad()
    phone = Listener(there, pad["code"], pad["watch"])
    phone.next("hello")
    [before] = wait_for_ears(here, 1)
    ask(here.database, f"SELECT pg_terminate_backend({before})")
    deadline = time.monotonic() + 10
    while wait_for_ears(here, 1) == [before] and time.monotonic() < deadline:
        time.sleep(0.05)
    assert heard(phone, here, pad, victory("b1")) < 5
    phone.close()


def test_pages_are_served_again_after_every_connection_was_cut(two):
    here, _ = two
    pad = here.make_pad()
    ask(
        here.database,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )
    assert here.enter(pad, victory("c1"))[0]["status"] == "stored"


@pytest.mark.parametrize(
    ("took", "every_one", "crowded"),
    [
        ([0.2, 1.5, 1.5, 1.5, 0.2], False, False),
        ([0.2, 1.5], False, False),
        ([1.5, 1.5], False, True),
        ([0.2, 0.2, 1.5], True, False),
        ([1.5, 1.5], True, True),
    ],
)
def test_entries_that_come_late_are_not_in_time(took, every_one, crowded):
    """The control: one quick entry among late ones is not enough; in a long run one late one is too many."""
    in_time([0.2, 0.2, 1.5], every_one=False, crowded=False)
    with pytest.raises(AssertionError):
        in_time(took, every_one, crowded)


def wait_for_ears(server, count):
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        found = [pid for (pid,) in ask(server.database, EARS)]
        if len(found) >= count:
            return found
        time.sleep(0.05)
    raise AssertionError("nobody listens")


@pytest.mark.django_db
def test_the_database_itself_refuses_to_change_an_entry():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tgname FROM pg_trigger WHERE tgrelid = 'scorepad_entry'::regclass AND NOT tgisinternal"
        )
        found = {name for (name,) in cursor.fetchall()}
    assert {"scorepad_entry_unchanged", "scorepad_entry_kept", "scorepad_entry_next"} <= found
