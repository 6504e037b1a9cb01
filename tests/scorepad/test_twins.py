"""The same entry from two phones is asked about, at the address phones use; programs only if they wish."""

import json
from datetime import timedelta
from itertools import islice

import pytest
from django.utils import timezone

from scorepad import ledger
from scorepad.ledger import Told, Who
from scorepad.ledger.seals import canonical
from tests.scorepad.conftest import axis, browser_of, capture, sit_down, victory
from tests.security.attacks.table import plain_entries


class Script:
    """The script of one phone; with a seat, if it has taken one."""

    def __init__(self, table, seat=None):
        self.pad = f"/pads/{table.code}/"
        self.client = browser_of(table.player)
        self.client.get(self.pad)
        self.headers = {"Accept": "text/vnd.pad", "X-CSRFToken": self.client.cookies["csrftoken"].value}
        if seat:
            self.client.post(
                f"{self.pad}seat/",
                json.dumps({"who": seat}),
                content_type="application/json",
                headers=self.headers,
            )

    def enter(self, *entries, age=0, another=False):
        marks = {entry["id"]: {"age": age, "another": another} for entry in entries}
        return self.post(entries=list(entries), marks=marks)

    def post(self, tap="", **fields):
        sent = {name: json.dumps(value) for name, value in fields.items()}
        sent |= {"tap": tap} if tap else {}
        return self.client.post(f"{self.pad}tap/", sent, headers=self.headers)

    def put(self, at, value, **more):
        return self.post(part={"at": at, "put": value, **more})


@pytest.fixture
def ann(table):
    return Script(table, "Ann")


@pytest.fixture
def bert(table):
    return Script(table, "Bert")


def refusal(answer):
    assert answer.status_code == 422
    return json.loads(answer.headers["X-Refusal"])


def head(table):
    return table.watcher.result()["head"]


def test_the_same_entry_from_another_phone_is_asked_about_and_not_stored(table, ann, bert):
    ann.enter(victory("one"))
    asked = refusal(bert.enter(victory("two")))
    assert (asked["code"], asked["id"]) == ("twin", "two")
    assert asked["message"].startswith("Ann’s phone entered “Ann, red victory” ")
    assert asked["message"].endswith("Was that the same one?")
    assert asked["ask"] == {"keep": "The same", "change": "Another one", "instead": {"another": True}}
    assert head(table) == 1


def test_two_phones_without_a_seat_are_still_two(table):
    one, two = Script(table), Script(table)
    one.enter(victory("one"))
    assert refusal(two.enter(victory("two")))["message"].startswith("Another phone entered ")


def test_the_same_question_comes_again_when_the_answer_was_lost(table, ann, bert):
    ann.enter(victory("one"))
    assert (
        refusal(bert.enter(victory("two")))["code"] == refusal(bert.enter(victory("two")))["code"] == "twin"
    )
    for _ in range(3):
        assert bert.enter(victory("two"), another=True).status_code == 200
    assert head(table) == 2


def test_one_phone_may_enter_the_same_twice(table, ann):
    ann.enter(victory("one"))
    assert ann.enter(victory("two")).status_code == 200
    assert head(table) == 2


@pytest.mark.parametrize(
    "other", [victory("two", color="blue"), victory("two", "Bert"), capture("two", "Ann")]
)
def test_what_differs_is_no_twin(ann, bert, other):
    ann.enter(victory("one"))
    assert bert.enter(other).status_code == 200


@pytest.mark.parametrize(("age", "status"), [(0, 200), (100_000, 422), (75_000, 422), (150_000, 200)])
def test_what_waited_is_judged_by_when_it_was_tapped(table, ann, bert, age, status):
    ann.enter(victory("one"), age=90_000)
    assert bert.enter(victory("two"), age=age).status_code == status


def test_a_tap_that_waited_for_very_long_is_compared_with_the_log_of_then(table, ann, bert):
    ann.enter(victory("one"), age=900_000)
    many = [{"id": f"more-{n}", "type": "victory", "player": "Cleo", "color": "red"} for n in range(60)]
    for entry in many:
        ledger.append(table.pad, [entry], Who(2), Told())
        ledger.append(table.pad, [{"id": f"void-{entry['id']}", "type": "void", "of": entry["id"]}], Who(2))
    assert refusal(bert.enter(victory("two"), age=905_000))["code"] == "twin"
    assert bert.enter(victory("three"), age=1_000_000).status_code == 200


def test_what_was_struck_out_or_corrected_is_no_twin(ann, bert):
    ann.enter(victory("one"), {"id": "v", "type": "void", "of": "one"})
    assert bert.enter(victory("two")).status_code == 200
    ann.enter(victory("three", "Cleo", "blue"))
    change = {"type": "victory", "player": "Cleo", "color": "white"}
    ann.enter({"id": "c", "type": "amend", "of": "three", "entry": change})
    assert bert.enter(victory("four", "Cleo", "blue")).status_code == 200


def test_of_several_that_waited_the_twin_is_named_and_those_before_it_are_stored(table, ann, bert):
    ann.enter(victory("one"))
    asked = refusal(bert.enter(victory("two", color="blue"), victory("three"), victory("four", "Cleo")))
    assert asked["id"] == "three"
    assert head(table) == 2


def test_the_same_count_of_axis_cards_counts_once_and_says_so(table, ann, bert):
    ann.enter(victory("1"), victory("2", color="blue"), victory("3", color="white"))
    waiting = table.watcher.result()["state"]["waiting"]
    ann.enter(axis("one", waiting or "Ann", 3))
    told = refusal(bert.enter(axis("two", waiting or "Ann", 3)))
    assert (told["code"], told["ask"]) == ("counted-already", None)
    assert told["message"].endswith("It counts once.")


def test_another_count_of_axis_cards_is_asked_about_and_changes_it_by_a_correction(table, ann, bert):
    ann.enter(victory("1"), victory("2", color="blue"), victory("3", color="white"))
    ann.enter(axis("one", "Ann", 3))
    before = head(table)
    asked = refusal(bert.enter(axis("two", "Ann", 5)))
    assert asked["code"] == "differs"
    assert "Ann’s phone entered “Ann, out, 3 AXIS cards”" in asked["message"]
    assert "You said “Ann, out, 5 AXIS cards”" in asked["message"]
    assert head(table) == before
    change = asked["ask"]["instead"]["body"]
    assert bert.enter({"id": "two", **change}).status_code == 200
    assert ledger.position(table.pad).standing[before - 1]["cards"] == 5


def test_two_answers_to_one_part_are_asked_about(db):
    table = sit_down(game="rummy-1916")
    ann, bert = Script(table, "Ann"), Script(table, "Bert")
    ann.put(["winner"], "Ann", **{"for": "", "head": 0, "seen": 0})
    draft = table.watcher.get("draft.json").json()["draft"]
    seen = {"for": draft["id"], "head": 0, "seen": draft["revision"]}
    ann.put(["hands", "Bert", "count"], 7, **seen)
    asked = refusal(bert.put(["hands", "Bert", "count"], 9, **seen))
    assert asked["message"].startswith("Ann’s phone said 7 for Bert ") and "You said 9." in asked["message"]
    assert (asked["ask"]["keep"], asked["ask"]["change"]) == ("Keep 7", "Change to 9")
    assert bert.put(["hands", "Bert", "count"], 7, **seen).status_code == 200
    assert bert.post(part=asked["ask"]["instead"]["body"]).status_code == 200
    assert table.watcher.get("draft.json").json()["draft"]["entry"]["hands"]["Bert"] == {"count": 9}


def test_what_a_phone_saw_it_may_change_without_being_asked(db):
    table = sit_down(game="rummy-1916")
    ann, bert = Script(table, "Ann"), Script(table, "Bert")
    ann.put(["winner"], "Ann", **{"for": "", "head": 0, "seen": 0})
    draft = table.watcher.get("draft.json").json()["draft"]
    assert bert.put(["winner"], "Cleo", **{"for": draft["id"], "seen": draft["revision"]}).status_code == 200


def test_an_answer_to_an_entry_that_is_whole_by_now_is_asked_about(db):
    table = sit_down(game="rummy-1916", players=["Ann", "Bert"])
    ann, bert = Script(table, "Ann"), Script(table, "Bert")
    ann.put(["winner"], "Ann", **{"for": "", "head": 0, "seen": 0})
    draft = table.watcher.get("draft.json").json()["draft"]
    seen = {"for": draft["id"], "head": 0, "seen": draft["revision"]}
    ann.put(["hands", "Bert", "count"], 7, **seen)
    assert ann.put(["hands", "Bert", "count"], 7, **seen).status_code == 200
    assert bert.put(["hands", "Bert", "count"], 7, **seen).status_code == 200
    asked = refusal(bert.put(["hands", "Bert", "count"], 9, **seen))
    assert asked["code"] == "differs" and "You said 9 for Bert." in asked["message"]
    assert bert.enter({"id": "x", **asked["ask"]["instead"]["body"]}).status_code == 200
    assert ledger.position(table.pad).standing[0]["hands"] == {"Bert": {"count": 9}}


def test_a_late_answer_of_the_same_phone_is_told_and_not_dropped(db):
    table = sit_down(game="rummy-1916", players=["Ann", "Bert"])
    ann = Script(table, "Ann")
    ann.put(["winner"], "Ann", **{"for": "", "head": 0, "seen": 0})
    draft = table.watcher.get("draft.json").json()["draft"]
    seen = {"for": draft["id"], "head": 0, "seen": draft["revision"]}
    ann.put(["hands", "Bert", "count"], 7, **seen)
    told = refusal(ann.put(["hands", "Bert", "count"], 9, **seen))
    assert told["code"] == "counted-already" and told["message"].startswith("You entered “Ann")
    assert ledger.position(table.pad).standing[0]["hands"] == {"Bert": {"count": 7}}


def test_a_late_block_for_a_hand_that_is_whole_is_told_unless_it_is_in_it(db):
    table = sit_down(game="thumbs-up", players=["Ann", "Bert", "Cleo"])
    ann, bert = Script(table, "Ann"), Script(table, "Bert")
    blocks = ["red dot", "red dash", "red v", "blue dot", "green dot"]
    hand = {"winner": "Ann", "losers": {"Bert": {"blocks": blocks}, "Cleo": {"points": 10}}, "last": None}
    ann.enter({"id": "h", "type": "hand", **hand})
    late = {"at": ["losers", "Bert", "blocks"], "for": "h", "head": 0, "nth": 4}
    assert bert.post(part={**late, "add": "green dot"}).status_code == 200
    assert refusal(bert.post(part={**late, "add": "black v"}))["code"] == "counted-already"


@pytest.fixture
def rack(db):
    """Ann and Bert at Thumbs Up, while both look at Cleo's empty rack; and what they send."""
    table = sit_down(game="thumbs-up")
    ann, bert = Script(table, "Ann"), Script(table, "Bert")
    ann.put(["winner"], "Ann", **{"for": "", "head": 0, "seen": 0})
    seen = {"at": ["losers", "Cleo", "blocks"], "for": drafted(table)["id"], "head": 0, "nth": 0}
    return table, ann, bert, seen


def drafted(table):
    return table.watcher.get("draft.json").json()["draft"]


def blocks(table):
    return drafted(table)["entry"]["losers"]["Cleo"]["blocks"]


def test_different_pieces_of_two_phones_both_count(rack):
    table, ann, bert, seen = rack
    assert ann.post(part={**seen, "add": "blue dot"}).status_code == 200
    assert bert.post(part={**seen, "add": "red dash"}).status_code == 200
    assert blocks(table) == ["blue dot", "red dash"]


def test_the_same_piece_of_two_phones_is_asked_about(rack):
    table, ann, bert, seen = rack
    ann.post(part={**seen, "add": "blue dot"})
    asked = refusal(bert.post(part={**seen, "add": "blue dot"}))
    assert asked["message"].startswith("Ann’s phone added blue dot for Cleo ")
    assert (asked["code"], asked["ask"]["keep"]) == ("twin", "The same")
    assert blocks(table) == ["blue dot"]
    assert bert.post(part=asked["ask"]["instead"]["body"]).status_code == 200
    assert blocks(table) == ["blue dot", "blue dot"]


def test_a_piece_of_which_there_is_one_counts_once_and_says_so(rack):
    table, ann, bert, seen = rack
    ann.post(part={**seen, "add": "red liberty"})
    told = refusal(bert.post(part={**seen, "add": "red liberty"}))
    assert told["code"] == "counted-already" and told["message"].endswith("It counts once.")
    ann.post(part={**seen, "nth": 1, "add": "green liberty"})
    told = refusal(ann.post(part={**seen, "add": "green liberty"}))
    assert told["message"] == "None left in the pack."
    assert blocks(table) == ["red liberty", "green liberty"]


def test_a_tap_of_a_draft_that_is_sent_twice_counts_once(rack):
    table, ann, _, seen = rack
    for tap, what in (("1", {"add": "blue dot"}), ("2", {"add": "blue dot"}), ("3", {"drop": 1})):
        for _ in range(2):
            sent = {name: seen[name] for name in ("at", "for")} | what
            assert ann.post(part=sent, tap=tap).status_code == 200
    assert blocks(table) == ["blue dot"]


def hand_by(phone, table):
    """A hand of Rummy made whole by a phone, and what the other phone saw before its last answer."""
    phone.put(["winner"], "Ann", **{"for": "", "head": 0, "seen": 0})
    draft = drafted(table)
    seen = {"for": draft["id"], "head": 0, "seen": draft["revision"]}
    phone.put(["hands", "Bert", "count"], 7, **seen)
    return seen


def test_a_late_answer_for_a_hand_that_is_open_again_fills_it(db):
    table = sit_down(game="rummy-1916", players=["Ann", "Bert"])
    ann, bert = Script(table, "Ann"), Script(table, "Bert")
    seen = hand_by(ann, table)
    assert ann.post(part={"reopen": seen["for"]}, tap="undo").status_code == 200
    assert bert.put(["hands", "Bert", "count"], 9, **seen).status_code == 200
    assert ledger.position(table.pad).standing[0]["hands"] == {"Bert": {"count": 9}}
    asked = refusal(ann.put(["hands", "Bert", "count"], 8, **seen))
    assert asked["code"] == "counted-already" or "You said 8" in asked["message"]


def test_a_late_answer_to_a_hand_that_was_made_whole_anew_is_asked_about(db):
    table = sit_down(game="rummy-1916", players=["Ann", "Bert"])
    ann, bert = Script(table, "Ann"), Script(table, "Bert")
    seen = hand_by(ann, table)
    ann.post(part={"reopen": seen["for"]}, tap="undo")
    again = drafted(table)
    seen = {"for": again["id"], "head": 2, "seen": again["revision"]}
    ann.put(["hands", "Bert", "count"], 8, **seen)
    asked = refusal(bert.put(["hands", "Bert", "count"], 9, **seen))
    assert asked["code"] == "differs" and "You said 9 for Bert." in asked["message"]
    assert bert.enter({"id": "x", **asked["ask"]["instead"]["body"]}).status_code == 200
    assert ledger.position(table.pad).standing[0]["hands"] == {"Bert": {"count": 9}}


def test_a_late_answer_to_a_hand_that_was_struck_out_is_told(db):
    table = sit_down(game="rummy-1916", players=["Ann", "Bert"])
    ann, bert = Script(table, "Ann"), Script(table, "Bert")
    seen = hand_by(ann, table)
    ann.enter({"id": "v", "type": "void", "of": seen["for"]})
    assert "was struck out" in refusal(bert.put(["hands", "Bert", "count"], 9, **seen))["message"]
    assert bert.put(["hands", "Bert", "count"], 7, **seen).status_code == 200
    assert "was struck out" in refusal(bert.put(["winner"], "Bert", **{"for": "", "head": 0}))["message"]
    assert drafted(table) is None


def test_a_late_first_answer_does_not_go_into_the_next_hand(db):
    table = sit_down(game="rummy-1916", players=["Ann", "Bert"])
    ann, bert = Script(table, "Ann"), Script(table, "Bert")
    hand_by(ann, table)
    ann.put(["winner"], "Ann", **{"for": "", "head": 1, "seen": 0})
    late = {"for": "", "head": 0, "seen": 0}
    assert bert.put(["hands", "Bert", "count"], 7, **late).status_code == 200
    assert "You said 9 for Bert." in refusal(bert.put(["hands", "Bert", "count"], 9, **late))["message"]
    assert drafted(table)["entry"] == {"type": "hand", "winner": "Ann"}


def test_a_late_first_answer_goes_into_a_hand_that_is_open_again(db):
    table = sit_down(game="rummy-1916", players=["Ann", "Bert"])
    ann, bert = Script(table, "Ann"), Script(table, "Bert")
    ann.post(part={"reopen": hand_by(ann, table)["for"]}, tap="undo")
    late = {"for": "", "head": 0, "seen": 0}
    assert bert.put(["hands", "Bert", "count"], 9, **late).status_code == 200
    assert ledger.position(table.pad).standing[0]["hands"] == {"Bert": {"count": 9}}


def test_what_is_begun_while_another_phone_corrects_is_not_late(db):
    table = sit_down(game="rummy-1916", players=["Ann", "Bert"])
    ann, bert = Script(table, "Ann"), Script(table, "Bert")
    seen = hand_by(ann, table)
    change = {"type": "hand", "winner": "Ann", "hands": {"Bert": {"count": 8}}}
    ann.enter({"id": "a", "type": "amend", "of": seen["for"], "entry": change})
    assert bert.put(["winner"], "Bert", **{"for": "", "head": 1, "seen": 0}).status_code == 200
    assert drafted(table)["entry"] == {"type": "hand", "winner": "Bert"}


def test_what_is_taken_back_from_an_entry_that_is_gone_is_gone(db):
    table = sit_down(game="rummy-1916", players=["Ann", "Bert"])
    ann = Script(table, "Ann")
    ann.put(["winner"], "Ann", **{"for": "", "head": 0, "seen": 0})
    clear = {"at": ["winner"], "clear": True, "for": drafted(table)["id"]}
    for _ in range(2):
        assert ann.post(part=clear, tap="undo").status_code == 200
    assert drafted(table) is None


def test_a_begin_that_is_sent_again_when_its_hand_is_whole_begins_nothing(db):
    """It would have begun a draft by the name of that hand, which was dropped when it was whole."""
    table = sit_down(game="rummy-1916", players=["Ann", "Bert"])
    ann, bert = Script(table, "Ann"), Script(table, "Bert")
    for _ in range(2):
        assert ann.post(begin={"type": "hand"}, tap="b").status_code == 200
        assert drafted(table)["id"] == "b"
    hand_by(bert, table)
    assert drafted(table) is None
    assert ann.post(begin={"type": "hand"}, tap="b").status_code == 200
    assert drafted(table) is None
    ann.put(["winner"], "Ann")
    ann.put(["hands", "Bert", "count"], 8)
    assert head(table) == 2


def test_an_entry_that_two_phones_have_begun_is_one_by_either_name(db):
    table = sit_down(game="rummy-1916", players=["Ann", "Bert"])
    ann, bert = Script(table, "Ann"), Script(table, "Bert")
    bert.post(begin={"type": "hand"}, tap="b1")
    ann.post(begin={"type": "hand"}, tap="a1")
    answer = ann.post(part={"at": ["winner"], "put": "Ann", "for": "a1", "head": 0}, tap="a2")
    assert answer.status_code == 200
    assert drafted(table)["entry"]["winner"] == "Ann"
    ann.post(part={"at": ["hands", "Bert", "count"], "put": 7, "for": "a1", "head": 0}, tap="a3")
    assert (drafted(table), head(table)) == (None, 1)


def test_what_was_begun_is_not_open_any_more_once_an_entry_of_its_name_is_stored(db):
    table = sit_down(game="rummy-1916", players=["Ann", "Bert"])
    ann = Script(table, "Ann")
    ann.post(begin={"type": "hand"}, tap="b")
    hand = {"id": "b", "type": "hand", "winner": "Ann", "hands": {"Bert": {"count": 7}}}
    assert ann.enter(hand).status_code == 200
    assert drafted(table) is None
    ann.put(["winner"], "Bert", **{"for": "", "head": 1})
    ann.put(["hands", "Ann", "count"], 8)
    assert head(table) == 2


def test_programs_are_not_asked_unless_they_wish(table, ann):
    ann.enter(victory("one"))
    [asked] = table.player.enter(victory("three"), ask_twins=True, who="Cleo")
    assert (asked["status"], asked["error"]["code"]) == ("refused", "twin")
    assert asked["error"]["ask"]["instead"] == {"another": True}
    [stored] = table.player.enter(victory("three"))
    assert stored["status"] == "stored"


def test_without_a_script_the_page_asks(table, ann):
    ann.enter(victory("one"))
    client = browser_of(table.keeper)
    client.get(ann.pad)
    form = {
        "csrfmiddlewaretoken": client.cookies["csrftoken"].value,
        "tap": "two",
        "enter": json.dumps({"type": "victory", "player": "Ann", "color": "red"}),
    }
    page = client.post(f"{ann.pad}tap/", form)
    assert page.status_code == 422
    assert "Was that the same one?" in page.content.decode()
    assert 'name="tap" value="two"' in page.content.decode()
    for _ in range(2):
        assert client.post(f"{ann.pad}tap/?another=1", form).status_code == 302
    assert head(table) == 2


@pytest.mark.parametrize(
    "marks", ["x", "[]", "7", '{"two": 3}', '{"two": {"age": -1}}', '{"two": {"age": "x"}}']
)
def test_marks_that_cannot_be_read_lose_no_tap(table, bert, marks):
    sent = {"entries": json.dumps([victory("two")]), "marks": marks}
    assert bert.client.post(f"{bert.pad}tap/", sent, headers=bert.headers).status_code == 200


def test_a_log_says_when_a_tap_was_made(table, ann):
    ann.enter(victory("one"), age=60_000)
    [row] = table.pad.entries.all()
    assert abs(row.tapped_at - (timezone.now() - timedelta(seconds=60))) < timedelta(seconds=10)
    assert row.phone


@pytest.mark.django_db
def test_what_other_phones_entered_is_read_once_for_all_taps_of_a_request(monkeypatch):
    """However many taps come at once, and however many others there are: 500 of them took ten seconds."""
    table = sit_down(options={"target": 10_000})
    ann, bert = Script(table, "Ann"), Script(table, "Bert")
    log = list(islice((one for one in plain_entries("ann") if one["player"] != "Dora"), 90))
    for start in range(0, 90, 45):
        assert ann.enter(*log[start : start + 45], age=5_000).status_code == 200
    asked, written = [], []
    monkeypatch.setattr(ledger, "tapped_between", counted(ledger.tapped_between, asked))
    monkeypatch.setattr("scorepad.twins.canonical", counted(canonical, written))
    assert bert.enter(victory("b1", "Bert", "blue"), victory("b2", "Bert", "blue")).status_code == 200
    assert len(asked) == 1
    assert len(written) <= 2 + 40


def counted(work, calls):
    def call(*given):
        calls.append(given)
        return work(*given)

    return call
