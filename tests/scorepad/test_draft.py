import pytest

from tests.scorepad.conftest import sit_down

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
    fill(table.player, put("Bert", 8))
    table.keeper.post("names/", {"players": ["Ann", "Bertram", "Cleo"]})
    assert table.watcher.get("draft.json").json()["draft"]["entry"]["hands"] == {"Bertram": {"count": 8}}


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
