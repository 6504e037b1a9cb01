import pytest

from tests.scorepad.conftest import axis, browser_of, capture, sit_down, victory

pytestmark = pytest.mark.django_db


def test_an_entry_is_stored_and_numbered(table):
    [first] = table.player.enter(victory("a1"))
    assert first == {"id": "a1", "status": "stored", "number": 1, "error": None}
    assert table.watcher.result()["totals"]["Ann"] == 10


def test_the_head_counts_what_is_stored(table):
    answer = table.player.post("entries/", {"entries": [victory("a1"), victory("a2", "Bert")]})
    assert answer.json()["head"] == 2


def test_the_same_entry_again_is_known_by_the_same_number(table):
    table.player.enter(victory("a1"), victory("a2", "Bert"))
    [again] = table.keeper.enter(victory("a1"))
    assert (again["status"], again["number"]) == ("known", 1)
    assert table.pad.entries.count() == 2


def test_the_same_entry_twice_in_one_post_is_stored_once(table):
    first, second = table.player.enter(victory("a1"), victory("a1"))
    assert (first["status"], second["status"]) == ("stored", "known")
    assert first["number"] == second["number"] == 1


def test_an_id_used_for_something_else_is_refused(table):
    table.player.enter(victory("a1"))
    [other] = table.player.enter(victory("a1", color="blue"))
    assert (other["status"], other["error"]["code"], other["number"]) == ("refused", "id-reused", None)


@pytest.mark.parametrize("cards", [True, 1.0, "1"])
def test_what_only_python_takes_for_the_same_is_something_else(table, cards):
    table.player.enter(victory("a1"), victory("a2"), axis("a3", cards=1))
    [other] = table.player.enter(axis("a3", cards=cards))
    assert other["error"]["code"] == "id-reused"


def test_one_refused_entry_does_not_stop_the_others(table):
    results = table.player.enter(victory("a1"), axis("a2"), victory("a3", "Bert"))
    assert [result["status"] for result in results] == ["stored", "refused", "stored"]
    assert [result["number"] for result in results] == [1, None, 2]
    assert results[1]["error"]["code"] == "not-out"
    assert results[1]["error"]["cites"]


def test_a_refused_id_is_judged_afresh(table):
    [early] = table.player.enter(axis("x"))
    assert early["status"] == "refused"
    table.player.enter(victory("a1"), victory("a2"))
    [later] = table.player.enter(axis("x"))
    assert (later["status"], later["number"]) == ("stored", 3)


def test_an_entry_without_an_id_is_given_one(table):
    [result] = table.player.enter({"type": "capture", "player": "Ann"})
    assert result["status"] == "stored"
    assert result["id"]


@pytest.mark.parametrize(
    "entry",
    [None, 7, "victory", [], {},
     {"id": 5, "type": "capture", "player": "Ann"},
     {"id": "", "type": "capture"},
     {"id": "x" * 101, "type": "capture", "player": "Ann"},
     {"id": "a\u0000", "type": "capture", "player": "Ann"},
     {"id": "a", "type": "capture", "player": "Zoe"}, {"id": "a", "type": "capture", "player": 0},
     {"id": "a", "type": "capture", "player": {"not-at-table": "Ann"}}, {"id": "a", "type": ["void"]},
     {"id": "a", "type": "void", "of": "nobody"}, {"id": "a", "type": "amend", "of": "nobody", "entry": 3}],
)  # fmt: skip
def test_what_is_no_entry_is_refused_with_a_sentence(table, entry):
    [result] = table.player.enter(entry)
    assert result["status"] == "refused"
    assert result["error"]["message"].endswith(".")
    assert table.pad.entries.count() == 0


def test_the_log_keeps_seats_not_names(table):
    table.player.enter(victory("a1", "Bert"))
    assert table.pad.entries.get().body == {"type": "victory", "player": 1, "color": "red"}


def test_who_entered_is_a_seat_or_a_device(table):
    table.player.enter(victory("a1"), who="Cleo")
    table.player.enter(victory("a2", "Bert"), who="kitchen tablet")
    assert list(table.pad.entries.values_list("seat", "device")) == [(2, ""), (None, "kitchen tablet")]


def test_a_phone_that_still_uses_an_old_name_is_understood(table):
    table.player.enter(victory("a1"))
    assert table.keeper.post("names/", {"players": ["Anna", "Bert", "Cleo"]}).status_code == 200
    [known, fresh] = table.player.enter(victory("a1"), victory("a2"))
    assert (known["status"], fresh["status"]) == ("known", "stored")
    assert table.watcher.result()["totals"] == {"Anna": 20, "Bert": 0, "Cleo": 0}


def test_nothing_is_entered_on_a_stopped_pad(table):
    table.player.enter(victory("a1"))
    table.keeper.post("stop/")
    known, late = table.player.enter(victory("a1"), victory("a2"))
    assert (known["status"], late["status"], late["error"]["code"]) == ("known", "refused", "stopped")
    table.keeper.post("reopen/")
    assert table.player.enter(victory("a2"))[0]["status"] == "stored"


def test_a_watcher_who_writes_is_told_so(table):
    answer = table.watcher.post("entries/", {"entries": [victory("a1")]})
    assert answer.status_code == 403
    assert "play" in answer.json()["error"]["message"]


def test_a_stranger_finds_no_pad(table):
    assert table.stranger.post("entries/", {"entries": [victory("a1")]}).status_code == 404


def test_the_token_of_another_pad_is_worth_nothing_here(table):
    other = sit_down()
    other.keeper.code = table.code
    assert other.keeper.post("entries/", {"entries": [victory("a1")]}).status_code == 404


@pytest.mark.parametrize(
    ("body", "status"),
    [("{", 400), ("[]", 400), ("null", 400), ('{"entries": 3}', 400), ("{}", 400), (b"\xff\xfe", 400),
     ('{"entries": [], "entries": []}', 400), ("[" * 100_000, 400), (" " * 600_000, 413),
     ('{"entries": [' + ",".join(["0"] * 501) + "]}", 413)],
)  # fmt: skip
def test_a_body_that_cannot_be_read_is_refused_not_a_failure(table, body, status):
    answer = table.player.post("entries/", body)
    assert answer.status_code == status
    assert answer.json()["error"]["message"]


def test_another_content_type_is_refused(table):
    answer = table.player.client.post(
        table.player.address("entries/"), "x", content_type="text/plain", headers=table.player.headers
    )
    assert answer.status_code == 415


def test_get_is_refused(table):
    answer = table.player.get("entries/")
    assert answer.status_code == 405
    assert answer.headers["Allow"] == "POST"


def test_an_unknown_pad_is_a_clear_404(table):
    answer = table.player.post("/pads/nosuchpad/entries/", {"entries": []})
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "no-pad"


def test_a_cookie_alone_does_not_write(table):
    client = browser_of(table.player)
    address = f"/pads/{table.code}/entries/"
    answer = client.post(address, {"entries": [victory("a1")]}, content_type="application/json")
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "csrf")


def test_a_cookie_with_the_pages_token_writes(table):
    client = browser_of(table.player)
    client.cookies["csrftoken"] = "a" * 32
    address = f"/pads/{table.code}/entries/"
    answer = client.post(
        address,
        {"entries": [victory("a1")]},
        content_type="application/json",
        headers={"X-CSRFToken": "a" * 32},
    )
    assert answer.json()["results"][0]["status"] == "stored"


def test_a_tap_costs_five_queries(table, django_assert_num_queries):
    table.player.enter(victory("a1"))
    # The link with its pad, the lock, what is new or known, one insert, the last seal; and begin and commit.
    with django_assert_num_queries(7):
        table.player.enter(capture("a2", "Bert"))


def test_a_log_that_ends_a_game_refuses_more(db):
    table = sit_down(options={"target": 10})
    results = table.player.enter(victory("a1"), victory("a2"))
    assert results[1]["error"]["code"] == "game-over"
    assert table.watcher.result()["winners"] == ["Ann"]


def amend(name, of, player):
    entry = {"type": "victory", "player": player, "color": "red"}
    return {"id": name, "type": "amend", "of": of, "entry": entry}


def test_too_many_corrections_at_once_are_refused_and_the_rest_is_answered(table, settings):
    settings.ENTRIES_REPLAYED_PER_POST_MOST = 5
    table.player.enter(victory("a"), victory("b", "Bert"))
    batch = [
        amend("f1", "a", "Cleo"),
        amend("f2", "b", "Ann"),
        amend("f3", "a", "Bert"),
        victory("d", "Cleo"),
    ]
    first = table.player.enter(*batch)
    assert [result["status"] for result in first] == ["stored", "stored", "refused", "stored"]
    assert first[2]["error"]["code"] == "too-many-corrections"
    again = table.player.enter(*batch)
    assert [result["status"] for result in again] == ["known", "known", "stored", "known"]


def test_one_correction_is_always_judged(table, settings):
    settings.ENTRIES_REPLAYED_PER_POST_MOST = 1
    table.player.enter(victory("a"), victory("b", "Bert"))
    assert table.player.enter(amend("f1", "a", "Cleo"))[0]["status"] == "stored"


@pytest.mark.parametrize("name", ["\ud800", "\0", "a\udfff", 5, None, [], ""])
def test_a_broken_id_is_refused_alone(table, name):
    results = table.player.enter(victory("a"), victory(name), victory("b", "Bert"))
    assert [result["status"] for result in results] == ["stored", "refused", "stored"]
    assert results[1]["error"]["code"] == "bad-entry"


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("draft/complete/", {"draft": "\ud800"}),
        ("/pads/join/", {"code": "\ud800"}),
        ("/pads/join/", {"code": "ABC\ud800"}),
        ("seat/", {"who": "\ud800"}),
        ("preview/", {"entry": {"id": "\ud800"}}),
        ("entries/", {"entries": [], "who": "\ud800"}),
        ("checks/", {"counted": {"\ud800": 1}}),
        ("draft/", {"type": "\ud800"}),
        ("draft/", {"type": "capture", "put": [{"field": "\ud800"}]}),
        ("names/", {"players": ["\ud800", "Ann", "Bert"]}),
        ("names/", {"players": ["A", "B", "C"], "dealer": "\ud800"}),
        ("settings/", {"settings": {"\ud800": 1}}),
        ("links/", {"rotate": "\ud800"}),
        ("join/", {"role": "\ud800"}),
        ("/pads/", {"game": "\ud800"}),
        ("/pads/", {"\ud800": 1}),
        ("/pads/import/", {"pad": 1, "\ud800": 1}),
        ("/pads/", {"game": "victory-rummy", "players": ["A", "B"], "variant": "\ud800"}),
    ],
)
def test_broken_text_is_answered_not_stumbled_over(table, path, body):
    assert table.keeper.post(path, body).status_code in (200, 400, 403, 422)
