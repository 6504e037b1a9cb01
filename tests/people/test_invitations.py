import io
import logging
import threading
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from config.log_format import HideKeys
from people import administration, invitations
from people.errors import InvitationGoneError
from people.models import Invitation, Person
from tests.html import squeezed
from tests.people.conftest import PASSWORD, make_person

pytestmark = pytest.mark.django_db
MADE = {"name": "Ada Byron", "password": PASSWORD}
NEW = "brand new plain words"


def test_the_command_makes_the_first_keeper(client):
    out = io.StringIO()
    call_command("invite", stdout=out, stderr=io.StringIO())
    link = out.getvalue().strip()
    path = "/people/" + link.partition("/people/")[2]
    assert client.get(path).status_code == 200
    assert client.post(path, MADE)["Location"] == "/people/me/"
    assert Person.objects.get().role == "keeper"
    assert client.get("/people/").status_code == 200


def test_the_command_names_the_site_as_the_world_knows_it(settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://*.example.org", "https://tally.example.org"]
    out = io.StringIO()
    call_command("invite", stdout=out, stderr=io.StringIO())
    assert out.getvalue().startswith("https://tally.example.org/people/invitation/")


def test_a_link_works_once(client):
    token = invitations.invite("curator")
    assert client.post(f"/people/invitation/{token}", MADE).status_code == 302
    assert Client().post(f"/people/invitation/{token}", {**MADE, "name": "Eve"}).status_code == 404
    assert Person.objects.count() == 1


@pytest.mark.parametrize("field", ["expires", "withdrawn", "used"])
def test_an_old_withdrawn_or_used_link_is_gone(client, field):
    token = invitations.invite("curator")
    Invitation.objects.update(**{field: timezone.now() - timedelta(seconds=1)})
    assert client.get(f"/people/invitation/{token}").status_code == 404
    assert client.post(f"/people/invitation/{token}", MADE).status_code == 404


def test_only_a_hash_of_the_token_is_kept():
    token = invitations.invite("curator")
    assert token not in str(Invitation.objects.values().get())
    assert len(token) >= 32


def test_a_token_never_reaches_a_log():
    record = logging.LogRecord("x", 20, "", 0, "Not Found: %s", ("/people/invitation/" + "a" * 32,), None)
    HideKeys().filter(record)
    assert "aaa" not in record.getMessage()


@pytest.mark.parametrize(
    "name",
    [
        "",
        "x",
        "<script>alert(1)</script>",
        "a\u202eb name",
        "zero\u200bwidth",
        "....",
        "a" * 41,
        "a\x00b",
        "Kim Lee",
    ],
)
def test_a_name_that_pretends_is_refused_and_the_link_stays_good(client, name):
    make_person("KIM lee", "curator")
    token = invitations.invite("curator")
    answer = client.post(f"/people/invitation/{token}", {"name": name, "password": PASSWORD})
    assert answer.status_code == 422
    assert "<script>alert" not in answer.content.decode()
    assert client.post(f"/people/invitation/{token}", MADE).status_code == 302


@pytest.mark.parametrize("name", ["Zoë Müller", "O’Brien", "李小龙", "Jean-Luc P.", "Ng Õ"])
def test_names_of_the_world_are_welcome(client, name):
    token = invitations.invite("curator")
    assert client.post(f"/people/invitation/{token}", {"name": name, "password": PASSWORD}).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_of_many_who_use_one_link_at_once_one_gets_in():
    token = invitations.invite("curator")
    came = []

    def use(number):
        try:
            came.append(invitations.accept(token, f"Guest {number}", PASSWORD))
        except InvitationGoneError:
            pass
        finally:
            connection.close()

    threads = [threading.Thread(target=use, args=[number]) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(came) == Person.objects.count() == 1


def test_a_keeper_makes_a_link_that_is_shown_once(as_):
    keeper = as_("keeper")
    page = keeper.post("/people/", {"role": "curator", "guest": "Ada"}).content.decode()
    link = squeezed(page).split('id="link" readonly value="')[1].split('"')[0]
    assert "/people/invitation/" in link
    later = keeper.get("/people/").content.decode()
    assert link not in later and "Ada" in later
    keeper.post(f"/people/invitations/{Invitation.objects.get().pk}/")
    assert Client().get(link).status_code == 404


def link_for(keeper, person):
    """The link for a new password that a keeper makes on the page."""
    page = keeper.post(f"/people/{person.pk}/", {"act": "password"}).content.decode()
    return squeezed(page).split('id="link" readonly value="')[1].split('"')[0]


def test_a_link_for_a_new_password_ends_all_sessions(as_, cast):
    curator = as_("curator")
    link = link_for(as_("keeper"), cast["curator"])
    assert Client().post(link, {"password": NEW}).status_code == 302
    assert curator.get("/people/me/").status_code == 302
    person = Person.objects.get(role="curator")
    assert person.name == "Conrad" and person.check_password(NEW)


def test_a_newer_link_for_a_new_password_ends_the_older_one(as_, cast):
    keeper = as_("keeper")
    old, other, new = (link_for(keeper, cast[role]) for role in ("curator", "contributor", "curator"))
    assert Client().post(old, {"password": NEW}).status_code == 404
    assert Client().get(other).status_code == 200, "that of another person stays"
    assert Client().post(new, {"password": NEW}).status_code == 302


def test_a_link_from_before_that_rule_ends_when_another_is_used(cast):
    older, newer = (invitations.invite("curator", person=cast["curator"]) for _ in range(2))
    Invitation.objects.update(withdrawn=None)
    assert Client().post(f"/people/invitation/{newer}", {"password": NEW}).status_code == 302
    assert Client().post(f"/people/invitation/{older}", {"password": PASSWORD}).status_code == 404


def test_a_sign_in_ends_the_link_for_a_new_password(cast):
    token = invitations.invite("curator", person=cast["curator"])
    Client().post("/people/sign-in/", {"name": "Conrad", "password": "a wrong long password"})
    assert Client().get(f"/people/invitation/{token}").status_code == 200, "a failed one does not"
    Client().post("/people/sign-in/", {"name": "Conrad", "password": PASSWORD})
    assert Client().post(f"/people/invitation/{token}", {"password": NEW}).status_code == 404


def test_a_change_of_the_password_ends_the_link_for_a_new_one(as_, cast):
    curator = as_("curator")
    token = invitations.invite("curator", person=cast["curator"])
    guest = invitations.invite("curator", "Ada", cast["curator"])
    curator.post("/people/me/password/", {"present": PASSWORD, "password": NEW})
    assert Client().get(f"/people/invitation/{token}").status_code == 404
    assert Client().get(f"/people/invitation/{guest}").status_code == 200, "an invitation is none"


@pytest.mark.django_db(transaction=True)
def test_of_many_links_made_at_once_for_one_person_one_is_left(cast):
    def make():
        try:
            invitations.invite("curator", person=cast["curator"])
        finally:
            connection.close()

    threads = [threading.Thread(target=make) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (Invitation.objects.count(), Invitation.objects.open().count()) == (5, 1)


def test_the_command_makes_a_link_for_a_keepers_new_password(cast):
    out = io.StringIO()
    call_command("invite", "--person", "kim LEE", stdout=out, stderr=io.StringIO())
    link = "/people/" + out.getvalue().strip().partition("/people/")[2]
    assert Client().post(link, {"password": NEW}).status_code == 302
    assert Person.objects.get(role="keeper").check_password(NEW)
    with pytest.raises(CommandError, match="no account with the name Nobody"):
        call_command("invite", "--person", "Nobody", stdout=out, stderr=io.StringIO())


def test_the_last_keeper_stays(as_, cast):
    keeper = as_("keeper")
    for act in ({"act": "rest"}, {"act": "role", "role": "curator"}):
        answer = keeper.post(f"/people/{cast['keeper'].pk}/", act)
        assert answer.status_code == 422 and "One administrator must be left" in answer.content.decode()
    administration.assign_role(cast["curator"], "keeper")
    assert keeper.post(f"/people/{cast['keeper'].pk}/", {"act": "rest"}).status_code == 302


@pytest.mark.parametrize("act", [{"act": "rest"}, {"act": "role", "role": "curator"}])
def test_who_is_no_keeper_any_more_does_not_come_in_by_links_made_before(as_, cast, act):
    administration.assign_role(cast["curator"], "keeper")
    mine, other = (invitations.invite("keeper", made_by=cast[name]) for name in ("keeper", "curator"))
    as_("curator").post(f"/people/{cast['keeper'].pk}/", act)
    assert Client().post(f"/people/invitation/{mine}", MADE).status_code == 404
    assert Client().post(f"/people/invitation/{other}", MADE).status_code == 302


def test_rest_signs_out_at_once_and_wake_lets_in_again(as_, cast):
    curator = as_("curator")
    keeper = as_("keeper")
    keeper.post(f"/people/{cast['curator'].pk}/", {"act": "rest"})
    assert curator.get("/people/me/").status_code == 302
    keeper.post(f"/people/{cast['curator'].pk}/", {"act": "wake"})
    answer = Client().post("/people/sign-in/", {"name": "Conrad", "password": PASSWORD})
    assert answer.status_code == 302
