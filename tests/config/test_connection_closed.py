"""A connection that is closed is an InterfaceError, which Django does not count among its DatabaseErrors."""

import pytest
from django.db import InterfaceError
from django.test import RequestFactory
from django.utils.functional import SimpleLazyObject

from ops import health
from people.templatetags.people import has_desk
from ratelimit import limiter
from scorepad import limits, new_pads


def closed(*args, **kwargs):
    raise InterfaceError("the connection is closed")


def test_health_says_that_the_database_is_away(client, monkeypatch):
    monkeypatch.setattr("ops.health.connection.cursor", closed)
    assert client.get("/health").json()["database"] == "unreachable"


def test_migrations_are_not_known(monkeypatch):
    monkeypatch.setattr(health, "_all_applied", False)
    monkeypatch.setattr(health, "MigrationExecutor", closed)
    assert health.migrations_state() == "unknown"


def test_the_page_that_says_so_is_drawn():
    request = RequestFactory().get("/")
    request.COOKIES["sessionid"] = "0123456789abcdefghijklmnopqrstuv"
    request.user = SimpleLazyObject(closed)
    assert has_desk(request) is False


@pytest.mark.django_db
def test_a_wrong_guess_is_refused_all_the_same(monkeypatch):
    monkeypatch.setattr(limiter, "count", closed)
    limiter.record_failure(limits.pads_per_site(), "10.0.0.1")


@pytest.mark.django_db
def test_a_pad_is_there_though_unused_ones_could_not_be_looked_for(monkeypatch):
    monkeypatch.setattr(new_pads.expiry, "once_a_day", closed)
    with new_pads.creation_limit(RequestFactory().post("/pads/")):
        pass
