"""A phone without network and its table both went on: nothing is merged silently, and a person chooses."""

import json
import re

import pytest
from django.utils import timezone

import engine
from scorepad import both_lists, exports, ledger, pad_copies, pads, replay_budget
from scorepad.ledger import cache
from scorepad.models import Draft, Entry, Pad
from tests.scorepad.conftest import capture, sit_down, victory
from tests.scorepad.test_twins import Script, head, refusal

LONG = 60_000


@pytest.fixture
def ann(table):
    return Script(table, "Ann")


@pytest.fixture
def bert(table):
    return Script(table, "Bert")


def away(script, *entries, seen, waited=LONG, **more):
    """Entries of a phone that had no network and knew so many entries of the log."""
    marks = {entry["id"]: {"age": waited, "away": waited, "seen": seen, **more} for entry in entries}
    return script.post(entries=list(entries), marks=marks)


def compared(script, *entries, seen, another=()):
    answer = script.client.post(
        f"{script.pad}compare/",
        {"seen": seen, "entries": json.dumps(entries), "another": json.dumps(another)},
        headers=script.headers,
    )
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def own(script, *entries, seen, name="n" * 64):
    sent = {"seen": seen, "entries": json.dumps(entries), "name": name}
    return script.client.post(f"{script.pad}own/", sent, headers=script.headers)


def test_what_waited_is_stored_where_the_table_has_not_gone_on(table, ann):
    ann.enter(victory("one"))
    assert away(ann, victory("two", "Bert", "white"), seen=1).status_code == 200
    # The answer was lost: sent again it is known, whatever the others have entered since.
    assert away(ann, victory("two", "Bert", "white"), seen=1).status_code == 200
    assert head(table) == 2


@pytest.mark.parametrize("more", [{}, {"waited": 500, "scored": True}])
def test_where_both_went_on_nothing_is_stored(table, ann, bert, more):
    ann.enter(victory("one"))
    bert.enter(capture("theirs", "Bert"))
    told = refusal(away(ann, victory("two", "Bert", "white"), seen=1, **more))
    assert told["code"] == "both-went-on"
    assert told["message"].startswith("The table has 1 entry that this phone has not seen.")
    assert head(table) == 2
    # As of what it has seen now, it is sent after theirs.
    assert away(ann, victory("two", "Bert", "white"), seen=2).status_code == 200


def test_a_short_wait_is_no_time_without_network(table, ann, bert):
    bert.enter(capture("theirs", "Bert"))
    assert away(ann, victory("two", "Ann", "white"), seen=0, waited=5_000).status_code == 200
    assert head(table) == 2


def test_a_log_longer_than_a_replay_keeps_at_hand_is_looked_through(table, ann, bert, monkeypatch):
    monkeypatch.setattr(cache, "RECENT_MOST", 2)
    bert.enter(capture("theirs", "Bert"))
    ann.enter(victory("one"), victory("two", "Ann", "white"), victory("three", "Ann", "blue"))
    assert refusal(away(ann, capture("four"), seen=0))["code"] == "both-went-on"


def test_a_part_is_held_back_as_an_entry_is(table, ann, bert):
    bert.enter(victory("theirs", "Bert"))
    part = {"at": ["player"], "put": "Ann", "for": "", "head": 0}
    sent = {"part": json.dumps(part), "tap": "t1", "marks": json.dumps({"t1": {"seen": 0, "scored": True}})}
    answer = ann.client.post(f"{ann.pad}tap/", sent, headers=ann.headers)
    assert refusal(answer)["code"] == "both-went-on"


@pytest.mark.django_db
def test_what_is_begun_is_held_back_as_a_part_is():
    table = sit_down(game="rummy-1916", players=["Ann", "Bert"])
    ann, bert = Script(table, "Ann"), Script(table, "Bert")
    bert.enter({"id": "h", "type": "hand", "winner": "Bert", "hands": {"Ann": {"count": 3}}})
    begun = {"tap": "b", "begin": {"type": "hand"}, "marks": {"b": {"seen": 0, "scored": True}}}
    assert refusal(ann.post(**begun))["code"] == "both-went-on"
    assert not Draft.objects.exists()
    begun["marks"]["b"]["seen"] = 1
    assert ann.post(**begun).status_code == 200
    assert Draft.objects.get().entry_id == "b"


def test_of_a_long_list_of_the_table_the_newest_are_shown(table, ann, bert, monkeypatch):
    monkeypatch.setattr(both_lists, "SHOWN_MOST", 2)
    bert.enter(victory("x", "Bert"), victory("y", "Cleo"), victory("z", "Bert", "blue"))
    page = compared(ann, victory("two", "Ann", "white"), seen=0)
    assert re.search(r"the table has\s+3", page) and "1 earlier, then these:" in page
    assert "Bert red victory" not in page and "Bert blue victory" in page


def test_both_lists_are_shown_with_the_totals_each_way(table, ann, bert):
    ann.enter(victory("one"))
    bert.enter(victory("x", "Bert", "white"), capture("y", "Cleo"))
    mine = (victory("a", "Bert", "white"), victory("b", "Cleo", "blue"))
    page = compared(ann, *mine, seen=1)
    words = text_of(page)
    assert "You entered 2, the table has 2 you have not seen" in words
    assert "The table has it too: entry 2. It counts once." in words
    assert "Ann 10 10 10 Bert 10 10 10 Cleo 50 60 10" in words
    assert 'data-left-out="a "' in page and 'data-head="3"' in page
    twice = text_of(compared(ann, *mine, seen=1, another=["a"]))
    assert "Not the same as entry 2" in twice and "Bert 10 20 10" in twice
    assert head(table) == 3


def test_what_would_be_refused_says_why_with_its_passage(table, ann, bert):
    ended = table.keeper.post("stop/")
    assert ended.status_code == 200
    page = text_of(compared(ann, victory("a"), seen=0))
    assert "Will be refused after theirs: This pad is stopped. Its owner can reopen it." in page


def test_what_does_not_stand_on_the_phone_either_is_told_in_words(table, ann, bert):
    bert.enter(victory("x", "Bert", "white"))
    strange = [{"type": "void", "of": "gone"}, {"type": ["x"]}, {"type": "dance"}, {"type": "void", "of": {}}]
    mine = [{"id": f"s{place}", **body} for place, body in enumerate(strange)]
    page = compared(ann, {**victory("m"), "color": "mauve"}, *mine, seen=0)
    assert page.count("<span data-words>A correction</span>") == 2 and "mauve" in page


def test_an_entry_that_another_one_corrects_is_no_twin(table, ann, bert):
    bert.enter(victory("x", "Bert", "white"))
    page = compared(ann, victory("a", "Bert", "white"), {"id": "b", "type": "void", "of": "a"}, seen=0)
    assert 'data-left-out=""' in page and "refused" not in page


def test_the_phones_list_becomes_a_pad_of_its_own_once(table, ann, bert):
    ann.enter(victory("one"))
    bert.enter(capture("theirs", "Bert"))
    made = own(ann, victory("a", "Cleo", "blue"), seen=1).json()
    assert own(ann, victory("a", "Cleo", "blue"), seen=1).json()["pad"] == made["pad"]
    pad = Pad.objects.get(code=made["pad"].split("/")[2])
    assert Pad.objects.count() == 2
    assert [one.id for one in ledger.log(pad)] == ["one", "a"]
    assert dict(ledger.position(pad).result().totals) == {"Ann": 10, "Bert": 0, "Cleo": 10}
    assert (pad.variant, pad.options, pads.stopped(pad)) == (table.pad.variant, table.pad.options, None)
    # The owner's link is for those it was given to: a newer one is not told.
    table_of = pad.links.filter(role="keep").first()
    table_of.revoked_at = timezone.now()
    table_of.save()
    assert refusal_json(own(ann, victory("a", "Cleo", "blue"), seen=1)) == "link-ended"


def text_of(page):
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def refusal_json(answer):
    assert answer.status_code == 422
    return answer.json()["error"]["code"]


def test_what_was_stored_with_its_answer_lost_is_before_the_two_parted(table, ann, bert):
    ann.enter(victory("one"))
    ann.enter(victory("sent", "Bert", "white"))
    bert.enter(capture("theirs", "Bert"))
    mine = (victory("sent", "Bert", "white"), {"id": "v", "type": "void", "of": "sent"})
    words = text_of(compared(ann, *mine, seen=1))
    assert "You entered 1, the table has 1 you have not seen" in words and "refused" not in words
    assert "Bert 60 50 0" in words
    made = own(ann, *mine, seen=1).json()
    pad = Pad.objects.get(code=made["pad"].split("/")[2])
    assert [one.id for one in ledger.log(pad)] == ["one", "sent", "v"]


def test_a_pad_of_its_own_needs_a_name_and_what_was_seen(table, ann):
    assert refusal_json(own(ann, victory("a"), seen=0, name="short")) == "bad-request"
    assert refusal_json(own(ann, victory("a"), seen="?")) == "bad-request"
    assert refusal_json(own(ann, *[victory(str(nth)) for nth in range(501)], seen=0)) == "bad-request"


@pytest.mark.django_db
def test_a_draft_is_named_by_the_tap_that_begins_it():
    ann = Script(sit_down(game="rummy-1916"))
    sent = {"part": json.dumps({"at": ["winner"], "put": "Ann", "for": "", "head": 0}), "tap": "t1"}
    page = ann.client.post(f"{ann.pad}tap/", sent, headers=ann.headers)
    assert 'data-draft="t1"' in page.content.decode()


def test_a_copy_has_the_log_without_links_and_goes_on_where_it_ended(table, ann):
    ann.enter(victory("one"))
    whole = table.player.get("copy.json").json()
    assert [row["entry_id"] for row in whole["entries"]] == ["one"]
    assert whole["engine"] == engine.__version__ and whole["role"] == "play" and whole["draft"] == []
    assert "links" not in whole and "id" not in whole["pad"]
    ann.enter(capture("two"))
    seal = whole["entries"][0]["seal"]
    rest = table.player.get(f"copy.json?after=1&seal={seal}").json()
    assert (rest["after"], [row["entry_id"] for row in rest["entries"]]) == (1, ["two"])
    # Of another log, as after a restore, all of it comes.
    other = table.player.get(f"copy.json?after=1&seal={'0' * 64}").json()
    assert (other["after"], len(other["entries"])) == (0, 2)
    assert table.stranger.get("copy.json").status_code == 404


def test_a_copy_names_no_phone_but_the_one_that_asks(db):
    table = sit_down(game="thumbs-up")
    ann, bert = Script(table, "Ann"), Script(table, "Bert")
    ann.put(["winner"], "Ann", **{"for": "", "head": 0, "seen": 0})
    rack = {"at": ["losers", "Cleo", "blocks"], "for": Draft.objects.get().entry_id, "add": "blue dot"}
    bert.post(part=rack)
    phones = {part["seat"]: part["phone"] for part in Draft.objects.get().parts}
    own, other = phones[0], phones[1]
    seen = ann.client.get(f"{ann.pad}copy.json")
    assert own in seen.content.decode() and other not in seen.content.decode()
    assert [part["phone"] for part in seen.json()["draft"][0]["parts"]] == [own, "another"]
    bert.enter({"id": "x", "type": "hand", "winner": "Ann"})
    assert own not in table.watcher.get("copy.json").content.decode()


def test_what_was_answered_by_others_is_in_a_copy_without_their_phones(db):
    table = sit_down(game="rummy-1916", players=["Ann", "Bert"])
    ann, bert = Script(table, "Ann"), Script(table, "Bert")
    ann.put(["winner"], "Ann", **{"for": "", "head": 0, "seen": 0})
    bert.put(["hands", "Bert", "count"], 7, **{"for": Draft.objects.get().entry_id, "seen": 1})
    row = Entry.objects.get()
    [told] = bert.client.get(f"{bert.pad}copy.json").json()["entries"]
    assert told["phone"] == row.phone and row.answers[0]["phone"] != row.phone
    assert [part["phone"] for part in told["answers"]] == ["another"]
    assert [stroke[0] for stroke in told["answers"][0]["strokes"]] == ["another"]


def test_a_long_pad_of_its_own_is_paid_for_like_any_long_log(table, ann, bert, settings, monkeypatch):
    ann.enter(victory("one"))
    bert.enter(capture("theirs", "Bert"))
    settings.ENTRIES_REPLAYED_FREE_MOST = 2
    paid, read = [], exports.pad_json
    working = replay_budget.budget._working
    monkeypatch.setattr(exports, "pad_json", lambda pad: paid.append(working.get()) or read(pad))
    assert own(ann, victory("a", "Cleo", "blue"), seen=1).status_code == 200
    assert paid == [True]


def test_a_long_copy_is_paid_for_and_the_rest_of_it_is_not(table, ann, settings, monkeypatch):
    ann.enter(victory("a"), victory("b", "Bert"), victory("c", "Cleo"))
    settings.ENTRIES_REPLAYED_FREE_MOST = 2
    paid, read = [], pad_copies._copied
    working = replay_budget.budget._working
    monkeypatch.setattr(pad_copies, "_copied", lambda *asked: paid.append(working.get()) or read(*asked))
    seal = ann.client.get(f"{ann.pad}copy.json").json()["entries"][0]["seal"]
    rest = ann.client.get(f"{ann.pad}copy.json?after=1&seal={seal}").json()
    assert len(rest["entries"]) == 2 and paid == [True, False]
