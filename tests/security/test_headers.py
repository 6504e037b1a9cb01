"""What errors, files and streams say to the browser too. test_over_sockets.py reads every other answer."""

import asyncio
import re

import pytest
from django.conf import settings as site
from django.test import Client

from config import asgi
from tests.scorepad.conftest import sit_down
from tests.scorepad.test_streams import Ear, run
from tests.security.addresses import EVERY
from tests.security.conftest import ask

SCRIPTS = sorted(
    path for path in (site.BASE_DIR / "static/js").rglob("*.js") if not path.name.endswith(".min.js")
)


def faults(headers):
    """What is missing or too lax in these headers."""
    policy = headers.get("Content-Security-Policy", "")
    rules = dict(rule.strip().partition(" ")[::2] for rule in policy.split(";"))
    found = [word for word in ("unsafe", "*", "http:", "https:") if word in policy]
    if rules.get("frame-ancestors") != "'none'":
        found.append("may be framed")
    if rules.get("default-src") != "'none'" or rules.get("base-uri") != "'none'":
        found.append("default-src or base-uri")
    if rules.get("script-src", "'self'") not in ("'self'", "'none'") or "form-action" not in rules:
        found.append("script-src or form-action")
    if headers.get("X-Content-Type-Options") != "nosniff":
        found.append("sniffed")
    if headers.get("X-Frame-Options") != "DENY":
        found.append("framed by old browsers")
    if headers.get("Referrer-Policy") not in ("same-origin", "no-referrer"):
        found.append("referrer")
    return found


def test_errors_have_it_too(house, monkeypatch, settings):
    client = house.browser("keep")
    client.raise_request_exception = False
    lost = client.get("/nowhere/at/all")
    no_name = client.get("/", headers={"Host": "elsewhere.example"})
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10
    large = client.post("/people/sign-in/", {"name": "x" * 100}, headers={"X-CSRFToken": "a" * 32})
    monkeypatch.setattr("home.views.bookshelf.books", lambda: 1 / 0)
    broken = client.get("/")
    assert [answer.status_code for answer in (lost, no_name, large, broken)] == [404, 400, 413, 500]
    assert [faults(answer.headers) for answer in (lost, no_name, large, broken)] == [[]] * 4
    assert b"ZeroDivision" not in broken.content and b"Traceback" not in broken.content


def test_static_files_have_it_too(db):
    answer = Client().get("/static/js/theme.js")
    assert answer.status_code == 200 and faults(answer.headers) == []


@pytest.mark.parametrize("role", ["watch", "none"])
def test_streams_have_it_too(committed, role, monkeypatch):
    """Through the site's own door, not only the stream's."""
    table = sit_down()
    monkeypatch.setattr("tests.scorepad.test_streams.sse.events", asgi.application)

    async def story():
        ear = Ear(table, token=table.watcher.token if role == "watch" else "x")
        async with asyncio.timeout(5):
            while ear.status is None:
                await asyncio.sleep(0.01)
        names = {name.decode().title(): value.decode() for name, value in ear.headers.items()}
        assert faults(names) == []
        ear.gone.set()
        await ear.task

    run(story)


def test_the_look_finds_a_lax_policy():
    """The control: what other sites send would not pass."""
    lax = {
        "Content-Security-Policy": "default-src 'self' 'unsafe-inline'",
        "X-Content-Type-Options": "nosniff",
    }
    assert {"unsafe", "may be framed", "referrer"} <= set(faults(lax))
    assert "unsafe" in faults({"Content-Security-Policy": "script-src 'self' 'unsafe-eval'"})


def test_no_page_has_a_script_a_style_or_an_event_of_its_own(house):
    """The policy would stop them; a page must not rely on what is stopped."""
    client = house.browser("keep")
    client.force_login(house.people["keeper"])
    inline = re.compile(
        r"<script(?![^>]*\bsrc=)(?![^>]*type=\"application/)|<style|\sstyle=|\son[a-z]+=|javascript:"
    )
    for route, row in EVERY.items():
        answer = ask(client, "GET", house.path(row), row)
        if row.get is not None and answer.headers.get("Content-Type", "").startswith("text/html"):
            found = inline.findall(
                re.sub(r"<textarea.*?</textarea>", "", answer.content.decode(), flags=re.S)
            )
            assert found == [], route


def test_htmx_comes_without_eval_or_not_at_all():
    """A template that loads htmx must also turn its eval off."""
    for path in (site.BASE_DIR / "templates").rglob("*.html"):
        text = path.read_text()
        if re.search(r"htmx(\.min)?\.js|htmx_script", text):
            assert '"allowEval":false' in text.replace(" ", ""), path


WRITES_A_PAGE = site.BASE_DIR / "static/js/phone/shell.js"
"""It puts a whole page of the phone's own application in its own place, under the policy of every page."""


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_our_scripts_make_no_code_out_of_text(path):
    text = path.read_text()
    if path == WRITES_A_PAGE:
        assert text.count("document.write(") == 1
        text = text.replace("document.write(", "")
    assert not re.search(r"\beval\(|new Function\(|document\.write|setTimeout\(\s*[\"'`]", text)
