"""Figures of a club: folded from its logs, by person, game and season; remembered, shared out, exported."""

import csv
import io
from datetime import UTC, datetime

import pytest
from django.test import Client

import engine
from scorepad import ledger, pad_results
from scorepad.clubs import remembered_statistics
from scorepad.models import Club, Pad
from tests.html import holds
from tests.scorepad.clubs import Owner, viewer

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_remembered():
    pad_results.clear()
    remembered_statistics.clear()


@pytest.fixture
def owner():
    return Owner()


def day(table, number):
    """Played on this day of May."""
    Pad.objects.filter(code=table.code).update(made_at=datetime(2026, 5, number, 20, tzinfo=UTC))
    return table


@pytest.fixture
def club(owner):
    """Five games in May: Ann wins three in a row, then Bert, then Cleo a game of Rummy."""
    games = [
        day(owner.win("Ann", "Bert", 40), 1),
        day(owner.win("Ann", "Cleo", 10), 2),
        day(owner.win("Ann", "Bert", 100), 3),
        day(owner.win("Bert", "Ann", 5), 4),
    ]
    rummy = day(owner.begin(("Bert", "Cleo"), "rummy-1916"), 5)
    hand = {"type": "hand", "winner": "Cleo", "hands": {"Bert": {"count": 9}}}
    rummy.player.enter({"id": "r1", **hand}, {"id": "r2", **hand})
    found = owner.club(games[0])
    for table in (*games[1:], rummy):
        owner.post(f"/pads/{table.code}/club/", club=found["club"].split("/")[2])
    found["games"] = [*games, rummy]
    return found


def by_name(found):
    return {person["name"]: person for person in found["persons"]}


def test_wins_shares_and_runs_of_everyone(owner, club):
    people = by_name(owner.figures(club))
    assert {
        name: (one["played"], one["finished"], one["won"], one["share"]) for name, one in people.items()
    } == {
        "Ann": (4, 4, 3, 75),
        "Bert": (4, 4, 1, 25),
        "Cleo": (2, 2, 1, 50),
    }
    run, games = people["Ann"]["run"], club["games"]
    assert (run["length"], run["first"]["day"], run["last"]["day"]) == (3, "2026-05-01", "2026-05-03")
    assert run["last"]["address"] == f"/pads/{games[2].code}/history/?at=1"
    assert people["Cleo"]["plays"] == {"Thumbs Up": 1, engine.GAMES["rummy-1916"].title: 1}


def test_best_average_closest_and_greatest_lead_to_their_moment(owner, club):
    thumbs_up, rummy = owner.figures(club)["by_game"]
    games = club["games"]
    ann = next(one for one in thumbs_up["persons"] if one["name"] == "Ann")
    assert (ann["best"], ann["average"]) == (100, 36.2)
    assert ann["best_at"]["address"] == f"/pads/{games[2].code}/history/?at=1"
    assert thumbs_up["closest"]["words"] == "Bert won by 10 points"
    assert thumbs_up["closest"]["at"]["address"] == f"/pads/{games[3].code}/history/?at=1"
    assert rummy["finished"] == 1
    for extreme in (thumbs_up["closest"], thumbs_up["greatest"], rummy["greatest"]):
        if extreme:
            assert owner.client.get(extreme["at"]["address"]).status_code == 200


def test_head_to_head_counts_who_won_of_the_games_together(owner, club):
    pairs = {(pair["one"], pair["other"]): pair for pair in owner.figures(club)["pairs"]}
    first = pairs["Ann", "Bert"]
    assert (first["together"], first["one_won"], first["other_won"]) == (3, 2, 1)
    assert first["last"]["address"] == f"/pads/{club['games'][3].code}/history/?at=1"
    assert pairs["Bert", "Cleo"]["together"] == 1


def test_one_game_and_one_season_have_figures_of_their_own(owner, club):
    assert owner.figures(club, "?game=rummy-1916")["finished"] == 1
    season = owner.figures(club, "?from=2026-05-02&to=2026-05-03")
    assert (season["games"], season["from"], season["to"]) == (2, "2026-05-02", "2026-05-03")
    page = owner.client.get(f"{club['club']}?from=2026-05-02&to=2026-05-03").content.decode()
    assert holds(page, "2 games, 2 finished.") and 'value="2026-05-02"' in page
    for query in ("?from=yesterday", "?game=chess"):
        assert owner.client.get(f"{club['club']}club.json{query}").status_code == 422
        answer = owner.client.get(f"{club['club']}{query}")
        assert answer.status_code == 422 and 'role="alert"' in answer.content.decode()


def test_a_figure_leads_to_the_games_it_counts(owner, club):
    page = viewer(club).get(f"{club['club']}games/?person=ann&won=1").content.decode()
    assert [table.code in page for table in club["games"]] == [True, True, True, False, False]


def test_two_spellings_are_one_person_until_they_are_parted_and_no_log_changes(owner, club):
    extra = day(owner.win("Annie", "Bert"), 6)
    owner.post(f"/pads/{extra.code}/club/", club=club["club"].split("/")[2])
    sheet = extra.watcher.get("pad.json").json()
    assert by_name(owner.figures(club))["Annie"]["won"] == 1
    assert owner.send(f"{club['club']}people/", join="annie", to="ANN").json()["joined"] == {"annie": "Ann"}
    people = by_name(owner.figures(club))
    assert (people["Ann"]["won"], "Annie" in people) == (4, False)
    assert extra.watcher.get("pad.json").json() == sheet
    # Whoever was joined to Annie is joined to Ann; a name cannot be joined to itself.
    assert owner.send(f"{club['club']}people/", join="Ann", to="annie").status_code == 422
    assert owner.post(f"{club['club']}people/", part="annie").status_code == 302
    assert by_name(owner.figures(club))["Annie"]["won"] == 1


def test_who_sat_at_one_table_are_two_people(owner, club):
    answer = owner.send(f"{club['club']}people/", join="Ann", to="Bert").json()["error"]
    assert answer["code"] == "two-people"
    assert answer["message"] == "Ann and Bert sat at one table on 1 May 2026, so they are two people."
    for wrong in ({"join": "Nobody", "to": "Ann"}, {"part": "Ann"}, {"join": 7, "to": None}, {}):
        assert owner.send(f"{club['club']}people/", **wrong).status_code == 422, wrong
    # Joined before they met: where both sit, each is called as the pad writes it.
    extra = day(owner.win("Dan", "Bert"), 6)
    owner.post(f"/pads/{extra.code}/club/", club=club["club"].split("/")[2])
    assert owner.send(f"{club['club']}people/", join="Dan", to="Cleo").status_code == 200
    both = day(owner.win("Cleo", "Dan"), 7)
    owner.post(f"/pads/{both.code}/club/", club=club["club"].split("/")[2])
    assert by_name(owner.figures(club))["Dan"]["played"] == 1
    assert by_name(owner.figures(club))["Cleo"]["played"] == 4


def test_names_joined_in_a_chain_are_one_person(owner, club):
    for number, name in enumerate(("Anna", "Annie"), start=6):
        extra = day(owner.win(name, "Zoe"), number)
        owner.post(f"/pads/{extra.code}/club/", club=club["club"].split("/")[2])
    owner.send(f"{club['club']}people/", join="Annie", to="Anna")
    joined = owner.send(f"{club['club']}people/", join="Anna", to="Ann").json()["joined"]
    assert joined == {"annie": "Ann", "anna": "Ann"}
    assert by_name(owner.figures(club))["Ann"]["won"] == 5


def test_the_spreadsheet_has_a_row_for_every_seat_and_no_formula(owner):
    table = owner.win("=SUM(A1)", "Bert")
    club = owner.club(table)
    answer = viewer(club).get(f"{club['club']}games.csv")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert [(row["player"], row["points"], row["won"], row["status"]) for row in rows] == [
        ("'=SUM(A1)", "40", "1", "finished"),
        ("Bert", "-40", "0", "finished"),
    ]
    assert Client().get(f"{club['club']}games.csv").status_code == 404


def test_cold_figures_follow_a_share_for_each_request(owner, club, settings):
    settings.ENTRIES_REPLAYED_FREE_MOST = 2
    guest = viewer(club)
    pending = []
    for _ in range(4):
        answer = guest.get(club["club"])
        pending.append("Refresh" in answer.headers)
    assert pending == [True, True, False, False]
    pad_results.clear()
    remembered_statistics.clear()
    answer = guest.get(f"{club['club']}club.json")
    assert (answer.json()["pending"], answer.headers["Retry-After"]) == (3, "1")


def test_what_is_remembered_costs_few_questions_and_a_tap_changes_it(
    owner, club, django_assert_max_num_queries
):
    guest = viewer(club)
    before = guest.get(f"{club['club']}club.json").json()
    with django_assert_max_num_queries(6):
        guest.get(club["club"])
    ledger.append(Pad.objects.get(code=club["games"][0].code), [{"type": "void", "of": "h1"}])
    after = guest.get(f"{club['club']}club.json").json()
    assert (before["finished"], after["finished"]) == (5, 4)
    club["games"][1].keeper.post("names/", {"players": ["Ann", "Klara"]})
    assert "Klara" in by_name(guest.get(f"{club['club']}club.json").json())
    assert Club.objects.get().revision == 0


def test_the_chart_says_in_words_what_it_draws(owner, club):
    page = owner.client.get(club["club"]).content.decode()
    assert "Share of games won: Ann 75 % (3 of 4), " in page
    assert page.count('class="bars__bar"') == 3
