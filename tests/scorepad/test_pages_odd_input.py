"""Odd input gets a sentence, never a fault of ours."""

import json

import pytest
from django.test import Client

from scorepad import ledger, new_pads
from scorepad.access import permissions
from scorepad.forms import whole

pytestmark = pytest.mark.django_db

ODD = ["²", "--5", "9" * 5000, "٣", "1e3", "", "-1"]


def opened(game="victory-rummy"):
    new = new_pads.create({"game": game, "players": ["Ann", "Bert"]})
    client = Client()
    client.get(new.keep)
    return new.pad, client


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("7", 7),
        (" 12 ", 12),
        ("-5", -5),
        ("²", None),
        ("--5", None),
        ("٣", None),
        ("9" * 10, None),
        ("", None),
    ],
)
def test_a_number_is_a_few_plain_digits(typed, number):
    assert whole(typed) == number


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_seat_is_nobodys(odd):
    pad, client = opened()
    assert client.post(f"/pads/{pad.code}/seat/", {"seat": odd}).status_code == 302
    request = client.get(f"/pads/{pad.code}/table/").wsgi_request
    assert permissions.required(request, pad.code).who.seat is None


@pytest.mark.parametrize("odd", ["²", "--5", "9" * 5000])
def test_an_odd_count_of_chips_is_asked_again(odd):
    pad, client = opened("thumbs-up")
    answer = client.post(f"/pads/{pad.code}/checks/", {"counted": [odd, "5"]})
    assert "A count is a whole number" in answer.content.decode()


@pytest.mark.parametrize("odd", ODD)
def test_history_at_an_odd_moment_is_history_now(odd):
    pad, client = opened()
    ledger.append(pad, [{"id": "a", "type": "victory", "player": "Ann", "color": "red"}])
    answer = client.get(f"/pads/{pad.code}/history/", {"at": odd})
    assert (answer.status_code, answer.context["at"]) == (200, 1)
    assert client.get(f"/pads/{pad.code}/history/?at=0").context["at"] == 0


@pytest.mark.parametrize("odd", ODD)
def test_there_is_no_odd_sample(odd):
    assert Client().post("/pads/samples/", {"sheet": f"victory-rummy/{odd}"}).status_code == 404


@pytest.mark.parametrize("odd", ["²", "--5", "9" * 5000])
def test_an_odd_option_is_refused_with_a_sentence(odd):
    wish = {"game": "rap-rummy", "name": ["Ann", "Bert"], "rounds": odd, "dealer": odd}
    answer = Client().post("/pads/new/", wish)
    assert answer.status_code == 422
    assert "cannot be" in answer.content.decode()


HAND = {"id": "h", "type": "hand", "winner": "Ann", "hands": {"Bert": {"count": 9}}}
MADE = '{"type": "hand", "winner": "Ann", "hands": {"Bert": {"count": 9}}, "done": []}'


@pytest.mark.parametrize(
    "form",
    [
        {"made": "[" * 100_000},
        {"made": "nothing"},
        {"made": "[]"},
        {"made": '{"type": []}'},
        {"made": '{"type": "victory"}'},
        {"made": '{"type": "hand", "hands": 5}'},
        {"made": '{"type": "hand", "hands": {"Bert": 5}}'},
        {"made": '{"type": "hand", "hands": {"Zoe": {"count": 5}}}'},
        {"made": '{"type": "hand", "done": 5}'},
        {"made": '{"type": "hand", "winner": "\\ud800"}'},
        {"made": MADE, "part": '{"at": ["hands", "Bert", "count"], "put": "x"}'},
        {"made": MADE, "part": '{"at": ["winner"], "add": "x"}'},
        {"made": MADE, "part": '{"at": ["hands", "Bert"], "put": "x"}'},
        {"made": MADE, "part": '{"at": 5}'},
        {"made": MADE, "part": "5"},
        {"made": MADE, "units": '{"at": ["hands", "Bert", "count"], "units": "x"}'},
        {"made": MADE, "units": '{"at": ["hands", "Bert", "count"], "units": 1}', "tens": "²"},
        {"made": MADE, "enter": '{"type": 5}'},
        {"store": "[[]]"},
        {"store": '{"type": "amend", "of": "h", "entry": 5}'},
    ],
)
def test_an_odd_correction_is_refused_and_the_page_stays(form):
    pad, client = opened("rummy-1916")
    ledger.append(pad, [HAND])
    answer = client.post(f"/pads/{pad.code}/correct/h/", form)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert ledger.head(pad) == 1


def test_a_whole_entry_sent_to_a_correction_can_be_stored_at_once():
    pad, client = opened("rap-rummy")
    hands = {"Ann": {"count": 20}, "Bert": {"count": 9}}
    ledger.append(pad, [{"id": "h", "type": "hand", "rapper": None, "hands": hands}])
    eight = ["C9", "D9", "F9", "B10", "B1", "D2", "C3", "F4"]
    other = {"type": "hand", "rapper": None, "hands": {**hands, "Bert": {"cards": eight}}}
    page = client.post(f"/pads/{pad.code}/correct/h/", {"enter": json.dumps(other)}).content.decode()
    assert "Store the correction" in page


@pytest.mark.parametrize("odd", [[1], {}, 3, None])
def test_another_one_with_an_odd_id_is_refused(odd):
    pad, client = opened()
    entry = {"id": odd, "type": "victory", "player": "Ann", "color": "red"}
    answer = client.post(f"/pads/{pad.code}/tap/?another", {"enter": json.dumps(entry)})
    assert answer.status_code == 422
    assert ledger.head(pad) == 0


@pytest.mark.parametrize(
    ("at", "odd"),
    [(["winner"], [1]), (["winner"], {}), ([[1]], 3), (["hands", {}], 3)],
)
@pytest.mark.parametrize("late", [False, True])
def test_an_odd_part_is_refused_in_time_and_late(at, odd, late):
    pad, client = opened("rummy-1916")
    if late:
        ledger.append(pad, [HAND], ledger.Who(device="another phone"))
    part = {"at": at, "put": odd, **({"for": "h", "head": 0} if late else {})}
    assert client.post(f"/pads/{pad.code}/tap/", {"part": json.dumps(part)}).status_code == 422


def test_what_is_no_list_of_pieces_is_refused():
    pad, client = opened("thumbs-up")
    part = {"at": ["losers", "Bert", "blocks"], "put": True}
    assert client.post(f"/pads/{pad.code}/tap/", {"part": json.dumps(part)}).status_code == 422
