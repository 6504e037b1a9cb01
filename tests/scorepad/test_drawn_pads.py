"""Drawn pads: the keys ask whatever a declaration asks, and a thumb that taps any of them gets to the end."""

import json
from random import Random

import pytest

import engine
from engine.declared import read_declaration
from engine.declared.golden import pinned_sheet
from scorepad import drafts, exports, imports, snapshots, taps, undo
from scorepad.layouts import GENERIC
from scorepad.ledger import Who
from tests.engine.declarations import example

pytestmark = pytest.mark.django_db
FOUR = ["Ann", "Bert", "Cleo", "Dan"]
SHORT = {"rook": {"target": 100}, "cribbage": {"target": 61}, "pit": {"target": 100}}
SHORT |= {"muggins": {"target": 50}, "rum-500": {"target": 100}}
TAPS_MOST = 600
THUMB = Who()
MUST_BE_ASKED = {"everything": {"winner", "below", "sure", "shown", "left", "how", "held"}}
EVERYTHING = """
key = "everything"
title = "Everything"
book = "everything"
by = "A test"
seats = [2, 12]
[table.worth]
ace = 15
king = 10
[[entry]]
key = "round"
question = "A round"
hand = true
[[entry.field]]
key = "winner"
kind = "player"
question = "Who won?"
[[entry.field]]
key = "note"
kind = "flag"
question = "Was it doubled?"
required = false
[[entry.field]]
key = "below"
kind = "number"
question = "How far below?"
from = -300
to = 300
step = 50
[[entry.field]]
key = "extra"
kind = "number"
question = "Anything on top?"
from = 0
to = 1000
required = false
[[entry.field]]
key = "sure"
kind = "flag"
question = "Is it counted?"
[[entry.field]]
key = "shown"
kind = "pieces"
question = "What was shown?"
values = ["ace", "king"]
from = 0
to = 3
[[entry.field]]
key = "kept"
kind = "pieces"
question = "What was kept?"
values = ["ace", "king"]
from = 1
to = 2
required = false
[[entry.field]]
key = "hands"
kind = "each"
but = "winner"
question = "And the others?"
share = [
  { key = "left", kind = "number", question = "Left", from = -5, to = 60 },
  { key = "how", kind = "choice", question = "How?", values = ["ace", "king"] },
  { key = "late", kind = "flag", question = "Late", required = false },
  { key = "held", kind = "pieces", question = "Held", values = ["ace", "king"], from = 0, to = 2 },
  { key = "bonus", kind = "number", question = "Bonus", from = 0, to = 5, required = false },
]
[[entry.award]]
to = "hands"
points = "1 + worth[how] + worth[held] - 5 * late"
symbol = "held"
cites = ["a"]
why = "{who}"
[[entry.award]]
to = "winner"
points = "below + extra + worth[shown] + worth[kept] + 7 * note * sure"
symbol = "won"
cites = ["a"]
why = "{who}"
[[entry]]
key = "nothing"
question = "Nothing happened"
[[entry.field]]
key = "really"
kind = "flag"
question = "Really?"
required = false
[[entry.award]]
to = "everybody"
points = "really"
symbol = "+"
cites = ["a"]
why = "{who}"
[end]
after = "3"
wins = "highest"
cites = ["a"]
why = "{winners} most."
"""


def begun(declaration, players, **options):
    sheet = {"tally": 1, "game": declaration.key, "players": players, "options": options, "entries": []}
    return imports.import_pad(pinned_sheet(declaration, sheet)).pad


def state_of(pad, **looking):
    return snapshots.read(pad).state(**looking)


def presses(random, panel, state):
    """Everything that a finger can press on this panel: the form field, and what it sends."""
    if panel.kind == "keypad":
        field = next(one.field for one in GENERIC.questions(state) if one.place == panel.place)
        number = random.randrange(field.least, field.most + 1, field.step)
        typed = ("part", {"at": panel.place.split("/"), "put": number})
        return [typed, *((key.name, json.loads(key.value)) for key in panel.keys)]
    keys = [*panel.keys, *panel.chosen, *(key for group in panel.groups for key in group.keys)]
    # Whoever has all that he wants goes on sooner than not.
    keys += [panel.done] * 4 if panel.done else []
    return [(key.name, json.loads(key.value)) for key in keys if not key.refusal]


def press(pad, name, sent):
    if name == "begin":
        return drafts.begin(pad, sent["type"], THUMB)
    done = taps.enter(pad, [sent], THUMB) if name == "enter" else taps.tap(pad, sent, THUMB)
    return done.error


@pytest.mark.parametrize("key", ["everything", *SHORT])
def test_a_thumb_that_taps_any_visible_key_comes_to_the_end(key):
    declaration = read_declaration(EVERYTHING) if key == "everything" else example(key)
    random = Random(key)
    pad = begun(declaration, FOUR[: min(declaration.seats[1], 4)], **SHORT.get(key, {}))
    asked, error = set(), None
    for _ in range(TAPS_MOST):
        # What was refused is looked at again; and now and then another answer is changed before the end.
        turns = asked and random.random() < (0.5 if error else 0.05)
        state = state_of(pad, at=random.choice(sorted(asked)) if turns else "", again=bool(turns))
        if state.finished:
            break
        panel = GENERIC.panel(state)
        assert panel is not None, state.partial
        asked |= {panel.place} if panel.place else set()
        error = press(pad, *random.choice(presses(random, panel, state)))
    assert state.finished
    assert {place.split("/")[-1] for place in asked} >= MUST_BE_ASKED.get(key, set())
    assert engine.score(exports.pad_json(pad)["sheet"]).totals == state.result.totals


def hearts_counted(*counts):
    pad = begun(example("hearts"), FOUR, limit=20)
    for name, count in zip(FOUR, counts, strict=True):
        assert GENERIC.panel(state_of(pad)).question == f"{name}: Hearts"
        press(pad, "part", {"at": ["took", name, "hearts"], "put": count})
    return pad


def test_a_round_is_entered_in_one_grid_and_what_may_be_left_out_is_asked_once():
    pad = hearts_counted(3, 0, 10, 0)
    state = state_of(pad)
    hearts, queen = GENERIC.round_grid(state).rows
    assert [cell.words for cell in hearts.cells] == ["3", "0", "10", "0"] and hearts.together == 13
    assert [cell.key.spoken for cell in queen.cells][1] == "Bert, The queen of spades"
    panel = GENERIC.panel(state)
    assert (panel.kind, panel.groups[0].words) == ("optional", "The queen of spades")
    assert [key.words for key in panel.groups[0].keys] == FOUR
    enter = json.loads(panel.done.value)
    assert "One player has taken the queen" in press(pad, "part", enter).message
    assert GENERIC.panel(state_of(pad)).hint == "Change an answer, or enter it."
    bert = GENERIC.panel(state_of(pad)).groups[0].keys[1]
    press(pad, bert.name, json.loads(bert.value))
    assert state_of(pad).result.totals == {"Ann": 3, "Bert": 13, "Cleo": 10, "Dan": 0}
    assert GENERIC.round_grid(state_of(pad)).rows[0].together is None


def test_undo_of_enter_asks_again_what_may_be_left_out():
    pad = hearts_counted(3, 0, 10, 0)
    queen = GENERIC.round_grid(state_of(pad)).rows[1].cells[1].key
    press(pad, queen.name, json.loads(queen.value))
    press(pad, "part", json.loads(GENERIC.panel(state_of(pad)).done.value))
    snapshot = snapshots.read(pad)
    assert snapshot.draft is None and snapshot.state().result.totals["Bert"] == 13
    offered = undo.offer(snapshot.state(), snapshot.draft, snapshot.replay, "")
    press(pad, offered.name, {**json.loads(offered.value), "id": "undone"})
    again = state_of(pad)
    assert again.result.totals["Bert"] == 0 and GENERIC.panel(again).kind == "optional"
    assert [cell.words for cell in GENERIC.round_grid(again).rows[1].cells] == ["", "yes", "", ""]


def test_a_flag_in_the_grid_is_taken_back_by_a_second_tap():
    pad = begun(example("hearts"), FOUR, limit=20)
    for words in ("yes", ""):
        key = GENERIC.round_grid(state_of(pad)).rows[1].cells[2].key
        press(pad, key.name, json.loads(key.value))
        assert GENERIC.round_grid(state_of(pad)).rows[1].cells[2].words == words


def test_who_has_nothing_to_show_says_so_and_what_stands_beside_an_empty_list_stays():
    pad = begun(read_declaration(EVERYTHING), FOUR[:2])
    press(pad, "begin", {"type": "round"})
    at = ["hands", "Bert", "left"]
    press(pad, "part", {"at": at, "put": 7})
    press(pad, "part", {"at": ["hands", "Bert", "held"], "add": "ace"})
    press(pad, "part", {"at": ["hands", "Bert", "held"], "drop": 0, "piece": "ace"})
    assert state_of(pad).partial["hands"]["Bert"] == {"left": 7}
    state = state_of(pad, at="hands/Bert/held", again=True)
    assert GENERIC.panel(state).done.words == "Nothing"
    press(pad, "part", {"at": ["hands", "Bert", "held"], "done": True})
    assert state_of(pad).partial["hands"]["Bert"] == {"left": 7, "held": []}


def test_numbers_below_nothing_are_written_with_a_minus_and_a_long_row_of_keys_adds_up():
    pad = begun(read_declaration(EVERYTHING), FOUR[:3])
    press(pad, "begin", {"type": "round"})
    press(pad, "part", {"at": ["winner"], "put": "Ann"})
    below = GENERIC.panel(state_of(pad))
    assert [key.words for key in below.keys][:2] == ["−300", "−250"]
    left = GENERIC.panel(state_of(pad, at="hands/Bert/left"))
    assert left.kind == "keypad" and left.hint.startswith("−5 to 60.")
    pad = begun(example("cribbage"), FOUR[:2])
    press(pad, "begin", {"type": "show"})
    press(pad, "part", {"at": ["player"], "put": "Ann"})
    assert GENERIC.panel(state_of(pad)).ways == (("sum", "Add up"),)
    added = GENERIC.panel(state_of(pad, by="sum"))
    assert (added.kind, added.ways) == ("keypad", (("key", "One key"),))


def test_a_phone_with_a_seat_begins_with_its_own_answers():
    pad = begun(example("rum-500"), FOUR[:3], target=100)
    for name, leaf in (
        ("Cleo", "laid"),
        ("Cleo", "held"),
        ("Ann", "laid"),
        ("Ann", "held"),
        ("Bert", "laid"),
    ):
        question = GENERIC.current(state_of(pad, own="Cleo"))
        assert question.path == ("cards", name, leaf)
        press(pad, "part", {"at": list(question.path), "put": 5})


def test_a_row_says_who_called_though_numbers_of_others_are_the_same():
    """Each player's own number is in the cells; who called, and with how many, is not."""
    text = EVERYTHING.partition("[[entry]]")[0] + CALLED
    entries = [
        {"type": "hand", "caller": "Ann", "called": 7, "hands": {"Ben": {"left": 7}}},
        {"type": "hand", "caller": "Ben", "called": 5, "hands": {"Ann": {"left": 9}}},
    ]
    declaration = read_declaration(text)
    sheet = {"tally": 1, "game": declaration.key, "players": ["Ann", "Ben"], "entries": entries}
    pad = imports.import_pad(pinned_sheet(declaration, sheet)).pad
    rows = GENERIC.sheet(state_of(pad))
    assert [row.words for row in rows] == ["Ann, called 7", "Ben, called 5"]


CALLED = """
[[entry]]
key = "hand"
question = "A hand"
hand = true
[[entry.field]]
key = "caller"
kind = "player"
question = "Who called?"
[[entry.field]]
key = "called"
kind = "number"
question = "With how many?"
from = 0
to = 7
[[entry.field]]
key = "hands"
kind = "each"
but = "caller"
question = "What is left?"
share = [{ key = "left", kind = "number", question = "Left", from = 0, to = 60 }]
[[entry.award]]
to = "hands"
points = "left"
symbol = "left"
cites = ["a"]
why = "{who}"
[[entry.award]]
to = "caller"
points = "30"
when = "sum(left <= called) > 0"
symbol = "caught"
cites = ["a"]
why = "{who}"
[end]
reaches = 100
wins = "lowest"
cites = ["a"]
why = "{winners} least."
"""
