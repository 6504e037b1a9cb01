"""DATABASE_URL: where the rows are, in one line, with a sentence for what cannot be meant."""

import os
import socket
from pathlib import Path

import pytest

from config import environment
from config.environment import SettingError, database

VAR = Path("/v")


def test_a_server_with_tls_is_named_with_its_words():
    url = "postgres://ada:a%2Fb%40@db.internal:5433/tally?sslmode=verify-full&sslrootcert=/etc/ca.pem&pool=30"
    rows = database(url, VAR)
    assert (rows["HOST"], rows["PORT"], rows["NAME"]) == ("db.internal", "5433", "tally")
    assert (rows["USER"], rows["PASSWORD"]) == ("ada", "a/b@")
    assert rows["OPTIONS"]["sslmode"] == "verify-full"
    assert rows["OPTIONS"]["sslrootcert"] == "/etc/ca.pem"
    assert rows["OPTIONS"]["pool"]["max_size"] == 30


@pytest.mark.parametrize(
    "url",
    ["postgres:///tally?host=/Var/run/pg", "postgres://ada@/tally?host=%2FVar%2Frun%2Fpg",
     "postgres://ada@%2FVar%2Frun%2Fpg/tally"],
)  # fmt: skip
def test_a_socket_is_named_by_its_folder(url):
    rows = database(url, VAR)
    assert (rows["HOST"], rows["PORT"], rows["NAME"]) == ("/Var/run/pg", "", "tally")


def test_connections_are_pooled_and_a_lock_is_not_waited_for_endlessly():
    rows = database("postgres://db/tally", VAR)
    assert rows["CONN_MAX_AGE"] == 0 and rows["CONN_HEALTH_CHECKS"]
    assert "lock_timeout" in rows["OPTIONS"]["options"]
    more = database("postgres://db/tally?options=-c%20lock_timeout%3D9s", VAR)["OPTIONS"]["options"]
    assert more == f"{rows['OPTIONS']['options']} -c lock_timeout=9s", "the last one counts"


def test_whoever_waits_for_a_server_that_vanished_is_told_in_seconds():
    """Asked of the connection itself: a word that the driver does not know would help nobody."""
    psycopg = pytest.importorskip("psycopg")
    options = database("postgres://127.0.0.1/tally", VAR)["OPTIONS"]
    told = {key: options[key] for key in ("tcp_user_timeout", "keepalives_idle")}
    with socket.create_server(("127.0.0.1", 0)) as server:
        half = psycopg.pq.PGconn.connect_start(
            psycopg.conninfo.make_conninfo(host="127.0.0.1", port=server.getsockname()[1], **told).encode()
        )
        with socket.socket(fileno=os.dup(half.socket)) as wire:
            assert wire.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 10_000
            assert wire.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 5
        half.finish()


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("postgres://db/tally?sslmod=require", "sslmod"),
        ("postgres://db/", "names no database"),
        ("postgres://db/tally?pool=many", "not a number"),
        ("postgres://db:port/tally", "not a number"),
        ("postgres://db/tally?pool=1", "at least"),
        ("sqlite://folder/file", "three slashes"),
        ("mysql://db/tally", "sqlite and postgres"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_what_to_write(url, says):
    with pytest.raises(SettingError, match=says):
        database(url, VAR)


def test_without_the_driver_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(environment, "find_spec", lambda name: None)
    with pytest.raises(SettingError, match="make install-many"):
        database("postgres://db/tally", VAR)
    monkeypatch.setenv("IMAGES_BUCKET", "pages")
    with pytest.raises(SettingError, match="make install-many"):
        environment.images(VAR)
    assert database("", VAR)["NAME"] == "/v/db.sqlite3"
