"""A curator on a full disk: an upload and a mended leaf are refused with a sentence, and nothing is kept."""

import errno
import sqlite3

import pytest
from django.core.files.storage import FileSystemStorage
from django.db import connection, transaction

from archive.models.history import Revision
from archive.models.scans import Original, Scan
from tests.archive.conftest import curated, shelved  # noqa: F401
from tests.archive.curators import BOOK, leaf_of, rows, signed_in
from tests.archive.scan_files import lines_of_print, photograph, send
from tests.resilience.test_service_errors import fault

pytestmark = pytest.mark.django_db


@pytest.fixture
def curator(curated):  # noqa: F811
    return signed_in(curated["curator"])


def test_a_scan_that_finds_no_room_is_refused_whole_and_taken_later(curator, monkeypatch):
    def no_room(*args, **kwargs):
        raise OSError(errno.ENOSPC, "No space left on device")

    picture = "leaf.jpg", photograph(lines_of_print())
    with monkeypatch.context() as patched:
        patched.setattr(FileSystemStorage, "_save", no_room)
        # Another test may have kept the same picture; then nothing need be written.
        patched.setattr(FileSystemStorage, "exists", lambda *args: False)
        answer = send(curator, picture)
        assert answer.status_code == 507
        assert answer.json()["error"]["code"] == "disk-full"
        assert b"No room left" in send(curator, picture, script=False).content
    assert (Original.objects.count(), Scan.objects.count()) == (0, 0)
    assert send(curator, picture).status_code == 200
    assert Scan.objects.count() == 1


def test_a_mended_leaf_that_finds_no_room_is_refused_and_published_later(curator):
    old = "A CAPTURE counts 50 points."
    leaf = leaf_of(old)
    address, line = f"/books/{BOOK}/{leaf}/mend/", rows(leaf, old, "A CAPTURE counts fifty points.")
    form = {"parent": 1, "reason": "Spelt out.", "line": line}

    def no_room(execute, words, *args):
        if words.startswith(("INSERT", "UPDATE")):
            raise fault(sqlite3.SQLITE_FULL)
        return execute(words, *args)

    with connection.execute_wrapper(no_room):
        answer = curator.post(address, form)
    transaction.set_rollback(False)  # The test's own transaction goes on; in the site there is none around.
    assert answer.status_code == 507
    assert b"what you wrote is still in the form" in answer.content
    assert curator.post(address, form).status_code == 302
    assert Revision.objects.count() == 2
