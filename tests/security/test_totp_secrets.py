"""Secrets that must be read again are not readable in the database."""

import importlib

import pytest
from django.apps import apps
from django.db import connection

from people import authentication, totp
from people.errors import SecondStepError
from people.models import Person
from tests.people.conftest import PASSWORD, make_person

pytestmark = pytest.mark.django_db
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def test_what_is_sealed_comes_back_and_looks_different_each_time():
    assert totp.unseal(totp.seal(SECRET)) == SECRET
    assert totp.seal(SECRET) != totp.seal(SECRET)
    assert SECRET not in totp.seal(SECRET)
    assert len(totp.seal(SECRET)) <= Person._meta.get_field("totp_secret").max_length


def test_another_key_opens_nothing_unless_the_old_one_is_named(settings):
    kept, old = totp.seal(SECRET), settings.SECRET_KEY
    settings.SECRET_KEY = "another key" * 5
    assert totp.unseal(kept) == ""
    settings.SECRET_KEY_FALLBACKS = [old]
    assert totp.unseal(kept) == SECRET


def test_an_altered_secret_opens_nothing():
    kept = totp.seal(SECRET)
    assert totp.unseal(kept[:-4] + "AAAA") == ""


def test_secrets_kept_in_the_clear_are_sealed_by_the_migration_and_back():
    person = make_person("Kim Lee", "keeper")
    Person.objects.update(totp_secret=SECRET)
    step = importlib.import_module("people.migrations.0002_sealed_secrets")
    for _ in range(2):
        step.seal_all(apps, connection.schema_editor())
        person.refresh_from_db()
        assert person.totp_secret.startswith(totp.SEALED_PREFIX) and totp.unseal(person.totp_secret) == SECRET
    code = totp.code_at(SECRET, totp.step_now())
    assert authentication.authenticate("Kim Lee", PASSWORD, code, "10.0.0.1") == person
    step.unseal_all(apps, connection.schema_editor())
    person.refresh_from_db()
    assert person.totp_secret == SECRET


def test_a_secret_that_cannot_be_opened_lets_nobody_in(settings):
    make_person("Kim Lee", "keeper")
    Person.objects.update(totp_secret=totp.seal(SECRET))
    settings.SECRET_KEY = "another key" * 5
    code = totp.code_at(SECRET, totp.step_now())
    for written in (code, ""):
        with pytest.raises(SecondStepError):
            authentication.authenticate("Kim Lee", PASSWORD, written, "10.0.0.1")
