"""A disk that is really full, and a database that is really locked: said plainly, nothing half done.

The site's folder is a small file system of its own in memory. It is filled from outside until nothing can be
written, asked for everything that stores something, and given its room back.
"""

import os
import re
import sqlite3
import subprocess
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from time import sleep

import pytest

from tests.requirements import lacking
from tests.resilience.comparison import found_in, judge
from tests.resilience.writers import PLAYERS, Load, make_table

pytestmark = pytest.mark.skipif("TEST_DATABASE_URL" in os.environ, reason="the disk of SQLite")

SEED = int(os.environ.get("SEED", "1942"))
HAND = {"type": "hand", "winner": "Ann", "hands": {name: {"count": 1} for name in PLAYERS[1:]}}
ROOT_APART = ["unshare", "--mount"]
OTHERS_APART = ["unshare", "--user", "--map-root-user", "--mount"]
IN_A_SMALL_ONE = """
cp -a "$TALLYROOM_VAR" "$TALLYROOM_VAR.kept" &&
mount -t tmpfs -o size=16m tmpfs "$TALLYROOM_VAR" &&
cp -a "$TALLYROOM_VAR.kept/." "$TALLYROOM_VAR/" &&
exec "$@"
"""


@pytest.fixture
def small(crew):
    """The site on a small file system, mounted for it alone, by root or in a name space of one's own."""
    apart = ROOT_APART if os.geteuid() == 0 else OTHERS_APART
    try_it = [*apart, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    if subprocess.run(try_it, check=False, capture_output=True).returncode:
        lacking("a small disk could not be mounted. Run as root, or allow user name spaces (unshare --user).")
    return crew(before=[*apart, "sh", "-c", IN_A_SMALL_ONE, "sh"])


@contextmanager
def no_room(site):
    """A file that takes all room there is, to the last block."""
    ballast = Path(f"/proc/{site.processes[0].pid}/root{site.var}/ballast")
    with ballast.open("wb", buffering=0) as out:
        for size in (1 << 16, 1 << 12):
            with suppress(OSError):
                while out.write(bytes(size)):
                    pass
    try:
        yield
    finally:
        ballast.unlink()


def writes(table):
    """Everything a phone can ask that stores something: an address, what is sent, and with which link."""
    hand = {"type": "hand", "put": [{"field": "winner", "value": "Bert"}]}
    return [
        (table.address("entries/"), {"entries": [{"id": "while-full", **HAND}]}, table.play),
        (table.address("draft/"), hand, table.play),
        (table.address("names/"), {"players": ["Anna", *PLAYERS[1:]]}, table.keep),
        (table.address("settings/"), {"settings": {"table": "round"}}, table.keep),
        (table.address("join/"), {"role": "play"}, table.keep),
        (table.address("links/"), {"rotate": "watch"}, table.keep),
        (table.address("stop/"), {}, table.keep),
        (table.address("stay/"), {}, table.keep),
        (table.address("rematch/"), {}, table.play),
        ("/pads/", {"game": "rummy-1916", "players": ["Ann", "Bert"]}, None),
        (
            "/pads/import/",
            {"tally": 1, "game": "rummy-1916", "players": ["Ann", "Bert"], "entries": []},
            None,
        ),
    ]


def by_form(line, path, **fields):
    """A form as a browser without scripts sends it: the page, its cookie and its token."""
    answer, page = line.ask("GET", path)
    assert answer.status == 200, page
    cookie = answer.getheader("Set-Cookie").split(";")[0]
    token = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', page)[1].decode()
    body = "&".join(f"{name}={value}" for name, value in {"csrfmiddlewaretoken": token, **fields}.items())
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie}
    line.connection.request("POST", path, body, headers)
    answer = line.connection.getresponse()
    return answer, answer.read().decode()


def reads(line, table):
    """What needs no room works all the while."""
    places = ["result.json", "log.json", "sheet.csv", ""]
    answers = [line.ask("GET", table.address(place), token=table.watch)[0].status for place in places]
    return [*answers, line.ask("GET", "/")[0].status]


def test_a_full_disk_is_507_and_room_is_enough_to_go_on(small, line):
    phone = line(small)
    table = make_table(phone)
    before = phone.json("GET", table.address("pad.json"), token=table.keep)[1]
    with no_room(small):
        for path, body, token in writes(table):
            status, answer = phone.json("POST", path, body, token)
            assert (path, status) == (path, 507)
            assert answer["error"]["message"].startswith("The server's disk is full. Nothing was stored")
        answer, page = by_form(phone, "/people/sign-in/", name="Ann", password="not+the+one")
        assert (answer.status, "No room left" in page) == (507, True)
        assert reads(phone, table) == [200] * 5
    assert phone.json("GET", table.address("pad.json"), token=table.keep)[1] == before
    for path, body, token in writes(table):
        status, answer = phone.json("POST", path, body, token)
        assert status in {200, 201}, (path, answer)
    [row] = phone.json("GET", table.address("log.json"), token=table.keep)[1]["log"]
    assert (row["id"], row["number"]) == ("while-full", 1)


def test_phones_that_write_while_the_disk_is_full_lose_nothing(small, line):
    with Load(small.ports, SEED) as load:
        for _ in range(3):
            load.wait_for(20)
            with no_room(small):
                refused = load.wait_for_refusals(20)
    verdict = judge(line(small), load.tables.all, load.sent)
    assert refused == {507}
    assert not verdict.broken
    assert verdict.entries == len(load.sent)


def test_a_locked_database_is_503_and_goes_on_when_it_is_free(crew, line):
    site = crew(PROMISE_WAIT_SECONDS="0.2")
    phone = line(site)
    table = make_table(phone)
    with closing(sqlite3.connect(site.var / "db.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for path, body, token in writes(table):
            answer, said = phone.ask("POST", path, body, token)
            assert (path, answer.status, answer.getheader("Retry-After")) == (path, 503, "2")
            assert b"Nothing was stored; send it again" in said
        assert reads(phone, table) == [200] * 5
        other.execute("ROLLBACK")
        with Load(site.ports, SEED) as load:
            load.wait_for(10)
            other.execute("BEGIN IMMEDIATE")
            assert load.wait_for_refusals(8) == {503}
            other.execute("ROLLBACK")
            load.wait_for(10)
    assert not judge(phone, load.tables.all, load.sent).broken
    assert phone.json("POST", *writes(table)[0])[1]["results"][0]["status"] == "stored"


@pytest.mark.parametrize("name", ["db.sqlite3", "db.sqlite3-wal"])
@pytest.mark.parametrize("instead", [None, b""])
def test_a_database_that_was_moved_away_is_503_and_nothing_is_stored_where_nobody_finds_it(
    crew, line, name, instead
):
    site = crew()
    phone, file = line(site), site.var / name
    table = make_table(phone)
    aside = file.rename(site.var / "aside")
    if instead is not None:
        file.write_bytes(instead)
    for path, body, token in writes(table):
        answer, said = phone.ask("POST", path, body, token)
        assert (path, answer.status, answer.getheader("Retry-After")) == (path, 503, "2")
        assert b"Nothing was stored" in said
    answer, said = phone.ask("GET", "/health")
    assert (answer.status, b'"database": "missing"' in said) == (503, True)
    aside.rename(file)
    assert phone.json("POST", *writes(table)[0])[1]["results"][0]["number"] == 1
    assert phone.ask("GET", "/health")[0].status == 200
    assert found_in(site.var / "db.sqlite3") == {"while-full"}


def test_a_site_that_answers_before_it_stores_keeps_no_promise_and_it_is_noticed(crew, line):
    """The control: what it has said to be stored is refused by the database when nobody listens any more."""
    site = crew(PROMISE_BROKEN="answers_before_it_stores", PROMISE_WAIT_SECONDS="0.2")
    with closing(sqlite3.connect(site.var / "db.sqlite3", isolation_level=None)) as other:
        with Load(site.ports, SEED, writers=2, tables=1) as load:
            load.wait_for(2)
            other.execute("BEGIN IMMEDIATE")
            load.wait_for(10)
        sleep(0.5)
        other.execute("ROLLBACK")
    assert judge(line(site), load.tables.all, load.sent).lost
