"""A full disk and a locked database, in one process: what is answered, and that nothing is left behind."""

import errno
import json
import sqlite3

import pytest
from django.db import InternalError, OperationalError, connection
from django.db.utils import ConnectionHandler
from django.test import RequestFactory

from config import environment
from ops import service_errors
from scorepad.models import Link, Pad
from tests.scorepad.conftest import Phone, browser_of, sit_down, victory

pytestmark = pytest.mark.skipif(connection.vendor != "sqlite", reason="the errors of SQLite")


def fault(number):
    cause = sqlite3.OperationalError("as SQLite says it")
    cause.sqlite_errorcode = number
    outer = OperationalError("as Django says it")
    outer.__cause__ = cause
    return outer


class FromPostgres(Exception):
    def __init__(self, sqlstate):
        self.sqlstate = sqlstate


def from_postgres(state, kind=OperationalError):
    outer = kind("as Django says it")
    outer.__cause__ = FromPostgres(state)
    return outer


@pytest.mark.parametrize(
    ("fault", "status"),
    [(fault(sqlite3.SQLITE_FULL), 507), (fault(sqlite3.SQLITE_BUSY), 503),
     (fault(sqlite3.SQLITE_BUSY | 2 << 8), 503), (fault(sqlite3.SQLITE_IOERR | 3 << 8), 503),
     (OSError(errno.ENOSPC, "full"), 507), (OSError(errno.EDQUOT, "full"), 507),
     (from_postgres("53100"), 507), (from_postgres("55P03"), 503), (from_postgres(None), 503),
     (from_postgres("25006", InternalError), 503)],
)  # fmt: skip
def test_each_fault_of_disk_or_database_has_its_answer(fault, status):
    assert service_errors.classify(fault).status == status


@pytest.mark.parametrize(
    "fault",
    [fault(sqlite3.SQLITE_ERROR), from_postgres("25P02", InternalError), OSError(errno.EPIPE, "gone"),
     ValueError(), None],
)  # fmt: skip
def test_a_fault_of_our_own_is_not_dressed_up(fault):
    assert service_errors.classify(fault) is None


def test_an_unwritable_file_on_a_disk_without_room_is_a_full_disk(monkeypatch):
    monkeypatch.setattr(service_errors.shutil, "disk_usage", lambda place: type("Usage", (), {"free": 4096}))
    assert service_errors.classify(fault(sqlite3.SQLITE_IOERR)).status == 507


@pytest.mark.parametrize(
    ("path", "headers", "is_json"),
    [("/pads/x/entries/", {"content_type": "application/json"}, True), ("/pads/x/result.json", {}, True),
     ("/x/", {"HTTP_ACCEPT": "application/json"}, True), ("/x/", {"HTTP_ACCEPT": "text/html,*/*"}, False),
     ("/pads/", {}, False)],
)  # fmt: skip
def test_a_program_is_told_in_json_and_a_person_on_a_page(path, headers, is_json):
    request = RequestFactory().post(path, **headers)
    response = service_errors.response_to(request, fault(sqlite3.SQLITE_BUSY))
    assert response.headers["Retry-After"].isdigit()
    assert response.headers["Cache-Control"] == "no-store"
    if is_json:
        assert json.loads(response.content)["error"]["code"] == "busy"
    else:
        assert b"<h1>One moment</h1>" in response.content


@pytest.fixture
def table(committed):
    table = sit_down()
    yield table
    allow(1 << 30)
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS filler")


def allow(pages):
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA max_page_count = {pages}")


def fill_free_pages():
    """What other tests have left behind is room too."""
    with connection.cursor() as cursor:
        free = cursor.execute("PRAGMA freelist_count").fetchone()[0]
        size = cursor.execute("PRAGMA page_size").fetchone()[0]
        if free > 8:
            cursor.execute("CREATE TABLE filler (content)")
            cursor.execute("INSERT INTO filler VALUES (zeroblob(%s))", [(free - 4) * (size - 4)])


def test_when_the_database_cannot_grow_nothing_is_half_stored_and_room_is_enough(table):
    """Pads are made until the last pages are full; one page is the least there can be, so none is added."""
    allow(1)
    fill_free_pages()
    wish = {"game": "rummy-1916", "players": ["Ann", "Bert"]}
    answers = [Phone(None).post("/pads/", wish) for _ in range(60)]
    made = sum(answer.status_code == 201 for answer in answers)
    assert {answer.status_code for answer in answers} == {201, 507}
    assert answers[-1].json()["error"]["message"].startswith("The server's disk is full. Nothing was stored")
    assert (Pad.objects.count(), Link.objects.count()) == (1 + made, 3 + 3 * made)
    allow(1 << 30)
    assert Phone(None).post("/pads/", wish).status_code == 201
    assert table.player.enter(victory("after"))[0]["status"] == "stored"


def test_an_entry_a_part_of_a_draft_and_a_form_are_told_of_a_full_disk(table):
    browser = browser_of(table.player)
    page = browser.get(f"/pads/{table.code}/").content.decode()
    token = page.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]

    def no_room(*args, **kwargs):
        raise fault(sqlite3.SQLITE_FULL)

    part = {"type": "axis", "put": [{"field": "cards", "value": 1}]}
    with connection.execute_wrapper(no_room):
        entry = table.player.post("entries/", {"entries": [victory("new")]})
        draft = table.player.post("draft/", part)
        form = browser.post(f"/pads/{table.code}/tap/", {"csrfmiddlewaretoken": token, "part": "{}"})
    assert (entry.status_code, draft.status_code, form.status_code) == (507, 507, 507)
    assert form.headers["Content-Type"] == "text/html; charset=utf-8"
    assert b"send it again once there is room" in form.content


def test_no_connection_begins_another_log_while_that_of_the_others_is_gone(db, tmp_path):
    """What it stored there would be lost when the log is put back, and the others would not see it."""
    place = environment.sqlite(str(tmp_path / "db.sqlite3"))
    first, second = (ConnectionHandler({"default": place})["default"] for _ in range(2))
    first.cursor().execute("CREATE TABLE entry (number)")
    first.close()
    first.cursor().execute("SELECT * FROM entry")
    aside = (tmp_path / "db.sqlite3-wal").rename(tmp_path / "aside")
    with pytest.raises(OperationalError, match="removed or replaced"):
        second.cursor()
    assert not second.is_in_place() and not (tmp_path / "db.sqlite3-wal").exists()
    aside.rename(tmp_path / "db.sqlite3-wal")
    second.cursor().execute("INSERT INTO entry VALUES (1)")
    assert first.cursor().execute("SELECT number FROM entry").fetchall() == [(1,)]
    for one in (first, second):
        one.close()
    first.cursor().execute("SELECT * FROM entry")
    first.close()
