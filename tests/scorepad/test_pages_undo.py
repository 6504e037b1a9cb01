"""Undo takes back what the line beside it names."""

import html
import json
import re

import pytest
from django.test import Client

from scorepad import ledger, new_pads

pytestmark = pytest.mark.django_db

RED = {"type": "victory", "player": "Ann", "color": "red"}
BLUE = {"type": "victory", "player": "Ann", "color": "blue"}
OTHER = {"type": "victory", "player": "Bert", "color": "red"}


def keys(log):
    """The undo and put-back keys of a pad with this log, and the pad."""
    new = new_pads.create({"game": "victory-rummy", "players": ["Ann", "Bert"]})
    _, outcomes = ledger.append(new.pad, log)
    assert not [outcome.error for outcome in outcomes if outcome.error]
    client = Client()
    page = client.get(new.keep, follow=True).content.decode()
    last = re.search(r'<section id="last".*?</section>', page, re.S)[0]
    return new.pad, [json.loads(html.unescape(value)) for value in re.findall(r'value="([^"]*)"', last)]


def standing(pad):
    entries = ledger.position(pad).standing.values()
    return [{key: part for key, part in entry.items() if key != "id"} for entry in entries]


def test_a_correction_is_undone_by_what_stood_before_it():
    amend = {"id": "c", "type": "amend", "of": "a", "entry": BLUE}
    pad, [undo] = keys([{"id": "a", **RED}, {"id": "b", **OTHER}, amend])
    assert undo == {"type": "amend", "of": "a", "entry": RED}
    ledger.append(pad, [{"id": "d", **undo}])
    assert standing(pad) == [RED, OTHER]


def test_a_second_correction_is_undone_to_the_first():
    white = {**RED, "color": "white"}
    first = {"id": "b", "type": "amend", "of": "a", "entry": BLUE}
    second = {"id": "c", "type": "amend", "of": "a", "entry": white}
    assert keys([{"id": "a", **RED}, first, second])[1] == [{"type": "amend", "of": "a", "entry": BLUE}]


def test_an_entry_put_back_is_struck_out_again():
    back = {"id": "d", "type": "amend", "of": "a", "entry": RED}
    log = [{"id": "a", **RED}, {"id": "b", **OTHER}, {"id": "c", "type": "void", "of": "a"}, back]
    assert keys(log)[1] == [{"type": "void", "of": "a"}]


def test_a_plain_entry_is_struck_out_and_can_be_put_back():
    assert keys([{"id": "a", **RED}, {"id": "b", **OTHER}])[1] == [{"type": "void", "of": "b"}]
    struck = [{"id": "a", **RED}, {"id": "b", **OTHER}, {"id": "c", "type": "void", "of": "b"}]
    assert keys(struck)[1][0] == {"type": "amend", "of": "b", "entry": OTHER}
