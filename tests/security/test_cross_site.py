"""A form on another site gets nowhere: what a cookie or a session authorises needs the page's own token.

test_over_sockets.py sends them everywhere.
"""

import pytest
from django.test import Client

from tests.security.addresses import EVERY
from tests.security.conftest import ask, undone
from tests.security.test_over_sockets import FOREIGN_SITE, takes_json_from_anyone

POSTS = {route: row for route, row in EVERY.items() if row.post is not None}


@pytest.fixture
def everyone(house):
    """A browser that keeps the pad and is signed in as keeper: it may do everything."""
    client = house.browser("keep")
    client.force_login(house.people["keeper"])
    return client


def test_over_tls_the_referrer_is_looked_at_too(house, everyone, settings):
    for route, row in POSTS.items():
        if takes_json_from_anyone(route, row):
            continue
        for told in ({"Referer": f"{FOREIGN_SITE}/"}, {}):
            sent = {"X-CSRFToken": "a" * 32, **told}
            answer = undone(
                lambda row=row, sent=sent: everyone.post(
                    house.path(row), row.form or row.body or {}, secure=True, headers=sent
                )
            )
            assert answer.status_code == 403, route


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_what_a_form_can_send_by_itself_makes_no_pad(db, kind):
    """JSON needs the browser's leave to go elsewhere, and we never give it. The rest needs the token."""
    for path in ("/pads/", "/pads/import/", "/pads/join/"):
        answer = Client(enforce_csrf_checks=True).generic(
            "POST", path, '{"game": "victory-rummy"}', content_type=kind, headers={"Origin": FOREIGN_SITE}
        )
        assert answer.status_code in (403, 415), path


def test_no_answer_with_a_pad_in_it_is_open_to_other_sites(house, everyone):
    for route, row in EVERY.items():
        if route.startswith(("pads/", "people/", "evenings/", "clubs/", "curation/")) and row.get is not None:
            answer = ask(everyone, "GET", house.path(row), row, {"Origin": FOREIGN_SITE})
            assert "Access-Control-Allow-Origin" not in answer.headers, route
            assert "Access-Control-Allow-Credentials" not in answer.headers, route
