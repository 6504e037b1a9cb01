"""Pages of the lab: sentence, chart and table, the evening, the method, a pad by other readings."""

import re

import pytest
from django.conf import settings
from django.test import Client

from lab.chart import draw
from lab.findings import results
from lab.grid import STUDIES
from scorepad import ledger, new_pads
from tests.html import holds

pytestmark = pytest.mark.django_db

FOLDER = settings.FIXTURES / "lab"


@pytest.fixture(autouse=True)
def _loaded(loaded):
    """The books are on the shelf."""


def text_of(response):
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("game", STUDIES)
def test_the_questions_of_a_game_say_how_much_each_reading_matters(client, game):
    html = text_of(client.get(f"/questions/{game}/"))
    for result in results(FOLDER, game).readings.values():
        assert (f"/questions/{game}/{result.option}/{result.value}/1/" in html) == bool(result.examples)
        assert f"{result.rows[0].other:,} (" in html
    assert html.count('class="lab__chart"') == len(results(FOLDER, game).readings)
    assert f"/questions/{game}/simulated/" in html


def test_a_game_without_a_simulator_says_nothing_of_it(client):
    assert "simulated" not in text_of(client.get("/questions/rummy-1916/"))
    assert client.get("/questions/rummy-1916/simulated/").status_code == 404


@pytest.mark.parametrize("game", STUDIES)
def test_the_method_has_every_policy_duel_and_figure(client, game):
    html = text_of(client.get(f"/questions/{game}/simulated/"))
    found = results(FOLDER, game)
    assert "Reasons for distrust" in html
    for name in found.document["policies"]:
        assert holds(html, name)
    for result in found.readings.values():
        assert f'id="lab-{result.option}-{result.value}"' in html
    assert html.count("<tr>") >= sum(len(result.rows) for result in found.readings.values())


@pytest.mark.parametrize("game", STUDIES)
def test_an_evening_shows_two_sheets_from_where_they_part(client, game):
    found = [result for result in results(FOLDER, game).readings.values() if result.examples]
    assert len(found) >= 3
    for result in found:
        html = text_of(client.get(f"/questions/{game}/{result.option}/{result.value}/1/"))
        assert "Here they part" in html
        assert 'class="is-parted"' in html
        assert "This reading" in html
        beyond = f"/questions/{game}/{result.option}/{result.value}/{len(result.examples) + 1}/"
        assert client.get(beyond).status_code == 404


@pytest.mark.parametrize(
    "address",
    [
        "/questions/no-game/simulated/",
        "/questions/victory-rummy/bonus_order/first-of-each/1/",
        "/questions/victory-rummy/bonus_order/no-value/1/",
        "/questions/victory-rummy/no_option/exact/1/",
        "/questions/victory-rummy/bonus_order/exact/0/",
        "/questions/victory-rummy/bonus_order/exact/999999999999999999999/",
    ],
)
def test_an_evening_that_the_results_do_not_name_is_not_played(client, address):
    assert client.get(address).status_code == 404


def test_a_variant_and_a_new_pad_show_the_figures_of_their_readings(client):
    variant = text_of(client.get("/variants/only-the-scorer-begins-again/"))
    start = text_of(client.get("/pads/new/?game=victory-rummy"))
    found = results(FOLDER, "victory-rummy").of("grand_victory_clears", "scorer")
    for html in (variant, start):
        assert f"{found.rows[0].other:,} (" in html
        assert 'class="lab__chart"' in html


@pytest.mark.parametrize("game", STUDIES)
def test_dots_lie_within_their_intervals_and_the_drawing(game):
    for result in results(FOLDER, game).readings.values():
        chart = draw(result)
        assert len(chart.marks) == len(result.rows)
        for row in result.rows:
            assert f"{row.evenings:,}" in chart.caption
            assert f" of {row.evenings:,}" in chart.summary.partition(f"{row.label}: ")[2].partition(";")[0]
        for mark in chart.marks:
            assert 0 <= mark.low <= mark.x <= mark.high <= 320
            assert re.search(r"^[\d.]+ % \([\d.]+ to [\d.]+ %\)$", mark.figures)


def finished_pad():
    options = {"target": 100}
    new = new_pads.create({"game": "victory-rummy", "players": ["Ann", "Bert"], "options": options})
    client = Client()
    client.get(new.keep)
    return new.pad, client


def test_a_finished_pad_is_scored_by_every_other_reading():
    pad, client = finished_pad()
    address = f"/pads/{pad.code}/readings/"
    assert "not over yet" in text_of(client.get(address))
    assert address not in text_of(client.get(f"/pads/{pad.code}/after/"))
    colors = ["red", "red", None, "white", "blue"]
    entries = [
        {"type": "victory", "player": "Ann", "color": color}
        if color
        else {"type": "axis", "player": "Ann", "cards": 0}
        for color in colors
    ]
    ledger.append(pad, [{"id": f"e{place}", **entry} for place, entry in enumerate(entries)])
    html = text_of(client.get(address))
    assert "The game would not be over yet." in html
    assert address in text_of(client.get(f"/pads/{pad.code}/after/"))


def test_a_log_that_is_too_long_is_not_scored_by_every_reading(settings):
    pad, client = finished_pad()
    ledger.append(pad, [{"id": "a", "type": "capture", "player": "Ann"}])
    ledger.append(pad, [{"id": "b", "type": "victory", "player": "Bert", "color": "red"}])
    ledger.append(pad, [{"id": "c", "type": "victory", "player": "Ann", "color": "red"}])
    ledger.append(pad, [{"id": "d", "type": "axis", "player": "Ann", "cards": 4}])
    settings.ENTRIES_RESCORED_MOST = 4
    assert "too long" in text_of(client.get(f"/pads/{pad.code}/readings/"))
