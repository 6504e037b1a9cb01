import pytest
from django.test import Client

from people.models import Person
from people.validators import name_key

PASSWORD = "four plain words here"


def make_person(name, role, password=PASSWORD):
    person = Person(name=name, key=name_key(name), role=role)
    person.set_password(password)
    person.save()
    return person


@pytest.fixture
def cast(db):
    """One person of each role, by role."""
    return {
        role: make_person(name, role)
        for name, role in [("Carla", "contributor"), ("Conrad", "curator"), ("Kim Lee", "keeper")]
    }


@pytest.fixture
def as_(cast):
    """A client signed in with this role; "reader" is not signed in."""

    def sign_in(role, **options):
        client = Client(**options)
        if role != "reader":
            client.force_login(cast[role])
        return client

    return sign_in
