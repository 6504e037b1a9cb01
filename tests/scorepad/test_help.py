"""Help on every pad, hints for a new phone, and what a phone is told after stopping or asking for a code."""

import json

import pytest
from django.test import Client

import engine
from scorepad import samples
from scorepad.layouts import LAYOUTS, PadState
from tests.html import holds
from tests.scorepad.conftest import browser_of, capture, sit_down

pytestmark = pytest.mark.django_db


def state_of(game, **options):
    return PadState(engine.replay({"tally": 1, "game": game, "players": list("ABC"), "options": options}))


def words_of(game, **options):
    return {sign.text or sign.look: sign.words for sign in LAYOUTS[game].legend(state_of(game, **options))}


@pytest.mark.parametrize("game", engine.GAMES)
def test_every_pad_has_help_in_place_and_as_a_page(game):
    table = sit_down(game=game)
    phone = browser_of(table.player)
    assert f'href="/pads/{table.code}/help/"' in phone.get(f"/pads/{table.code}/").content.decode()
    panel = phone.get(f"/pads/{table.code}/help/", headers={"X-Fragment": "1"}).content.decode()
    page = phone.get(f"/pads/{table.code}/help/").content.decode()
    for told in (panel, page):
        for words in ("Key to the signs", "your seat", "How to correct", "data-lamp"):
            assert words in told
    assert ("<!doctype" in panel, "<!doctype" in page) == (False, True)


def test_signs_are_explained_with_the_engines_numbers():
    signs = words_of("victory-rummy")
    assert signs["R"] == "10: A VICTORY in red"
    assert signs["A"] == "10 for each AXIS card left in the other hands"
    assert signs["RWB"].startswith("50: The bonus for consecutive order: first red")
    assert words_of("victory-rummy", bonus_order="exact")["RWB"] != signs["RWB"]
    assert words_of("thumbs-up")["v"] == "V, 25 points"
    assert words_of("thumbs-up", chip_value=10)["last"].endswith("2 chips more: 20")
    assert words_of("rap-rummy")["F"] == "Flowers, printed in yellow"
    assert words_of("rap-rummy")["Dragon"].startswith("counts 11")


def test_nobody_deals_where_the_game_has_no_dealer():
    assert {game for game in engine.GAMES if "D" in words_of(game)} == {
        "victory-rummy",
        "rap-rummy",
        "rummy-1926",
        "rummy-1916",
    }


def test_hints_are_gone_after_one_tap_and_never_come_again():
    table = sit_down()
    phone = browser_of(table.player)
    address = f"/pads/{table.code}/"
    page = phone.get(address)
    assert 'class="hints"' in page.content.decode()
    assert LAYOUTS["victory-rummy"].hints[0] in page.content.decode()
    headers = {"Accept": "text/vnd.pad", "X-CSRFToken": phone.cookies["csrftoken"].value}
    entries = json.dumps([capture("one")])
    answer = phone.post(f"{address}tap/", {"entries": entries}, headers=headers)
    assert 'class="hints"' not in answer.content.decode()
    other = sit_down().player
    phone.get(f"/pads/{other.code}/{other.token}")
    assert 'class="hints"' not in phone.get(f"/pads/{other.code}/").content.decode()


def test_who_watches_gets_no_hints():
    table = sit_down()
    assert 'class="hints"' not in browser_of(table.watcher).get(f"/pads/{table.code}/").content.decode()


def test_stopping_gives_a_sign():
    table = sit_down()
    owner = browser_of(table.keeper)
    owner.get(f"/pads/{table.code}/table/")
    token = owner.cookies["csrftoken"].value
    page = owner.post(f"/pads/{table.code}/stop/", {"csrfmiddlewaretoken": token}, follow=True)
    assert holds(
        page.content.decode(), "This pad is stopped in deal 1. Nothing can be entered until you reopen it."
    )


def test_the_short_code_comes_into_sight_and_no_command_is_shown_to_families():
    table = sit_down()
    page = browser_of(table.player).get(f"/pads/{table.code}/table/").content.decode()
    assert f'<form id="short" method="post" action="/pads/{table.code}/join/#short">' in page
    assert "make run" not in page


def test_the_examples_are_the_rulebooks_own_and_each_opens():
    page = Client().get("/pads/samples/").content.decode()
    assert "A victory in each colour is ten" not in page
    for sample in samples.samples():
        assert holds(page, f"<h3>{sample.title}</h3>")
        answer = Client().post("/pads/samples/", {"sheet": sample.value})
        assert answer.status_code == 302, sample
    assert {sample.game for sample in samples.samples()} == engine.GAMES.keys() - {"victor-or-victim"}


def test_a_reason_has_the_keys_that_correct_its_entry_unless_the_log_is_long(settings):
    table = sit_down()
    table.player.enter(capture("c1", "Bert"))
    address = f"/pads/{table.code}/why/0/"

    def keys(who):
        return "It should have been" in browser_of(who).get(address).content.decode()

    assert keys(table.player) and not keys(table.watcher)
    settings.ENTRIES_REPLAYED_FREE_MOST = 0
    assert not keys(table.player)
