"""The board: totals, the last entry with its reason and the race, for all who may watch."""

import pytest

pytestmark = pytest.mark.django_db


def board(phone, **headers):
    return phone.get("board/", **headers)


def test_the_board_shows_totals_the_last_reason_and_the_race_without_keys(table):
    table.player.enter({"type": "victory", "player": "Ann", "color": "red"})
    table.player.enter({"type": "capture", "player": "Bert"})
    shown = board(table.watcher)
    words = " ".join(shown.content.decode().split())
    assert shown.status_code == 200
    assert "<b>Bert</b> <output>50</output> <small>leads</small>" in words
    assert "<b>Bert 50</b>" in words and "CAPTURE" in words
    assert words.count("<polyline") == len(["Ann", "Bert", "Cleo"])
    assert 'name="enter"' not in words and "<form" not in words


def test_a_stranger_sees_no_board(table):
    assert board(table.stranger).status_code == 404


def test_the_fragment_is_asked_for_again_in_few_bytes_until_something_happens(table):
    first = board(table.watcher, **{"X-Fragment": "board"})
    tag = {"X-Fragment": "board", "If-None-Match": first.headers["ETag"]}
    assert "<html" not in first.content.decode()
    assert board(table.watcher, **tag).status_code == 304
    table.player.enter({"type": "capture", "player": "Bert"})
    assert 'data-head="1"' in board(table.watcher, **tag).content.decode()


def test_a_struck_out_entry_is_told_and_its_points_are_gone(table):
    table.player.enter({"id": "c1", "type": "capture", "player": "Bert"}, {"type": "void", "of": "c1"})
    words = board(table.watcher).content.decode()
    assert "Undone:" in words
    assert "<output>0</output>" in words and "<polyline" not in words


def test_a_code_for_the_television_only_watches(table, client):
    made = table.keeper.post("join/", {"role": "watch"}).json()
    arrived = client.post("/join/", {"code": made["code"]})
    assert client.get(f"/pads/{table.code}/board/").status_code == 200
    assert arrived.status_code == 302
    assert client.get(f"/pads/{table.code}/links.json").json().keys() == {"watch"}
