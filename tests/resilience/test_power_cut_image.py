"""The same by a whole file system: its image is copied while the site is stopped, and then mounted.

The image holds what reached the block device, and nothing of what only the kernel remembers. It needs root
and a loop device, so it is kept for `make soak`.
"""

import filecmp
import os
import random
import shutil
import signal
import subprocess
import time

import pytest

from tests.requirements import lacking
from tests.resilience.comparison import found_in
from tests.resilience.conftest import SOAK
from tests.resilience.writers import Load

SEED = int(os.environ.get("SEED", "1942"))
IMAGES = int(os.environ.get("IMAGES", "200"))
MEGABYTES = 96

pytestmark = [
    pytest.mark.skipif(not SOAK, reason="in make soak"),
    pytest.mark.skipif("TEST_DATABASE_URL" in os.environ, reason="the disk of SQLite"),
]


def run(*command):
    subprocess.run([str(word) for word in command], check=True, capture_output=True)


@pytest.fixture
def disk(tmp_path):
    """A file system in a file, mounted."""
    if os.geteuid() != 0:
        lacking("mounting an image of a disk needs root. Run make soak as root.")
    if shutil.which("mkfs.ext4") is None:
        lacking("an image of a disk is made by mkfs.ext4. Install it: .ci/install e2fsprogs")
    image, mounted, again = tmp_path / "image", tmp_path / "mounted", tmp_path / "again"
    run("truncate", "-s", f"{MEGABYTES}M", image)
    run("mkfs.ext4", "-q", "-F", image)
    mounted.mkdir()
    again.mkdir()
    run("mount", "-o", "loop", image, mounted)
    yield image, mounted, again
    # Lazily: after a failure somebody may still be in it, and it must not stay behind.
    run("umount", "--lazy", mounted)


def copied_while_stopped(site, image, copy):
    """The image as it is while nothing writes; copied until the kernel has not changed it in the meantime."""
    os.killpg(site.group, signal.SIGSTOP)
    try:
        time.sleep(0.05)
        shutil.copyfile(image, copy)
        while not filecmp.cmp(image, copy, shallow=False):
            shutil.copyfile(image, copy)
    finally:
        os.killpg(site.group, signal.SIGCONT)


def found_after_a_crash(copy, again, name):
    run("mount", "-o", "loop", copy, again)
    try:
        return found_in(again / name / "db.sqlite3")
    finally:
        run("umount", again)


def cut(site, disk, load, images):
    """How many images lacked something that had been acknowledged when they were copied."""
    image, _, again = disk
    copy, chance, losing = image.with_name("copy"), random.Random(SEED), 0
    for _ in range(images):
        load.wait_for(chance.randint(1, 40))
        answered = {made.id for made in load.sent if made.is_answered}
        copied_while_stopped(site, image, copy)
        losing += bool(answered - found_after_a_crash(copy, again, site.var.name))
    return losing


@pytest.mark.parametrize("how", ["FULL", "NORMAL"])
def test_an_image_copied_while_stopped_holds_all_that_was_acknowledged(disk, crew, told, how):
    more = {"PROMISE_SYNCHRONOUS": how} if how == "NORMAL" else {}
    site = crew(within=disk[1], **more)
    run("sync", "-f", disk[1])
    with Load(site.ports, SEED) as load:
        losing = cut(site, disk, load, IMAGES if how == "FULL" else 10)
    site.stop()
    told(f"synchronous={how}: {losing} of {IMAGES if how == 'FULL' else 10} images lost acknowledged entries")
    assert losing == 0 if how == "FULL" else losing
