import itertools
import threading
import time
from datetime import timedelta

import pytest
from django.contrib.auth.hashers import identify_hasher, make_password
from django.db import connection
from django.test import Client
from django.utils import timezone

from people import authentication, totp
from people.limits import limit
from people.models import Person, Session
from ratelimit import limiter
from ratelimit.limiter import RateLimitError
from ratelimit.models import Count
from tests.people.conftest import PASSWORD, make_person

pytestmark = pytest.mark.django_db
KINDS = ("sign-in", "sign-in-name", "sign-in-address")


def sign_in(client, name="Kim Lee", password=PASSWORD, **more):
    return client.post("/people/sign-in/", {"name": name, "password": password, **more})


def test_a_name_and_a_password_lead_to_the_desk(cast, client):
    assert "/people/me/" not in client.get("/people/sign-in/").content.decode()
    answer = sign_in(client, next="")
    assert (answer.status_code, answer["Location"]) == (302, "/curation/")
    assert client.get("/people/sign-in/")["Location"] == "/curation/"
    assert "Kim Lee" in client.get("/people/me/").content.decode()


def test_a_name_may_be_written_in_any_case_and_width(cast, client):
    assert sign_in(client, name="  KIM   lee ").status_code == 302


def test_after_signing_in_one_comes_back_but_never_to_another_site(cast):
    assert sign_in(Client(), next="/books/x/history/")["Location"] == "/books/x/history/"
    for elsewhere in ("https://example.org/", "//example.org", "javascript:alert(1)", r"\\example.org"):
        assert sign_in(Client(), next=elsewhere)["Location"] == "/curation/"


def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(cast, client):
    wrong = sign_in(client, password="not the right one")
    unknown = sign_in(client, name="Nobody", password="not the right one")
    assert wrong.status_code == unknown.status_code == 422
    said = [answer.content.decode().split('role="alert"')[1].split("</p>")[0] for answer in (wrong, unknown)]
    assert said[0] == said[1]


def test_a_password_is_hashed_for_unknown_names_too(cast, monkeypatch):
    hashed = []
    monkeypatch.setattr(authentication, "make_password", lambda password: hashed.append(password))
    assert authentication.authenticate("Nobody", "a password", "", "1.2.3.4") is None
    assert hashed == ["a password"]


def test_unknown_names_take_as_long_as_known_ones(cast, settings):
    settings.PASSWORD_HASHERS = ["people.hashers.Argon2"]
    make_person("Argo", "curator")
    hosts = itertools.count(1)

    def seconds(name):
        started = time.process_time()
        authentication.authenticate(name, "wrong wrong wrong", "", f"10.0.0.{next(hosts)}")
        return time.process_time() - started

    known, unknown = min(seconds("Argo") for _ in range(4)), min(seconds("Nobody") for _ in range(4))
    assert 0.5 < known / unknown < 2


def test_passwords_are_kept_as_argon2(settings):
    settings.PASSWORD_HASHERS = ["people.hashers.Argon2"]
    kept = make_password(PASSWORD)
    assert identify_hasher(kept).algorithm == "argon2"
    assert "m=19456,t=2,p=1" in kept


@pytest.mark.parametrize("name", ["Kim Lee", "Nobody"])
def test_after_five_failures_the_right_password_must_wait_whether_the_name_exists_or_not(cast, name):
    client = Client()
    for _ in range(limit("SIGN_IN_FAILURES_MOST")):
        assert sign_in(client, name=name, password="wrong wrong wrong").status_code == 422
    assert sign_in(client, name=name).status_code == 429
    # Another address may still try: a stranger does not shut the owner out.
    elsewhere = Client(REMOTE_ADDR="10.9.8.7")
    assert sign_in(elsewhere, name="Kim Lee").status_code == 302


def test_one_address_cannot_try_many_names(cast):
    for number in range(limit("SIGN_IN_FAILURES_OF_AN_ADDRESS_MOST")):
        authentication.begin_attempt(f"name {number}", "10.0.0.1")
    with pytest.raises(RateLimitError):
        authentication.authenticate("Kim Lee", PASSWORD, "", "10.0.0.1")


@pytest.mark.django_db(transaction=True)
def test_of_many_guesses_at_once_no_more_are_judged_than_in_turn(cast, settings):
    settings.SIGN_IN_FAILURES_MOST = 3
    together, told = threading.Barrier(5), []

    def guess():
        try:
            together.wait()
            told.append(sign_in(Client(), password="a guess").status_code)
        finally:
            connection.close()

    threads = [threading.Thread(target=guess) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == [422, 422, 422, 429, 429]
    assert {row.kind: row.count for row in Count.objects.all()} == dict.fromkeys(KINDS, 3)


def test_a_right_password_clears_the_failures_of_the_name(cast, client):
    for _ in range(limit("SIGN_IN_FAILURES_MOST") - 1):
        sign_in(client, password="wrong wrong wrong")
    assert sign_in(client).status_code == 302
    assert not Count.objects.filter(count__gt=0).exists()


def test_a_right_password_ends_the_pause_of_the_name_at_every_address(cast, client):
    sign_in(client, name="Nobody", password="wrong wrong wrong")
    for _ in range(limit("SIGN_IN_FAILURES_MOST")):
        sign_in(client, password="wrong wrong wrong")
    assert sign_in(client).status_code == 429
    assert sign_in(Client(REMOTE_ADDR="10.9.8.7")).status_code == 302
    assert sign_in(client).status_code == 302
    # The failure of another name is not forgotten.
    assert {row.kind: row.count for row in Count.objects.filter(kind="sign-in")} == {"sign-in": 1}


def test_the_pause_lasts_as_long_as_it_says(cast, monkeypatch):
    started = timezone.now()
    for _ in range(limit("SIGN_IN_FAILURES_MOST")):
        authentication.begin_attempt("Kim Lee", "10.0.0.1")
    for minutes, is_paused in ((13, True), (16, False)):
        now = started + timedelta(minutes=minutes)
        monkeypatch.setattr(limiter.timezone, "now", lambda now=now: now)
        if is_paused:
            with pytest.raises(RateLimitError):
                authentication.begin_attempt("Kim Lee", "10.0.0.1")
        else:
            authentication.begin_attempt("Kim Lee", "10.0.0.1")


def test_the_pause_ends(cast, monkeypatch):
    for _ in range(limit("SIGN_IN_FAILURES_MOST")):
        authentication.begin_attempt("Kim Lee", "10.0.0.1")
    later = timezone.now() + timedelta(minutes=limit("SIGN_IN_PAUSE_MINUTES") + 1)
    monkeypatch.setattr(limiter.timezone, "now", lambda: later)
    assert authentication.authenticate("Kim Lee", PASSWORD, "", "10.0.0.1") == cast["keeper"]


def test_what_was_typed_as_a_name_is_not_kept(cast, client):
    sign_in(client, name="oops my password", password="x")
    kept = Count.objects.all()
    assert {row.kind for row in kept} == set(KINDS)
    assert all("oops" not in row.address and len(row.address) == 64 for row in kept)


def test_the_session_key_changes_when_somebody_signs_in(cast, client):
    client.get("/people/sign-in/")
    sign_in(client)
    first = client.cookies["sessionid"].value
    client.post("/people/sign-out/")
    assert not Session.objects.exists()
    sign_in(client)
    assert client.cookies["sessionid"].value not in ("", first)


def test_the_key_of_a_session_is_in_no_row_and_what_is_there_opens_nothing(cast, client):
    sign_in(client)
    assert client.get("/people/me/").status_code == 200
    key, row = client.cookies["sessionid"].value, Session.objects.get()
    assert len(key) == 32 and key not in f"{row.session_key} {row.session_data}"
    client.cookies["sessionid"] = row.session_key
    assert client.get("/people/me/").status_code == 302


def test_a_reader_gets_no_cookie_and_costs_no_query_for_accounts(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        answer = client.get("/people/sign-in/")
    assert "sessionid" not in answer.cookies
    assert client.get("/health").cookies == {}


def test_a_resting_account_cannot_sign_in(cast, client):
    Person.objects.filter(pk=cast["curator"].pk).update(is_active=False)
    assert sign_in(client, name="Conrad").status_code == 422


def test_forms_from_other_sites_are_refused(cast):
    client = Client(enforce_csrf_checks=True)
    assert sign_in(client).status_code == 403


class TestTheSecondStep:
    SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

    @pytest.mark.parametrize(
        ("seconds", "code"),
        [(59, "94287082"), (1111111109, "07081804"), (1234567890, "89005924"), (20000000000, "65353130")],
    )
    def test_codes_are_those_of_the_rfc(self, seconds, code):
        assert totp.code_at(self.SECRET, seconds // 30, figures=8) == code

    def test_with_a_second_step_the_password_alone_is_not_enough(self, cast, client):
        Person.objects.filter(key="kim lee").update(totp_secret=totp.seal(self.SECRET))
        assert sign_in(client).status_code == 422
        assert sign_in(client, code="000000").status_code == 422
        assert sign_in(client, code=totp.code_at(self.SECRET, totp.step_now())).status_code == 302

    def test_a_code_works_once(self, cast):
        Person.objects.filter(key="kim lee").update(totp_secret=totp.seal(self.SECRET))
        code = totp.code_at(self.SECRET, totp.step_now())
        assert sign_in(Client(), code=code).status_code == 302
        assert sign_in(Client(), code=code).status_code == 422


class TestSessions:
    def test_their_owner_sees_and_ends_them(self, cast):
        here = Client(headers={"User-Agent": "Mozilla/5.0 (X11; Linux) Chrome/130"})
        there = Client(headers={"User-Agent": "Mozilla/5.0 (iPhone) Safari/600"})
        sign_in(here)
        sign_in(there)
        page = here.get("/people/me/").content.decode()
        assert "Chrome on Linux" in page and "Safari on iPhone" in page
        assert there.cookies["sessionid"].value not in page
        began = Session.objects.get(device="Safari on iPhone").began
        here.post("/people/me/sessions/", {"began": began.isoformat()})
        assert there.get("/people/me/").status_code == 302
        assert here.get("/people/me/").status_code == 200

    def test_nobody_ends_the_sessions_of_others(self, as_):
        keeper, curator = as_("keeper"), as_("curator")
        curator.post("/people/me/sessions/")
        assert keeper.get("/people/me/").status_code == 200

    def test_a_new_password_signs_out_every_other_device(self, cast):
        here, there = Client(), Client()
        sign_in(here)
        sign_in(there)
        new = "another four plain words"
        assert here.post("/people/me/password/", {"present": PASSWORD, "password": new}).status_code == 302
        assert here.get("/people/me/").status_code == 200
        assert there.get("/people/me/").status_code == 302
        assert sign_in(Client(), password=new).status_code == 302

    @pytest.mark.parametrize("new", ["short", "123456789012", "kim lee kim lee"])
    def test_a_weak_password_is_refused_with_a_sentence(self, as_, new):
        answer = as_("keeper").post("/people/me/password/", {"present": PASSWORD, "password": new})
        assert answer.status_code == 422 and 'role="alert"' in answer.content.decode()

    def test_guessing_the_present_password_is_paused_and_says_for_how_long(self, as_, settings):
        settings.SIGN_IN_FAILURES_MOST = 1
        keeper, wrong = as_("keeper"), {"present": "wrong words here", "password": "another four plain words"}
        keeper.post("/people/me/password/", wrong)
        answer = keeper.post("/people/me/password/", {**wrong, "present": PASSWORD})
        assert answer.status_code == 422 and "Wait 15 minutes, then try again." in answer.content.decode()
