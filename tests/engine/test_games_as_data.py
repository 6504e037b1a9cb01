"""Options and entries are data: enough to explain a game and to draw a plain pad for it."""

import pytest

import engine
from engine.rules import Field

GAMES = list(engine.GAMES.values())
KINDS = {"player", "choice", "number", "flag", "piece", "pieces", "record", "each"}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_option_asks_a_question_cites_a_passage_and_owns_its_authority(game):
    for option in game.options:
        assert option.question.endswith((".", "?"))
        assert option.cites and {cite.book for cite in option.cites} == {game.book}
        assert option.authority in engine.AUTHORITIES
        assert option.admits(option.default)
        if option.readings:
            assert option.default == next(iter(option.readings)), "the default stands first"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_field_has_a_known_kind_and_what_that_kind_needs(game):
    fields = [field for entry_type in game.entries for field in entry_type.fields]
    parts = [part for field in fields for shape in field.shapes for part in shape]
    for field in fields + parts:
        assert field.kind in KINDS
        assert field.question
        if field.kind in ("choice", "piece", "pieces"):
            assert field.values
        if field.kind == "record":
            assert field.shapes


def test_two_boxes_seat_eight():
    thumbs_up = engine.GAMES["thumbs-up"]
    assert thumbs_up.seats_for({"sets": 1}) == (2, 4)
    assert thumbs_up.seats_for({"sets": 2}) == (2, 8)


def test_a_citation_knows_its_book_and_its_anchor():
    cite = engine.GAMES["rap-rummy"].options[1].cites[0]
    assert (cite.book, cite.anchor) == ("rap-rummy-1926", "difference")


def test_a_position_never_changes():
    start = engine.replay({"tally": 1, "game": "rummy-1916", "players": ["Ada", "Ben"]})
    after = start.enter({"type": "hand", "winner": "Ada", "hands": {"Ben": {"count": 5}}})
    assert start.result().totals == {"Ada": 0, "Ben": 0}
    assert after.result().totals == {"Ada": 0, "Ben": 5}


def test_a_field_as_data_says_no_more_than_it_must():
    assert Field("color", "choice", "Which?", values=("red",)).as_dict() == {
        "key": "color",
        "kind": "choice",
        "question": "Which?",
        "required": True,
        "values": ["red"],
    }


def test_a_number_too_large_to_spell_is_refused_like_any_other():
    sheet = {"tally": 1, "game": "victory-rummy", "players": ["Ada", "Ben"], "options": {"target": 10**5000}}
    with pytest.raises(engine.Refused, match="so large a number"):
        engine.score(sheet)
