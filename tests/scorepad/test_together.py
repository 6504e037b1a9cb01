"""Entries sent together: judged once as a whole, all stored or none, one step of the log for ever."""

import json
from contextlib import nullcontext

import pytest

from scorepad import exports, imports, ledger
from scorepad.ledger import cache, pad_verification, seals
from scorepad.models import Entry
from tests.scorepad.conftest import axis, before_question, browser_of, capture, sit_down, victory
from tests.scorepad.test_revise_and_insert import insert, look_everywhere, revise, stored, undo_key
from tests.scorepad.test_twins import refusal
from tests.scorepad.test_undo import HAND, Thumb

pytestmark = pytest.mark.django_db

FORGOTTEN = [
    insert("out", "a", victory("", "Ann", "white")),
    insert("count", "out", axis("", "Ann", 2)),
]
"""A victory that put Ann out, and its count: the first cannot stand alone, since Bert went on after it."""


def send(table, *entries, **more):
    answer = table.player.post("entries/", {"entries": list(entries), "together": True, **more})
    assert answer.status_code == 200, answer.content
    return answer.json()["results"]


def foresee(table, *entries):
    return table.watcher.post("preview/", {"entries": list(entries), "together": True}).json()


@pytest.fixture
def played(table):
    stored(table, victory("a"), victory("b", "Bert"))
    return table


def test_what_cannot_stand_alone_stands_together(played):
    (alone,) = played.player.enter(FORGOTTEN[0])
    assert alone["error"]["code"] == "axis-first"
    assert [told["status"] for told in send(played, *FORGOTTEN)] == ["stored", "stored"]
    assert played.watcher.result()["totals"] == {"Ann": 40, "Bert": 10, "Cleo": 0}
    assert list(played.pad.entries.values_list("number", "step")) == [(1, None), (2, None), (3, 3), (4, 3)]
    cache.clear()
    assert played.watcher.result()["totals"] == {"Ann": 40, "Bert": 10, "Cleo": 0}
    look_everywhere(played)


def test_a_refusal_names_the_entry_at_fault_and_nothing_is_stored(played):
    wrong = insert("count", "out", axis("", "Ann", 99))
    told = send(played, FORGOTTEN[0], wrong)
    assert [one["error"]["code"] for one in told] == ["together", "impossible"]
    assert [one["status"] for one in told] == ["refused", "refused"]
    assert played.pad.entries.count() == 2
    assert [one["status"] for one in send(played, *FORGOTTEN)] == ["stored", "stored"]


def test_where_a_stored_entry_could_not_stand_all_say_so(played):
    told = send(played, FORGOTTEN[0], capture("c", "Cleo"))
    assert [(one["error"]["code"], one["error"]["entry"]) for one in told] == [("axis-first", 1)] * 2
    assert played.pad.entries.count() == 2


def test_one_that_cannot_be_read_is_named_too(played):
    told = send(played, FORGOTTEN[0], "nonsense", victory("z"))
    assert [one["error"]["code"] for one in told] == ["together", "bad-entry", "together"]
    assert played.pad.entries.count() == 2


def test_sent_again_all_are_known(played):
    first = send(played, *FORGOTTEN)
    again = send(played, *FORGOTTEN)
    assert [(one["status"], one["number"]) for one in again] == [("known", one["number"]) for one in first]
    assert played.pad.entries.count() == 4


def test_an_id_that_says_something_else_now_lets_none_in(played):
    told = send(played, capture("b", "Bert"), victory("n", "Cleo"))
    assert [one["error"]["code"] for one in told] == ["id-reused", "together"]
    assert played.pad.entries.count() == 2


def test_what_is_known_already_is_not_asked_to_stand_again(played):
    told = send(played, victory("b", "Bert"), *FORGOTTEN)
    assert [one["status"] for one in told] == ["known", "stored", "stored"]
    assert list(played.pad.entries.values_list("step", flat=True)) == [None, None, 3, 3]


def test_one_entry_alone_is_no_step_of_several(played):
    (told,) = send(played, capture("c", "Cleo"))
    assert told["status"] == "stored"
    assert played.pad.entries.get(number=3).step is None
    look_everywhere(played)


def test_plain_entries_can_be_a_step(played):
    send(played, victory("c", "Cleo"), victory("d", "Cleo", "blue"), axis("e", "Cleo", 1))
    assert played.watcher.result()["totals"]["Cleo"] == 30
    look_everywhere(played)


def test_a_stopped_pad_and_a_full_one_take_none(played, settings):
    settings.ENTRIES_PER_PAD_MOST = 3
    assert {one["error"]["code"] for one in send(played, *FORGOTTEN)} == {"pad-full"}
    settings.ENTRIES_PER_PAD_MOST = 4
    played.keeper.post("stop/")
    assert {one["error"]["code"] for one in send(played, *FORGOTTEN)} == {"stopped"}
    assert played.pad.entries.count() == 2


@pytest.mark.parametrize("word", [1, "yes", None, []])
def test_together_is_true_or_false(played, word):
    for path in ("entries/", "preview/"):
        answer = played.player.post(path, {"entries": FORGOTTEN, "together": word})
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad-request")


def test_a_preview_of_several_shows_the_whole_and_stores_nothing(played):
    shown = foresee(played, *FORGOTTEN)
    assert (shown["error"], shown["totals"]) == (None, {"Ann": 40, "Bert": 10, "Cleo": 0})
    assert [(line["entry"], line["symbol"]) for line in shown["lines"]] == [(2, "W"), (3, "A")]
    assert (shown["lines_were"], shown["changes"]) == ([], [])
    assert played.pad.entries.count() == 2
    alone = played.watcher.post("preview/", {"entries": FORGOTTEN})
    assert alone.status_code == 400


def test_a_preview_of_several_says_what_is_wrong(played):
    shown = foresee(played, FORGOTTEN[0], capture("c", "Cleo"))
    assert (shown["error"]["code"], shown["at"]["id"]) == ("axis-first", "b")


def test_the_history_shows_one_step_and_the_slider_never_stops_inside(played):
    send(played, *FORGOTTEN)
    page = browser_of(played.keeper).get(f"/pads/{played.code}/history/").content.decode()
    assert page.count('class="log__number"') == 3
    assert '<span class="log__number">3–4</span>' in page
    for at in (3, 4):
        shown = played.watcher.get(f"result.json?at={at}").json()
        assert (shown["head"], shown["totals"]["Ann"]) == (4, 40)
    page = browser_of(played.keeper).get(f"/pads/{played.code}/history/?at=3").content.decode()
    assert "After 4 of 4 entries" in page
    assert [one.get("step") for one in played.watcher.get("log.json").json()["log"]] == [None, None, 3, 3]


def test_undo_takes_the_whole_step_back(played):
    before = played.watcher.result()["totals"]
    send(played, *FORGOTTEN)
    said, (undo,) = undo_key(played)
    assert "2 entries" in said
    assert undo["type"] == "revise"
    stored(played, {"id": "u", **undo})
    assert played.watcher.result()["totals"] == before
    look_everywhere(played)


def test_undo_of_a_step_puts_back_what_it_changed(played):
    before = played.watcher.result()["totals"]
    amended = {"id": "m", "type": "amend", "of": "b", "entry": {"type": "capture", "player": "Cleo"}}
    send(played, amended, capture("late", "Bert") | {"type": "victory", "color": "blue"}, revise("r", a=None))
    _, (undo,) = undo_key(played)
    stored(played, {"id": "u", **undo})
    assert played.watcher.result()["totals"] == before


def test_an_export_comes_back_with_its_steps_and_seals(played):
    send(played, *FORGOTTEN)
    sent = json.loads(json.dumps(exports.pad_json(played.pad)))
    assert [row.get("step") for row in sent["log"]] == [None, None, 3, 3]
    pad = imports.import_pad(sent).pad
    assert list(pad.entries.values_list("step", flat=True)) == [None, None, 3, 3]
    assert pad_verification.verify(pad.pk) == (4, [])
    assert [row.scored for row in pad.entries.all()] == [row.scored for row in played.pad.entries.all()]


@pytest.mark.parametrize(
    "steps", [[1, 2, 3, 2], [None, None, 2, 3], [0, 0, 0, 0], [None, 2, "2", 2], [2, 2, 2, 2]]
)
def test_a_file_with_steps_that_cannot_be_is_refused(played, steps):
    send(played, *FORGOTTEN)
    sent = exports.pad_json(played.pad)
    for row, step in zip(sent["log"], steps, strict=True):
        row["step"] = step
    answer = played.player.post("/pads/import/", json.dumps(sent))
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad-sheet")
    assert '"step"' in answer.json()["error"]["message"]


def test_a_log_of_very_many_steps_is_not_compared_entry_by_entry(played, monkeypatch):
    replays = []
    replay = seals.engine.replay
    monkeypatch.setattr(
        seals.engine, "replay", lambda sheet: replays.append(len(sheet["entries"])) or replay(sheet)
    )
    entries = [{"id": str(number), "type": "capture", "player": "Ann"} for number in range(1000)]
    steps = [number - number % 2 + 1 for number in range(1000)]
    assert seals.digests(ledger.sheet_head(played.pad), entries, steps) is None
    assert sum(replays) <= seals.MAX_REPLAYED


def test_a_sheet_alone_comes_back_with_the_same_result(played):
    send(played, *FORGOTTEN)
    pad = imports.import_pad(ledger.sheet(played.pad)).pad
    assert ledger.position(pad).totals == ledger.position(played.pad).totals
    assert pad_verification.verify(pad.pk) == (4, [])


def test_verify_finds_a_step_that_was_altered(played):
    send(played, *FORGOTTEN)
    rows = list(played.pad.entries.order_by("number"))
    rows[3].step = None
    assert seals.seal(rows[2].seal, rows[3]) != rows[3].seal
    assert pad_verification._check_seals(played.pad, rows) == (
        "entry 4 was altered: the step it was stored in was changed."
    )


def test_a_log_that_moved_meanwhile_is_judged_anew(played):
    """Another phone enters a capture between judging and storing: the step follows it."""
    other = played.pad

    def act():
        ledger.append(other, [capture("c", "Cleo")])

    with before_question(4, act):
        told = send(played, *FORGOTTEN)
    numbers = sorted(Entry.objects.filter(pad=other).values_list("entry_id", "number", "step"))
    assert [one["status"] for one in told] == ["stored", "stored"]
    assert len(numbers) == 5
    assert pad_verification.verify(other.pk) == (5, [])


def test_a_whole_deal_and_its_count_on_a_pad_of_four(db):
    table = sit_down(players=["Ann", "Bert", "Cleo", "Dan"])
    stored(table, victory("a"), victory("b", "Bert"))
    assert [one["status"] for one in send(table, *FORGOTTEN)] == ["stored", "stored"]


def test_a_preview_and_a_step_of_a_long_log_are_paid_for(played, monkeypatch):
    spent = []
    monkeypatch.setattr(
        "scorepad.ledger.together.replay_budget.spend", lambda cost: spent.append(cost) or nullcontext()
    )
    foresee(played, *FORGOTTEN)
    send(played, *FORGOTTEN)
    assert spent.count(4) == 2


def test_a_step_is_undone_as_one_and_hides_no_twin_before_it_in_the_process_that_stored_it(committed, table):
    ann, bert = Thumb(table, "Ann"), Thumb(table, "Bert")
    ann.enter(victory("a"), victory("b", "Bert"), victory("c", "Cleo"))
    assert ann.store("a", *FORGOTTEN).status_code == 201
    remembered = ann.offered()
    twin = bert.enter(victory("d", "Cleo"))
    cache.clear()
    assert remembered == ann.offered()
    assert remembered[2] == "2 entries"
    assert refusal(twin)["code"] == "twin"


def test_what_stands_before_a_step_is_not_opened_again(committed):
    table = sit_down(game="rummy-1916")
    ann = Thumb(table, "Ann")
    ann.answer(*HAND)
    (hand,) = ledger.position(table.pad).entries
    again = {**hand, "id": ""}
    assert ann.store(hand["id"], insert("i", hand["id"], again), insert("j", "i", again)).status_code == 201
    answer = ann.send_undo("part", {"reopen": hand["id"]}, "undo")
    assert refusal(answer)["code"] == "entered-since"


def test_undo_offers_only_steps_that_one_correction_takes_back(table):
    ann = Thumb(table, "Ann")
    ann.enter(victory("a"))
    ann.store("a", victory("b", "Bert"), {"id": "c", "type": "void", "of": "b"})
    assert ann.offered() == ("enter", {"type": "void", "of": "a"}, "Ann red victory")


def test_undo_of_more_than_one_correction_holds_is_a_correction(db):
    table = sit_down(game="rummy-1916", options={"rounds": 100})
    hand = {"type": "hand", "winner": "Ann", "hands": {"Bert": {"count": 1}, "Cleo": {"count": 1}}}
    ann = Thumb(table, "Ann")
    ann.enter({"id": "h", **hand})
    hands = [{"id": f"h{number}", **hand} for number in range(201)]
    assert ann.store("h", *hands).status_code == 201
    assert ann.offered()[0] == f"{ann.pad}correct/h199/"
