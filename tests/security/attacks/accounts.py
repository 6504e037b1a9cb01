"""Attacks on accounts: old links for a new password, the second step, names that look like another's."""

import re
import time

from people.totp import STEP_SECONDS, code_at
from tests.security.attacks.findings import Verdict, finding
from tests.security.attacks.target import PASSWORD, invited, link_in

OTHER_PASSWORD = "quite different words now"
SECRET = re.compile(r"(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}")
LOOKALIKES = {
    "Cyrillic": "Соnrаd Веrg",
    "Greek": "Cοnrad Berg",
    "a Hangul filler": "Conrad Berg\u3164",
    "a Hangul filler within": "Conrad\u115f Berg",
    "full width": "Ｃｏｎｒａｄ Ｂｅｒｇ",
}


def person_number(administrator, name):
    """The number of an account, from the page of an administrator."""
    forms = re.split(r'action="/people/(?=\d)', administrator.get("/people/").text)[1:]
    # By the words for screen readers, "Role of …": the name alone stands behind another's form too.
    own = [form for form in forms if re.search(rf"\b(?:of|for) {re.escape(name)}\s*<", form)]
    return re.match(r"\d+", own[0])[0]


def new_password_link(administrator, name):
    number = person_number(administrator, name)
    return link_in(administrator.form(f"/people/{number}/", {"act": "password"}))


def turn_second_step_on(person, password):
    """Set the second step up as its owner does; the secret of the app."""
    page = person.get("/people/me/").text
    secret = SECRET.search(page)[0].replace(" ", "")
    code = code_at(secret, int(time.time()) // STEP_SECONDS)
    answer = person.form("/people/me/code/", {"present": password, "code": code})
    assert answer.status in (200, 302), (answer.status, answer.text[:2000])
    return secret


def is_signed_in(person):
    return person.get("/people/me/").status == 200


@finding(7, "an older link for a new password works after a newer one was used", needs_account=True)
def older_link(site, size):
    administrator = site.administrator()
    name = "Olga Older"
    site.account(invited(administrator, "curator"), name)
    older, newer = (new_password_link(administrator, name) for _ in range(2))
    owner, thief = site.caller(), site.caller()
    path = "/people/invitation/" + newer.rsplit("/", 1)[1]
    assert owner.form(path, {"name": name, "password": OTHER_PASSWORD}).status == 302
    answer = thief.form("/people/invitation/" + older.rsplit("/", 1)[1], {"name": name, "password": PASSWORD})
    signed_in = is_signed_in(thief)
    return Verdict(answer.status == 404 and not signed_in, f"the older link: {answer.status}")


@finding(7, "a link for a new password takes the second step off", needs_account=True, is_long=True)
def second_step_by_a_link(site, size):
    administrator = site.administrator()
    name = "Stella Step"
    owner = site.account(invited(administrator, "curator"), name)
    turn_second_step_on(owner, PASSWORD)
    thief = site.caller()
    path = "/people/invitation/" + new_password_link(administrator, name).rsplit("/", 1)[1]
    answer = thief.form(path, {"name": name, "password": OTHER_PASSWORD})
    by_link = is_signed_in(thief)
    thief = site.caller()
    thief.form("/people/sign-in/", {"name": name, "password": OTHER_PASSWORD, "code": ""})
    by_password = is_signed_in(thief)
    told = f"link {answer.status}; signed in by it {by_link}, by the password alone {by_password}"
    return Verdict(not by_link and not by_password, told)


@finding(7, "the second step is switched off without it", needs_account=True)
def second_step_off(site, size):
    administrator = site.administrator()
    name = "Otto Off"
    owner = site.account(invited(administrator, "curator"), name)
    turn_second_step_on(owner, PASSWORD)
    answer = owner.form("/people/me/code/", {"present": PASSWORD, "act": "off"})
    thief = site.caller()
    thief.form("/people/sign-in/", {"name": name, "password": PASSWORD, "code": ""})
    off = is_signed_in(thief)
    return Verdict(not off, f"with the password alone: {answer.status}, the step is {'off' if off else 'on'}")


@finding(11, "a name that looks like a curator's is taken", needs_account=True)
def lookalike_names(site, size):
    administrator = site.administrator()
    site.account(invited(administrator, "curator"), "Conrad Berg")
    taken = []
    for kind, name in LOOKALIKES.items():
        path = "/people/invitation/" + invited(administrator, "contributor").rsplit("/", 1)[1]
        if site.caller().form(path, {"name": name, "password": PASSWORD}).status != 422:
            taken.append(kind)
    return Verdict(not taken, f"taken: {', '.join(taken) or 'none'} of {len(LOOKALIKES)}")
