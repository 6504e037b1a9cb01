"""The same on PostgreSQL: its own snapshot goes into the backup and comes back into an empty database."""

import os
import subprocess
import sys

import pytest
from django.conf import settings
from django.db import connection

from ops import backup, database_snapshots
from tests.postgres.private_server import ask, drop_database, make_database, named

pytestmark = pytest.mark.skipif(connection.vendor != "postgresql", reason="asks PostgreSQL")


@pytest.fixture
def empty():
    """The address of a new database on the same server."""
    url = named(os.environ["TEST_DATABASE_URL"], f"{connection.settings_dict['NAME']}_restored")
    make_database(url)
    yield url
    drop_database(url)


def restored(var, url, file):
    command = [sys.executable, "manage.py", "restore", str(file)]
    bare = {"PATH": os.environ["PATH"], "TALLYROOM_VAR": str(var), "DATABASE_URL": url}
    return subprocess.run(command, cwd=settings.BASE_DIR, env=bare, capture_output=True, text=True)


def test_a_site_on_postgresql_comes_back_whole(played, empty, tmp_path):
    file = backup.write(tmp_path / "site.tar").file
    done = restored(tmp_path / "var", empty, file)
    assert "1 pad with 3 entries, 0 books: all is as it was written." in done.stdout, done.stderr
    assert (tmp_path / "var" / "originals" / "ä b" / "c.png").read_bytes() == b"odd name"
    # The guards of the log came with it.
    with pytest.raises(Exception, match="never changed"):
        ask(empty, "UPDATE scorepad_entry SET device = 'stranger'")
    again = restored(tmp_path / "other", empty, file)
    assert again.returncode == 1
    assert "there is a site here already" in again.stderr


def test_a_broken_dump_is_found_before_anything_is_restored(played, tmp_path):
    dump = tmp_path / "database.pgdump"
    database_snapshots.take(dump)
    database_snapshots.check(dump)
    dump.write_bytes(b"PGDMP" + bytes(200))
    with pytest.raises(database_snapshots.SnapshotError, match="pg_restore failed"):
        database_snapshots.check(dump)
