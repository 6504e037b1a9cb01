"""The way back to the desk, for those who have one; a reader is not even looked up."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import DatabaseError, connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils.functional import SimpleLazyObject

from people.models import Session
from people.templatetags.people import has_desk

LINK = '<a href="/curation/"'

pytestmark = pytest.mark.django_db


def asked_for_sessions(client, path="/about/"):
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(path)
    table = Session._meta.db_table
    return answer, [query["sql"] for query in asked if table in query["sql"]]


@pytest.mark.parametrize("path", ["/", "/about/", "/variants/", "/nowhere/"])
def test_a_readers_page_looks_for_no_session_and_has_no_desk(client, path):
    client.cookies["theme"] = "dark"
    answer, queries = asked_for_sessions(client, path)
    assert queries == [] and LINK not in answer.content.decode()
    assert "Cookie" in answer["Vary"] and "sessionid" not in answer.cookies


@pytest.mark.parametrize("role", ["contributor", "curator", "keeper"])
def test_who_is_signed_in_finds_the_desk_on_every_page(as_, role):
    answer, queries = asked_for_sessions(as_(role))
    assert LINK in answer.content.decode() and len(queries) == 1
    assert "Cookie" in answer["Vary"]


def test_a_session_that_ended_shows_no_desk():
    client = Client()
    client.cookies["sessionid"] = "0123456789abcdefghijklmnopqrstuv"
    assert LINK not in client.get("/about/").content.decode()


def test_the_page_is_drawn_even_where_nobody_can_be_looked_up():
    def unable():
        raise DatabaseError("no room")

    request = RequestFactory().get("/")
    request.COOKIES["sessionid"] = "0123456789abcdefghijklmnopqrstuv"
    request.user = SimpleLazyObject(unable)
    assert has_desk(request) is False
    request.user = AnonymousUser()
    assert has_desk(request) is False
    assert has_desk(None) is False


def test_the_desk_leads_keepers_to_the_people(as_):
    assert '<a href="/people/">People</a>' in as_("keeper").get("/curation/").content.decode()
    assert '<a href="/people/">People</a>' not in as_("curator").get("/curation/").content.decode()
