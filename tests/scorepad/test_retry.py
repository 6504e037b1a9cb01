"""What the database undid for a passing reason is done again, a few times."""

import pytest
from django.db import OperationalError

from scorepad import ledger
from scorepad.ledger import sql
from scorepad.limits import limit
from scorepad.models import Entry
from tests.scorepad.conftest import sit_down, victory


class Undone(Exception):
    def __init__(self, sqlstate):
        self.sqlstate = sqlstate


def undone(sqlstate="40P01"):
    fault = OperationalError("deadlock detected")
    fault.__cause__ = Undone(sqlstate)
    return fault


@pytest.fixture
def faults(monkeypatch):
    """Faults that locking the pad meets, one after the other, before it goes well."""
    waiting, locked = [], sql.lock_pad

    def lock(pad):
        if waiting:
            raise waiting.pop()
        return locked(pad)

    monkeypatch.setattr(sql, "lock_pad", lock)
    return waiting


def test_a_deadlock_is_tried_again_and_the_entry_is_stored_once(committed, faults):
    table = sit_down()
    faults += [undone(), undone("40001")]
    assert table.player.enter(victory("a1"))[0]["status"] == "stored"
    assert Entry.objects.filter(pad=table.pad).count() == 1


def test_after_a_few_times_the_phone_is_told_to_send_it_again(committed, faults):
    table = sit_down()
    faults += [undone() for _ in range(limit("LEDGER_TRIES_MOST"))]
    answer = table.player.post("entries/", {"entries": [victory("a1")]})
    assert answer.status_code == 503
    assert answer.headers["Retry-After"]
    assert not Entry.objects.filter(pad=table.pad).exists()
    assert table.player.enter(victory("a1"))[0]["status"] == "stored"


def test_another_fault_is_not_tried_again(committed, faults):
    table = sit_down()
    faults += [undone("42P01"), undone("42P01")]
    with pytest.raises(OperationalError):
        ledger.append(table.pad, [victory("a1")])
    assert len(faults) == 1


def test_inside_a_transaction_of_somebody_else_nothing_is_tried_again(table, faults):
    faults += [undone(), undone()]
    with pytest.raises(OperationalError):
        ledger.append(table.pad, [victory("a1")])
    assert len(faults) == 1
