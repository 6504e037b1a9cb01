"""The question of the proxy before it takes in a large body: may who sends it publish?"""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from people.models import Session
from tests.people.conftest import make_person

pytestmark = pytest.mark.django_db
ASKED = "/people/may-publish/"


@pytest.mark.parametrize(("role", "status"), [("contributor", 403), ("curator", 204), ("keeper", 204)])
def test_curators_and_administrators_may(role, status):
    client = Client()
    client.force_login(make_person("Conrad", role))
    answer = client.post(ASKED)
    assert answer.status_code == status
    assert "no-store" in answer.headers["Cache-Control"]


def test_a_stranger_may_not():
    assert Client().post(ASKED).status_code == 403


def test_a_device_that_was_not_used_for_days_may_not():
    client = Client()
    client.force_login(make_person("Conrad", "curator"))
    Session.objects.update(seen=timezone.now() - timedelta(days=30))
    assert client.post(ASKED).status_code == 403
