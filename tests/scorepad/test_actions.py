"""Names, settings, stopping, the next game, evenings, taking over."""

import pytest
from django.test import Client

from tests.html import holds
from tests.scorepad.conftest import NAMES, Phone, axis, browser_of, capture, seated, sit_down, victory

pytestmark = pytest.mark.django_db


def test_a_player_is_renamed_at_any_time(table):
    table.player.enter(victory("a1", "Bert"))
    assert table.keeper.post("names/", {"players": ["Ann", "Bertram", "Cleo"]}).status_code == 200
    result = table.watcher.result()
    assert result["totals"] == {"Ann": 0, "Bertram": 10, "Cleo": 0}
    assert table.watcher.get("sheet.json").json()["entries"][0]["player"] == "Bertram"


def test_what_is_remembered_does_not_keep_an_old_name(committed):
    table = sit_down()
    table.player.enter(victory("a1", "Bert"))
    assert table.watcher.result()["totals"]["Bert"] == 10
    table.keeper.post("names/", {"players": ["Ann", "Bertram", "Cleo"]})
    assert table.watcher.result()["lines"][0]["player"] == "Bertram"


def test_two_players_swap_names_and_the_points_stay_with_the_seats(table):
    table.player.enter(victory("a1", "Bert"))
    table.keeper.post("names/", {"players": ["Bert", "Ann", "Cleo"]})
    assert table.watcher.result()["totals"] == {"Bert": 0, "Ann": 10, "Cleo": 0}


def test_before_the_first_entry_seats_and_dealer_may_change(table):
    answer = table.keeper.post("names/", {"players": ["Dora", "Emil"], "dealer": "Emil"})
    assert (answer.json()["players"], answer.json()["dealer"]) == (["Dora", "Emil"], "Emil")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"players": ["Ann", "Bert"]},
        {"players": ["Ann", "ann", "Cleo"]},
        {"players": NAMES, "dealer": "Ann"},
    ],
)
def test_after_it_the_seats_stay(table, body):
    table.player.enter(victory("a1"))
    assert table.keeper.post("names/", body).status_code == 422
    assert table.pad.players == NAMES


def test_stopping_says_where(table):
    table.player.enter(victory("a1"), victory("a2"), axis("a3"), victory("b1", "Bert"))
    assert table.keeper.post("stop/").json()["stopped"]["says"] == "stopped in deal 2"
    assert table.watcher.result()["stopped"]["where"] == "deal 2"
    assert table.keeper.post("reopen/").json()["stopped"] is None


def test_settings_are_kept_beside_the_log(table):
    table.keeper.post("settings/", {"settings": {"chips": {"5": 10}}})
    assert table.watcher.get("about.json").json()["settings"] == {"chips": {"5": 10}}
    assert table.keeper.post("settings/", {"settings": []}).status_code == 422


def test_a_phone_chooses_its_seat_and_the_cookie_remembers(table):
    client = browser_of(table.player)
    client.cookies["csrftoken"] = "a" * 32
    csrf = {"X-CSRFToken": "a" * 32}
    post = {"content_type": "application/json", "headers": csrf}
    assert client.post(f"/pads/{table.code}/seat/", {"who": "Bert"}, **post).json()["seat"] == 1
    client.post(f"/pads/{table.code}/entries/", {"entries": [victory("a1")]}, **post)
    assert table.pad.entries.get().seat == 1


def test_a_rematch_has_the_same_seats_and_the_next_dealer(table):
    table.player.enter(victory("a1"))
    opened = table.keeper.post("rematch/").json()
    new = seated(opened)
    assert (new.pad.players, new.pad.dealer, new.pad.options) == (NAMES, 1, table.pad.options)
    assert new.watcher.result()["head"] == 0
    assert new.pad.evening == table.pad.evening


def test_there_is_one_next_game(table):
    table.keeper.post("rematch/")
    assert table.player.post("rematch/").json()["error"]["code"] == "has-next"


def test_everyone_at_the_table_follows_to_the_next_game_in_the_same_role(table):
    watcher = browser_of(table.watcher)
    assert watcher.get(f"/pads/{table.code}/next/").status_code == 404
    new = seated(table.keeper.post("rematch/").json())
    answer = watcher.get(f"/pads/{table.code}/next/")
    assert answer.headers["Location"] == f"/pads/{new.code}/"
    assert watcher.get(f"/pads/{new.code}/about.json").json()["role"] == "watch"
    assert Client().get(f"/pads/{table.code}/next/").status_code == 404


def test_rotating_the_links_of_the_next_game_locks_out_who_was_only_at_this_one(table):
    new = seated(table.keeper.post("rematch/").json())
    player = browser_of(table.player)
    player.get(f"/pads/{table.code}/next/")
    assert player.get(f"/pads/{new.code}/about.json").status_code == 200
    assert new.keeper.post("links/", {"rotate": "play"}).status_code == 200
    answer = player.get(f"/pads/{table.code}/next/")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no-next")
    assert player.get(f"/pads/{new.code}/about.json").status_code == 404
    watcher = browser_of(table.watcher)
    assert watcher.get(f"/pads/{table.code}/next/").status_code == 302


def test_whoever_has_the_new_link_of_the_next_game_still_finds_it_from_here(table):
    new = seated(table.keeper.post("rematch/").json())
    player = browser_of(table.player)
    player.get(new.keeper.post("links/", {"rotate": "play"}).json()["play"])
    assert player.get(f"/pads/{table.code}/next/").headers["Location"] == f"/pads/{new.code}/"
    assert player.get(f"/pads/{new.code}/about.json").json()["role"] == "play"


def test_another_game_with_chips_shares_them_out_as_the_start_page_offers_it(table):
    new = seated(table.keeper.post("rematch/", {"game": "thumbs-up"}).json())
    assert new.watcher.result()["totals"] == {"Ann": 300, "Bert": 300, "Cleo": 300}


def test_stop_here_and_start_again_with_these_seats(table):
    table.player.enter(victory("a1"))
    new = seated(table.keeper.post("again/", {"players": ["Ann", "Dora"], "dealer": "Dora"}).json())
    assert new.pad.players == ["Ann", "Dora"]
    assert table.watcher.result()["stopped"]["says"] == "stopped in deal 1"
    assert table.keeper.post("again/", {"players": 3}).status_code == 422


def test_an_evening_counts_games_wins_and_chips(db):
    first = sit_down(game="thumbs-up", players=["Ann", "Bert"], options={"hands": 1, "stake": 100})
    hand = {"type": "hand", "winner": "Ann", "losers": {"Bert": {"points": 40}}}
    first.player.enter({"id": "h1", **hand})
    opened = first.keeper.post("rematch/").json()
    second = seated(opened)
    second.player.enter({"id": "h1", **hand})
    shown = first.watcher.get(f"{opened['evening']}evening.json").json()
    assert [game["winners"] for game in shown["games"]] == [["Ann"], ["Ann"]]
    assert shown["standings"] == [
        {"player": "Ann", "games": 2, "finished": 2, "won": 2, "chips": 80},
        {"player": "Bert", "games": 2, "finished": 2, "won": 0, "chips": -80},
    ]


def test_the_evenings_page_counts_what_was_finished_and_names_what_was_not(table):
    evening = table.keeper.post("rematch/").json()["evening"]
    page = browser_of(table.watcher).get(evening).content.decode()
    assert holds(page, "Standings over 0 finished games; 2 not finished")


def test_an_evening_ends_some_time_and_the_next_game_begins_another(table, settings):
    settings.GAMES_PER_EVENING_MOST = 2
    second = table.keeper.post("rematch/").json()
    keeper = Phone(second["keep"].split("/")[-1], second["pad"].split("/")[2])
    third = keeper.post("rematch/").json()
    assert third["evening"] != second["evening"]
    games = table.keeper.get(f"{second['evening']}evening.json").json()["games"]
    assert [game["pad"] for game in games] == [f"/pads/{table.code}/", second["pad"]]
    assert keeper.get("about.json").json()["evening"] == second["evening"]
    assert browser_of(keeper).get(f"{second['pad']}next/").headers["Location"] == third["pad"]


def test_an_evening_is_open_to_its_tables_only(table):
    evening = table.keeper.post("rematch/").json()["evening"]
    assert table.watcher.get(f"{evening}evening.json").status_code == 200
    assert browser_of(table.watcher).get(f"{evening}evening.json").status_code == 200
    assert sit_down().keeper.get(f"{evening}evening.json").status_code == 404
    assert Client().get(f"{evening}evening.json").status_code == 404


def pads_shown(phone, evening):
    """The games of the evening as JSON tells this phone; None for a stranger."""
    answer = phone.get(f"{evening}evening.json")
    return [game["pad"] for game in answer.json()["games"]] if answer.status_code == 200 else None


def test_an_evening_shows_a_phone_only_the_pads_it_may_open(table):
    begun = table.keeper.post("rematch/").json()
    second, evening = seated(begun), begun["evening"]
    guest = browser_of(second.watcher)
    assert pads_shown(guest, evening) == pads_shown(second.watcher, evening) == [begun["pad"]]
    second.keeper.post("names/", {"players": ["Xenia", "Yorick", "Zoe"]})
    before = browser_of(table.watcher)
    assert pads_shown(before, evening) == [f"/pads/{table.code}/", begun["pad"]]
    second.keeper.post("links/", {"revoke": "all"})
    page = before.get(evening).content.decode()
    assert pads_shown(before, evening) == pads_shown(table.watcher, evening) == [f"/pads/{table.code}/"]
    assert "Ann" in page and "Xenia" not in page and begun["pad"] not in page
    assert pads_shown(guest, evening) is None and guest.get(evening).status_code == 404


def test_a_revoked_link_ends_the_evening_too(table):
    evening = table.keeper.post("rematch/").json()["evening"]
    watcher = browser_of(table.watcher)
    assert watcher.get(evening).status_code == 200
    table.keeper.post("links/", {"revoke": "watch"})
    assert watcher.get(evening).status_code == 404
    assert pads_shown(watcher, evening) is pads_shown(table.watcher, evening) is None


def test_deleting_one_game_leaves_the_evening_to_the_others(table):
    opened = table.keeper.post("rematch/").json()
    table.keeper.post("delete/")
    new = seated(opened)
    assert len(new.watcher.get(f"{opened['evening']}evening.json").json()["games"]) == 1
    new.keeper.post("delete/")
    assert Client().get(f"{opened['evening']}evening.json").status_code == 404


def test_chips_that_agree_with_the_log_are_said_to(db):
    table = sit_down(game="thumbs-up", players=["Ann", "Bert"], options={"stake": 100})
    hand = {"type": "hand", "winner": "Ann", "losers": {"Bert": {"points": 40}}}
    table.player.enter({"id": "h1", **hand})
    good = table.player.post("checks/", {"counted": {"Ann": 140, "Bert": 60}}).json()
    assert (good["short"], good["since"], good["says"]) == (0, [], "The chips agree with the log.")
    table.player.enter({"id": "h2", **hand})
    short = table.player.post("checks/", {"counted": {"Ann": 165, "Bert": 20}}).json()
    assert short["says"] == "The table has 3 chips less than it should (15 points)."
    assert [entry["id"] for entry in short["since"]] == ["h2"]
    moved = table.player.post("checks/", {"counted": {"Ann": 170, "Bert": 30}}).json()
    assert "look at Ann and Bert" in moved["says"]


@pytest.mark.parametrize(
    "counted", [None, {}, {"Ann": 1}, dict.fromkeys(NAMES, "1"), dict.fromkeys(NAMES, True)]
)
def test_a_count_that_is_none_is_refused(table, counted):
    assert table.player.post("checks/", {"counted": counted}).status_code == 422


def test_a_capture_is_counted_on_the_right_pad(table):
    other = sit_down()
    other.player.enter(capture("c"))
    assert table.watcher.result()["totals"]["Ann"] == 0
