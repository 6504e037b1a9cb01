"""Passkeys in Chromium, with an authenticator that Chromium itself plays: added, used both ways, removed."""

import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from people import totp
from tests.browser.marks import thorough
from tests.browser.site import ROOT, Site, furnish, surroundings

pytestmark = pytest.mark.browser
PASSWORD = "grey heron over water"
PHONE_SIDEWAYS = {"viewport": {"width": 740, "height": 360}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site of its own, asked by its name: a passkey is bound to a name, and an address is none."""
    var = tmp_path_factory.mktemp("passkeys") / "var"
    furnish(var)
    site = Site(var)
    site.url = f"http://localhost:{site.port}"
    yield site.start()
    site.stop()


def manage(site, *words):
    command = [sys.executable, "manage.py", *words]
    run = subprocess.run(
        command, cwd=ROOT, env=surroundings(site.var), capture_output=True, text=True, check=True
    )
    return run.stdout.strip()


@pytest.fixture
def join(site, device):
    """join(name) gives the page of a new person who has just accepted an invitation."""

    def come(name, **options):
        page = device(**options)
        page.goto(manage(site, "invite", "--role", "curator", "--site", site.url))
        page.get_by_label("Your name").fill(name)
        page.get_by_label("A password").fill(PASSWORD)
        page.get_by_role("button", name="Join").click()
        page.wait_for_url("**/people/me/")
        return page

    return come


def with_authenticator(page, knows_owner=True):
    """Chromium's own authenticator, as a phone has one: it answers at once, as if a finger were put on it."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": knows_owner,
        "automaticPresenceSimulation": True,
    }
    made = session.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]

    def verify(known):
        session.send("WebAuthn.setUserVerified", {"authenticatorId": made, "isUserVerified": known})

    return verify


def add_passkey(page, name):
    page.get_by_text("Add a passkey", exact=True).first.click()
    form = page.locator("form[action$='/me/passkeys/']")
    form.get_by_label("Name").fill(name)
    form.get_by_label("Current password").fill(PASSWORD)
    form.get_by_role("button", name="Add a passkey").click()


def give_password(page, name):
    page.goto("/people/sign-in/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("heading", name="Second step").wait_for()


def sign_out(page):
    page.goto("/people/me/")
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(re.compile(r"localhost:\d+/$"))


@pytest.mark.parametrize("kind", [thorough("desk"), "phone", thorough("phone sideways")])
def test_a_passkey_is_added_named_used_in_both_ways_and_removed(join, axe, kind):
    options = {"desk": {}, "phone": {"phone": True, "color_scheme": "dark"}, "phone sideways": PHONE_SIDEWAYS}
    name = f"Paula {kind}"
    page = join(name, **options[kind])
    with_authenticator(page)
    add_passkey(page, "my phone")
    expect(page.get_by_role("heading", name="The second step is on")).to_be_visible()
    assert page.locator(".codes code").count() == 10 and axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("link", name="I have kept them").click()
    expect(page.get_by_text("10 of your recovery codes are left")).to_be_visible()

    page.get_by_text("Change my phone").click()
    page.locator(".rowlist").get_by_label("Name").fill("blue phone")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("status").first).to_have_text(re.compile("new name"))
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    # As the second step after the password.
    sign_out(page)
    give_password(page, name)
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Use your passkey").click()
    page.wait_for_url("**/curation/")

    # Alone, by the keyboard.
    sign_out(page)
    page.goto("/people/sign-in/?next=/about/")
    assert axe(page) == []
    page.get_by_role("button", name="Sign in with a passkey").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"localhost:\d+/about/$"))

    # Removed, with itself for a proof.
    page.goto("/people/me/")
    page.get_by_text("Change blue phone").click()
    row = page.locator(".rowlist details form").last
    row.get_by_label("Current password").fill(PASSWORD)
    row.get_by_role("button", name="Remove this passkey").click()
    expect(page.get_by_role("alert")).to_have_text(re.compile("Your second step is asked for this"))
    page.get_by_text("Change blue phone").click()
    row.get_by_label("Current password").fill(PASSWORD)
    row.get_by_role("button", name="Use your passkey").click()
    expect(row.get_by_text("Your passkey has answered")).to_be_visible()
    row.get_by_role("button", name="Remove this passkey").click()
    expect(page.get_by_text("Your passkey is removed")).to_be_visible()
    expect(page.get_by_text("Off. With it, a stolen password is not enough.")).to_be_visible()


def test_without_a_password_the_device_must_know_its_owner(join):
    page = join("Petra")
    verify = with_authenticator(page)
    add_passkey(page, "key")
    page.get_by_role("link", name="I have kept them").click()
    sign_out(page)
    verify(False)
    page.goto("/people/sign-in/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_text("No passkey was used")).to_be_visible()
    assert page.url.endswith("/people/sign-in/")
    # After the password it is enough to hold it.
    give_password(page, "Petra")
    page.get_by_role("button", name="Use your passkey").click()
    page.wait_for_url("**/curation/")


def test_a_device_without_a_passkey_is_told_so_and_a_recovery_code_helps(join, device):
    page = join("Pavel")
    with_authenticator(page)
    add_passkey(page, "key")
    code = page.locator(".codes code").first.inner_text()
    other = device()
    with_authenticator(other)
    give_password(other, "Pavel")
    other.get_by_role("button", name="Use your passkey").click()
    expect(other.get_by_text("No passkey was used")).to_be_visible()
    other.get_by_label("Code").fill(code)
    other.get_by_role("button", name="Sign in", exact=True).click()
    other.wait_for_url("**/curation/")
    other.goto("/people/me/")
    expect(other.get_by_text("9 of your recovery codes are left")).to_be_visible()


def test_without_scripts_the_page_says_so_and_an_app_works(join, device):
    page = join("Pablo", java_script_enabled=False)
    assert page.get_by_role("button", name="Add a passkey").count() == 0
    expect(
        page.get_by_text("Passkeys need JavaScript. An authenticator app works without it.")
    ).to_be_visible()
    page.get_by_text("Add an app").click()
    secret = page.locator("code.key").inner_text().replace(" ", "")
    step = totp.step_now()
    page.get_by_label("Code that the app shows").fill(totp.code_at(secret, step))
    page.locator("form[action$='/me/code/']").get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("button", name="Add the app").click()
    expect(page.get_by_role("heading", name="The second step is on")).to_be_visible()
    other = device(java_script_enabled=False)
    give_password(other, "Pablo")
    other.get_by_label("Code").fill(totp.code_at(secret, step + 1))
    other.get_by_role("button", name="Sign in", exact=True).click()
    other.wait_for_url("**/curation/")


@pytest.mark.thorough
def test_by_an_address_without_a_name_the_page_says_why_there_are_none(site, chromium):
    context = chromium.new_context(base_url=f"http://127.0.0.1:{site.port}")
    page = context.new_page()
    page.goto(manage(site, "invite", "--role", "curator", "--site", f"http://127.0.0.1:{site.port}"))
    page.get_by_label("Your name").fill("Pia")
    page.get_by_label("A password").fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_text("Passkeys need https and a name")).to_be_visible()
    assert page.get_by_text("Add a passkey").count() == 0
    context.close()
