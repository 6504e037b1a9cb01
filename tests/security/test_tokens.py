"""A token is long, kept as a hash, and is nowhere but in its link: not in logs, exports, streams or pages."""

import base64
import logging
import math

import pytest
from django.db import connection
from django.test import Client

from people import invitations
from people.models import Invitation
from scorepad.access import links, permissions
from tests.scorepad.conftest import Phone, browser_of, capture, sit_down, victory
from tests.scorepad.test_streams import Ear, run
from tests.security.addresses import PADS
from tests.security.conftest import ask

BITS_LEAST = 128
TELLS = {"links.json", "links/", "join/", "rematch/", "again/", "table/", "keep/"}
"""Whose business is to hand links on. Even there nothing above one's own role is told."""


def test_tokens_have_bits_enough(table):
    tokens = {phone.token for phone in (table.keeper, table.player, table.watcher)}
    assert len(tokens) == 3
    assert all(len(base64.urlsafe_b64decode(token)) * 8 >= BITS_LEAST for token in tokens)
    assert invitations.TOKEN_BYTES * 8 >= BITS_LEAST
    assert math.log2(31**6) > 29, "a short code, which lives minutes and is limited by address"


def test_two_thousand_tokens_share_nothing(db):
    pad = sit_down().pad
    tokens = [links._token(links.Link(pad=pad, role="play", nonce=f"{n:032x}")) for n in range(2_000)]
    assert len({token[:8] for token in tokens}) == 2_000
    seen = "".join(tokens)
    assert all(seen.count(letter) > 600 for letter in "ABCabc019_-")


def rows():
    """Everything the database holds, as text."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            found.append(repr(cursor.fetchall()))
    return "\n".join(found)


def test_only_hashes_are_kept(table):
    code = table.player.post("join/").json()["code"]
    token = invitations.invite("curator", "Ada")
    kept = rows()
    for secret in (table.keeper.token, table.player.token, table.watcher.token, code, token):
        assert secret not in kept
    assert Invitation.objects.get().token_hash in kept and links.hashed(table.keeper.token) in kept


class Ears(logging.Handler):
    """Every record as text, before any filter of ours has seen it."""

    def __init__(self):
        super().__init__(logging.DEBUG)
        self.heard = []

    def emit(self, record):
        self.heard.append(f"{record.name} {record.getMessage()} {record.exc_info} {record.stack_info}")


@pytest.fixture
def written(settings):
    """What the site writes to its log at DEBUG: through the filters of its own handler, and no other way."""
    root, own, before = logging.getLogger(), Ears(), logging.getLogger().level
    for handler in root.handlers:
        for one in handler.filters:
            own.addFilter(one)
    assert own.filters
    root.addHandler(own)
    root.setLevel(logging.DEBUG)
    logging.getLogger("django").setLevel(logging.DEBUG)
    connection.force_debug_cursor = True
    yield own.heard
    connection.force_debug_cursor = False
    root.removeHandler(own)
    root.setLevel(before)
    logging.getLogger("django").setLevel(logging.INFO)


def play(table):
    """A whole evening: links opened, a game with a correction, a code typed, wrong links tried."""
    browsers = {role: browser_of(phone) for role, phone in people(table).items()}
    table.player.enter(victory("a1"), victory("a2", "Bert"), capture("a3"))
    table.player.enter({"id": "a4", "type": "void", "of": "a3"})
    code = table.player.post("join/").json()["code"]
    Phone(None).post("/pads/join/", {"code": code})
    Client().get(f"/pads/{table.code}/{'w' * 32}")
    Phone("v" * 32, table.code).get("result.json")
    table.watcher.post("entries/", {"entries": []})
    browsers["play"].post(f"/pads/{table.code}/tap/", {"enter": "{}"})
    return browsers, code


def people(table):
    return {"keep": table.keeper, "play": table.player, "watch": table.watcher}


def above(table, role):
    """The tokens this role must never see."""
    return [phone.token for other, phone in people(table).items() if links.RANK[other] > links.RANK[role]]


def test_no_token_reaches_a_log_even_at_debug(table, written):
    play(table)
    for row in PADS.values():
        if "{evening}" not in row.example:
            ask(browser_of(table.player), "GET", row.example.format(code=table.code), row)
    club = table.keeper.post("club/").json()
    Client().get(club["keep"])
    Client().get(f"{club['club']}{'u' * 32}")
    text = "\n".join(written)
    assert "scorepad_link" in text, "the database's own lines are heard"
    assert "scorepad_clublink" in text and f"{club['club']}" in text
    secrets = [phone.token for phone in people(table).values()] + ["w" * 32, "v" * 32, "u" * 32]
    secrets += [club[role].rsplit("/", 1)[-1] for role in ("keep", "watch")]
    for secret in secrets:
        assert secret not in text and secret[:20] not in text


def test_no_page_file_or_answer_has_a_token_that_is_not_the_readers_to_give(table):
    browsers, _ = play(table)
    for role, client in browsers.items():
        for route, row in PADS.items():
            if row.get is None or "{evening}" in row.example or route.endswith("next/"):
                continue
            text = ask(client, "GET", row.example.format(code=table.code), row).content.decode(
                errors="replace"
            )
            hidden = above(table, role)
            if not any(route.endswith(place) for place in TELLS):
                hidden = [phone.token for phone in people(table).values()]
            assert not [token for token in hidden if token in text or token[:20] in text], (role, route)


def test_what_is_answered_to_a_lesser_role_has_no_better_link_in_it(table):
    for role, phone in people(table).items():
        for place in ("join/", "rematch/", "keep/", "links/"):
            text = phone.post(place, {"rotate": "watch"} if place == "links/" else {}).content.decode()
            assert not [token for token in above(table, role) if token in text], (role, place)


def test_no_stream_has_a_token_in_it(committed):
    table = sit_down()

    async def story():
        ear = Ear(table, token=table.keeper.token)
        await ear.hears(b"event: watchers")
        ear.gone.set()
        await ear.task
        assert b"event: pad" in ear.text
        for phone in people(table).values():
            assert phone.token.encode()[:20] not in ear.text
            assert not [value for value in ear.headers.values() if phone.token.encode() in value]

    run(story)


def test_a_link_leaves_no_trace_in_the_address_the_cookie_or_the_referrer(table):
    client = Client()
    answer = client.get(f"/pads/{table.code}/{table.keeper.token}", follow=True)
    first, last = answer.redirect_chain[0][0], answer.request["PATH_INFO"]
    assert first == f"{last}?who=1" and last == f"/pads/{table.code}/"
    assert table.keeper.token[:20] not in answer.content.decode()
    assert all(table.keeper.token[:20] not in cookie.OutputString() for cookie in client.cookies.values())
    entered = Client().get(f"/pads/{table.code}/{table.keeper.token}")
    assert entered.headers["Referrer-Policy"] == "no-referrer"
    assert entered.headers["Cache-Control"] == "no-store" and entered.content == b""


def test_error_pages_do_not_repeat_a_link(table, monkeypatch):
    client = Client(raise_request_exception=False)
    wrong = client.get(f"/pads/{table.code}/{'w' * 32}")
    assert wrong.status_code == 404 and "w" * 20 not in wrong.content.decode()
    monkeypatch.setattr(permissions, "by_token", lambda *args: 1 / 0)
    broken = client.get(f"/pads/{table.code}/{table.keeper.token}")
    assert broken.status_code == 500 and table.keeper.token[:20] not in broken.content.decode()


def test_a_revoked_link_is_dead_at_the_next_request_in_every_form(table):
    browser = browser_of(table.player)
    table.keeper.post("links/", {"revoke": "play"})
    assert table.player.get("result.json").status_code == 404
    assert browser.get(f"/pads/{table.code}/").status_code == 404
    assert Client().get(f"/pads/{table.code}/{table.player.token}").status_code == 404
    assert table.code not in browser.get("/").content.decode()
