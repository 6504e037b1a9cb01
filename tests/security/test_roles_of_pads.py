"""Where a pad begins, who hears its stream, what a stranger hears; test_over_sockets.py has the rest."""

import asyncio
import json

import pytest
from django.test import Client

from tests.scorepad.conftest import sit_down
from tests.scorepad.test_streams import Ear, run
from tests.security.addresses import BEGINNING, CLUBS, METHODS, PADS
from tests.security.conftest import ROLES, ask, undone
from tests.security.test_over_sockets import DONE_AT_A_PAD


def test_where_a_pad_begins_nobody_needs_a_link(hall):
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = "a" * 32
    for route, row in BEGINNING.items():
        for method in METHODS:
            status = undone(ask, client, method, hall.path(row), row).status_code
            # These tests bring no program along, so a page that it draws is not there.
            done = DONE_AT_A_PAD | {404} if "/here" in route or route.startswith("phone/") else DONE_AT_A_PAD
            assert status in (done if method in row.methods else {405}), (method, route, status)


@pytest.mark.parametrize("role", ROLES)
def test_a_stream_opens_for_every_live_link_and_for_no_other(committed, role):
    table, other = sit_down(), sit_down()
    tokens = {"keep": table.keeper.token, "play": table.player.token, "watch": table.watcher.token}
    if role == "revoked":
        table.keeper.post("links/", {"revoke": "watch"})
    shown = {**tokens, "none": "", "other": other.keeper.token, "revoked": table.watcher.token}[role]

    async def story():
        ear = Ear(table, authorization=f"Bearer {shown}" if shown else "")
        if role in tokens:
            await ear.hears(b'"role":"' + role.encode())
            ear.gone.set()
        async with asyncio.timeout(5):
            await ear.task
        assert ear.status == (200 if role in tokens else 404)
        assert role in tokens or b"Ann" not in ear.text

    run(story)


def test_what_a_stranger_hears_is_the_same_whether_there_is_a_pad_or_not(hall):
    """Otherwise the short name of a pad could be guessed by its refusals."""
    for row in (*PADS.values(), *CLUBS.values()):
        for method in row.methods:
            there, nowhere = (
                undone(ask, hall.browser("none"), method, path, row)
                for path in (
                    hall.path(row),
                    row.example.format(
                        **{**hall.places, "code": "nopadher", "evening": "noevenin", "club": "noclubhe"}
                    ),
                )
            )
            assert there.status_code == nowhere.status_code
            if there.headers["Content-Type"] == "application/json":
                assert json.loads(there.content or "{}") == json.loads(nowhere.content or "{}")
