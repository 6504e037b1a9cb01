import pytest

from tests.scorepad.conftest import axis, capture, sit_down, victory

pytestmark = pytest.mark.django_db


def foresee(phone, entry):
    answer = phone.post("preview/", {"entry": entry})
    assert answer.status_code == 200
    return answer.json()


def void(of):
    return {"type": "void", "of": of}


def amend(of, **entry):
    return {"type": "amend", "of": of, "entry": entry}


def grand_victory(table):
    """Bert goes red, white in the first deal and completes with blue in the second."""
    table.player.enter(
        victory("r", "Bert"), victory("w", "Bert", "white"), axis("x", "Bert"), victory("b", "Bert", "blue")
    )


def test_a_plain_entry_shows_its_lines_and_stores_nothing(table):
    shown = foresee(table.watcher, {"type": "capture", "player": "Ann"})
    assert [(line["player"], line["points"], line["symbol"]) for line in shown["lines"]] == [("Ann", 50, "C")]
    assert (shown["totals"]["Ann"], shown["totals_were"]["Ann"]) == (50, 0)
    assert (shown["changes"], shown["says"], shown["error"]) == ([], "", None)
    assert table.pad.entries.count() == 0


def test_a_bare_entry_is_understood_too(table):
    assert table.player.post("preview/", capture("c")).json()["totals"]["Ann"] == 50


def test_a_refusal_comes_with_its_passage(table):
    shown = foresee(table.player, axis("x"))
    assert shown["error"]["code"] == "not-out"
    assert shown["error"]["cites"]
    assert shown["at"] is None


def test_a_correction_says_which_grand_victory_goes(table):
    grand_victory(table)
    shown = foresee(table.player, amend("r", type="victory", player="Bert", color="white"))
    assert "the GRAND VICTORY of Bert in deal 2 goes" in shown["says"]
    assert {change["kind"] for change in shown["changes"]} == {"gone"}
    assert [change["was"]["symbol"] for change in shown["changes"]] == ["G", "RWB"]
    assert table.watcher.result()["totals"]["Bert"] == 105


def test_a_correction_says_who_wins_instead(db):
    table = sit_down(options={"target": 100, "finish": "end-of-deal"})
    grand_victory(table)
    table.player.enter(victory("a1"), capture("a2"), axis("a3", cards=0))
    table.player.enter()
    assert table.watcher.result()["winners"] == ["Bert"]
    shown = foresee(table.player, amend("a1", type="victory", player="Ann", color="blue"))
    assert shown["says"] == ""
    more = foresee(table.player, amend("a3", type="axis", player="Ann", cards=4))
    assert more["winners"] == ["Bert"]
    less = foresee(table.player, amend("w", type="victory", player="Bert", color="red"))
    assert "the game is not over any more" in less["says"]


def test_a_winner_can_change_by_a_correction(db):
    table = sit_down(options={"target": 50, "finish": "end-of-deal"})
    table.player.enter(victory("a1"), capture("b1", "Bert"), victory("a2"), axis("a3", cards=0))
    assert table.watcher.result()["winners"] == ["Bert"]
    shown = foresee(table.player, amend("a3", type="axis", player="Ann", cards=4))
    assert shown["winners"] == ["Ann"]
    assert shown["says"] == "Ann wins instead"


def test_a_later_entry_that_could_not_stand_is_named(table):
    table.player.enter(victory("a1"), victory("a2"), axis("a3", cards=2))
    shown = foresee(table.player, void("a1"))
    assert shown["error"]["entry"] == 2
    assert shown["at"]["id"] == "a3"
    assert shown["at"]["where"] == "deal 1"
    assert table.pad.entries.count() == 3


def test_a_void_shows_what_was(table):
    table.player.enter(capture("c"))
    shown = foresee(table.player, void("c"))
    assert (shown["lines"], shown["lines_were"][0]["points"]) == ([], 50)
    assert shown["totals"]["Ann"] == 0


def test_a_stored_correction_does_what_was_foreseen(table):
    grand_victory(table)
    correction = amend("r", type="victory", player="Bert", color="white")
    shown = foresee(table.player, correction)
    table.player.enter({"id": "fix", **correction})
    assert table.watcher.result()["totals"] == shown["totals"]


def test_lines_without_an_article_are_spoken_of_by_their_number(db):
    table = sit_down(game="rummy-1916", players=["Ann", "Bert"])
    hand = {"type": "hand", "winner": "Ann", "hands": {"Bert": {"count": 15}}}
    table.player.enter({"id": "h1", **hand}, {"id": "h2", **hand})
    assert table.watcher.result()["winners"] == ["Ann"]
    bert = {"type": "hand", "winner": "Bert", "hands": {"Ann": {"count": 40}}}
    assert foresee(table.player, amend("h1", **bert))["says"] == "Bert wins instead"


def test_a_stopped_pad_foresees_nothing(table):
    table.keeper.post("stop/")
    assert foresee(table.player, capture("c"))["error"]["code"] == "stopped"


@pytest.mark.parametrize("entry", [None, [], 3, {}, {"type": "void", "of": "x"}, {"type": "amend", "of": 3}])
def test_nonsense_is_refused_with_a_sentence(table, entry):
    assert foresee(table.player, entry)["error"]["message"]
