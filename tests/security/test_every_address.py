"""The table of addresses is whole, and a new address cannot be forgotten."""

from tests.security.addresses import ARCHIVE, BEGINNING, CLUBS, EVERY, PADS, named_routes, routes


def test_every_address_has_its_row_with_who_may_use_it():
    missing = sorted(set(routes()) - set(EVERY))
    assert not missing, f"Say in tests/security/addresses.py who may use: {missing}"


def test_no_row_is_of_an_address_that_is_gone():
    assert sorted(set(EVERY) - set(routes())) == []


def test_no_address_stands_in_two_tables():
    assert len(EVERY) == len(PADS) + len(CLUBS) + len(BEGINNING) + len(ARCHIVE)


def test_every_address_of_a_pad_stands_in_the_pads_tables():
    assert not [
        route for route in ARCHIVE if route.startswith(("pads/", "^pads/", "evenings/", "clubs/", "^clubs/"))
    ]


def test_no_two_addresses_have_one_name():
    """A link would lead to the one that was named last."""
    names = [name for _, name in named_routes() if name]
    assert sorted({name for name in names if names.count(name) > 1}) == []
