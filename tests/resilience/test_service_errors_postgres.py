"""A database that is away, and a row that somebody else holds: 503 with Retry-After, then on as before."""

import os
from contextlib import closing, contextmanager
from urllib.parse import urlsplit

import pytest

from tests.postgres.private_server import ask, named
from tests.resilience.site_processes import POSTGRES, database_of
from tests.resilience.test_disk_full import HAND
from tests.resilience.writers import make_table

pytestmark = pytest.mark.skipif("TEST_DATABASE_URL" not in os.environ, reason="needs PostgreSQL")


@contextmanager
def altered(site, meanwhile, afterwards):
    """The database of this site so altered for a while; whoever is in is put out, as by a restart."""
    name, desk = urlsplit(database_of(site.var)).path.strip("/"), named(POSTGRES, "postgres")
    ask(desk, f'ALTER DATABASE "{name}" {meanwhile}')
    ask(desk, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
    try:
        yield
    finally:
        ask(desk, f'ALTER DATABASE "{name}" {afterwards}')


def away(site):
    """Nobody gets in."""
    return altered(site, "ALLOW_CONNECTIONS false", "ALLOW_CONNECTIONS true")


def only_read(site):
    """The server reads and does not write, as one that has become the stand-by of another."""
    reads = "SET default_transaction_read_only ="
    return altered(site, f"{reads} on", f"{reads} off")


def entered(phone, table, name):
    answer, said = phone.ask(
        "POST", table.address("entries/"), {"entries": [{"id": name, **HAND}]}, table.play
    )
    return answer.status, answer.getheader("Retry-After"), said


def test_a_database_that_is_away_is_503_and_nothing_is_lost_when_it_is_back(crew, line):
    site = crew()
    phone = line(site)
    table = make_table(phone)
    assert entered(phone, table, "before")[0] == 200
    with away(site):
        status, later, said = entered(phone, table, "while-away")
        assert (status, later) == (503, "2")
        assert b"Nothing was stored" in said
        assert phone.ask("GET", "/ready")[0].status == 503
    for _ in range(50):
        status, _, said = entered(phone, table, "while-away")
        if status == 200:
            break
    assert status == 200, said
    log = phone.json("GET", table.address("log.json"), token=table.watch)[1]["log"]
    assert [row["id"] for row in log] == ["before", "while-away"]


def test_a_server_that_only_reads_is_503_and_is_left_for_one_that_writes(crew, line):
    site = crew()
    phone = line(site)
    table = make_table(phone)
    assert entered(phone, table, "before")[0] == 200
    with only_read(site):
        answers = [entered(phone, table, "while-it-reads")[:2] for _ in range(3)]
        assert answers == [(503, "2")] * 3
        assert phone.ask("GET", table.address("result.json"), token=table.watch)[0].status == 200
    # Each answer has sent one connection away; a few may still be of the time when it only read.
    for _ in range(50):
        status, _, said = entered(phone, table, "while-it-reads")
        if status == 200:
            break
    assert status == 200, said
    log = phone.json("GET", table.address("log.json"), token=table.watch)[1]["log"]
    assert [row["id"] for row in log] == ["before", "while-it-reads"]


def test_a_pad_whose_row_is_held_by_another_is_503_and_goes_on_when_it_is_free(crew, line):
    import psycopg

    site = crew()
    phone = line(site)
    table = make_table(phone)
    with closing(psycopg.connect(database_of(site.var))) as other:
        other.execute("SELECT 1 FROM scorepad_pad FOR UPDATE")
        status, later, said = entered(phone, table, "while-held")
        assert (status, later) == (503, "2"), said
        other.rollback()
    assert entered(phone, table, "while-held")[0] == 200
