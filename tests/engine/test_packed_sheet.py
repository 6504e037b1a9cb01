"""A game packed for a code: what is unpacked is the same game, and what is no code is refused."""

import json
import os
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from engine import packed_sheet
from tests.engine.golden import cases
from tests.engine.random_games import PROPOSE, random_log

LOGS_EACH = 1_700 if os.environ.get("SOAK") else 20
SHEETS = [case for case in cases() if case.result is not None]


def entries_of(sheet, of=""):
    """The entries of a sheet with the ids that a code gives them."""
    entries = sheet.get("entries", [])
    ids = {
        entry["id"]: packed_sheet.entry_id(of, place) for place, entry in enumerate(entries) if "id" in entry
    }

    def named(part):
        return {key: ids[name] if key in ("of", "after") and name else name for key, name in part.items()}

    renamed = []
    for place, entry in enumerate(entries):
        if entry["type"] in packed_sheet.CORRECTIONS:
            entry = named(entry)
            if "changes" in entry:
                entry["changes"] = [named(change) for change in entry["changes"]]
        renamed.append({**entry, "id": packed_sheet.entry_id(of, place)})
    return renamed


def comes_back(sheet):
    packed = packed_sheet.pack(sheet, "a pad")
    back = packed_sheet.unpack(packed)
    assert back["entries"] == entries_of(sheet, "a pad")
    assert engine.score(back).as_dict() == engine.score(sheet).as_dict()
    assert [back.get(key) for key in packed_sheet.HEADING] == [sheet.get(key) for key in packed_sheet.HEADING]
    return packed


@pytest.mark.parametrize("case", SHEETS, ids=str)
def test_every_golden_sheet_comes_back(case):
    comes_back(case.sheet)


@pytest.mark.parametrize("game", engine.GAMES)
def test_random_games_with_corrections_come_back(game):
    for seed in range(LOGS_EACH):
        comes_back(random_log(Random(seed), game))


def test_a_whole_victory_rummy_takes_less_than_a_hundred_bytes():
    rng, names = Random(7), ["Anna", "Bert", "Cora", "Dora"]
    position = engine.replay({"tally": 1, "game": "victory-rummy", "players": names, "entries": []})
    while not position.ended:
        with suppress(engine.Refused):
            position = position.enter(PROPOSE["victory-rummy"](rng, position))
    assert len(position.entries) > 40
    sheet = {"tally": 1, "game": "victory-rummy", "players": names, "entries": [*position.entries]}
    assert len(comes_back(sheet)) < 100


def test_what_its_fields_cannot_tell_travels_as_json():
    odd = {"id": "odd", "type": "axis", "player": "Nobody", "cards": "many", "more": [None, 1.5, "⟨"]}
    sheet = {
        "tally": 1,
        "game": "victory-rummy",
        "players": ["Anna", "Bert"],
        "title": "Ærø, ½",
        "entries": [odd, {"type": "void", "of": "odd"}],
    }
    comes_back(sheet)


def test_a_long_log_is_packed_in_blocks_and_one_block_is_never_long():
    entries = [{"type": "victory", "player": "Ada", "color": "red"}] * 3_000
    sheet = {"tally": 1, "game": "victory-rummy", "players": ["Ada", "Ben"], "entries": entries}
    packed = packed_sheet.pack(sheet)
    assert len(packed_sheet.unpack(packed)["entries"]) == 3_000
    assert max(map(len, packed_sheet._blocks(packed[1:]))) <= packed_sheet.BLOCK_BITS // 8 + 8
    with pytest.raises(engine.Refused, match="too long"):
        packed_sheet.pack(sheet, most=500)
    with pytest.raises(engine.Refused, match="cannot be read"):
        packed_sheet.unpack(bytes([packed_sheet.VERSION]) + packed_sheet._with_length(b"x" * 9_000))


def test_a_head_that_is_none_is_refused():
    for head in ([], {}, ["", [], {}, 0, ["Ada", "Ben"], "rummy-1916"], ["", {}, 7, 9, "AB", "rummy-1916"]):
        block = packed_sheet._with_length(packed_sheet._deflate(json.dumps(head).encode()))
        with pytest.raises(engine.Refused):
            packed_sheet.unpack(bytes([packed_sheet.VERSION]) + block)


@given(st.binary(max_size=200))
def test_what_is_no_code_is_refused(data):
    for sent in (data, bytes([packed_sheet.VERSION]) + data):
        with suppress(engine.Refused):
            assert packed_sheet.unpack(sent)["tally"] == 1


@pytest.mark.parametrize("game", engine.GAMES)
def test_a_code_with_a_fault_is_refused_or_is_another_sheet(game):
    packed = bytearray(packed_sheet.pack(random_log(Random(3), game)))
    for place in range(len(packed)):
        for spoilt in (packed[:place], [*packed[:place], packed[place] ^ 16, *packed[place + 1 :]]):
            with suppress(engine.Refused):
                assert packed_sheet.unpack(bytes(spoilt))["tally"] == 1
