"""GET and HEAD change nothing, wherever they go and whoever asks."""

import hashlib

import pytest
from django.db import connection

from tests.security.addresses import EVERY
from tests.security.conftest import ROLES, ask

# When a device was last here, and how often an address has tried, may be noted by any request.
NOTED = ("people_session", "turnstile_")
CHANGES = ("INSERT", "UPDATE", "DELETE", "REPLACE", "CREATE", "DROP", "ALTER")


def everything():
    """A digest of the rows of every table."""
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            if not table.startswith(NOTED):
                cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
                rows = sorted(map(repr, cursor.fetchall()))
                found[table] = hashlib.sha256("\n".join(rows).encode()).hexdigest()
    return found


class Watch:
    """Notes every statement that writes, with the address that made it."""

    def __init__(self):
        self.address, self.written = "", []

    def __call__(self, execute, sql, params, many, context):
        if sql.lstrip().upper().startswith(CHANGES) and not any(name in sql for name in NOTED):
            self.written.append(f"{self.address}: {sql[:80]}")
        return execute(sql, params, many, context)


@pytest.mark.parametrize("role", ["keep", "none"])
def test_reading_writes_nothing_anywhere(house, role):
    client = house.browser(role)
    if ROLES[role] >= 0:
        client.force_login(house.people["keeper"])
    before, watch = everything(), Watch()
    with connection.execute_wrapper(watch):
        for row in EVERY.values():
            for method in ("GET", "HEAD") if role == "keep" else ("GET", "OPTIONS"):
                watch.address = f"{method} {row.example}"
                ask(client, method, house.path(row), row)
            if row.asks:
                watch.address = f"POST {row.example}"
                ask(client, "POST", house.path(row), row)
    assert watch.written == []
    assert everything() == before


def test_the_watch_sees_what_a_post_writes(house):
    """The control: the same watch and the same digest notice one entry."""
    before, watch = everything(), Watch()
    with connection.execute_wrapper(watch):
        house.table.player.enter({"id": "b1", "type": "capture", "player": "Ann"})
    assert watch.written and everything() != before
