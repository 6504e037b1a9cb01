"""The second step: codes of an app, recovery codes, and who may take it away."""

import io
import re
import threading
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from people import invitations, recovery_codes, second_step, totp
from people.limits import limit
from people.models import Person, RecoveryCode
from tests.html import squeezed
from tests.people.conftest import PASSWORD

pytestmark = pytest.mark.django_db
SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
NEW = "brand new plain words"
CODE = re.compile(r"<code>(\d[a-z0-9]{3}-[a-z0-9]{4}-[a-z0-9]{4})</code>")


def code_now():
    return totp.code_at(SECRET, totp.step_now())


def sign_in(client, name="Conrad", password=PASSWORD, **more):
    return client.post("/people/sign-in/", {"name": name, "password": password, **more})


def is_in(client):
    return client.get("/people/me/").status_code == 200


@pytest.fixture
def conrad(cast):
    """A curator with an app and recovery codes, which are his `codes`."""
    Person.objects.filter(role="curator").update(totp_secret=totp.seal(SECRET))
    person = Person.objects.get(role="curator")
    person.codes = recovery_codes.renew(person)
    return person


@pytest.fixture
def said(caplog):
    caplog.set_level("INFO", "tallyroom.people")
    return lambda: [record.getMessage() for record in caplog.records if record.name == "tallyroom.people"]


class TestSignIn:
    def test_after_the_password_a_page_asks_for_it(self, conrad, client):
        page = sign_in(client, next="/books/x/")
        assert page.status_code == 422 and "<h1>Second step</h1>" in page.content.decode()
        assert not is_in(client)
        answer = client.post("/people/sign-in/step/", {"code": code_now(), "next": "/books/x/"})
        assert (answer.status_code, answer["Location"]) == (302, "/books/x/") and is_in(client)

    def test_a_wrong_password_gets_no_such_page(self, conrad, client):
        assert "<h1>Second step</h1>" not in sign_in(client, password="wrong wrong wrong").content.decode()
        assert client.get("/people/sign-in/step/")["Location"] == "/people/sign-in/"
        assert client.post("/people/sign-in/step/", {"code": code_now()}).status_code == 422
        assert not is_in(client)

    def test_the_page_is_of_the_browser_that_gave_the_password(self, conrad, client):
        sign_in(client)
        stranger = Client()
        assert stranger.post("/people/sign-in/step/", {"code": code_now()}).status_code == 422
        assert not is_in(stranger)

    def test_wrong_codes_are_counted_and_paused(self, conrad, client):
        sign_in(client)
        for _ in range(limit("SIGN_IN_FAILURES_MOST")):
            assert client.post("/people/sign-in/step/", {"code": "000000"}).status_code == 422
        answer = client.post("/people/sign-in/step/", {"code": code_now()})
        assert answer.status_code == 429 and "Wait 15 minutes" in answer.content.decode()
        assert sign_in(client, code=code_now()).status_code == 429
        assert not is_in(client)

    def test_it_must_come_within_minutes(self, conrad, client, monkeypatch):
        sign_in(client)
        later = timezone.now() + timedelta(minutes=5, seconds=1)
        monkeypatch.setattr(timezone, "now", lambda: later)
        answer = client.post("/people/sign-in/step/", {"code": code_now()})
        assert answer.status_code == 422 and "took too long" in answer.content.decode()

    @pytest.mark.parametrize("change", ["password", "rest"])
    def test_a_password_that_changed_meanwhile_is_worth_nothing(self, conrad, client, change):
        sign_in(client)
        if change == "password":
            conrad.set_password(NEW)
            conrad.save()
        else:
            Person.objects.filter(pk=conrad.pk).update(is_active=False)
        assert client.post("/people/sign-in/step/", {"code": code_now()}).status_code == 422
        assert not is_in(client)

    def test_a_session_halfway_lasts_as_others_do_once_it_is_in(self, conrad, client):
        sign_in(client)
        assert client.session.get_expiry_age() == 300
        client.post("/people/sign-in/step/", {"code": code_now()})
        assert client.session.get_expiry_age() > 86_400


class TestRecoveryCodes:
    def test_ten_come_with_the_app_and_are_shown_once(self, as_, cast):
        client = as_("keeper")
        client.get("/people/me/")
        code = totp.code_at(totp.unseal(client.session["totp"]), totp.step_now())
        page = client.post("/people/me/code/", {"present": PASSWORD, "code": code}).content.decode()
        codes = CODE.findall(page)
        assert len(set(codes)) == 10
        account = client.get("/people/me/").content.decode()
        assert not any(code in account for code in codes) and "10 of your recovery codes" in account
        assert all(code.replace("-", "") not in str(list(RecoveryCode.objects.values())) for code in codes)

    def test_each_works_once_instead_of_the_app(self, conrad, said):
        first, second = conrad.codes[:2]
        assert sign_in(Client(), code=first).status_code == 302
        assert f"recovery code used, person {conrad.pk}" in said()
        assert any(line.startswith("signed in with password and recovery code") for line in said())
        assert sign_in(Client(), code=first).status_code == 422
        client = Client()
        sign_in(client)
        assert client.post("/people/sign-in/step/", {"code": second.upper()}).status_code == 302
        assert recovery_codes.left(conrad) == 8

    def test_those_of_others_do_not(self, conrad, cast):
        others = recovery_codes.renew(cast["contributor"])
        assert sign_in(Client(), code=others[0]).status_code == 422
        assert recovery_codes.left(cast["contributor"]) == 10

    @pytest.mark.parametrize(
        "written", ["", "0", "٣aaa-aaaa-aaaa", "²aaaaaaaaaaa", "x" * 12, "0" * 200, "9" * 12]
    )
    def test_whatever_else_is_written_is_no_code(self, conrad, written):
        assert not recovery_codes.use(conrad, written)

    @pytest.mark.django_db(transaction=True)
    def test_of_many_who_use_one_at_once_one_gets_in(self, conrad):
        told = []

        def use():
            try:
                told.append(recovery_codes.use(conrad, conrad.codes[0]))
            finally:
                connection.close()

        threads = [threading.Thread(target=use) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(told) == [False] * 5 + [True]

    def test_new_ones_need_password_and_second_step_and_end_the_old(self, as_, conrad):
        client = as_("curator")
        for wrong in (
            {},
            {"present": PASSWORD},
            {"present": PASSWORD, "proof": "000000"},
            {"proof": code_now()},
        ):
            assert client.post("/people/me/recovery-codes/", wrong).status_code == 422
        proof = {"present": PASSWORD, "proof": code_now()}
        page = client.post("/people/me/recovery-codes/", proof).content.decode()
        assert len(CODE.findall(page)) == 10 and not recovery_codes.use(conrad, conrad.codes[0])

    def test_without_a_second_step_there_are_none(self, as_, cast):
        assert as_("curator").post("/people/me/recovery-codes/", {"present": PASSWORD}).status_code == 422
        assert RecoveryCode.objects.count() == 0


class TestTakingItAway:
    def test_its_owner_needs_it_besides_the_password(self, as_, conrad):
        client = as_("curator")
        for wrong in ({"present": PASSWORD}, {"present": PASSWORD, "proof": "000000"}, {"proof": code_now()}):
            answer = client.post("/people/me/code/", wrong)
            assert answer.status_code == 422 and 'role="alert"' in answer.content.decode()
        assert Person.objects.get(pk=conrad.pk).totp_secret
        assert client.post("/people/me/code/", {"present": PASSWORD, "proof": code_now()}).status_code == 302
        assert not Person.objects.get(pk=conrad.pk).has_second_step and not RecoveryCode.objects.exists()

    def test_a_recovery_code_will_do(self, as_, conrad):
        proof = {"present": PASSWORD, "proof": conrad.codes[3]}
        assert as_("curator").post("/people/me/code/", proof).status_code == 302
        assert not Person.objects.get(pk=conrad.pk).has_second_step

    def test_guesses_at_it_are_paused(self, as_, conrad):
        client = as_("curator")
        for _ in range(limit("SIGN_IN_FAILURES_MOST")):
            client.post("/people/me/code/", {"present": PASSWORD, "proof": "000000"})
        answer = client.post("/people/me/code/", {"present": PASSWORD, "proof": code_now()})
        assert answer.status_code == 422 and "Wait 15 minutes" in answer.content.decode()

    def test_a_link_for_a_new_password_does_not(self, conrad):
        token = invitations.invite("curator", person=conrad)
        fresh = Client()
        answer = fresh.post(f"/people/invitation/{token}", {"password": NEW})
        assert answer["Location"] == "/people/sign-in/step/" and not is_in(fresh)
        assert Person.objects.get(pk=conrad.pk).totp_secret == conrad.totp_secret
        assert "Second step" in fresh.get("/people/sign-in/step/").content.decode()
        assert fresh.post("/people/sign-in/step/", {"code": "000000"}).status_code == 422
        assert fresh.post("/people/sign-in/step/", {"code": code_now()}).status_code == 302 and is_in(fresh)

    def test_a_keeper_does_which_is_logged_and_told(self, as_, conrad, cast, said):
        answer = as_("keeper").post(f"/people/{conrad.pk}/", {"act": "step"})
        assert answer.status_code == 302
        assert said() == [f"second step removed, person {conrad.pk}, by person {cast['keeper'].pk}"]
        client = Client()
        assert sign_in(client, next="/books/x/")["Location"] == "/people/me/", "told before anything else"
        assert "Your second step was removed on" in squeezed(client.get("/people/me/").content.decode())
        assert "Kim Lee" in client.get("/people/me/").content.decode()
        assert sign_in(Client(), next="/books/x/")["Location"] == "/books/x/", "the next time no more"
        client.get("/people/me/")
        code = totp.code_at(totp.unseal(client.session["totp"]), totp.step_now())
        assert client.post("/people/me/code/", {"present": PASSWORD, "code": code}).status_code == 200
        assert "was removed on" not in client.get("/people/me/").content.decode()

    def test_a_keepers_is_removed_on_the_machine_alone(self, as_, cast, said):
        keeper = cast["keeper"]
        Person.objects.filter(pk=keeper.pk).update(totp_secret=totp.seal(SECRET))
        answer = as_("keeper").post(f"/people/{keeper.pk}/", {"act": "step"})
        assert answer.status_code == 422 and "remove_second_step" in answer.content.decode()
        assert Person.objects.get(pk=keeper.pk).has_second_step
        out = io.StringIO()
        call_command("remove_second_step", "kim  lee", stdout=out)
        assert "Kim Lee has no second step any more" in out.getvalue()
        assert said() == [f"second step removed on the server, person {keeper.pk}"]
        client = Client()
        assert sign_in(client, name="Kim Lee")["Location"] == "/people/me/"
        assert "someone at the server itself" in squeezed(client.get("/people/me/").content.decode())

    @pytest.mark.parametrize("name", ["Nobody", "Kim Lee"])
    def test_the_command_says_where_there_is_none(self, cast, name):
        with pytest.raises(CommandError, match=name):
            call_command("remove_second_step", name)

    def test_curators_may_not(self, as_, conrad):
        assert as_("curator").post(f"/people/{conrad.pk}/", {"act": "step"}).status_code == 403
        assert Person.objects.get(pk=conrad.pk).has_second_step


def test_an_account_from_before_has_no_codes_and_is_asked_to_make_some(as_, conrad):
    RecoveryCode.objects.all().delete()
    assert "You have no recovery codes." in as_("curator").get("/people/me/").content.decode()
    assert second_step.take_by_code(conrad, code_now()) == "code"
