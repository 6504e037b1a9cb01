"""A power cut at any moment: what was synced is enough to lose nothing that was acknowledged."""

import os
import random
import shutil
from pathlib import Path

import pytest

from tests.requirements import lacking
from tests.resilience.comparison import found_in
from tests.resilience.conftest import SOAK
from tests.resilience.recorded_disk import Disk, recorder
from tests.resilience.writers import Load

SEED = int(os.environ.get("SEED", "1942"))
ENTRIES = int(os.environ.get("ENTRIES", "3000" if SOAK else "220"))
CUTS = int(os.environ.get("CUTS", "20000" if SOAK else "80"))

pytestmark = pytest.mark.skipif("TEST_DATABASE_URL" in os.environ, reason="the disk of SQLite")


def recorded(crew, empty, tmp_path, entries, **environment):
    """A run of the site with eight writers, ended in the midst: its record, and the disk it began with."""
    if shutil.which("strace") is None:
        lacking("strace records what reaches the disk. Install it: .ci/install strace")
    out = tmp_path / "record"
    site = crew(before=recorder(out), **environment)
    with Load(site.ports, SEED) as load:
        load.wait_for(entries)
    site.stop()
    start = Disk(site.var / "db.sqlite3")
    start.names[start.database].synced = bytearray((empty / "db.sqlite3").read_bytes())
    return start, out, site


def moments(disk, out, wanted):
    """Every so many steps of the record, so that about as many moments are looked at as are wanted."""
    with out.open(errors="replace") as record:
        steps = sum(1 for _ in Disk(disk.database).play(record))
    with out.open(errors="replace") as record:
        for step, what in enumerate(disk.play(record)):
            if step * wanted // steps != (step - 1) * wanted // steps:
                yield what


def lost_after(disk, folder, chance, share):
    """What was acknowledged and is not there, when power comes back."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    disk.after_power_cut(folder, chance, share)
    return len(disk.acknowledged - found_in(folder / "db.sqlite3"))


def cut_again_and_again(disk, out, folder, cuts):
    """How many cuts there were, how many were in the midst of a write, and how many lost something."""
    chance = random.Random(SEED)
    seen = under_way = losing = 0
    for _ in moments(disk, out, cuts // 2):
        for share in (0, chance.choice([0.5, chance.random(), 1])):
            seen += 1
            under_way += any(file.pending for file in disk.names.values())
            losing += lost_after(disk, folder, chance, share) > 0
    return seen, under_way, losing


def test_no_acknowledged_entry_is_lost_by_a_power_cut(crew, empty, tmp_path, told):
    disk, out, site = recorded(crew, empty, tmp_path, ENTRIES)
    seen, under_way, losing = cut_again_and_again(disk, out, tmp_path / "found", CUTS)
    told(
        f"{seen} power cuts, {under_way} during a write, {len(disk.acknowledged)} entries: {losing} lost any"
    )
    assert losing == 0
    assert len(disk.acknowledged) >= ENTRIES
    assert under_way > seen / 4
    assert_the_record_is_whole(disk, site.var)


def assert_the_record_is_whole(disk, var):
    """Played to its end with nothing lost, the record gives the very files that the site left behind."""
    for path, file in disk.names.items():
        file.sync(len(file.pending))
        assert (var / Path(path).name).read_bytes() == file.synced


def test_with_synchronous_normal_a_power_cut_loses_entries_and_it_is_noticed(crew, empty, tmp_path, told):
    disk, out, _ = recorded(crew, empty, tmp_path, 60, PROMISE_SYNCHRONOUS="NORMAL")
    seen, _, losing = cut_again_and_again(disk, out, tmp_path / "found", 40)
    told(f"control, synchronous=NORMAL: {losing} of {seen} power cuts lost acknowledged entries")
    assert losing > seen / 4
