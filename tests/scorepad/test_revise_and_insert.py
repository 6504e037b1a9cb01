"""Pads whose logs have revises and inserts: every page, every door, in order of play."""

import csv
import io
import json
import re
from random import Random

import pytest

import engine
from scorepad import corrections, exports, imports, ledger, pads
from scorepad.ledger import cache, pad_verification, seals
from tests.engine.golden import cases
from tests.engine.random_games import PROPOSE, random_log
from tests.scorepad.conftest import NAMES, Phone, axis, browser_of, capture, seated, sit_down, victory

pytestmark = pytest.mark.django_db

PAGES = ["", "fragment/", "table/", "history/", "after/", "print/"]
DOORS = ["sheet.json", "result.json", "pad.json", "log.json", "about.json", "sheet.csv"]
TWO_NEW_KINDS = [
    case
    for case in cases()
    if case.result and {"revise", "insert"} & {entry["type"] for entry in case.sheet.get("entries", ())}
]


def revise(name, **changes):
    return {
        "id": name,
        "type": "revise",
        "changes": [{"of": of, "entry": bare(entry)} for of, entry in changes.items()],
    }


def insert(name, after, entry):
    return {"id": name, "type": "insert", "after": after, "entry": bare(entry)}


def bare(entry):
    return entry and {key: value for key, value in entry.items() if key != "id"}


def stored(table, *entries):
    outcomes = table.player.enter(*entries)
    assert [outcome["error"] for outcome in outcomes] == [None] * len(entries)


def look_everywhere(table):
    """Every page and door of a pad answers, for every number and every entry; what verify says of it."""
    browser, position = browser_of(table.keeper), ledger.position(table.pad)
    paths = [*PAGES, *DOORS, *(f"why/{number}/" for number in range(len(position.lines)))]
    paths += [f"history/?at={head}" for head in range(len(position.entries) + 1)]
    paths += [f"correct/{name}/" for name, place in position.places.items() if place is not None]
    for path in paths:
        answer = browser.get(f"/pads/{table.code}/{path}")
        assert answer.status_code == 200, path
    assert pad_verification.verify(table.pad.pk) == (len(position.entries), [])


@pytest.mark.parametrize("game", sorted(PROPOSE))
@pytest.mark.parametrize("seed", [1, 2])
def test_a_log_with_all_corrections_is_stored_and_shown_everywhere(game, seed):
    sheet = random_log(Random(seed), game, 14)
    head = {key: sheet[key] for key in ("game", "players", "options", "dealer")}
    table = sit_down(**head)
    entries = [{"id": f"n{place}", **entry} for place, entry in enumerate(sheet["entries"])]
    for entry in entries:
        stored(table, entry)
    whole = engine.score(sheet | {"entries": entries}).as_dict()
    shown = table.watcher.result()
    assert {key: shown[key] for key in whole} == json.loads(json.dumps(whole))
    assert table.watcher.get("sheet.json").json()["entries"] == entries
    look_everywhere(table)
    cache.clear()
    again = table.watcher.result()
    assert {key: again[key] for key in whole} == {key: shown[key] for key in whole}


@pytest.mark.parametrize("case", TWO_NEW_KINDS, ids=str)
def test_golden_sheets_with_the_two_new_kinds_come_in_and_go_out(case):
    pad = imports.import_pad(case.sheet).pad
    position = ledger.position(pad)
    assert [[line.entry, line.player, line.points, line.symbol] for line in position.lines] == case.result[
        "lines"
    ]
    assert pad_verification.verify(pad.pk) == (len(position.entries), [])
    back = imports.import_pad(json.loads(json.dumps(exports.pad_json(pad)))).pad
    assert ledger.position(back).result() == position.result()
    assert pad_verification.verify(back.pk) == (len(position.entries), [])


def test_an_imported_log_with_both_is_shown_everywhere():
    entries = [victory("a"), victory("b", "Bert", "blue"), insert("i", "a", capture("", "Cleo"))]
    entries += [revise("r", i=None, b=victory("", "Bert", "white"))]
    sheet = {"tally": 1, "game": "victory-rummy", "players": NAMES, "entries": entries}
    table = seated(Phone(None).post("/pads/import/", sheet).json())
    look_everywhere(table)


def test_digests_are_the_same_entered_one_by_one_and_imported_whole(table):
    stored(table, victory("a"), victory("b", "Bert", "blue"), insert("i", None, victory("", "Cleo", "white")))
    stored(table, insert("j", "b", capture("", "Cleo")), axis("x", "Cleo"))
    stored(table, revise("r", a=None, x=axis("", "Cleo", 2)), victory("c", "Ann", "blue"))
    kept = [row.scored for row in table.pad.entries.order_by("number")]
    assert seals.digests(ledger.sheet_head(table.pad), ledger.sheet(table.pad)["entries"]) == kept
    back = imports.import_pad(ledger.sheet(table.pad)).pad
    assert [row.scored for row in back.entries.order_by("number")] == kept


def test_names_inside_are_stored_as_seats_and_follow_a_new_name(table):
    stored(
        table, victory("a"), insert("i", "a", victory("", "Bert", "blue")), revise("r", a=victory("", "Cleo"))
    )
    bodies = {row.entry_id: row.body for row in table.pad.entries.all()}
    assert bodies["i"]["entry"]["player"] == 1
    assert bodies["r"]["changes"][0]["entry"]["player"] == 2
    pads.rename(table.pad, ["Ann", "Bertha", "Clio"])
    entries = table.watcher.get("sheet.json").json()["entries"]
    assert entries[1]["entry"]["player"] == "Bertha"
    assert entries[2]["changes"][0]["entry"]["player"] == "Clio"
    assert table.watcher.result()["totals"] == {"Ann": 0, "Bertha": 10, "Clio": 10}


@pytest.mark.parametrize(
    "odd",
    [
        {"type": "revise", "changes": 7},
        {"type": "revise", "changes": [7, None, ["a"], {"of": "a"}]},
        {"type": "revise", "changes": [{"of": "a", "entry": 7}]},
        {"type": "revise", "changes": [{"of": "a", "entry": {"type": "victory", "player": {"seat": 1}}}]},
        {"type": "insert", "after": 7, "entry": {"type": "revise", "changes": [{"entry": {}}]}},
        {"type": "insert", "entry": [1]},
    ],
)
def test_what_is_no_revise_or_insert_is_refused_with_a_sentence(table, odd):
    stored(table, victory("a"))
    (outcome,) = table.player.enter({"id": "odd", **odd})
    assert (outcome["status"], outcome["error"]["code"]) == ("refused", "bad-entry")
    answer = table.player.post("preview/", {"entry": odd})
    assert answer.json()["error"]["code"] == "bad-entry"


def test_the_preview_of_an_insert_shows_its_own_lines_and_what_else_changes(table):
    stored(table, victory("q", "Bert"), victory("w", "Ann", "white"))
    entry = insert("i", "q", victory("", "Ann"))
    shown = table.player.post("preview/", {"entry": entry}).json()
    assert [(line["entry"], line["symbol"]) for line in shown["lines"]] == [(2, "R")]
    assert (shown["lines_were"], shown["totals"]["Ann"], shown["totals_were"]["Ann"]) == ([], 20, 10)
    assert table.pad.entries.count() == 2


def test_the_preview_of_a_revise_shows_the_lines_of_all_its_targets(table):
    stored(
        table, victory("a"), victory("b", "Ann", "blue"), axis("x", "Ann", 3), victory("c", "Bert", "white")
    )
    moved = revise("r", a=victory("", "Cleo"), b=victory("", "Cleo", "blue"), x=axis("", "Cleo", 3))
    shown = table.player.post("preview/", {"entry": moved}).json()
    assert [(line["entry"], line["player"]) for line in shown["lines"]] == [
        (0, "Cleo"),
        (1, "Cleo"),
        (2, "Cleo"),
    ]
    assert [(line["entry"], line["player"]) for line in shown["lines_were"]] == [
        (0, "Ann"),
        (1, "Ann"),
        (2, "Ann"),
    ]
    assert (shown["changes"], shown["totals"]) == ([], {"Ann": 0, "Bert": 10, "Cleo": 50})


def test_a_preview_names_the_inserted_entry_that_could_not_stand_any_more(table):
    stored(table, victory("r", "Bert"), victory("b", "Bert", "blue"), axis("x", "Bert"))
    stored(table, insert("i", "r", capture("", "Ann")), insert("j", "r", victory("", "Cleo")))
    shown = table.player.post("preview/", {"entry": insert("w", None, victory("", "Bert", "white"))}).json()
    assert shown["error"]["code"] == "axis-first"
    assert (shown["at"]["entry"], shown["at"]["id"], shown["at"]["where"]) == (3, "i", "deal 1")


def test_a_preview_tells_other_changes_in_order_of_play():
    def hand(name, points):
        return {"id": name, "type": "hand", "winner": "Ann", "losers": {"Bert": {"points": points}}}

    options = {"stake": 50, "when_short": "pay-what-you-can"}
    table = sit_down(game="thumbs-up", players=["Ann", "Bert"], options=options)
    stored(table, hand("h", 40), insert("i", None, hand("", 30)), insert("j", "i", hand("", 30)))
    shown = table.player.post("preview/", {"entry": {"type": "void", "of": "i"}}).json()
    changed = [((change["line"] or change["was"])["entry"], change["where"]) for change in shown["changes"]]
    assert changed == [(2, "hand 1"), (2, "hand 1"), (0, "hand 2"), (0, "hand 2")]


def undo_key(table):
    page = browser_of(table.player).get(f"/pads/{table.code}/").content.decode()
    last = re.search(r'<section id="last".*?</section>', page, re.S)[0]
    return last, [json.loads(value.replace("&quot;", '"')) for value in re.findall(r'value="([^"]*)"', last)]


def test_a_revise_is_undone_by_what_stood_before_it(table):
    stored(table, victory("a"), victory("b", "Bert"), revise("r", a=None, b=victory("", "Cleo", "blue")))
    said, (undo,) = undo_key(table)
    assert "Corrected:" in said and "deal 1, 2 entries" in said
    stored(table, {"id": "u", **undo})
    assert table.watcher.result()["totals"] == {"Ann": 10, "Bert": 10, "Cleo": 0}


def test_a_deal_that_changed_hands_is_told_on_every_phone_and_on_the_board(table):
    stored(table, victory("a"), victory("b", "Ann", "white"), axis("x", "Ann", 3))
    stored(table, revise("r", a=victory("", "Bert"), b=victory("", "Bert", "white"), x=axis("", "Bert", 3)))
    said, _ = undo_key(table)
    assert "deal 1, Ann to Bert" in said
    board = browser_of(table.watcher).get(f"/pads/{table.code}/board/").content.decode()
    for words in ("Corrected:", "Ann red victory becomes Bert red victory", "Bert out, 3 AXIS cards"):
        assert words in board
    stored(table, revise("s", a=None, b=None, x=None))
    said, _ = undo_key(table)
    assert "Struck out:" in said and "deal 1, 3 entries" in said


def test_an_insert_is_undone_by_voiding_it(table):
    stored(table, victory("a"), victory("b", "Bert"), insert("i", "a", capture("", "Cleo")))
    said, (undo,) = undo_key(table)
    assert "capture (added later)" in said
    assert undo == {"type": "void", "of": "i"}
    stored(table, {"id": "u", **undo})
    said, (back, _) = undo_key(table)
    assert "capture" in said and back == {"type": "amend", "of": "i", "entry": bare(capture("", "Cleo"))}


def test_history_tells_both_in_words(table):
    stored(table, victory("a"), victory("b", "Bert"), insert("i", "a", capture("", "Cleo")))
    stored(table, revise("r", b=None), insert("o", None, victory("", "Bert", "white")))
    stored(table, revise("s", o=None, b=victory("", "Bert", "blue")))
    page = browser_of(table.player).get(f"/pads/{table.code}/history/").content.decode()
    for words in (
        "Cleo capture (added after entry 1)",
        "Bert white victory (added before the first entry)",
        "Entry 2 struck out",
        "Entry 5 struck out; Entry 2 corrected: Bert blue victory",
    ):
        assert words in page


def test_the_spreadsheet_follows_the_order_of_play(table):
    stored(
        table, victory("a"), victory("b", "Bert"), insert("i", "a", capture("", "Cleo")), revise("r", b=None)
    )
    rows = list(csv.reader(io.StringIO(table.watcher.get("sheet.csv").content.decode())))[1:]
    assert [(row[0], row[3]) for row in rows] == [
        ("1", "victory"),
        ("3", "insert"),
        ("2", "victory"),
        ("4", "revise"),
    ]
    assert rows[1][-3:] == ["10", "0", "50"]


def test_the_sheet_and_the_chart_follow_the_order_of_play(table):
    stored(table, victory("a"), victory("b", "Ann", "blue"), axis("x", "Ann", 1), capture("c"))
    stored(
        table, insert("i", None, victory("", "Bert", "white")), insert("j", "a", victory("", "Cleo", "white"))
    )
    page = browser_of(table.player).get(f"/pads/{table.code}/after/").content.decode()
    shown = re.search(r"<tbody>.*?</tbody>", page, re.S)[0]
    assert re.findall(r"<th[^>]*>\s*(\d+)", shown) == ["5", "1", "6", "2", "3", "4"]


def test_what_stood_before_a_change_is_found_in_one_walk_from_the_end():
    """A walk from the beginning for each change would make each drawing as dear as the log is long."""

    class Log(list):
        read = 0

        def __reversed__(self):
            for entry in super().__reversed__():
                Log.read += 1
                yield entry

    entries = [{"id": f"v{number}", "type": "victory", "player": "Ann"} for number in range(50)]
    entries += [{"type": "amend", "of": "v49", "entry": {"type": "victory", "player": "Ben"}}]
    entries += [
        {"type": "void", "of": "v48"},
        {"id": "i", "type": "insert", "after": None, "entry": {"n": 1}},
    ]
    found = corrections.standing(Log(entries), ["v49", "v48", "v47", "i"])
    assert found == {
        "v49": {"type": "victory", "player": "Ben"},
        "v48": None,
        "v47": {"type": "victory", "player": "Ann"},
        "i": {"n": 1},
    }
    assert Log.read < 8
