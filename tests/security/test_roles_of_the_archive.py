"""That the examples of the table are there, and accounts at rest; test_over_sockets.py has the rest."""

from tests.security.addresses import ANYONE, ARCHIVE
from tests.security.conftest import ask, undone
from tests.security.test_over_sockets import asks_to_sign_in

NOT_IN_THE_HOUSE = ("iiif/image", "card.jpg", "parallel/<")
"""Addresses that need the files of page images, or a second book."""


def test_every_example_names_something_that_is_there(house):
    client = house.account("keeper")
    for route, row in ARCHIVE.items():
        if row.get is not None and not any(part in route for part in NOT_IN_THE_HOUSE):
            status = undone(ask, client, "GET", house.path(row), row).status_code
            assert status in (200, 202, 302), route


def test_a_sleeping_account_is_a_readers(house):
    people = house.people
    type(people["keeper"]).objects.update(is_active=False)
    client = house.account("keeper")
    for row in ARCHIVE.values():
        if row.get not in (None, ANYONE):
            assert asks_to_sign_in(client.get(house.path(row)))
