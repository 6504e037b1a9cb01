"""The budget of every address: none is without its dearest form, and its judge finds what is too dear."""

from http.client import HTTPMessage

import pytest

from tests.bench.bench_budget import Cost, judged
from tests.bench.dearest import DEAREST
from tests.security.addresses import EVERY
from tests.security.attacks.caller import Answer


def test_every_address_has_its_dearest_form():
    assert set(EVERY) - set(DEAREST) == set(), "say in tests/bench/dearest.py what is the dearest one may ask"
    assert set(DEAREST) - set(EVERY) == set()


@pytest.mark.parametrize(
    ("least", "pages", "status", "holds"),
    [
        ("anyone", 49, 200, True),
        ("anyone", 51, 200, False),
        ("keep", 51, 200, False),
        ("curator", 51, 200, True),
        ("curator", 201, 200, False),
        ("anyone", 1, 500, False),
        ("anyone", 1, 503, True),
    ],
)
def test_what_is_too_dear_is_a_miss(least, pages, status, holds):
    assert judged([Cost("GET", "somewhere/", least, pages, Answer(status, HTTPMessage(), b"", 0))]) == holds


def test_what_is_sent_is_of_its_kind():
    for route, form in DEAREST.items():
        if form.sent:
            assert isinstance(form.sent(), dict), route
