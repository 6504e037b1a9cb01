"""Passkeys, answered by an authenticator in software: right answers, and every wrong one we can think of."""

import json
import threading
from datetime import timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.db import connection
from django.test import Client
from django.utils import timezone

from people import passkeys, recovery_codes, totp
from people.limits import limit
from people.models import Challenge, Passkey, Person, Session
from tests.people.authenticator import PRESENT, Authenticator
from tests.people.conftest import PASSWORD

pytestmark = pytest.mark.django_db
SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"


class Browser(Client):
    """A browser over https, as passkeys need it."""

    def __init__(self, scheme="https", **options):
        super().__init__(**options)
        self.scheme = scheme

    def request(self, **request):
        return super().request(**{**request, "wsgi.url_scheme": self.scheme, "SERVER_PORT": "443"})

    def question(self, purpose):
        answer = self.post("/people/passkey-question/", {"purpose": purpose})
        return json.loads(answer.content) if answer.status_code == 200 else answer

    def new_question(self):
        return json.loads(self.post("/people/me/passkeys/question/").content)

    @property
    def is_in(self):
        return self.get("/people/me/").status_code == 200


@pytest.fixture
def own(cast):
    """A curator's browser that is signed in."""
    browser = Browser()
    browser.force_login(cast["curator"])
    return browser


@pytest.fixture
def device(own):
    """A device with a passkey of the curator."""
    device = Authenticator()
    answer = own.post(
        "/people/me/passkeys/",
        {"present": PASSWORD, "name": " my \u0007 phone ", "made": device.make(own.new_question())},
    )
    assert answer.status_code == 200, answer.content.decode()
    return device


def sign_in(browser, device, **wrong):
    return browser.post(
        "/people/sign-in/passkey/", {"credential": device.sign(browser.question("sign-in"), **wrong)}
    )


class TestAdding:
    def test_it_is_kept_with_its_name_and_turns_the_second_step_on(self, own, device, cast):
        [kept] = Passkey.objects.all()
        assert (kept.person, kept.name, kept.host) == (cast["curator"], "my phone", "testserver")
        assert cast["curator"].has_second_step and recovery_codes.left(cast["curator"]) == 10
        page = own.get("/people/me/").content.decode()
        assert "my phone" in page and kept.credential not in page

    def test_the_password_is_asked_and_then_the_second_step_that_there_is(self, own, device):
        second = Authenticator()
        for proof in ({}, {"present": "wrong words here"}, {"present": PASSWORD}):
            made = second.make(own.new_question())
            assert own.post("/people/me/passkeys/", {**proof, "made": made}).status_code == 422
        proof = {"present": PASSWORD, "credential": device.sign(own.question("proof"))}
        made = second.make(own.new_question())
        assert own.post("/people/me/passkeys/", {**proof, "name": "key", "made": made}).status_code == 302
        assert Passkey.objects.count() == 2

    @pytest.mark.parametrize(
        "wrong",
        [{"origin": "https://evil.example"}, {"host": "evil.example"}, {"challenge": "AAAA"}],
        ids=["origin", "host", "challenge"],
    )
    def test_an_answer_for_another_site_or_question_is_refused(self, own, wrong):
        made = Authenticator().make(own.new_question(), **wrong)
        answer = own.post("/people/me/passkeys/", {"present": PASSWORD, "name": "x", "made": made})
        assert answer.status_code == 422 and 'role="alert"' in answer.content.decode()
        assert not Passkey.objects.exists()

    def test_a_passkey_is_of_one_account(self, device, cast):
        other = Browser()
        other.force_login(cast["contributor"])
        made = device.make(other.new_question())
        answer = other.post("/people/me/passkeys/", {"present": PASSWORD, "name": "x", "made": made})
        assert answer.status_code == 422 and "here already" in answer.content.decode()

    def test_an_account_has_only_so_many(self, own, device, settings):
        settings.PASSKEYS_PER_PERSON_MOST = 1
        answer = own.post("/people/me/passkeys/", {"present": PASSWORD, "made": "{}"})
        assert answer.status_code == 422 and "as many passkeys" in answer.content.decode()

    @pytest.mark.parametrize(
        ("host", "scheme", "works"),
        [
            ("testserver", "https", True),
            ("localhost:8000", "http", True),
            ("testserver", "http", False),
            ("127.0.0.1:8000", "https", False),
            ("[::1]:8000", "https", False),
        ],
    )
    def test_a_page_where_there_can_be_none_says_why(self, cast, settings, host, scheme, works):
        settings.ALLOWED_HOSTS = ["*"]
        browser = Browser(scheme, HTTP_HOST=host)
        browser.force_login(cast["curator"])
        page = browser.get("/people/me/").content.decode()
        assert ("Passkeys need https" in page) != works and ("Add a passkey" in page) == works
        assert (browser.post("/people/me/passkeys/question/").status_code == 200) == works


class TestSignInWithoutAPassword:
    def test_a_device_that_knows_its_owner_signs_in(self, device):
        browser = Browser()
        answer = sign_in(browser, device)
        assert (answer.status_code, answer["Location"]) == (302, "/curation/") and browser.is_in
        kept = Passkey.objects.get()
        assert kept.sign_count == device.count and kept.used

    def test_devices_that_do_not_count_are_welcome(self, own, device):
        device.counts, device.count = False, 0
        Passkey.objects.update(sign_count=0)
        for _ in range(2):
            assert sign_in(Browser(), device).status_code == 302

    @pytest.mark.parametrize(
        "wrong",
        [
            {"flags": PRESENT},
            {"flags": 0},
            {"origin": "https://evil.example"},
            {"origin": "http://testserver"},
            {"host": "evil.example"},
            {"challenge": "AAAA"},
            {"handle": None},
            {"handle": "AAAA"},
            {"key": ec.generate_private_key(ec.SECP256R1())},
        ],
        ids=[
            "owner unknown",
            "nobody there",
            "origin",
            "http",
            "host",
            "question",
            "no handle",
            "handle",
            "key",
        ],
    )
    def test_every_wrong_answer_is_refused_with_a_sentence(self, device, wrong):
        browser = Browser()
        answer = sign_in(browser, device, **wrong)
        assert answer.status_code == 422 and 'role="alert"' in answer.content.decode()
        assert not browser.is_in

    def test_a_count_that_does_not_rise_is_a_copied_device(self, device):
        assert sign_in(Browser(), device).status_code == 302
        device.count -= 1
        assert sign_in(Browser(), device).status_code == 422
        device.count = 1_000
        assert sign_in(Browser(), device).status_code == 302

    def test_an_answer_works_once_in_the_session_it_was_asked_in_for_what_it_was_asked(self, device, own):
        browser, other = Browser(), Browser()
        answer = {"credential": device.sign(browser.question("sign-in"))}
        assert other.post("/people/sign-in/passkey/", answer).status_code == 422, "another session"
        assert browser.post("/people/sign-in/passkey/", answer).status_code == 302
        Passkey.objects.update(sign_count=0)
        browser.post("/people/sign-out/")
        assert browser.post("/people/sign-in/passkey/", answer).status_code == 422, "twice"
        proof = {"credential": device.sign(own.question("proof"))}
        assert own.post("/people/sign-in/passkey/", proof).status_code == 422, "another purpose"

    def test_an_answer_must_come_within_five_minutes(self, device, monkeypatch):
        browser = Browser()
        asked = browser.question("sign-in")
        now = timezone.now()
        monkeypatch.setattr(timezone, "now", lambda: now + timedelta(minutes=5, seconds=1))
        answer = browser.post("/people/sign-in/passkey/", {"credential": device.sign(asked)})
        assert answer.status_code == 422

    def test_a_resting_account_stays_outside(self, device):
        Person.objects.update(is_active=False)
        assert sign_in(Browser(), device).status_code == 422

    def test_it_ends_a_link_for_a_new_password(self, device, cast):
        from people import invitations

        token = invitations.invite("curator", person=cast["curator"])
        sign_in(Browser(), device)
        assert Client().get(f"/people/invitation/{token}").status_code == 404

    def test_failures_are_counted_by_address(self, device, settings):
        settings.SIGN_IN_FAILURES_OF_AN_ADDRESS_MOST = 2
        codes = [sign_in(Browser(), device, origin="https://evil.example").status_code for _ in range(3)]
        assert codes == [422, 422, 429]
        assert sign_in(Browser(), device).status_code == 429
        assert sign_in(Browser(REMOTE_ADDR="10.9.8.7"), device).status_code == 302

    @pytest.mark.django_db(transaction=True)
    def test_of_many_who_send_one_answer_at_once_one_gets_in(self, device):
        browser = Browser()
        device.counts, device.count = False, 0
        Passkey.objects.update(sign_count=0)
        answer, told = {"credential": device.sign(browser.question("sign-in"))}, []

        def send():
            try:
                one = Browser()
                one.cookies = browser.cookies
                told.append(one.post("/people/sign-in/passkey/", answer).status_code)
            finally:
                connection.close()

        threads = [threading.Thread(target=send) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(told) == [302, 422, 422, 422]


class TestSecondStep:
    def test_after_the_password_the_device_need_not_know_its_owner(self, device):
        browser = Browser()
        page = browser.post("/people/sign-in/", {"name": "Conrad", "password": PASSWORD})
        assert page.status_code == 422 and "Use your passkey" in page.content.decode()
        asked = browser.question("step")
        assert [one["id"] for one in asked["allowCredentials"]] == [Passkey.objects.get().credential]
        answer = {"credential": device.sign(asked, flags=PRESENT, handle=None)}
        assert browser.post("/people/sign-in/step/", answer).status_code == 302 and browser.is_in

    def test_without_the_password_no_question_is_asked(self, device):
        assert Browser().question("step").status_code == 422
        assert Browser().question("proof").status_code == 422
        assert Browser().question("else").status_code == 422

    def test_the_passkey_of_another_is_refused_and_counted(self, device, cast):
        Person.objects.filter(role="keeper").update(totp_secret=totp.seal(SECRET))
        browser = Browser()
        browser.post("/people/sign-in/", {"name": "Kim Lee", "password": PASSWORD})
        for _ in range(limit("SIGN_IN_FAILURES_MOST")):
            answer = {"credential": device.sign(browser.question("step"))}
            assert browser.post("/people/sign-in/step/", answer).status_code == 422
        code = totp.code_at(SECRET, totp.step_now())
        assert browser.post("/people/sign-in/step/", {"code": code}).status_code == 429
        assert not browser.is_in


class TestOwnPasskeys:
    def test_one_is_given_another_name(self, own, device):
        number = Passkey.objects.get().pk
        own.post(f"/people/me/passkeys/{number}/", {"act": "name", "name": "<b>blue</b>"})
        assert Passkey.objects.get().name == "<b>blue</b>"
        assert "<b>blue</b>" not in own.get("/people/me/").content.decode()

    def test_one_is_removed_with_the_password_and_a_second_step(self, own, device, cast):
        path = f"/people/me/passkeys/{Passkey.objects.get().pk}/"
        for proof in ({}, {"present": PASSWORD}, {"credential": device.sign(own.question("proof"))}):
            assert own.post(path, {"act": "remove", **proof}).status_code == 422
        proof = {"present": PASSWORD, "credential": device.sign(own.question("proof"))}
        assert own.post(path, {"act": "remove", **proof}).status_code == 302
        assert not cast["curator"].has_second_step and not recovery_codes.left(cast["curator"])

    def test_those_of_others_are_not_there(self, device, cast):
        other = Browser()
        other.force_login(cast["keeper"])
        path = f"/people/me/passkeys/{Passkey.objects.get().pk}/"
        assert other.post(path, {"act": "name", "name": "mine"}).status_code == 404
        assert other.post(path, {"act": "remove", "present": PASSWORD}).status_code == 404


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "{}",
        "[]",
        "null",
        "no json",
        '{"response": 7}',
        '{"response": {"clientDataJSON": 7}}',
        '{"response": {"clientDataJSON": "####"}}',
        '{"response": {"clientDataJSON": "W10"}}',
        "[" * 30_000,
        "x" * 100_000,
    ],
)
def test_whatever_else_is_sent_is_refused_with_a_sentence(own, answer):
    sent = own.post("/people/me/passkeys/", {"present": PASSWORD, "name": "x", "made": answer})
    assert sent.status_code == 422 and 'role="alert"' in sent.content.decode()
    asked = Browser().post("/people/sign-in/passkey/", {"credential": answer})
    assert asked.status_code == 422 and 'role="alert"' in asked.content.decode()


@pytest.mark.parametrize("part", ["id", "rawId", "type", "authenticatorData", "signature", "userHandle"])
@pytest.mark.parametrize("value", [None, 7, "", "é", "AAAA", [], {}])
def test_an_answer_with_a_spoilt_part_is_refused(device, part, value):
    browser = Browser()
    answer = json.loads(device.sign(browser.question("sign-in")))
    (answer if part in answer else answer["response"])[part] = value
    sent = browser.post("/people/sign-in/passkey/", {"credential": json.dumps(answer)})
    assert sent.status_code == 422 and not browser.is_in


def test_questions_are_limited_by_address_and_leave_nothing(settings, cast, monkeypatch):
    settings.PASSKEY_QUESTIONS_PER_ADDRESS_MOST = 3
    told = [Browser().post("/people/passkey-question/", {"purpose": "sign-in"}) for _ in range(4)]
    assert [answer.status_code for answer in told] == [200, 200, 200, 429]
    assert "Wait" in json.loads(told[-1].content)["says"] and told[-1]["Retry-After"]
    assert (Challenge.objects.count(), Session.objects.count()) == (3, 3)
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(minutes=passkeys.MINUTES, seconds=1))
    Browser(REMOTE_ADDR="10.9.8.7").question("sign-in")
    assert (Challenge.objects.count(), Session.objects.count()) == (1, 1)
