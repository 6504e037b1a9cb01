"""In and out: sheet.json, pad.json, /pads/import/."""

import json
import os

import pytest

import engine
from scorepad.models import Pad
from tests.scorepad.conftest import NAMES, Phone, axis, capture, seated, sit_down, victory

pytestmark = pytest.mark.django_db


def bring_in(sheet):
    answer = Phone(None).post("/pads/import/", sheet)
    assert answer.status_code == 201, answer.content
    return seated(answer.json())


def played():
    table = sit_down(title="The kitchen", dealer="Bert", options={"target": 300})
    table.player.enter(victory("a1"), capture("b1", "Bert"), who="Ann")
    table.player.enter(
        {"id": "fix", "type": "amend", "of": "a1", "entry": victory("x", "Cleo")}, who="tablet"
    )
    table.player.enter(
        {"id": "fix", "type": "amend", "of": "a1", "entry": _plain(victory("x", "Cleo"))}, who="tablet"
    )
    table.keeper.post("names/", {"players": ["Ann", "Bertram", "Cleo"]})
    table.keeper.post("settings/", {"settings": {"chips": [5, 10, 25]}})
    table.player.post("checks/", {"counted": {"Ann": 0, "Bertram": 50, "Cleo": 10}})
    table.keeper.post("stop/")
    return table


def _plain(entry):
    return {key: value for key, value in entry.items() if key != "id"}


def test_a_sheet_comes_back_as_the_same_log_with_the_same_result():
    table = played()
    sheet = table.watcher.get("sheet.json").json()
    again = bring_in(sheet)
    assert again.watcher.get("sheet.json").json() == sheet
    beside = {"revision", "stopped"}
    first, second = table.watcher.result(), again.watcher.result()
    assert {key: first[key] for key in first if key not in beside} == {
        key: second[key] for key in second if key not in beside
    }


def test_a_whole_pad_comes_back_as_the_same_pad():
    table = played()
    whole = table.watcher.get("pad.json").json()
    assert (
        whole["stopped"] and whole["checks"] and whole["settings"] and whole["log"][2]["device"] == "tablet"
    )
    assert bring_in(whole).watcher.get("pad.json").json() == whole


@pytest.mark.parametrize("players", [[*NAMES, "Dora"], NAMES[::-1]])
def test_a_pad_whose_chips_were_counted_before_its_seats_were_settled_comes_back(players):
    table = sit_down(game="thumbs-up")
    table.player.post("checks/", {"counted": {"Ann": 1, "Bert": 2, "Cleo": 3}})
    table.keeper.post("names/", {"players": players})
    whole = table.watcher.get("pad.json").json()
    assert whole["checks"] == []
    assert bring_in(whole).watcher.get("pad.json").json() == whole


def test_nothing_that_opens_a_pad_leaves_with_it():
    table = played()
    text = table.watcher.get("pad.json").content.decode() + table.watcher.get("sheet.json").content.decode()
    for secret in (table.code, table.keeper.token, table.player.token, table.watcher.token):
        assert secret not in text


def test_missing_ids_are_made():
    sheet = {"tally": 1, "game": "victory-rummy", "players": NAMES, "entries": [_plain(victory("x"))] * 2}
    entries = bring_in(sheet).watcher.get("sheet.json").json()["entries"]
    assert len({entry["id"] for entry in entries}) == 2


def test_a_sheet_is_judged_whole_not_entry_by_entry():
    # Voiding a1 makes a3 illegal, voiding a3 mends it: the sheet stands although a part of it does not.
    entries = [
        victory("a1"), victory("a2"), axis("a3"),
        {"id": "v3", "type": "void", "of": "a3"}, {"id": "v1", "type": "void", "of": "a1"},
    ]  # fmt: skip
    disorder = [*entries[:3], entries[4], entries[3]]
    sheet = {"tally": 1, "game": "victory-rummy", "players": NAMES, "entries": disorder}
    table = bring_in(sheet)
    assert table.watcher.result()["totals"]["Ann"] == 10
    assert table.player.enter(capture("c"))[0]["status"] == "stored"


def test_an_amend_that_never_stood_is_kept_as_it_was_sent():
    strange = {"type": "victory", "player": {"not-at-table": 0}, "color": ["x"], "=": {"0": None}}
    entries = [
        victory("a1"),
        {"id": "am", "type": "amend", "of": "a1", "entry": strange},
        {"id": "vo", "type": "void", "of": "a1"},
    ]
    sheet = {"tally": 1, "game": "victory-rummy", "players": NAMES, "entries": entries}
    assert bring_in(sheet).watcher.get("sheet.json").json()["entries"] == entries


def test_the_game_goes_on_where_the_sheet_ends():
    sheet = {"tally": 1, "game": "victory-rummy", "players": NAMES, "entries": [victory("a1")]}
    table = bring_in(sheet)
    assert table.player.enter(victory("a1"), victory("a2"))[0]["status"] == "known"
    assert table.watcher.result()["totals"]["Ann"] == 20


@pytest.mark.parametrize(
    ("change", "code"),
    [({"tally": 2}, "bad-sheet"), ({"game": "chess"}, "unknown-game"), ({"nose": 1}, "bad-sheet"),
     ({"entries": [axis("x")]}, "not-out"), ({"entries": [victory("a" * 101)]}, "bad-entry"),
     ({"entries": 3}, "bad-sheet"), ({"title": "x" * 3000}, "bad-sheet")],
)  # fmt: skip
def test_a_sheet_that_does_not_stand_is_refused_and_nothing_is_stored(change, code):
    sheet = {"tally": 1, "game": "victory-rummy", "players": NAMES, "entries": [], **change}
    answer = Phone(None).post("/pads/import/", sheet)
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, code)
    assert not Pad.objects.exists()


@pytest.mark.parametrize(
    "change",
    [{"pad": 2}, {"pad": True}, {"pad": 1.0}, {"pad": "1"}, {"made": "0001-01-01T00:00:00+14:00"},
     {"stopped": "9999-12-31T23:59:59-14:00"}, {"log": [{"made": "0001-01-01T00:00:00+14:00"}]},
     {"engine": "\ud800"}, {"sheet": 3}, {"nose": 1}, {"log": 3}, {"log": [{}]}, {"log": [3]},
     {"log": [{"seat": 9}]}, {"log": [{"made": "yesterday"}]}, {"log": [{"made": "2026-99-01T00:00:00Z"}]},
     {"log": [{"device": "x" * 41}]}, {"checks": 3}, {"checks": [{"head": 9}]},
     {"checks": [{"head": 0, "counted": [1]}]}, {"checks": [{"head": 0, "counted": [1, 2, "3"]}]},
     {"former_names": {"Al": 9}}, {"former_names": 3}, {"made": 3}, {"stopped": "2026-01-01"},
     {"variant": ["x"]},
     {"engine": "x" * 41}, {"settings": []}],
)  # fmt: skip
def test_a_pad_file_with_a_fault_is_refused_with_a_sentence(change):
    sheet = {"tally": 1, "game": "victory-rummy", "players": NAMES, "entries": [victory("a1")]}
    if change == {"log": [{}]}:
        sheet["entries"] = []
    answer = Phone(None).post("/pads/import/", {"pad": 1, "sheet": sheet, **change})
    assert answer.status_code == 422
    assert answer.json()["error"]["message"].endswith(".")
    assert not Pad.objects.exists()


@pytest.mark.parametrize("text", ["{", "[]", '{"a": NaN', "[" * 50_000, b"\xff"])
def test_what_is_no_json_is_refused(text):
    assert Phone(None).post("/pads/import/", text).status_code == 400


@pytest.mark.parametrize(
    "entry",
    ['{"type": "amend", "of": "a1", "entry": {"type": "victory", "x": NaN}}',
     '{"type": "amend", "of": "a1", "entry": {"type": "victory", "x": 1, "x": 2}}',
     '{"type": "amend", "of": "a1", "entry": {"type": "victory", "x": "\\ud800"}}',
     '{"type": "amend", "of": "a1", "entry": {"type": "victory", "x": "\\u0000"}}',
     '{"type": "amend", "of": "a1", "entry": {"type": "victory", "x": ' + "[" * 30 + "]" * 30 + "}}"],
)  # fmt: skip
def test_what_no_database_can_keep_is_refused(entry):
    log = f'[{json.dumps(victory("a1"))}, {entry}, {{"type": "void", "of": "a1"}}]'
    text = f'{{"tally": 1, "game": "victory-rummy", "players": ["Ann", "Bert"], "entries": {log}}}'
    answer = Phone(None).post("/pads/import/", text)
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad-entry")


def test_golden_sheets_open_as_pads(settings):
    # There are more golden sheets than one address may begin pads in an hour.
    settings.PADS_MADE_PER_ADDRESS_MOST = settings.PADS_MADE_PER_MINUTE_MOST = 10_000
    found, step = 0, 1 if os.environ.get("SOAK") else 5
    for path in sorted((settings.FIXTURES / "sheets").glob("*.json")):
        for case in _cases(json.loads(path.read_text(encoding="utf-8")))[::step]:
            sheet = case.get("sheet")
            if not isinstance(sheet, dict) or "error" in case or "refused" in case:
                continue
            try:
                expected = engine.score(sheet).as_dict()
            except engine.Refused:
                continue
            result = bring_in(sheet).watcher.result()
            assert {key: result[key] for key in expected} == json.loads(json.dumps(expected)), case
            found += 1
    assert found or not list((settings.FIXTURES / "sheets").glob("*.json"))


def _cases(shown):
    if isinstance(shown, list):
        return [case for case in shown if isinstance(case, dict)]
    return [
        case
        for value in shown.values()
        if isinstance(value, list)
        for case in value
        if isinstance(case, dict)
    ]


def test_each_entry_of_a_sheet_is_digested_as_if_it_had_been_entered():
    entries = [
        victory("a1"),
        capture("b1", "Bert"),
        {"id": "f1", "type": "amend", "of": "a1", "entry": _plain(victory("x", "Cleo"))},
        victory("c1"),
        {"id": "f2", "type": "void", "of": "b1"},
        {"id": "f3", "type": "void", "of": "c1"},
        victory("e1"),
    ]
    entered = sit_down()
    assert {result["status"] for result in entered.player.enter(*entries)} == {"stored"}
    brought = bring_in({"tally": 1, "game": "victory-rummy", "players": NAMES, "entries": entries})
    kept = [list(table.pad.entries.values_list("scored", flat=True)) for table in (entered, brought)]
    assert kept[0] == kept[1]
    assert all(kept[0])


def test_what_did_not_stand_until_it_was_corrected_has_no_digest():
    entries = [
        victory("a1"),
        victory("b1", "Zoe"),
        victory("c1", "Bert"),
        {"id": "f1", "type": "void", "of": "b1"},
        victory("d1"),
    ]
    table = bring_in({"tally": 1, "game": "victory-rummy", "players": NAMES, "entries": entries})
    scored = table.pad.entries.order_by("number").values_list("scored", flat=True)
    assert [bool(digest) for digest in scored] == [True, False, False, True, True]


def test_digests_are_computed_before_the_database_is_locked(monkeypatch):
    from django.db import connection

    from scorepad.ledger import seals

    outside = len(connection.savepoint_ids)
    depths = []
    digests = seals.digests
    monkeypatch.setattr(
        seals, "digests", lambda *log: depths.append(len(connection.savepoint_ids)) or digests(*log)
    )
    bring_in({"tally": 1, "game": "victory-rummy", "players": NAMES, "entries": [capture("a1")]})
    assert depths == [outside]


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [("/pads/import/", {"tally": 1, "title": "\ud800"}, "bad-sheet"),
     ("/pads/", {"notes": ["\0"]}, "bad-sheet"),
     ("/pads/", {"date": float("inf")}, "bad-sheet"),
     ("/pads/", {"settings": {"a": "\ud800"}}, "bad-settings")],
)  # fmt: skip
def test_broken_text_beside_the_log_is_no_fault_of_an_entry(path, body, code):
    answer = Phone(None).post(path, {"game": "victory-rummy", "players": NAMES, **body})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, code)
