"""reader, contributor, curator, keeper × every address of the archive and of the accounts × every method."""

import pytest

from tests.security.addresses import ANYONE, ARCHIVE
from tests.security.conftest import ACCOUNTS, ask, undone

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
PLAIN = METHODS[:2]
DONE = {200, 302, 303, 400, 404, 422}
"""400 and 404 only where the row's example names what is not there; a test below sees that it is there."""


def is_right(answer, row, role, method):
    least = row.methods.get(method)
    if least is None:
        refused = answer.status_code in (405, row.refuses)
        return refused or (ACCOUNTS[role] < 2 and answer.status_code in (302, 403))
    if least == ANYONE or ACCOUNTS[role] >= ACCOUNTS[least]:
        return answer.status_code in DONE and not _asks_to_sign_in(answer)
    if role == "reader" and method in ("GET", "HEAD"):
        return _asks_to_sign_in(answer)
    return answer.status_code == 403


def _asks_to_sign_in(answer):
    return answer.headers.get("Location", "").startswith("/people/sign-in/?next=")


@pytest.mark.parametrize("role", ACCOUNTS)
def test_each_role_gets_exactly_where_it_may(house, role):
    wrong = []
    for route, row in ARCHIVE.items():
        if role in ("contributor", "curator") and row.get == ANYONE and row.post is None:
            # What is open to readers is tried as a reader and as a keeper; those between come as far.
            continue
        client = house.account(role)
        for method in METHODS if role == "keeper" else PLAIN:
            answer = undone(ask, client, method, house.path(row), row)
            if not is_right(answer, row, role, method):
                wrong.append(f"{method} {route}: {answer.status_code}")
    assert not wrong, wrong


def test_every_example_names_something_that_is_there(house):
    client = house.account("keeper")
    for route, row in ARCHIVE.items():
        if row.get is not None and "iiif/image" not in route:
            status = undone(ask, client, "GET", house.path(row), row).status_code
            assert status in (200, 302), route


def test_a_sleeping_account_is_a_readers(house):
    people = house.people
    type(people["keeper"]).objects.update(is_active=False)
    client = house.account("keeper")
    for row in ARCHIVE.values():
        if row.get not in (None, ANYONE):
            assert _asks_to_sign_in(client.get(house.path(row)))
