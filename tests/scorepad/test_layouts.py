"""What each kind of pad shows, from the engine's result alone."""

import pytest

import engine
from scorepad.chips import change
from scorepad.layouts import GENERIC, LAYOUTS, PadState, layout_of, questions, thumbs_up, victor_or_victim
from scorepad.presentation import summary

FOUR = ["Ann", "Bert", "Cora", "Dan"]
VICTORY_RUMMY, RAP_RUMMY, THUMBS_UP, RUMMY, VICTOR_OR_VICTIM = (
    LAYOUTS[game] for game in ("victory-rummy", "rap-rummy", "thumbs-up", "rummy-1926", "victor-or-victim")
)


def at(game, entries=(), players=FOUR, options=None, **looking):
    sheet = {
        "tally": 1,
        "game": game,
        "players": list(players),
        "options": options or {},
        "entries": list(entries),
    }
    return PadState(engine.replay(sheet), **looking)


def victory(player, color):
    return {"type": "victory", "player": player, "color": color}


def hand(rapper, *counts):
    return {
        "type": "hand",
        "rapper": rapper,
        "hands": {name: {"count": count} for name, count in zip(FOUR, counts, strict=True)},
    }


def test_every_game_has_a_pad_and_any_other_is_drawn():
    assert {game: layout_of(game).name for game in engine.GAMES}["victory-rummy"] == "victory-rummy"
    assert layout_of("a-seventh-game") is GENERIC


def test_a_tally_is_ruled_under_columns_of_equal_height():
    colors = ["red", "white"]
    log = [victory("Ann", color) for color in colors] + [{"type": "axis", "player": "Ann", "cards": 0}]
    sheet = VICTORY_RUMMY.sheet(
        at("victory-rummy", [*log, victory("Bert", "red"), victory("Ann", "blue"), victory("Bert", "red")])
    )
    ann, bert = sheet[0].rows, sheet[1].rows
    ruled = next(place for place, row in enumerate(ann) if row.is_tally)
    assert [row.points for row in ann[: ruled + 1]] == [10, 10, 10, 25, 50, 105]
    assert [row.points for row in bert[: ruled + 2]] == [10, None, None, None, None, 10, 10]


def test_the_missing_last_colour_is_pointed_at():
    seats = VICTORY_RUMMY.seats(at("victory-rummy", [victory("Ann", "red"), victory("Bert", "red")]))
    assert not seats[0].is_near
    log = [victory("Ann", "red"), victory("Ann", "white"), {"type": "axis", "player": "Ann", "cards": 0}]
    near = VICTORY_RUMMY.seats(at("victory-rummy", log))[0]
    assert near.is_near
    assert [light.is_on for light in near.lights] == [True, True, False]


def test_keys_ask_the_engine_what_is_possible():
    log = [{"type": "capture", "player": "Ann"}]
    keys = VICTORY_RUMMY.panel(at("victory-rummy", log)).keys
    refusals = {key.spoken: key.refusal for key in keys}
    assert "no second one is possible in a deal" in refusals["Bert: capture, 50"]
    assert refusals["Bert: red victory, 10"] == ""


def test_the_axis_count_is_asked_when_one_is_out():
    log = [victory("Ann", "red"), victory("Ann", "red")]
    panel = VICTORY_RUMMY.panel(at("victory-rummy", log))
    assert panel.question == "Ann is out. How many AXIS cards?"
    assert [key.words for key in panel.keys] == [str(number) for number in range(10)]


def test_the_winner_of_a_rap_lists_differences_lowest_first_and_the_result_in_words():
    shown = RAP_RUMMY.sheet(at("rap-rummy", [hand("Dan", 11, 8, 6, 4)]))[0]
    assert [got.points for got in shown.columns[3]] == [2, 4, 7]
    assert [got.source for got in shown.columns[3]] == ["Cora", "Bert", "Ann"]
    assert shown.words == (
        "Dan rapped with 4, and 4 is the lowest.",
        "Dan takes 2 from Cora, 4 from Bert and 7 from Ann, 13 in all.",
    )


def test_a_failed_rap_in_words():
    shown = RAP_RUMMY.sheet(at("rap-rummy", [hand("Ann", 11, 8, 6, 4)]))[0]
    assert shown.words == ("Ann rapped with 11 and was not the lowest.", "Bert, Cora and Dan each score 11.")


def test_a_tie_is_asked_about_only_when_there_is_one():
    made = {"type": "hand", "rapper": None, "hands": hand("Ann", 5, 5, 6, 7)["hands"]}
    state = at("rap-rummy", partial=made)
    panel = RAP_RUMMY.panel(state)
    assert panel.question == "Who has the lowest set or sequence?"
    assert [key.words for key in panel.keys] == ["Ann", "Bert", "It cannot be broken"]
    assert not RAP_RUMMY.is_complete(state)
    assert RAP_RUMMY.is_complete(at("rap-rummy", partial={**made, "tiebreak": "Bert"}))


def test_melds_are_turned_down_while_the_cards_are_picked():
    made = {"type": "hand", "rapper": "Ann", "hands": {"Ann": {"cards": ["B1", "B2", "B3", "D9"]}}}
    panel = RAP_RUMMY.panel(at("rap-rummy", partial=made, by="cards"))
    assert panel.words == ("B1 B2 B3 turned down", "D9 left: 9")
    assert next(key for key in panel.keys if key.words == "B1").refusal == "None left in the pack"


def test_counts_to_41_are_one_tap_and_more_opens_the_tens():
    panel = RAP_RUMMY.panel(at("rap-rummy", partial={"type": "hand", "rapper": "Ann"}))
    assert [key.words for key in panel.keys] == [str(number) for number in range(42)]
    assert panel.more == (40, 50, 60, 70, 80, 90)


def test_blocks_are_priced_as_the_engine_prices_them():
    blocks = ["blue dot", "blue dash", "green dot", "red dash", "black v"]
    made = {"type": "hand", "winner": "Bert", "losers": {"Ann": {"blocks": blocks}}}
    rack = THUMBS_UP.rack(
        at("thumbs-up", partial=made, at="losers/Ann", again=True, options={"stake": 300}), (5, 10, 25)
    )
    assert [block.price for block in rack.blocks] == [0, 0, 5, 10, 25]
    assert rack.pays == "Ann pays Bert 40"
    assert rack.how == "a 25, a 10 and a 5"


def test_equal_colours_are_offered_with_what_each_would_cost():
    blocks = ["blue dot", "blue dot", "green v", "green v", "black dot"]
    made = {"type": "hand", "winner": "Bert", "losers": {"Ann": {"blocks": blocks}}}
    rack = THUMBS_UP.rack(at("thumbs-up", partial=made, at="losers/Ann", again=True))
    assert [key.words for key in rack.equals] == ["blue 55", "green 15"]


def test_a_block_that_is_out_of_the_box_cannot_be_tapped():
    made = {"type": "hand", "winner": "Bert", "losers": {"Ann": {"blocks": ["red liberty"]}}}
    panel = THUMBS_UP.panel(at("thumbs-up", partial=made))
    assert next(key for key in panel.keys if key.words == "red liberty").refusal == "None left in the pack"


def test_all_chips_stay_what_they_were():
    log = [{"type": "hand", "winner": "Ann", "losers": {name: {"points": 40} for name in FOUR[1:]}}]
    assert thumbs_up.chips_in_all(at("thumbs-up", log, options={"stake": 300}))[0] == 1200
    assert THUMBS_UP.payments(at("thumbs-up", log)) == [
        ("Bert", "Ann", 40),
        ("Cora", "Ann", 40),
        ("Dan", "Ann", 40),
    ]


@pytest.mark.parametrize(
    ("points", "payer", "taker", "words"),
    [
        (40, {25: 1, 10: 1, 5: 1}, {}, "a 25, a 10 and a 5"),
        (40, {25: 2}, {10: 1}, "two 25s, and gets a 10 back"),
        (15, {25: 1}, {5: 2}, "a 25, and gets two fives back"),
    ],
)
def test_a_payment_is_made_with_the_chips_people_hold(points, payer, taker, words):
    assert change.describe_handed(change.pay(points, payer, taker)) == words


def test_a_payment_nobody_can_make_is_none():
    assert change.pay(40, {25: 1}, {25: 5}) is None


def test_rummy_rows_say_who_went_out_and_who_dealt():
    log = [{"type": "hand", "winner": "Ann", "hands": {name: {"count": 5} for name in FOUR[1:]}}]
    row = RUMMY.sheet(at("rummy-1926", log))[0]
    assert (row.dealer, row.marks[0].is_out, row.marks[1].points) == ("Ann", True, 5)


def test_letters_say_how_near_each_word_is():
    assert victor_or_victim.nearest(["red V", "red I", "red C", "blue M"]) == "VICTOR −3, VICTIM −3"


def test_a_turn_belongs_to_whoever_s_turn_it_is():
    cards = {name: ["red V", "blue I", "yellow M"] for name in FOUR}
    state = at(
        "victor-or-victim", [{"type": "setup", "cards": cards}], partial={"type": "turn", "draw": "red C"}
    )
    assert VICTOR_OR_VICTIM.partial_entry(state)["player"] == "Ann"
    assert [key.words for key in VICTOR_OR_VICTIM.panel(state).keys] == [
        "red V",
        "red C",
        "blue I",
        "yellow M",
    ]


def test_a_part_that_fits_nowhere_is_refused():
    entry_type = engine.GAMES["rap-rummy"].entries[0]
    for part in (
        {},
        {"at": ["nothing"], "put": 1},
        {"at": ["hands", "Eve", "count"], "put": 1},
        {"at": "hands"},
        7,
    ):
        with pytest.raises(questions.PartError):
            questions.apply_part({}, part, entry_type, FOUR)


@pytest.mark.parametrize(
    ("taken", "left"),
    [
        ([(0, "B1"), (1, "B2")], ["B2", "B1"]),  # the first moved the second
        ([(1, "B2"), (0, "B1")], ["B2", "B1"]),
        ([(3, "B1"), (0, "B1")], ["B2", "B2"]),
    ],
)
def test_two_pieces_taken_back_from_one_drawing_are_the_two_that_were_touched(taken, left):
    entry_type = engine.GAMES["rap-rummy"].entries[0]
    at = ["hands", "Ann", "cards"]
    made = {"hands": {"Ann": {"cards": ["B1", "B2", "B2", "B1"]}}}
    for place, piece in taken:
        made = questions.apply_part(made, {"at": at, "drop": place, "piece": piece}, entry_type, FOUR)
    assert made["hands"]["Ann"]["cards"] == left
    with pytest.raises(questions.PartError):
        questions.apply_part(made, {"at": at, "drop": 0, "piece": "B9"}, entry_type, FOUR)


def test_another_way_of_answering_takes_the_place_of_the_first():
    entry_type = engine.GAMES["rap-rummy"].entries[0]
    made = questions.apply_part({}, {"at": ["hands", "Ann", "count"], "put": 4}, entry_type, FOUR)
    made = questions.apply_part(made, {"at": ["hands", "Ann", "cards"], "add": "B1"}, entry_type, FOUR)
    assert made["hands"] == {"Ann": {"cards": ["B1"]}}


def test_an_answered_hand_can_be_answered_another_way():
    made = {"type": "hand", "rapper": "Ann", "hands": {"Ann": {"count": 4}}}
    again = {"partial": made, "by": "cards", "at": "hands/Ann"}
    assert RAP_RUMMY.panel(at("rap-rummy", **again, again=True)).question == "Ann’s 6 cards"
    assert RAP_RUMMY.panel(at("rap-rummy", **again)).question == "Bert’s 6 cards"


def test_notable_moments_name_the_greatest_number_and_the_lead():
    told = summary.notable_moments(
        at("victory-rummy", [victory("Ann", "red"), {"type": "capture", "player": "Bert"}])
    )
    assert told[0].startswith("The greatest number: 50 for Bert.")
    assert "The lead changed 1 time." in told


def test_cards_have_the_colours_of_the_booklet_and_the_dragon_its_name():
    partial = {"rapper": "Ann", "hands": {"Ann": {"cards": ["F11", "B5"]}}}
    panel = RAP_RUMMY.panel(at("rap-rummy", partial=partial, at="hands/Ann", by="cards", again=True))
    drawn = {(piece.letter, piece.symbol): piece.color for piece in panel.pieces}
    assert len(drawn) == 44
    assert (drawn["B", "1"], drawn["D", "10"], drawn["C", "Dragon"], drawn["F", "Dragon"]) == (
        "green",
        "red",
        "blue",
        "yellow",
    )
    assert [(piece.color, piece.symbol) for piece in panel.picked] == [("yellow", "Dragon"), ("green", "5")]
    assert dict(panel.legend)["yellow"] == "Flowers"


def test_six_cards_in_seven_places_explain_themselves():
    partial = {"rapper": "Ann", "hands": {"Ann": {"cards": ["F11", "B5", "C1", "C2", "D7", "D9"]}}}
    panel = RAP_RUMMY.panel(at("rap-rummy", partial=partial, at="hands/Ann", by="cards", again=True))
    assert (panel.question, len(panel.slots)) == ("Ann’s 6 cards", 1)
    assert panel.hint == "6 cards. Tap “That is all”, or the card drawn and not yet discarded"


EQUAL = ["blue dot", "blue dash", "red dot", "red v", "black v"]


def test_the_amounts_of_a_hand_of_thumbs_up_add_up_as_paid():
    """By blocks, by the amount, and with the two chips of the last to notice."""
    losers = {"Ann": {"blocks": EQUAL}, "Cora": {"points": 15}, "Dan": {"points": 0}}
    hand = {"type": "hand", "winner": "Bert", "losers": losers, "last": "Cora"}
    assert THUMBS_UP.sentence(at("thumbs-up", [hand]), hand) == "Bert won 65: Ann 40, Cora 25, Dan 0"
    assert THUMBS_UP.sentence(at("thumbs-up"), hand) == "Bert won 65: Ann 40, Cora 25, Dan 0"


def test_between_equal_colours_the_one_taken_is_shown():
    made = {"winner": "Bert", "losers": {"Ann": {"blocks": EQUAL}, "Cora": {"points": 15}}}
    notes = [seat.note for seat in THUMBS_UP.seats(at("thumbs-up", partial=made))]
    assert notes[:3] == ["pays 40, red", "WON", "pays 15"]
    made["losers"]["Ann"]["drawing"] = "blue"
    assert THUMBS_UP.seats(at("thumbs-up", partial=made))[0].note == "pays 55, blue"


def test_what_was_entered_last_is_marked_where_it_stands():
    log = [
        {"id": "r", **victory("Ann", "red")},
        {"id": "w", **victory("Bert", "white")},
        {"id": "i", "type": "insert", "after": "r", "entry": {"type": "capture", "player": "Cora"}},
    ]
    marked = [[row.is_new for row in column.rows] for column in VICTORY_RUMMY.sheet(at("victory-rummy", log))]
    assert marked == [[False], [False], [True], []]
    log.append({"id": "a", "type": "amend", "of": "r", "entry": victory("Dan", "blue")})
    marked = [[row.is_new for row in column.rows] for column in VICTORY_RUMMY.sheet(at("victory-rummy", log))]
    assert marked == [[], [False], [False], [True]]
    log.append({"id": "v", "type": "void", "of": "r"})
    marked = [[row.is_new for row in column.rows] for column in VICTORY_RUMMY.sheet(at("victory-rummy", log))]
    assert marked == [[], [True], [False], []]
