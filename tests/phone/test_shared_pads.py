"""A pad of the site on a phone without network: the phone draws what the site will draw of the same taps."""

import json

import pytest

from phone.kit import content
from tests.phone.test_application import plain
from tests.scorepad.conftest import axis, capture, sit_down, victory
from tests.scorepad.test_twins import Script

SETTLED = {"age": 0, "another": False}


def whole(entry):
    return {"id": entry["id"], "kind": "entry", "body": entry, **SETTLED}


def part(tap_id, at, put, draft="", head=0):
    return {
        "id": tap_id,
        "kind": "part",
        "body": {"at": at, "put": put, "for": draft, "head": head},
        **SETTLED,
    }


def copy_of(table, script):
    """The copy as the phone of this script gets it."""
    return script.client.get(f"/pads/{table.code}/copy.json").json()


def told():
    return json.loads(content.as_json({**content.content(), "static": {}}))


def same(drawn, page, code):
    ours = page.replace('data-revision="1"', 'data-revision="0"')
    return plain(drawn["body"], code) == plain(ours, code)


@pytest.mark.django_db
def test_entries_are_scored_on_the_phone_as_the_site_scores_them(on_phone):
    table = sit_down()
    ann, bert = Script(table, "Ann"), Script(table, "Bert")
    bert.enter(victory("first", "Bert", "white"))
    copy, mine = copy_of(table, ann), [victory("a"), capture("b", "Cleo"), axis("c", "Ann", 3)]
    lists = [[], mine[:1], mine[:2], mine, mine[:1]]
    drawn = on_phone(
        "shared", content=told(), copy=copy, taps=[[whole(one) for one in some] for some in lists]
    )
    assert [len(one["entries"]) for one in drawn] == [0, 1, 2, 2, 1, 1]
    assert [one["ahead"] for one in drawn[:3]] == [[], [1], [1, 2]]
    refused = drawn[3]["refused"]["c"]
    assert list(drawn[3]["refused"]) == ["c"] and refused["message"] and refused["cites"]
    # What is taken back is as if it had never been; and a reason opens as at the table.
    assert plain(drawn[4]["body"], table.code) == plain(drawn[1]["body"], table.code)
    assert drawn[5]["status"] == 200 and "Bert" in drawn[5]["body"]
    ann.enter(*mine[:2])
    assert same(drawn[2], ann.client.get(f"{ann.pad}fragment/").content.decode(), table.code)


@pytest.mark.django_db
def test_an_entry_made_of_parts_has_the_same_ids_on_the_phone_and_at_the_table(on_phone):
    table = sit_down(game="rummy-1916")
    ann = Script(table, "Ann")
    copy = copy_of(table, ann)
    taps = [
        part("one", ["winner"], "Ann"),
        part("two", ["hands", "Bert", "count"], 7, "one"),
        part("three", ["hands", "Cleo", "count"], 4, "one"),
        part("four", ["winner"], "Bert", "", 1),
    ]
    drawn = on_phone("shared", content=told(), copy=copy, taps=[taps[:1], taps])
    assert (drawn[0]["draft"], drawn[1]["draft"]) == ("one", "four")
    assert [entry["id"] for entry in drawn[1]["entries"]] == ["one"]
    for tap in taps:
        sent = {"part": json.dumps(tap["body"]), "tap": tap["id"]}
        assert ann.client.post(f"{ann.pad}tap/", sent, headers=ann.headers).status_code == 200
    assert same(drawn[1], ann.client.get(f"{ann.pad}fragment/").content.decode(), table.code)
