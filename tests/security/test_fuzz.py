"""Spoiled sheets and spoiled pictures, by seed: each is read, or refused with a sentence, and soon."""

import io
import json
import os
import random
import tempfile
import time

import pytest
from django.conf import settings

import engine
from archive.scans import sandbox
from archive.scans.errors import REASONS, ScanError
from archive.scans.formats import checks
from tests.archive.hostile import good
from tests.security.broken_sheets import spoiled_bytes, spoiled_value

SOAK = bool(os.environ.get("SOAK"))
SHEET_RUNS = 200_000 if SOAK else 2_500
LOOK_RUNS = 200_000 if SOAK else 2_000
DOOR_RUNS = 2_000 if SOAK else 5
SECONDS_MOST = 5.0
SEED = 1942


def golden():
    """Every golden sheet, good and bad."""
    found = []
    for path in sorted((settings.FIXTURES / "sheets").glob("*.json")):
        cases = json.loads(path.read_text())
        found += [case["sheet"] for case in (cases["cases"] if isinstance(cases, dict) else cases)]
    return found


def scored(raw):
    """What the product does with a sheet that comes as bytes."""
    sheet = engine.read(raw)
    if not isinstance(sheet, dict):
        raise engine.Refused("bad-sheet", "Not a sheet.")
    return engine.score(sheet).as_dict()


def spoil_sheets(read, runs):
    """How many were read and how many refused; anything else is raised, with what did it."""
    chance, sheets, told = random.Random(SEED), golden(), {"read": 0, "refused": 0}
    for run in range(runs):
        sheet = chance.choice(sheets)
        raw = json.dumps(sheet).encode()
        if run % 2:
            raw = json.dumps(spoiled_value(sheet, chance)).encode()
        else:
            raw = spoiled_bytes(raw, chance)
        began = time.monotonic()
        try:
            read(raw)
            told["read"] += 1
        except engine.Refused as refused:
            told["refused"] += bool(refused.code and len(refused.message.split()) > 2)
        except Exception as fault:
            raise AssertionError(f"run {run}: {fault!r} for {raw[:2_000]!r}") from fault
        assert time.monotonic() - began < SECONDS_MOST, raw[:2_000]
    assert sum(told.values()) == runs, "every refusal has a sentence"
    return told


def test_a_spoiled_sheet_is_scored_or_refused_and_nothing_else():
    told = spoil_sheets(scored, SHEET_RUNS)
    assert told["read"] > SHEET_RUNS / 200 and told["refused"] > SHEET_RUNS / 2, told


def test_a_careless_reader_is_found_out():
    """The control: reading without checking breaks within a few runs."""

    def careless(raw):
        try:
            sheet = json.loads(raw)
        except ValueError:
            raise engine.Refused("bad-sheet", "This is no JSON.") from None
        return [entry["type"] for entry in sheet["entries"]]

    with pytest.raises(AssertionError, match="run"):
        spoil_sheets(careless, 200)


LIMITS = checks.FileLimits(pixels=10**7, side=10**4, side_least=10, metadata=10**6, frames=10)


def test_the_look_at_a_spoiled_picture_lets_in_or_refuses():
    """Before any decoder is loaded; so it may be done here, and often."""
    chance, files, refused = random.Random(SEED), list(good().values()), 0
    for run in range(LOOK_RUNS):
        content = spoiled_bytes(chance.choice(files), chance)
        began = time.monotonic()
        try:
            checks.check_file(io.BytesIO(content), LIMITS)
        except ScanError as fault:
            refused += bool(REASONS[fault.reason])
        except Exception as fault:
            raise AssertionError(f"run {run}: {fault!r}") from fault
        assert time.monotonic() - began < SECONDS_MOST
    assert refused > LOOK_RUNS / 10


def test_the_door_opens_or_refuses_a_spoiled_picture_in_its_child():
    chance, files = random.Random(SEED), list(good().values())
    told = {"read": 0, "refused": 0}
    for run in range(DOOR_RUNS):
        with tempfile.TemporaryFile() as file:
            file.write(spoiled_bytes(files[run % len(files)], chance))
            file.flush()
            try:
                image = sandbox.examine(file)
                assert image.width and image.height
                told["read"] += 1
            except ScanError as fault:
                told["refused"] += bool(REASONS[fault.reason])
    assert sum(told.values()) == DOOR_RUNS and told["refused"], told
