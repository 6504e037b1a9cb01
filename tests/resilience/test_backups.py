"""A backup taken while eight phones write, put back elsewhere: all that was acknowledged before is in it."""

import os
import random
import shutil
import sqlite3
from contextlib import closing, contextmanager

import pytest

from tests.resilience.comparison import found_in
from tests.resilience.conftest import SOAK
from tests.resilience.site_processes import Crew
from tests.resilience.writers import Load

SEED = int(os.environ.get("SEED", "1942"))
BACKUPS = int(os.environ.get("BACKUPS", "60" if SOAK else "1"))

pytestmark = pytest.mark.skipif("TEST_DATABASE_URL" in os.environ, reason="restores into a file of SQLite")


def backed_up(site, file):
    done = site.manage("backup", str(file))
    assert done.returncode == 0, done.stderr


def restored(file, var):
    """The database file of a new site made from this backup; restoring verifies every pad."""
    done = Crew(var).manage("restore", str(file))
    assert done.returncode == 0, done.stdout + done.stderr
    return var / "db.sqlite3"


def test_a_backup_under_load_misses_nothing_that_was_acknowledged_before_but_a_copied_file_does(
    crew, tmp_path, told
):
    site, chance = crew(), random.Random(SEED)
    missed = whole = meanwhile = copies_missed = 0
    with Load(site.ports, SEED) as load:
        for count in range(BACKUPS):
            with somebody_reads(site):
                load.wait_for(chance.randint(20, 60))
                before = {made.id for made in load.sent if made.is_answered}
                shutil.copy(site.var / "db.sqlite3", tmp_path / "copy.sqlite3")
            copies_missed += misses(tmp_path / "copy.sqlite3", before)
            backed_up(site, tmp_path / "backup.tar")
            found = found_in(restored(tmp_path / "backup.tar", tmp_path / f"restored{count}"))
            missed += len(before - found)
            whole += len(found)
            meanwhile += bool({made.id for made in load.sent} - before)
            (tmp_path / "backup.tar").unlink()
            shutil.rmtree(tmp_path / f"restored{count}")
    told(f"{BACKUPS} backups under load, {whole} entries restored: {missed} missed")
    told(f"control, the file copied while in use: {copies_missed} of {BACKUPS} copies missed entries")
    assert missed == 0
    assert meanwhile == BACKUPS, "nobody wrote while the backup was taken; this run proves nothing"
    assert copies_missed == BACKUPS


@contextmanager
def somebody_reads(site):
    """A long look at the database: what is written meanwhile stays beside the file until it ends."""
    with closing(sqlite3.connect(site.var / "db.sqlite3", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM scorepad_entry").fetchone()
        yield


def misses(copy, before):
    """Whether a copied file lacks something, or is no database at all."""
    try:
        return bool(before - found_in(copy))
    except (sqlite3.DatabaseError, AssertionError):
        return True
