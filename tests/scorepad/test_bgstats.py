import json
from urllib.parse import unquote

import pytest

from tests.scorepad.conftest import sit_down, victory

pytestmark = pytest.mark.django_db


def played(table):
    link = table.watcher.get("play.json").json()["link"]
    address, _, shown = link.partition("?data=")
    assert address == "https://app.bgstatsapp.com/createPlay.html"
    return json.loads(unquote(shown))


def test_there_is_no_play_before_the_end(table):
    assert table.watcher.get("play.json").json() == {"link": None}


def test_a_finished_game_is_a_play_with_everyones_score():
    table = sit_down(options={"target": 10})
    table.player.enter(victory("a1", "Bert"))
    play = played(table)
    assert play["game"] == {
        "name": "Victory Rummy", "sourceGameId": "victory-rummy", "highestWins": True, "noPoints": False,
    }  # fmt: skip
    assert [(row["name"], row["score"], row["winner"]) for row in play["players"]] == [
        ("Ann", "0", False), ("Bert", "10", True), ("Cleo", "0", False),
    ]  # fmt: skip
    assert len(play["playDate"]) == 19
    assert table.code not in json.dumps(play)


def test_where_the_fewest_win_it_says_so():
    table = sit_down(game="rummy-1916", players=["Ann", "Bert"])
    hand = {"type": "hand", "winner": "Ann", "hands": {"Bert": {"count": 5}}}
    table.player.enter({"id": "h1", **hand}, {"id": "h2", **hand})
    assert played(table)["game"]["highestWins"] is False


def test_where_the_fewest_win_it_says_so_of_a_tie_too():
    table = sit_down(game="rummy-1916", players=["Ann", "Bert"])
    for number, (winner, loser) in enumerate((("Ann", "Bert"), ("Bert", "Ann"))):
        hand = {"type": "hand", "winner": winner, "hands": {loser: {"count": 5}}}
        table.player.enter({"id": f"h{number}", **hand})
    assert played(table)["game"]["highestWins"] is False
