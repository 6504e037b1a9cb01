"""From one machine to many: a backup of SQLite is restored into PostgreSQL, and it is the same site."""

import hashlib
import json
import os
import sqlite3
import subprocess
import sys

import pytest

from tests.ops.test_backup import members_of, write_tar
from tests.postgres.private_server import ask, drop_database, make_database
from tests.scorepad.conftest import capture, victory
from tests.scorepad.live_server import ROOT, Server, free_port

pytestmark = pytest.mark.skipif("TEST_DATABASE_URL" not in os.environ, reason="needs PostgreSQL")


def manage(server, *words):
    command = [sys.executable, "manage.py", *words]
    return subprocess.run(command, cwd=ROOT, env=server.environment, capture_output=True, text=True)


@pytest.fixture(scope="module")
def laptop(tmp_path_factory):
    """A club's own site on SQLite with books, an invitation and a pad; its backup is beside it."""
    folder = tmp_path_factory.mktemp("carried")
    site = Server(folder / "laptop", free_port(), more={"DATABASE_URL": ""})
    site.prepare()
    assert manage(site, "load_books").returncode == 0
    assert manage(site, "invite").returncode == 0
    site.start()
    pad = site.make_pad()
    site.enter(pad, victory("e1"), capture("e2", "Bert"))
    log = site.call("GET", f"/pads/{pad['code']}/log.json", token=pad["watch"])
    _, club = site.call("POST", f"/pads/{pad['code']}/club/", {}, pad["keep"])
    pad["club"] = club
    site.kill()
    written = manage(site, "backup", str(folder / "site.tar"))
    assert written.returncode == 0, written.stderr
    drop_database(site.database)
    return folder / "site.tar", pad, log


@pytest.fixture
def many(tmp_path):
    """An empty database and an empty folder, on the machines the site moves to."""
    site = Server(tmp_path / "many", free_port())
    make_database(site.database)
    yield site
    drop_database(site.database)


def test_pads_links_accounts_and_books_go_from_sqlite_to_postgresql(laptop, many):
    written, pad, log = laptop
    done = manage(many, "restore", str(written))
    assert done.returncode == 0, done.stderr
    assert "1 pad with 2 entries, 5 books: all is as it was written." in done.stdout
    assert ask(many.database, "SELECT count(*) FROM people_invitation") == [(1,)]
    assert ask(many.database, "SELECT count(*) > 200 FROM archive_search") == [(True,)]
    many.start()
    assert many.call("GET", f"/pads/{pad['code']}/log.json", token=pad["watch"]) == log
    address, token = pad["club"]["watch"].rsplit("/", 1)
    status, figures = many.call("GET", f"{address}/club.json", token=token)
    assert (status, figures["games"]) == (200, 1)
    # What was told before is still known, and what comes now is numbered after what came along.
    results = many.enter(pad, capture("e2", "Bert"), victory("e3", "Cleo", "blue"))
    assert [(result["status"], result["number"]) for result in results] == [("known", 2), ("stored", 3)]
    many.enter(many.make_pad(), victory("e1"))
    many.kill()
    assert "2 pads with 4 entries" in manage(many, "verify", "--pads").stdout


def with_manifest(file, members, told):
    manifest = json.dumps(told).encode()
    digest = hashlib.sha256(manifest).hexdigest().encode()
    return write_tar(file, {**members, "manifest.json": manifest, "manifest.sha256": digest})


def test_a_backup_of_an_older_version_is_not_carried_and_nothing_is_changed(laptop, many, tmp_path):
    members = members_of(laptop[0])
    told = json.loads(members["manifest.json"])
    told["migrations"].remove(max(name for name in told["migrations"] if name.startswith("scorepad.")))
    refused = manage(many, "restore", str(with_manifest(tmp_path / "old.tar", members, told)))
    assert refused.returncode and "older Tallyroom" in refused.stderr
    assert ask(many.database, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == [(0,)]


def test_rows_that_cannot_be_carried_leave_no_file_behind_and_it_is_said_what_to_do(laptop, many, tmp_path):
    """The first entry is gone: the database there takes none without the one before."""
    members = members_of(laptop[0])
    (tmp_path / "holed.sqlite3").write_bytes(members["database.sqlite3"])
    rows = sqlite3.connect(tmp_path / "holed.sqlite3")
    rows.execute("DROP TRIGGER scorepad_entry_kept")
    rows.execute("DELETE FROM scorepad_entry WHERE number = 1")
    rows.commit()
    rows.close()
    members["database.sqlite3"] = (tmp_path / "holed.sqlite3").read_bytes()
    told = json.loads(members["manifest.json"])
    [member] = [member for member in told["members"] if member["name"] == "database.sqlite3"]
    member["size"] = len(members["database.sqlite3"])
    member["sha256"] = hashlib.sha256(members["database.sqlite3"]).hexdigest()
    refused = manage(many, "restore", str(with_manifest(tmp_path / "holed.tar", members, told)))
    assert refused.returncode and "numbered without gaps" in refused.stderr
    assert "Create the database again" in refused.stderr
    assert ask(many.database, "SELECT count(*) FROM scorepad_pad") == [(0,)]
