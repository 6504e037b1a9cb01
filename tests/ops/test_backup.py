"""Backups: all of it, while it is in use; and a damaged one is refused by the name of what is damaged."""

import hashlib
import io
import json
import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import tarfile
import threading
from importlib.util import find_spec
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.management import call_command
from django.db import connection, connections

from archive.images.storage import files_in
from archive.models.scans import Original
from config import environment
from ops import backup, database_snapshots, restore
from ops.backup import BackupError
from ops.management.commands.backup import Command as BackupCommand
from ops.management.commands.restore import Command as RestoreCommand
from people.totp import unseal
from scorepad import ledger
from scorepad.models import Entry
from tests.memory import bytes_most
from tests.ops.conftest import FILES
from tests.people.conftest import make_person
from tests.scorepad.conftest import capture, sit_down

sqlite_alone = pytest.mark.skipif(connection.vendor != "sqlite", reason="reads SQLite's file")


def members_of(file):
    with tarfile.open(file) as tar:
        return {head.name: tar.extractfile(head).read() for head in tar}


def write_tar(file, members):
    with tarfile.open(file, "w", format=tarfile.GNU_FORMAT) as tar:
        for name, content in members.items():
            head = tarfile.TarInfo(name)
            head.size = len(content)
            tar.addfile(head, io.BytesIO(content))
    return file


@pytest.fixture
def written(played, tmp_path):
    return backup.write(tmp_path / "site.tar").file


def test_a_backup_holds_database_images_originals_and_key_and_only_its_owner_reads_it(written, tmp_path):
    members = members_of(written)
    assert members["secret-key"].decode().strip() == settings.SECRET_KEY
    for folder, alias in (("images", "pages"), ("originals", "originals")):
        for name, content in FILES[alias].items():
            assert members[f"{folder}/{name}"] == content
    assert stat.S_IMODE(written.stat().st_mode) == 0o600
    assert {path.name for path in tmp_path.iterdir()} == {"site.tar", "pages", "originals"}


@sqlite_alone
def test_the_database_in_a_backup_has_every_acknowledged_entry(written, played, tmp_path):
    (tmp_path / "copy.sqlite3").write_bytes(members_of(written)["database.sqlite3"])
    copy = sqlite3.connect(tmp_path / "copy.sqlite3")
    rows = copy.execute("SELECT entry_id, seal FROM scorepad_entry ORDER BY number").fetchall()
    copy.close()
    assert rows == list(Entry.objects.order_by("number").values_list("entry_id", "seal"))
    assert len(rows) == 3


@sqlite_alone
def test_a_backup_made_while_people_play_misses_nothing_acknowledged_before_it(played, tmp_path):
    pads = [sit_down().pad for _ in range(2)]
    told = [0, 0]
    stop = threading.Event()

    def play(place):
        while not stop.is_set():
            told[place], _ = ledger.append(pads[place], [capture(f"t{told[place]}")])
        connections.close_all()

    threads = [threading.Thread(target=play, args=[place]) for place in range(2)]
    for thread in threads:
        thread.start()
    copies = []
    for number in range(4):
        before = list(told)
        copies.append((before, backup.write(tmp_path / f"{number}.tar").file))
    stop.set()
    for thread in threads:
        thread.join()
    for before, file in copies:
        (tmp_path / "copy.sqlite3").write_bytes(members_of(file)["database.sqlite3"])
        copy = sqlite3.connect(tmp_path / "copy.sqlite3")
        for pad, acknowledged in zip(pads, before, strict=True):
            rows = copy.execute(
                "SELECT number FROM scorepad_entry WHERE pad_id = ? ORDER BY number", [pad.pk]
            )
            numbers = [number for (number,) in rows]
            assert numbers == list(range(1, len(numbers) + 1))
            assert len(numbers) >= acknowledged
        copy.close()
    assert copies[-1][0] > copies[0][0], "nobody wrote meanwhile"


def test_an_upload_removed_while_a_backup_is_written_is_in_it_whole(played, tmp_path, monkeypatch):
    upload = Original.objects.create(digest="d" * 64, name="x", kind="jpg", size=1, width=1, height=1)
    for name in upload.file_names:
        storages["originals"].save(name, ContentFile(b"by mistake"))
    take = database_snapshots.take

    def then_removed(target):
        take(target)
        upload.delete()
        for name in upload.file_names:
            storages["originals"].delete(name)

    monkeypatch.setattr(database_snapshots, "take", then_removed)
    members = members_of(backup.write(tmp_path / "site.tar").file)
    assert [members.get(f"originals/{name}") for name in upload.file_names] == [b"by mistake"] * 2
    restore.check(tmp_path / "site.tar")


def test_a_file_removed_since_it_was_listed_is_left_out_of_a_backup(played, tmp_path, monkeypatch):
    monkeypatch.setattr(backup, "files_in", lambda storage: ["gone.jpg", *files_in(storage)])
    assert "originals/gone.jpg" not in members_of(backup.write(tmp_path / "site.tar").file)
    restore.check(tmp_path / "site.tar")


def test_a_backup_never_goes_over_a_file(written):
    with pytest.raises(BackupError, match="there already"):
        backup.write(written)


def test_a_backup_that_cannot_be_finished_leaves_nothing_behind(played, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backup, "_add", full)
    with pytest.raises(BackupError, match="No space left"):
        backup.write(tmp_path / "site.tar")
    assert {path.name for path in tmp_path.iterdir()} == {"pages", "originals"}


def test_a_backup_that_is_told_to_stop_leaves_nothing_behind(played, tmp_path, monkeypatch):
    monkeypatch.setattr(backup, "_add", lambda *_: os.kill(os.getpid(), signal.SIGTERM))
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with pytest.raises(SystemExit, match="stopped"):
            BackupCommand().run_from_argv(["manage.py", "backup", str(tmp_path / "site.tar")])
    finally:
        signal.signal(signal.SIGTERM, before)
    assert {path.name for path in tmp_path.iterdir()} == {"pages", "originals"}


def test_each_altered_member_is_named(written, tmp_path):
    members = members_of(written)
    for number, name in enumerate(set(members) - {"manifest.sha256"}):
        altered = bytearray(members[name])
        altered[len(altered) // 2] ^= 1
        file = write_tar(tmp_path / f"{number}.tar", members | {name: bytes(altered)})
        with pytest.raises(BackupError, match=re.escape(f"{name} in the backup is not as it was written")):
            restore.unpack(file, tmp_path / f"out-{number}")


def test_a_missing_member_and_one_too_many_are_named(written, tmp_path):
    members = members_of(written)
    less = {name: content for name, content in members.items() if name != "originals/ä b/c.png"}
    with pytest.raises(BackupError, match=re.escape("originals/ä b/c.png is missing")):
        restore.unpack(write_tar(tmp_path / "less.tar", less), tmp_path / "a")
    more = {"images/stranger.jpg": b"x"} | members
    with pytest.raises(BackupError, match=re.escape("images/stranger.jpg does not belong")):
        restore.unpack(write_tar(tmp_path / "more.tar", more), tmp_path / "b")


@pytest.mark.parametrize("name", ["../outside", "/etc/passwd", "images/../../outside", "elsewhere/file"])
def test_nothing_in_a_backup_can_land_outside(written, tmp_path, name):
    file = write_tar(tmp_path / "bad.tar", {name: b"x"} | members_of(written))
    with pytest.raises(BackupError, match="does not belong"):
        restore.unpack(file, tmp_path / "deep" / "deeper")
    assert not (tmp_path / "outside").exists()


@pytest.mark.parametrize("form", ["gnu", "oldgnu", "posix"])
def test_a_file_with_holes_is_refused_before_it_is_written(tmp_path, form):
    """A file of 1.5 GB that takes nothing on the disk, in a backup of 10 kB."""
    (tmp_path / "images").mkdir()
    with (tmp_path / "images" / "a.jpg").open("wb") as out:
        out.truncate(1_500_000_000)
    names = ["--sparse", f"--format={form}", "-cf", "holes.tar", "images/a.jpg"]
    subprocess.run(["tar", *names], cwd=tmp_path, check=True)
    assert (tmp_path / "holes.tar").stat().st_size < 20_000
    with pytest.raises(BackupError, match="with holes"):
        restore.unpack(tmp_path / "holes.tar", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_are_refused(tmp_path, kind):
    head = tarfile.TarInfo("images/a.jpg")
    head.type, head.linkname = kind, "/dev/zero"
    with tarfile.open(tmp_path / "odd.tar", "w") as tar:
        tar.addfile(head)
    with pytest.raises(BackupError, match="does not belong"):
        restore.unpack(tmp_path / "odd.tar", tmp_path / "out")


@pytest.mark.parametrize("packing", ["gz", "xz", "bz2"])
def test_a_packed_backup_is_not_unpacked(played, tmp_path, packing):
    """50 MB of nothing, packed to a thousandth of it."""
    with tarfile.open(tmp_path / "bomb.tar", f"w:{packing}") as tar:
        head = tarfile.TarInfo("images/a.jpg")
        head.size = 50_000_000
        tar.addfile(head, io.BytesIO(bytes(head.size)))
    with pytest.raises(BackupError, match="undo that first"):
        restore.check(tmp_path / "bomb.tar")


@pytest.mark.parametrize("name", ["manifest.json", "manifest.sha256", "secret-key"])
def test_what_is_read_at_once_has_a_bound(tmp_path, name, monkeypatch):
    monkeypatch.setitem(restore.SIZES_MOST, name, 1_000)
    file = write_tar(tmp_path / "large.tar", {name: b"x" * 1_001})
    with pytest.raises(BackupError, match=f"{name} in the backup is too large"):
        restore.unpack(file, tmp_path / "out")


@pytest.mark.parametrize("kind", [tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE])
def test_a_head_that_claims_any_length_is_not_read(tmp_path, kind):
    head = tarfile.TarInfo("long")
    head.type, head.size = kind, 2_000_000_000
    with (tmp_path / "long.tar").open("wb") as out:
        out.write(head.tobuf(tarfile.GNU_FORMAT))
        out.truncate(2_000_100_000)
    with bytes_most(20_000_000), pytest.raises((BackupError, tarfile.ReadError)):
        restore.unpack(tmp_path / "long.tar", tmp_path / "out")


def test_a_backup_that_breaks_off_is_refused_wherever_it_does(written, tmp_path):
    whole = written.read_bytes()
    with tarfile.open(written) as tar:
        heads = list(tar)
    inside = next(head for head in heads if head.name.endswith("cdef.png"))
    places = {
        inside.offset_data + 100: f"breaks off in {inside.name}",
        inside.offset: "breaks off",
        700: "breaks",
    }
    for place, words in places.items():
        (tmp_path / "cut.tar").write_bytes(whole[:place])
        with pytest.raises(BackupError, match=re.escape(words)):
            restore.unpack(tmp_path / "cut.tar", tmp_path / f"out-{place}")
    for name in ("manifest.json", "manifest.sha256"):
        head = next(head for head in heads if head.name == name)
        (tmp_path / "cut.tar").write_bytes(whole[: head.offset])
        with pytest.raises(BackupError, match="breaks off"):
            restore.unpack(tmp_path / "cut.tar", tmp_path / f"out-{name}")


@pytest.mark.parametrize("name", ["manifest.json", "secret-key", "database"])
def test_what_every_backup_has_is_missed_by_its_name(written, tmp_path, name):
    members = members_of(written)
    name = next(there for there in members if there.startswith(name))
    members.pop(name)
    told = json.loads(members.get("manifest.json", b'{"members": []}'))
    told["members"] = [member for member in told["members"] if member["name"] != name]
    if "manifest.json" in members:
        # As if it had never been named.
        members["manifest.json"] = json.dumps(told).encode()
        members["manifest.sha256"] = hashlib.sha256(members["manifest.json"]).hexdigest().encode()
    with pytest.raises(BackupError, match=f"{name} is missing from the backup"):
        restore.check(write_tar(tmp_path / "less.tar", members))


def test_a_manifest_that_cannot_be_read_is_named(written, tmp_path):
    for words in (b"[]", b"{", b'{"tallyroom_backup": 1}', b'{"tallyroom_backup": 1, "members": [{}]}'):
        digest = hashlib.sha256(words).hexdigest().encode()
        members = members_of(written) | {"manifest.json": words, "manifest.sha256": digest}
        with pytest.raises(BackupError, match=r"manifest.json in the backup cannot be read"):
            restore.check(write_tar(tmp_path / "bad.tar", members))


def test_what_is_no_backup_is_said_to_be_none(db, tmp_path):
    (tmp_path / "letter.txt").write_text("Dear all")
    write_tar(tmp_path / "foreign.tar", {"docs/letter.txt": b"Dear all"})
    says = {
        "letter.txt": "not a backup",
        "foreign.tar": "does not belong into a backup",
        "nothing.tar": "No such file",
        "no-folder/nothing.tar": "No such file",
        ".": "is a folder. A backup is the one file",
    }
    for name, words in says.items():
        with pytest.raises(BackupError, match=words):
            restore.check(tmp_path / name)
    assert not list(settings.VAR.glob(".restoring-*"))


def test_a_check_lays_out_no_image(written, tmp_path):
    restore.unpack(written, tmp_path / "out", with_images=False)
    assert not (tmp_path / "out" / "images").exists() and not (tmp_path / "out" / "originals").exists()


def test_a_backup_of_a_newer_version_or_another_database_is_refused(written, tmp_path, monkeypatch):
    manifest = restore.unpack(written, tmp_path / "out")
    newer = [*manifest.migrations, "archive.9999_wings"]
    monkeypatch.setattr(restore, "unpack", lambda *_: backup.Manifest(manifest.database, newer, ""))
    with pytest.raises(BackupError, match=r"newer Tallyroom .archive\.9999_wings"):
        restore.unpack_checked(written, tmp_path / "out")
    monkeypatch.setattr(restore, "unpack", lambda *_: backup.Manifest("oracle", [], ""))
    with pytest.raises(BackupError, match="oracle database"):
        restore.unpack_checked(written, tmp_path / "out")


def test_restoring_over_a_site_is_refused_and_changes_nothing(written, played):
    with pytest.raises(BackupError, match=r"a site here already .rows in the database, files in images"):
        restore.restore(written)
    assert Entry.objects.count() == 3


@pytest.fixture
def emptied(written, own_storages, monkeypatch):
    """The place of this site as if nothing were in it but a key of its own."""
    for place in own_storages.values():
        shutil.rmtree(place)
    (settings.VAR / "secret-key").write_text("the key of this place\n")
    monkeypatch.setattr(database_snapshots, "is_empty", lambda: True)
    yield own_storages
    assert not [path for place in own_storages.values() for path in place.rglob("*") if path.is_file()]
    assert not list(settings.VAR.glob(".restoring-*"))
    assert (settings.VAR / "secret-key").read_text() == "the key of this place\n"
    assert Entry.objects.count() == 3


@pytest.mark.parametrize(
    ("fault", "told"),
    [(database_snapshots.SnapshotError("The server went away."), BackupError),
     (RuntimeError("AccessDenied"), BackupError), (KeyboardInterrupt("Ctrl-C"), KeyboardInterrupt)],
)  # fmt: skip
def test_a_restore_that_fails_in_the_middle_leaves_the_place_empty(
    written, emptied, monkeypatch, fault, told
):
    def refuse(file):
        raise fault

    monkeypatch.setattr(database_snapshots, "install", refuse)
    with pytest.raises(told, match=str(fault)):
        restore.restore(written)


def test_a_restore_that_is_told_to_stop_leaves_the_place_empty(written, emptied, monkeypatch):
    monkeypatch.setattr(database_snapshots, "install", lambda _: os.kill(os.getpid(), signal.SIGTERM))
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        with pytest.raises(SystemExit, match="stopped"):
            RestoreCommand().run_from_argv(["manage.py", "restore", str(written)])
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_file_that_could_only_be_put_there_by_half_goes_again(written, emptied, monkeypatch):
    def fill(source, target):
        target.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(restore.shutil, "move", fill)
    with pytest.raises(BackupError, match="No space left"):
        restore.restore(written)


def test_what_was_restored_is_on_the_disk_before_it_is_said(written, own_storages, monkeypatch, tmp_path):
    for place in own_storages.values():
        shutil.rmtree(place)
    done = []
    monkeypatch.setattr(database_snapshots, "is_empty", lambda: True)
    monkeypatch.setattr(database_snapshots, "install", lambda file: done.append("database"))
    monkeypatch.setattr(restore.os, "sync", lambda: done.append("synced"))
    restore.restore(written)
    assert done == ["database", "synced"]


@sqlite_alone
def test_a_database_file_that_is_none_is_somebodys_all_the_same(tmp_path, monkeypatch):
    (tmp_path / "db.sqlite3").write_text("Dear all")
    monkeypatch.setattr(database_snapshots, "sqlite_file", lambda: tmp_path / "db.sqlite3")
    assert not database_snapshots.is_empty()


ALL_WORDS = {
    "sslmode": ("verify-full", "PGSSLMODE"),
    "sslrootcert": ("/etc/tallyroom/db-ca.pem", "PGSSLROOTCERT"),
    "sslcert": ("/etc/tallyroom/site.pem", "PGSSLCERT"),
    "sslkey": ("/etc/tallyroom/site.key", "PGSSLKEY"),
    "channel_binding": ("require", "PGCHANNELBINDING"),
    "target_session_attrs": ("read-write", "PGTARGETSESSIONATTRS"),
    "connect_timeout": ("7", "PGCONNECT_TIMEOUT"),
    "application_name": ("club", "PGAPPNAME"),
    "options": ("-c search_path=club", "PGOPTIONS"),
}


@pytest.mark.skipif(not find_spec("psycopg_pool"), reason="the site of one machine has no psycopg")
def test_the_programs_of_postgresql_connect_as_the_site_does(tmp_path, monkeypatch):
    assert {*ALL_WORDS, "host", "port", "pool"} == environment.POSTGRES_OPTIONS
    words = urlencode({word: value for word, (value, _) in ALL_WORDS.items()})
    url = f"postgres://club:secret@db.example.org/tallyroom?pool=8&{words}"
    place = environment.database(url, tmp_path)
    ours = environment.database("postgres://db.example.org/tallyroom", tmp_path)["OPTIONS"]["options"]
    monkeypatch.setattr(
        database_snapshots, "connection", SimpleNamespace(vendor="postgresql", settings_dict=place)
    )
    for program in ("pg_dump", "pg_restore"):
        stub = tmp_path / program
        stub.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/words\nenv > {tmp_path}/told\n')
        stub.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    expected = {f"{name}={value}" for value, name in ALL_WORDS.values()} | {"PGPASSWORD=secret"}
    for ask in (database_snapshots.take, database_snapshots.install):
        ask(tmp_path / "database.pgdump")
        # Beside the session's own, which come first.
        told = (tmp_path / "told").read_text().replace(f"PGOPTIONS={ours} ", "PGOPTIONS=")
        assert expected <= set(told.splitlines())
        words = (tmp_path / "words").read_text()
        assert "--host=db.example.org" in words and "secret" not in words


def new_process(var, *words):
    bare = {"PATH": os.environ["PATH"], "TALLYROOM_VAR": str(var)}
    command = [sys.executable, "manage.py", *words]
    return subprocess.run(command, cwd=settings.BASE_DIR, env=bare, capture_output=True, text=True)


def of_an_older_version(file):
    """The same backup as from before secrets of the second step were sealed, one of them in the clear."""
    members = members_of(file)
    var = file.parent / "older"
    var.mkdir()
    (var / "db.sqlite3").write_bytes(members["database.sqlite3"])
    back = new_process(var, "migrate", "people", "0001", "--verbosity", "0")
    assert back.returncode == 0, back.stderr
    old = sqlite3.connect(var / "db.sqlite3")
    old.execute("UPDATE people_person SET totp_secret = 'JBSWY3DPEHPK3PXP'")
    old.commit()
    old.close()
    members["database.sqlite3"] = (var / "db.sqlite3").read_bytes()
    told = json.loads(members["manifest.json"])
    told["members"][0]["size"] = len(members["database.sqlite3"])
    told["members"][0]["sha256"] = hashlib.sha256(members["database.sqlite3"]).hexdigest()
    members["manifest.json"] = json.dumps(told).encode()
    members["manifest.sha256"] = hashlib.sha256(members["manifest.json"]).hexdigest().encode()
    return write_tar(file.parent / "old.tar", members)


@sqlite_alone
def test_a_restored_site_is_the_same_site_and_is_verified(played, tmp_path):
    var = tmp_path / "var"
    make_person("Ada", "curator")
    written = of_an_older_version(backup.write(tmp_path / "site.tar").file)
    cut = tmp_path / "cut.tar"
    cut.write_bytes(written.read_bytes()[: written.stat().st_size // 2])
    refused = new_process(var, "restore", str(cut))
    assert refused.returncode == 1
    assert {path.name for path in var.iterdir()} <= {"secret-key", "db.sqlite3"}
    assert not (var / "db.sqlite3").stat().st_size
    done = new_process(var, "restore", str(written))
    assert "1 pad with 3 entries, 0 books: all is as it was written." in done.stdout, done.stderr
    assert (var / "secret-key").read_text().strip() == settings.SECRET_KEY
    assert (var / "originals" / "ä b" / "c.png").read_bytes() == b"odd name"
    assert stat.S_IMODE((var / "db.sqlite3").stat().st_mode) == 0o600
    copy = sqlite3.connect(var / "db.sqlite3")
    rows = copy.execute("SELECT entry_id, seal FROM scorepad_entry ORDER BY number").fetchall()
    [(sealed,)] = copy.execute("SELECT totp_secret FROM people_person").fetchall()
    copy.close()
    assert rows == list(Entry.objects.order_by("number").values_list("entry_id", "seal"))
    # What an older version kept in the clear was sealed with the key of the backup, not of the empty place.
    assert sealed.startswith("sealed:") and unseal(sealed) == "JBSWY3DPEHPK3PXP"
    assert [path.name for path in var.iterdir() if path.name.startswith(".")] == []


def test_the_command_says_where_the_backup_is(played, tmp_path, capsys):
    call_command("backup", str(tmp_path / "site.tar"))
    assert "3 image files" in capsys.readouterr().out
    call_command("restore", str(tmp_path / "site.tar"), "--check")
    assert "is whole" in capsys.readouterr().out


@sqlite_alone
def test_a_damaged_database_is_found_before_it_is_put_back(written, tmp_path):
    restore.unpack(written, tmp_path / "out")
    file = tmp_path / "out" / "database.sqlite3"
    content = bytearray(file.read_bytes())
    content[4096:12288] = os.urandom(8192)
    file.write_bytes(content)
    with pytest.raises(database_snapshots.SnapshotError, match="damaged"):
        database_snapshots.check(file)


def test_the_file_of_the_database_is_its_owners_alone_and_a_group_that_was_let_in_stays(tmp_path):
    database = environment.sqlite(str(tmp_path / "db.sqlite3"))
    environment.make_private(database)
    assert stat.S_IMODE((tmp_path / "db.sqlite3").stat().st_mode) == 0o600
    (tmp_path / "db.sqlite3").chmod(0o644)
    environment.make_private(database)
    assert stat.S_IMODE((tmp_path / "db.sqlite3").stat().st_mode) == 0o640
    environment.make_private(environment.sqlite(str(tmp_path / "nowhere" / "db.sqlite3")))
    assert not (tmp_path / "nowhere").exists()
