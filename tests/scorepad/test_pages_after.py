"""After a game and beside it: the play for BG Stats, the chips counted."""

import html

import pytest
from django.test import Client

from scorepad import exports, ledger, new_pads

pytestmark = pytest.mark.django_db


def opened(game, **wish):
    new = new_pads.create({"game": game, "players": ["Ann", "Bert"], **wish})
    client = Client()
    client.get(new.keep)
    return new.pad, client


def test_a_finished_game_can_be_logged_in_bg_stats():
    pad, client = opened("victory-rummy", options={"target": 10})
    assert "BG Stats" not in client.get(f"/pads/{pad.code}/after/").content.decode()
    ledger.append(pad, [{"id": "a", "type": "victory", "player": "Ann", "color": "red"}])
    page = client.get(f"/pads/{pad.code}/after/").content.decode()
    assert f'href="{html.escape(exports.bg_stats_link(pad))}"' in page


@pytest.mark.parametrize(
    ("counted", "words"),
    [
        (["85", "100"], "The table has 3 chips less than it should (15 points)."),
        (["105", "100"], "The table has 1 chip more than it should (5 points)."),
        (["95", "105"], "The table has all its chips, but not where they should be"),
        (["97", "100"], "The table has 3 points less in chips than it should."),
    ],
)
def test_what_is_missing_is_said_in_chips(counted, words):
    pad, client = opened("thumbs-up", options={"stake": 100})
    page = client.post(f"/pads/{pad.code}/checks/", {"counted": counted}).content.decode()
    assert words in page


def test_chips_of_several_values_are_not_counted_in_pieces():
    pad, client = opened("thumbs-up", options={"stake": 100}, settings={"chips": [5, 10, 25]})
    page = client.post(f"/pads/{pad.code}/checks/", {"counted": ["85", "100"]}).content.decode()
    assert "The table has 15 points less in chips than it should." in page
