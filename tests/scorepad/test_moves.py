"""A pad from a phone becomes a pad of the site: once, whole, whatever the table did since."""

import copy
import json

import pytest
from django.test import Client

from engine.declared.golden import pinned_sheet
from scorepad.access import links
from scorepad.models import Declaration, Draft, Entry, Pad
from tests.engine.declarations import EXAMPLES, example

pytestmark = pytest.mark.django_db
NAME = "c0ffee" + "0" * 58
SECOND = "2" * 64


def file(entries=2, **more):
    log = [{"seat": n % 2, "device": "", "made": f"2026-05-01T19:3{n}:00.123456Z"} for n in range(entries)]
    bodies = [
        {
            "id": f"e{n}",
            "type": "victory",
            "player": ("Ada", "Ben")[n % 2],
            "color": ("red", "white", "blue")[n],
        }
        for n in range(entries)
    ]
    sheet = {"tally": 1, "game": "victory-rummy", "players": ["Ada", "Ben"], "entries": bodies}
    taps = [{"phone": "abc", "tapped": None, "answers": None} for _ in range(entries)]
    return {"phone_pad": NAME, "pad": {"pad": 1, "sheet": sheet, "log": log}, "taps": taps, **more}


def move(client, sent):
    return client.post("/pads/move/", json.dumps(sent), content_type="application/json")


def test_a_pad_keeps_ids_times_authors_phones_and_its_draft(client):
    draft = {"id": "d1", "type": "victory", "parts": []}
    told = move(client, file(draft=draft))
    assert told.status_code == 200, told.content
    rows = Entry.objects.order_by("number")
    assert [(row.entry_id, row.seat, row.phone) for row in rows] == [("e0", 0, "abc"), ("e1", 1, "abc")]
    assert rows[0].made_at.isoformat() == "2026-05-01T19:30:00.123456+00:00"
    assert Draft.objects.get().entry_id == "d1"
    assert client.get(told.json()["keep"], follow=True).status_code == 200


def test_sent_twice_it_is_one_pad_with_the_same_address(client):
    first, again = move(client, file()), move(client, file())
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json()["keep"] == first.json()["keep"]
    assert Pad.objects.count() == 1 and Entry.objects.count() == 2


def test_games_of_an_evening_are_one_on_the_site_too(client):
    first = move(client, file(2)).json()
    second = move(client, file(1, phone_pad=SECOND, follows=NAME)).json()
    move(client, file(1, phone_pad="3" * 64, follows=SECOND))
    before, pad, last = Pad.objects.order_by("pk")
    assert (pad.follows, last.follows) == (before, pad)
    assert before.evening is not None
    assert before.evening == pad.evening == last.evening
    # Who has a link to the first game has the others by it.
    reader = Client()
    reader.get(first["watch"], follow=True)
    told = reader.get(f"/evenings/{before.evening.code}/evening.json").json()
    assert [game["pad"] for game in told["games"]] == [f"/pads/{one.code}/" for one in (before, pad, last)]
    # Sent again it stays where it is.
    assert move(client, file(1, phone_pad=SECOND, follows=NAME)).json()["keep"] == second["keep"]


WENT = ("has a next game", "has a new owner's link", "is not here", "is itself", "is no name")


@pytest.mark.parametrize("how", WENT)
def test_a_game_after_one_that_went_its_own_way_stands_alone(client, how):
    move(client, file(2))
    follows = NAME
    if how == "has a next game":
        move(client, file(1, phone_pad="3" * 64, follows=NAME))
    elif how == "has a new owner's link":
        links.rotate(Pad.objects.get(), links.KEEP)
    else:
        follows = {"is not here": "4" * 64, "is itself": SECOND, "is no name": {"name": NAME}}[how]
    told = move(client, file(1, phone_pad=SECOND, follows=follows))
    assert told.status_code == 200
    pad = Pad.objects.get(code=told.json()["pad"].split("/")[2])
    assert (pad.follows, pad.evening) == (None, None)


def test_what_was_entered_before_it_was_sent_again_is_added(client):
    move(client, file(2))
    assert move(client, file(3)).status_code == 200
    added = Entry.objects.get(number=3)
    assert (added.entry_id, added.seat, added.tapped_at.minute) == ("e2", 0, 32)
    assert added.phone == "abc"


def test_when_both_sides_went_on_nothing_is_added_and_it_says_why(client):
    told = move(client, file(2)).json()
    entry = {"entries": [{"id": "x", "type": "victory", "player": "Ada", "color": "blue"}]}
    client.get(told["keep"])
    token = told["keep"].split("/")[3]
    sent = client.post(
        f"{told['pad']}entries/",
        json.dumps(entry),
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )
    assert sent.status_code == 200 and Entry.objects.count() == 3
    refused = move(client, file(3))
    assert refused.status_code == 422
    assert refused.json()["error"]["code"] == "has-gone-on"
    assert Entry.objects.count() == 3


def part(**changed):
    return {
        "field": "player",
        "of": None,
        "value": 0,
        "seat": 1,
        "device": "",
        "made": "2026-05-01T19:30:00+00:00",
        **changed,
    }


@pytest.mark.parametrize(
    "parts",
    [
        [1, {}, part(made="yesterday"), part(device=4), part(seat=-1), part(of="x"), part(value="Ada")],
        [part(strokes=[1]), part(strokes=[["a", 1, "add"]]), part(strokes=[["a", 1, "add", "", ""]])],
        [part(revision="z"), part(field="nothing"), part(value=[[]]), part(phone=None), part(open=1)],
        {},
    ],
)
def test_parts_that_no_phone_filled_in_are_left_out_and_the_pad_opens(client, parts):
    sent = file(draft={"id": "d1", "type": "victory", "parts": parts, "amends": []})
    sent["taps"][1]["answers"] = parts if isinstance(parts, list) else None
    told = move(client, sent)
    assert told.status_code == 200, told.content
    assert not any(draft.parts for draft in Draft.objects.all())
    assert not Entry.objects.get(number=2).answers
    assert client.get(told.json()["keep"], follow=True).status_code == 200


def test_parts_of_a_draft_stay_and_what_it_amends(client):
    filled = part(phone="abc", revision=2, strokes=[["abc", 2, "put", ""]], open=False, none=False)
    draft = {"id": "d1", "type": "victory", "parts": [filled], "amends": "e1"}
    told = move(client, file(draft=draft))
    kept = Draft.objects.get()
    assert (kept.parts, kept.amends) == ([filled], "e1")
    assert client.get(told.json()["keep"], follow=True).status_code == 200


def test_once_its_owner_has_a_new_link_the_phone_is_given_nothing_and_adds_nothing(client):
    move(client, file(2))
    links.rotate(Pad.objects.get(), links.KEEP)
    refused = move(client, file(3))
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "link-ended")
    assert "keep" not in refused.json() and Entry.objects.count() == 2


def test_a_declared_game_comes_with_its_declaration(client):
    sent = file(1)
    sheet = json.loads((EXAMPLES / "hearts" / "sheets.json").read_text())[0]["sheet"]
    sent["pad"]["sheet"] = pinned_sheet(example("hearts"), sheet)
    sent["taps"][0]["answers"] = []
    assert move(client, sent).status_code == 200
    assert Pad.objects.get().game == example("hearts").name
    assert Declaration.objects.get().text == example("hearts").text


def test_another_game_under_the_same_name_is_refused(client):
    move(client, file(2))
    sent = file(3)
    sent["pad"]["sheet"]["players"].append("Cy")
    sent["pad"]["sheet"]["entries"][2]["player"] = "Cy"
    assert move(client, sent).status_code == 422
    assert Entry.objects.count() == 2


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("phone_pad", "short"),
        ("pad", []),
        ("taps", [{}]),
        ("taps", [{"answers": 3}, {}]),
        ("more", 1),
    ],
)
def test_what_is_no_pad_of_a_phone_is_refused_and_nothing_is_stored(client, field, value):
    refused = move(client, {**copy.deepcopy(file()), field: value})
    assert refused.status_code == 422
    assert Pad.objects.count() == 0
