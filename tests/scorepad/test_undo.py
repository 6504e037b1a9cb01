"""Undo is this phone's own last tap; what another phone has entered is corrected instead."""

import html
import json
import re

import pytest

from scorepad import ledger
from tests.scorepad.conftest import sit_down, victory
from tests.scorepad.test_twins import Script


class Thumb(Script):
    """A phone that reads its own Undo key from the pad and taps it."""

    def line(self):
        drawn = self.client.get(f"{self.pad}fragment/").content.decode()
        return re.search(r'<section id="last".*?</section>', drawn, re.S)[0]

    def offered(self):
        """What Undo sends and says; or the address of the correction, with what it would correct."""
        line = self.line()
        key = re.search(r'name="(\w+)"\s+value="([^"]*)"\s+aria-label="Undo: ([^"]*)"', line)
        if key:
            return key[1], json.loads(html.unescape(key[2])), html.unescape(key[3])
        link = re.search(r'<a href="([^"]*)">\s*<span>Correct <small>([^<]*)', line)
        return (link[1], link[2]) if link else None

    def undo(self, tap=None):
        name, value, _ = self.offered()
        return self.send_undo(name, value, tap or ledger.new_id())

    def send_undo(self, name, value, tap):
        if name == "enter":
            return self.enter({"id": tap, **value})
        sent = {"part": json.dumps(value), "tap": tap}
        return self.client.post(f"{self.pad}tap/", sent, headers=self.headers)

    def store(self, entry_id, *entries):
        """Store these together, on the page that corrects this entry."""
        headers = {**self.headers, "X-Fragment": "1"}
        return self.client.post(
            f"{self.pad}correct/{entry_id}/", {"store": json.dumps(entries)}, headers=headers
        )

    def answer(self, *answers):
        for at, value in answers:
            what = "add" if at[-1] == "blocks" else "put"
            assert self.post(part={"at": at, what: value}).status_code == 200


def draft(table):
    return table.watcher.get("draft.json").json()["draft"]


def standing(table):
    return [
        {key: value for key, value in entry.items() if key != "id"}
        for entry in ledger.position(table.pad).standing.values()
    ]


@pytest.fixture
def victories(table):
    return table, Thumb(table, "Ann"), Thumb(table, "Bert")


@pytest.fixture
def racks(db):
    table = sit_down(game="thumbs-up")
    return table, Thumb(table, "Ann"), Thumb(table, "Bert")


@pytest.fixture
def counts(db):
    table = sit_down(game="rummy-1916")
    return table, Thumb(table, "Ann"), Thumb(table, "Bert")


HAND = [(["winner"], "Ann"), (["hands", "Bert", "count"], 7), (["hands", "Cleo", "count"], 4)]


def test_undo_names_what_it_takes_back(victories):
    _, ann, _ = victories
    ann.enter(victory("one"))
    assert ann.offered() == ("enter", {"type": "void", "of": "one"}, "Ann red victory")


def test_what_another_phone_entered_is_corrected(victories):
    table, ann, bert = victories
    ann.enter(victory("one"))
    assert bert.offered() == (f"/pads/{table.code}/correct/one/", "Ann red victory")


def test_an_own_entry_under_a_newer_one_is_corrected_too(victories):
    table, ann, bert = victories
    ann.enter(victory("one"))
    bert.enter(victory("two", "Bert"))
    assert ann.offered() == (f"/pads/{table.code}/correct/one/", "Ann red victory")
    bert.undo()
    assert ann.offered()[1] == {"type": "void", "of": "one"}


def test_without_the_guard_a_neighbours_hand_is_erased(victories):
    """The control: the entry that Undo sent before, from the other phone."""
    table, ann, bert = victories
    ann.enter(victory("one"))
    assert bert.enter({"id": "x", "type": "void", "of": "one"}).status_code == 200
    assert standing(table) == []


def test_one_block_of_the_rack_is_taken_back_and_not_a_neighbours(racks):
    table, ann, bert = racks
    rack = ["losers", "Cleo", "blocks"]
    ann.answer((["winner"], "Ann"), (rack, "blue dot"), (rack, "red dash"))
    bert.answer((rack, "green dot"))
    assert ann.offered()[1:] == ({"at": rack, "drop": 1, "piece": "red dash"}, "Cleo red dash")
    assert ann.undo().status_code == 200
    assert draft(table)["entry"]["losers"]["Cleo"]["blocks"] == ["blue dot", "green dot"]
    assert bert.offered()[2] == "Cleo green dot"
    ann.undo()
    assert draft(table)["entry"]["losers"]["Cleo"]["blocks"] == ["green dot"]
    ann.undo()
    assert "winner" not in draft(table)["entry"]
    assert draft(table)["entry"]["losers"]["Cleo"]["blocks"] == ["green dot"]


def test_a_stored_hand_opens_again_with_all_answers_but_the_last(counts):
    table, ann, _ = counts
    ann.answer(*HAND)
    assert len(standing(table)) == 1
    name, sent, words = ann.offered()
    assert (name, list(sent)) == ("part", ["reopen"])
    assert words.startswith("Ann")
    assert ann.undo().status_code == 200
    assert standing(table) == []
    assert draft(table)["entry"] == {"type": "hand", "winner": "Ann", "hands": {"Bert": {"count": 7}}}
    ann.answer((["hands", "Cleo", "count"], 5))
    entries = table.watcher.get("sheet.json").json()["entries"]
    assert [entry["type"] for entry in entries] == ["hand", "void", "amend"]
    assert entries[2]["of"] == entries[0]["id"]
    assert standing(table)[0]["hands"] == {"Bert": {"count": 7}, "Cleo": {"count": 5}}
    assert draft(table) is None


def test_undo_goes_on_through_the_hand_and_can_begin_again(counts):
    table, ann, _ = counts
    ann.answer(*HAND)
    ann.undo("1")
    ann.undo("2")
    assert draft(table)["entry"] == {"type": "hand", "winner": "Ann"}
    ann.answer(*HAND[1:])
    ann.undo("3")
    assert draft(table)["entry"]["hands"] == {"Bert": {"count": 7}}
    ann.answer(HAND[2])
    assert len(standing(table)) == 1


def test_the_answers_of_others_stay_when_a_hand_opens_again(counts):
    table, ann, bert = counts
    ann.answer(*HAND[:2])
    bert.answer(HAND[2])
    assert ann.offered()[0].startswith("/pads/")
    bert.undo()
    assert draft(table)["entry"]["hands"] == {"Bert": {"count": 7}}
    assert bert.offered() is None
    assert ann.offered()[2] == "Bert 7"


def test_undo_that_is_sent_twice_opens_it_once(counts):
    table, ann, _ = counts
    ann.answer(*HAND)
    _, sent, _ = ann.offered()
    for _ in range(3):
        body = {"part": json.dumps(sent), "tap": "undo"}
        assert ann.client.post(f"{ann.pad}tap/", body, headers=ann.headers).status_code == 200
    assert [entry["type"] for entry in table.watcher.get("sheet.json").json()["entries"]] == ["hand", "void"]


def test_what_was_begun_since_is_not_disturbed(counts):
    table, ann, bert = counts
    ann.answer(*HAND)
    _, sent, _ = ann.offered()
    bert.answer((["winner"], "Bert"))
    assert ann.offered()[0] == f"/pads/{table.code}/correct/{sent['reopen']}/"
    late = ann.client.post(f"{ann.pad}tap/", {"part": json.dumps(sent), "tap": "late"}, headers=ann.headers)
    assert json.loads(late.headers["X-Refusal"])["code"] == "entered-since"
    assert len(standing(table)) == 1


def test_a_hand_of_another_phone_is_not_reopened(counts):
    table, ann, bert = counts
    ann.answer(*HAND)
    _, sent, _ = ann.offered()
    body = {"part": json.dumps(sent), "tap": "theirs"}
    tried = bert.client.post(f"{bert.pad}tap/", body, headers=bert.headers)
    assert json.loads(tried.headers["X-Refusal"])["code"] == "not-yours"
    assert len(standing(table)) == 1


@pytest.mark.parametrize("of", [7, None, [], "nobody"])
def test_a_reopening_of_nothing_changes_nothing(counts, of):
    table, ann, _ = counts
    assert ann.post(part={"reopen": of}).status_code in (200, 422)
    assert table.watcher.result()["head"] == 0
