"""A toy game that only this test knows: pads, links, draft, rename, export and import hold for it too."""

from typing import NamedTuple

import pytest

import engine
from engine import EntryType, Field
from engine.rules import Award, Ended, Happened, Option, passages
from scorepad.ledger import seat_names
from tests.scorepad.conftest import Phone, seated, sit_down

pytestmark = pytest.mark.django_db
cite = passages("toy-book")


class State(NamedTuple):
    rounds: int


def play(now, entry):
    thrower, players = entry["thrower"], now.table.players
    awards = [
        Award(seat, sum(entry["throws"][name]["dice"]), "dice", cite("throw"), f"A throw of {name}")
        for seat, name in enumerate(players)
        if name != thrower
    ]
    if "gift" in entry:
        awards.append(
            Award(players.index(entry["gift"]["to"]), entry["gift"]["points"], "gift", cite("gift"), "A gift")
        )
    state = State(now.state.rounds + 1)
    ended = (
        Ended((0,), "Two rounds are over.", cite("end"))
        if state.rounds == now.table.options["rounds"]
        else None
    )
    return Happened(state, tuple(awards), ended)


DICE = Field("dice", "pieces", "Which dice?", values=(1, 2, 3, 4, 5, 6), least=2, most=2, code="bad-die")
GIFT = (Field("to", "player", "To whom?"), Field("points", "number", "How much?", least=1, most=9))
TOY = engine.Game(
    key="toy",
    title="Toy",
    book="toy-book",
    seats=(2, 5),
    options=(Option("rounds", "How many?", 2, "editor", cite("end"), least=1, most=9),),
    entries=(
        EntryType(
            "round",
            "A round",
            (
                Field("thrower", "player", "Who does not throw?"),
                Field("throws", "each", "What was thrown?", but="thrower", shapes=((DICE,),)),
                Field("gift", "record", "A gift?", required=False, shapes=(GIFT,)),
            ),
        ),
    ),
    start=lambda table: State(0),
    play=play,
    show=lambda table, state, finished: {"hand": state.rounds + (not finished)},
)


@pytest.fixture
def table(db, monkeypatch):
    monkeypatch.setitem(engine.GAMES, "toy", TOY)
    return sit_down(game="toy", players=["Ann", "Bert", "Cleo"])


def one_round(name, **more):
    throws = {"Bert": {"dice": [1, 2]}, "Cleo": {"dice": [6, 6]}}
    return {"id": name, "type": "round", "thrower": "Ann", "throws": throws, **more}


def test_it_is_played_to_its_end(table):
    results = table.player.enter(
        one_round("r1", gift={"to": "Ann", "points": 5}), one_round("r2"), one_round("r3")
    )
    assert [result["status"] for result in results] == ["stored", "stored", "refused"]
    assert table.watcher.result()["totals"] == {"Ann": 5, "Bert": 6, "Cleo": 24}
    assert table.watcher.result()["winners"] == ["Ann"]


def test_the_log_has_seats_wherever_the_game_names_a_player(table):
    table.player.enter(one_round("r1", gift={"to": "Cleo", "points": 5}))
    assert table.pad.entries.get().body == {
        "type": "round",
        "thrower": 0,
        "throws": {"1": {"dice": [1, 2]}, "2": {"dice": [6, 6]}},
        "gift": {"to": 2, "points": 5},
    }


def test_its_players_are_renamed(table):
    table.player.enter(one_round("r1", gift={"to": "Cleo", "points": 5}))
    table.keeper.post("names/", {"players": ["Ann", "Bert", "Clementine"]})
    assert table.watcher.result()["totals"] == {"Ann": 0, "Bert": 3, "Clementine": 17}


def test_its_draft_is_shared(table):
    put = [
        {"field": "thrower", "value": "Ann"},
        {"field": "throws", "player": "Bert", "value": {"dice": [1, 2]}},
    ]
    table.player.post("draft/", {"type": "round", "put": put})
    cleo = [{"field": "throws", "player": "Cleo", "value": {"dice": [6, 6]}}]
    draft = table.player.post("draft/", {"type": "round", "put": cleo}).json()["draft"]
    assert draft["complete"]
    assert table.player.post("draft/complete/", {"draft": draft["id"]}).json()["results"][0]["number"] == 1


def test_it_goes_out_and_comes_back(table):
    table.player.enter(one_round("r1"), {"id": "v", "type": "void", "of": "r1"})
    whole = table.watcher.get("pad.json").json()
    again = seated(Phone(None).post("/pads/import/", whole).json())
    assert again.watcher.get("pad.json").json() == whole


def test_its_corrections_are_foreseen(table):
    table.player.enter(one_round("r1"), one_round("r2"))
    shown = table.player.post("preview/", {"entry": {"type": "void", "of": "r2"}}).json()
    assert shown["says"] == "the game is not over any more"


@pytest.mark.parametrize("game", [*engine.GAMES])
def test_names_and_seats_are_exchanged_without_loss_in_every_game(game):
    names = ["Ann", "Bert", "Cleo"]
    lookup = {name: seat for seat, name in enumerate(names)}
    for entry_type in engine.GAMES[game].entries:
        for value in (
            "Ann",
            "Zoe",
            0,
            None,
            {"Ann": {"from": "Bert"}},
            {"Zoe": 3},
            {"from": "Cleo"},
            ["Ann"],
        ):
            entry = {"type": entry_type.key, **{field.key: value for field in entry_type.fields}}
            amend = {"type": "amend", "of": "x", "entry": entry}
            for whole in (entry, amend):
                body = seat_names.to_seats(engine.GAMES[game], whole, lookup)
                assert seat_names.to_names(engine.GAMES[game], body, names) == whole
