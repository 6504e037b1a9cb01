"""What the log says of accounts and what it never says; weak words; devices that must sign in again."""

import logging
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from people.models import Session
from people.validators import SITE_WORDS, SiteWordsValidator
from tests.people.conftest import PASSWORD, make_person

pytestmark = pytest.mark.django_db


@pytest.fixture
def said(caplog):
    caplog.set_level(logging.INFO, "tallyroom.people")
    return lambda: [record.getMessage() for record in caplog.records if record.name == "tallyroom.people"]


def sign_in(client, name="Conrad", password=PASSWORD):
    return client.post("/people/sign-in/", {"name": name, "password": password})


def test_coming_in_and_failing_are_told_and_nothing_that_was_typed(client, said):
    person = make_person("Conrad", "curator")
    sign_in(client, password="a wrong long password")
    sign_in(client, name="hunter2 typed as a name")
    sign_in(client)
    failed, unknown, came = said()
    assert failed.startswith(f"sign-in failed, person {person.pk}, from ")
    assert unknown.startswith("sign-in failed, from ")
    assert came.startswith(f"signed in with password, person {person.pk}, from ")
    whole = " ".join(said())
    for secret in ("wrong long", "hunter2", PASSWORD, "127.0.0.1", "Conrad"):
        assert secret not in whole
    # The same place has the same mark.
    assert len({line.rpartition(" ")[2] for line in said()}) == 1


def test_a_pause_and_a_closed_door_are_told(client, said, settings):
    settings.SIGN_IN_FAILURES_MOST = 1
    sign_in(client, password="a wrong long password")
    sign_in(client)
    assert said()[-1].startswith("sign-in paused, from ")
    client.force_login(make_person("Carla", "contributor"))
    assert client.get("/people/").status_code == 403
    assert "not allowed to keep, person " in said()[-1]


def test_what_keepers_do_is_told_with_who_did_it(client, said):
    keeper, other = make_person("Kim", "keeper"), make_person("Carla", "contributor")
    client.force_login(keeper)
    client.post("/people/", {"role": "curator", "guest": "Ada"})
    client.post(f"/people/{other.pk}/", {"act": "role", "role": "curator"})
    client.post(f"/people/{other.pk}/", {"act": "rest"})
    assert said() == [
        f"invited a curator, by person {keeper.pk}",
        f"role, curator, person {other.pk}, by person {keeper.pk}",
        f"rest, person {other.pk}, by person {keeper.pk}",
    ]


def test_words_of_the_site_make_no_password_longer():
    check = SiteWordsValidator()
    for bad in ("tallyroom-rummy", "Victory Victory 42", "curator!curator", "Password1234"):
        with pytest.raises(ValidationError, match="Choose other words"):
            check.validate(bad)
    for good in (PASSWORD, "rummy on the kitchen table", "0123456789ab"):
        check.validate(good)
    assert all(word == word.casefold() and word.isalnum() for word in SITE_WORDS)


def test_a_device_that_was_not_used_for_days_must_sign_in_again(client, said):
    client.force_login(make_person("Conrad", "curator"))
    assert client.get("/people/me/").status_code == 200
    Session.objects.update(seen=timezone.now() - timedelta(days=2, hours=23))
    assert client.get("/people/me/").status_code == 200
    Session.objects.update(seen=timezone.now() - timedelta(days=3, minutes=1))
    assert client.get("/people/me/")["Location"].startswith("/people/sign-in/")
    assert said() == [said()[0]] and "not used for days" in said()[0]
    assert Session.objects.count() == 0
