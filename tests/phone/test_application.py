"""The same application on the phone: its pages are the site's, and what it keeps comes back as it was."""

import json
import os
import re
from pathlib import Path

import pytest
from django.conf import settings

import engine
from engine.declared.golden import pinned_sheet
from phone import self_check
from phone.kit import content
from scorepad.models import Declaration
from tests.engine.declarations import EXAMPLES, example
from tests.phone.conftest import NOTHING
from tests.phone.on_phone import PAGES

SHEETS = Path(settings.FIXTURES) / "sheets"
TAPS = [
    {"type": "victory", "player": "Ada", "color": "red"},
    {"type": "capture", "player": "Ben"},
    {"type": "victory", "player": "Ben", "color": "white"},
]
# What is drawn by chance, or is of the phone alone.
CHANCE = (
    (r"<input type=\"hidden\" name=\"csrfmiddlewaretoken\"[^>]*>", ""),
    (r"href=\"https://app\.bgstatsapp[^\"]*\"", ""),
    (r"d=\"M\d+ \d+\.5h[^\"]*\"", "QR"),
    (r"[0-9a-f]{32}", "ID"),
    (r"\d{4}-\d\d-\d\dT[\d:.]+(?:Z|\+00:?00)", "TIME"),
    (r"\b\d\d:\d\d\b", "TIME"),
    (r"<script type=\"module\" src=\"/static/js/phone/page.js\"></script>\n", ""),
    (r"\n?<p class=\"status__plays\"><a href=\"/pads/CODE/table/\">Only on this phone</a></p>\n", ""),
    (r"{# .*? #}\n", ""),
)


def playable(game):
    is_declared = game not in engine.GAMES
    place = EXAMPLES / game / "sheets.json" if is_declared else SHEETS / f"{game}.json"
    cases = [case for case in json.loads(place.read_text()) if "error" not in case]
    sheets = [case["sheet"] for case in cases if len(case["sheet"].get("entries", [])) > 1]
    return [pinned_sheet(example(game), sheet) for sheet in sheets] if is_declared else sheets


def plain(page, code):
    for pattern, words in CHANCE:
        page = re.sub(pattern, words, page.replace(code, "CODE"))
    # Parts that only a pad of the site has.
    page = re.sub(r"<section id=\"picture\">.*?</section>", "", page, flags=re.S)
    page = re.sub(r"<p><a href=\"/phone/\">.*?</p>", "", page, flags=re.S)
    page = re.sub(r"<section id=\"clubs\">.*?</section>", "", page, flags=re.S)
    page = re.sub(r"<div class=\"printed__qr\">.*?<p>Watch</p></div>", "", page, flags=re.S)
    return re.sub(r"\s+", " ", page)


def drawn_by_site(client, sheet):
    begun = client.post("/pads/import/", {"sheet": json.dumps(sheet)})
    path = begun.headers["Location"]
    return path.split("/")[2], [client.get(path + page).content.decode() for page in PAGES]


@pytest.mark.django_db
@pytest.mark.parametrize("game", [*engine.GAMES, "hearts"])
def test_a_phone_draws_the_pages_that_the_site_draws(on_phone, client, game):
    sheets = playable(game)
    sheets = sheets if os.environ.get("SOAK") else sheets[-1:]
    told = content.content()
    found = on_phone("pages", content=json.loads(content.as_json({**told, "static": {}})), sheets=sheets)
    for sheet, phone in zip(sheets, found, strict=True):
        code, pages = drawn_by_site(client, sheet)
        for name, ours, theirs in zip(PAGES, pages, phone["pages"], strict=True):
            assert plain(theirs, phone["code"]) == plain(ours, code), f"{game}: {name}"


def test_a_pad_comes_back_from_what_the_browser_keeps(on_phone):
    sheet = {"tally": 1, "game": "victory-rummy", "players": ["Ada", "Ben"]}
    played = on_phone("play", sheet=sheet, taps=TAPS)
    assert played["verified"] == [3, []]
    assert played["total"] == {"Ada": 10, "Ben": 60}
    assert played["next"] and played["changed"]
    assert [tap["phone"] for tap in played["file"]["taps"]] == [played["file"]["taps"][0]["phone"]] * 3
    assert len(played["file"]["phone_pad"]) == 64


def test_a_declared_game_is_begun_and_kept_on_a_phone_and_moves_to_the_site_with_its_text(
    on_phone, db, client
):
    rook = example("rook")
    offered = {**NOTHING, "declared": [rook.text]}
    sheet = pinned_sheet(rook, {"tally": 1, "game": "rook", "players": ["Us", "Them"], "entries": []})
    made = {"type": "round", "bidder": "Us", "bid": 70, "taken": 85}
    played = on_phone("play", content=offered, sheet=sheet, taps=[made, made])
    assert played["verified"] == [2, []] and played["total"] == {"Us": 170, "Them": 70}
    again = on_phone("open_again", content=offered, kept=played["kept"])
    assert again["total"] == played["total"] and "/pads/here-new/?game=rook" in again["list"]
    moved = client.post("/pads/move/", json.dumps(played["file"]), content_type="application/json")
    assert moved.status_code == 200, moved.content
    assert Declaration.objects.get().text == rook.text


def test_the_list_says_of_each_copy_whether_this_phone_goes_on_scoring_it(on_phone):
    rook = example("rook")
    own = {
        "code": "abcd2345",
        "game": "gin-rummy@0123",
        "players": ["Us", "Them"],
        "made": "2026-01-01T20:00:00+00:00",
        "entries": 2,
        "role": "play",
        "engine": engine.__version__,
        "declaration": rook.text,
    }
    copies = [own, own | {"role": "watch"}, own | {"engine": "0.1"}, own | {"declaration": "no such thing"}]
    page = on_phone("listed", copies=copies)
    rows = [" ".join(row.split()) for row in page.partition("Shared pads")[2].split("<li>")[1:5]]
    assert ["This phone goes on scoring" in row for row in rows] == [True, False, False, True]
    assert ["only watches" in row for row in rows] == [False, True, False, False]
    assert ["another version" in row for row in rows] == [False, False, True, False]
    assert ["<b>Rook</b>" in row for row in rows] == [True, True, True, False]
    assert "<b>gin-rummy</b>" in rows[3]


def test_the_check_hand_is_compared_with_the_sites_answer(on_phone):
    expected = engine.score(self_check.sheet()).as_dict()
    assert on_phone("check", expected=expected) == []
    wrong = {**expected, "totals": {name: points + 1 for name, points in expected["totals"].items()}}
    assert on_phone("check", expected=wrong) == ["totals is not what the site says."]
