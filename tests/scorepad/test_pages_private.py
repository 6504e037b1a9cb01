"""What belongs to a table stays with its phones."""

import pytest
from django.test import Client

import engine
from scorepad import ledger, new_pads
from scorepad.models import Pad

pytestmark = pytest.mark.django_db


@pytest.fixture
def table():
    """A pad of two with one entry, and the phone of its keeper."""
    new = new_pads.create({"game": "victory-rummy", "players": ["Ann", "Bert"]})
    ledger.append(new.pad, [{"id": "a", "type": "victory", "player": "Ann", "color": "red"}])
    client = Client()
    client.get(new.keep)
    return new.pad, client


PLACES = ["", "why/0/", "history/", "after/", "print/", "correct/a/"]


@pytest.mark.parametrize("place", PLACES)
def test_no_store_between_keeps_a_page_of_the_pad(table, place):
    pad, client = table
    answer = client.get(f"/pads/{pad.code}/{place}")
    assert answer.status_code == 200
    assert set(answer["Cache-Control"].split(", ")) == {"private", "no-cache"}
    assert "Cookie" in answer["Vary"]


def test_nor_the_evening(table):
    pad, client = table
    client.post(f"/pads/{pad.code}/rematch/")
    evening = Pad.objects.get(pk=pad.pk).evening
    answer = client.get(f"/evenings/{evening.code}/")
    assert answer.status_code == 200
    assert "private" in answer["Cache-Control"]


def test_nor_the_shelf_of_a_phone_that_knows_pads(table):
    assert "private" in table[1].get("/")["Cache-Control"]
    assert "private" not in Client().get("/").headers.get("Cache-Control", "")


@pytest.mark.parametrize("place", PLACES)
def test_a_log_this_engine_refuses_is_explained_on_every_page(table, place, monkeypatch):
    pad, client = table

    def refuse(replay):
        raise engine.Refused("bad-entry", "Today's engine refuses this.", 0)

    monkeypatch.setattr(ledger.Replay, "standing_position", refuse)
    answer = client.get(f"/pads/{pad.code}/{place}")
    assert answer.status_code == 409
    assert "This pad cannot be scored any more" in answer.content.decode()
    assert "private" in answer["Cache-Control"]
    assert Client().get(f"/pads/{pad.code}/{place}").status_code == 404
