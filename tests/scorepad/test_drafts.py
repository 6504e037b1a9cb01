import json

import pytest

from scorepad.models import Draft
from tests.scorepad.conftest import browser_of, sit_down

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(db):
    return sit_down(game="rap-rummy")


def put(player, count):
    return {"field": "hands", "player": player, "value": {"count": count}}


def fill(phone, *puts, who=None):
    answer = phone.post("draft/", {"type": "hand", "put": list(puts), "who": who})
    assert answer.status_code == 200, answer.content
    return answer.json()["draft"]


def test_there_is_no_draft_at_first(table):
    assert table.watcher.get("draft.json").json() == {"draft": None}


def test_three_phones_fill_one_hand_and_it_says_who_filled_what(table):
    fill(table.player, put("Ann", 11), who="Ann")
    fill(table.player, put("Bert", 8), who="Bert")
    draft = fill(table.keeper, put("Cleo", 4), {"field": "rapper", "value": "Cleo"}, who="Cleo")
    assert draft["entry"]["hands"] == {"Ann": {"count": 11}, "Bert": {"count": 8}, "Cleo": {"count": 4}}
    assert [(part["player"], part["who"]) for part in draft["filled"][:2]] == [
        ("Ann", "Ann"),
        ("Bert", "Bert"),
    ]
    assert draft["complete"]
    assert table.watcher.result()["head"] == 0


def test_what_is_missing_is_named(table):
    draft = fill(table.player, put("Bert", 8))
    assert draft["missing"] == [{"field": "hands", "player": "Ann"}, {"field": "hands", "player": "Cleo"}]
    assert not draft["complete"]


def test_completing_appends_one_entry_and_twice_is_once(table):
    draft = fill(table.player, put("Ann", 11), put("Bert", 8), put("Cleo", 4))
    first = table.player.post("draft/complete/", {"draft": draft["id"]}).json()["results"][0]
    second = table.keeper.post("draft/complete/", {"draft": draft["id"]}).json()["results"][0]
    assert (first["status"], second["status"]) == ("stored", "known")
    assert first["number"] == second["number"] == 1
    assert table.watcher.get("draft.json").json() == {"draft": None}
    assert table.watcher.result()["totals"]["Cleo"] == 11


def test_an_incomplete_draft_is_refused_and_kept(table):
    draft = fill(table.player, put("Ann", 11))
    result = table.player.post("draft/complete/", {"draft": draft["id"]}).json()["results"][0]
    assert result["error"]["code"] == "bad-entry"
    assert table.watcher.get("draft.json").json()["draft"]["id"] == draft["id"]


def test_a_part_can_be_cleared_and_nobody_is_an_answer(table):
    fill(table.player, put("Ann", 11), {"field": "rapper", "value": "Bert"})
    draft = fill(
        table.player, put("Ann", None) | {"value": None}, {"field": "rapper", "value": None, "none": True}
    )
    assert draft["entry"] == {"type": "hand", "rapper": None}


def test_a_list_that_still_grows_is_not_complete(table):
    fill(table.player, put("Ann", 11), put("Bert", 8))
    cards = {"field": "hands", "player": "Cleo", "value": {"cards": ["B1"]}, "open": True}
    draft = fill(table.player, cards)
    assert draft["missing"] == [{"field": "hands", "player": "Cleo"}]
    assert not draft["complete"]


def test_a_renamed_player_keeps_his_share(table):
    hands = {name: {"count": 5 * place} for place, name in enumerate(table.pad.players)}
    assert table.player.enter({"type": "hand", "rapper": "Ann", "hands": hands})[0]["status"] == "stored"
    fill(table.player, put("Bert", 8))
    table.keeper.post("names/", {"players": ["Ann", "Bertram", "Cleo"]})
    assert table.watcher.get("draft.json").json()["draft"]["entry"]["hands"] == {"Bertram": {"count": 8}}


@pytest.mark.parametrize("players", [["Bert", "Ann", "Cleo"], ["Dora", "Emil"]])
def test_other_seats_before_the_first_entry_begin_afresh(table, players):
    fill(table.player, put("Ann", 11), put("Cleo", 4), who="Cleo")
    assert table.keeper.post("names/", {"players": players}).status_code == 200
    assert table.watcher.get("draft.json").json() == {"draft": None}
    assert browser_of(table.player).get(f"/pads/{table.code}/").status_code == 200


def test_another_dealer_leaves_the_draft_alone(table):
    fill(table.player, put("Ann", 11))
    table.keeper.post("names/", {"players": table.pad.players, "dealer": "Cleo"})
    assert table.watcher.get("draft.json").json()["draft"]["entry"]["hands"] == {"Ann": {"count": 11}}


def test_a_draft_can_be_dropped(table):
    fill(table.player, put("Bert", 8))
    assert table.player.post("draft/drop/").json() == {"draft": None}


def test_another_kind_of_entry_waits_for_the_draft(db):
    table = sit_down(game="victory-rummy")
    table.player.post("draft/", {"type": "victory", "put": [{"field": "player", "value": "Ann"}]})
    answer = table.player.post("draft/", {"type": "capture", "put": []})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "other-draft")


@pytest.mark.parametrize(
    "body",
    [{}, {"type": "nothing"}, {"type": "hand", "put": 3}, {"type": "hand", "put": [3]},
     {"type": "hand", "put": [{"field": "nose"}]},
     {"type": "hand", "put": [{"field": "hands", "player": "Zoe"}]},
     {"type": "hand", "put": [{"field": "rapper", "player": "Ann", "value": "Ann"}]},
     {"type": "hand", "put": [{"field": "rapper", "value": ["x" * 20_000]}]}],
)  # fmt: skip
def test_a_part_that_fits_nowhere_is_refused(table, body):
    answer = table.player.post("draft/", body)
    assert answer.status_code == 422
    assert answer.json()["error"]["message"]


def test_a_watcher_does_not_fill_and_a_stranger_does_not_see(table):
    assert table.watcher.post("draft/", {"type": "hand", "put": []}).status_code == 403
    assert table.stranger.get("draft.json").status_code == 404


def test_nothing_is_filled_on_a_stopped_pad(table):
    table.keeper.post("stop/")
    assert table.player.post("draft/", {"type": "hand", "put": []}).json()["error"]["code"] == "stopped"


BAD_SHARES = [5, "x", [], {}, {"count": "x"}, {"count": None}, {"count": -1}, {"cards": 5},
              {"cards": ["Z99"]}, {"nose": 1}, {"count": 1, "cards": []}]  # fmt: skip


@pytest.mark.parametrize("value", BAD_SHARES)
def test_a_share_that_is_none_is_refused_and_the_page_stands(table, value):
    answer = table.player.post("draft/", {"type": "hand", "put": [put("Ann", 0) | {"value": value}]})
    assert answer.status_code == 422
    assert answer.json()["error"]["message"]
    assert table.watcher.get("draft.json").json() == {"draft": None}


def test_a_name_that_is_not_at_the_table_is_refused(table):
    answer = table.player.post("draft/", {"type": "hand", "put": [{"field": "rapper", "value": "Zoe"}]})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "unknown-player")


def test_a_list_may_still_be_too_short(db):
    table = sit_down(game="victor-or-victim")
    part = {"field": "cards", "player": "Ann", "value": ["red V"], "open": True}
    answer = table.player.post("draft/", {"type": "setup", "put": [part]})
    assert answer.status_code == 200, answer.content


@pytest.mark.parametrize(
    "sent",
    [{"at": ["hands", "Ann", "count"], "put": "x"}, {"at": ["hands", "Ann"], "put": 5},
     {"at": ["hands", "Ann", "cards"], "put": 5}, {"at": ["hands", "Ann", "cards"], "put": {}},
     {"at": ["hands", "Bert", "count"], "add": "B1"}, {"at": ["hands", "Bert", "count"], "drop": 0},
     {"at": ["hands", "Bert", "count"], "add": "B1", "nth": 0}, {"at": ["rapper"], "put": ["Ann"]},
     {"at": ["rapper"], "put": {"a": 1}}, {"add": "B1", "nth": 0}, {"put": 1}, {"at": 5, "put": 1},
     {"at": [["hands"]], "put": 1}, {"at": ["hands", "Ann", "count"], "put": 3, "for": "\ud800"},
     {"at": ["hands", "Ann", "count"], "put": 3, "for": {"a": 1}, "head": 0}],
)  # fmt: skip
def test_a_tap_that_fits_nowhere_is_refused_and_the_page_stands(table, sent):
    fill(table.player, put("Bert", 8))
    client = browser_of(table.player)
    client.cookies["csrftoken"] = "a" * 32
    body = {"part": json.dumps(sent), "csrfmiddlewaretoken": "a" * 32}
    answer = client.post(f"/pads/{table.code}/tap/", body)
    assert answer.status_code in (200, 422), answer.content
    assert client.get(f"/pads/{table.code}/").status_code == 200
    assert table.watcher.get("draft.json").json()["draft"]["entry"]["hands"] == {"Bert": {"count": 8}}


@pytest.mark.parametrize("value", [*BAD_SHARES, {"not-at-table": "Zoe"}])
def test_a_bad_share_that_is_stored_already_does_not_take_the_pad_down(table, value):
    fill(table.player, put("Ann", 3), put("Bert", 8))
    draft = Draft.objects.get()
    draft.parts[1]["value"] = value
    draft.parts.append({**draft.parts[0], "of": 3})
    draft.parts.append({**draft.parts[0], "field": "rapper", "of": None, "value": 7})
    draft.save()
    assert browser_of(table.player).get(f"/pads/{table.code}/").status_code == 200
    assert table.watcher.get("draft.json").json()["draft"]["entry"] == {
        "type": "hand",
        "hands": {"Ann": {"count": 3}},
    }
    assert fill(table.player, put("Bert", 9))["entry"]["hands"]["Bert"] == {"count": 9}


def test_a_draft_of_a_kind_that_is_gone_makes_room(table):
    fill(table.player, put("Ann", 3))
    Draft.objects.update(kind="gone")
    assert browser_of(table.player).get(f"/pads/{table.code}/").status_code == 200
    assert fill(table.player, put("Bert", 8))["entry"]["hands"] == {"Bert": {"count": 8}}
