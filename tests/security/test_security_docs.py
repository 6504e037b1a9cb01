"""The papers on security name tests that exist, and answer every line of the standard."""

import ast
import re
from functools import cache
from pathlib import Path

from people.validators import SITE_WORDS

ROOT = Path(__file__).resolve().parents[2]
PAPER = (ROOT / "docs" / "security.md").read_text()
STANDARD = (ROOT / "docs" / "asvs.md").read_text()
PROOF = re.compile(r"`((?:[a-z_]+/)*test_[a-z_]+\.py)::((?:[A-Za-z]+::)?test_[a-z0-9_]+)`")
ROW = re.compile(r"^\| (\d+\.\d+\.\d+) \| ([12]) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.M)
STATES = {"met", "not met", "not applicable"}

# How many lines of levels 1 and 2 each section of ASVS 5.0.0 has.
LINES = {
    "1.1": "1-2", "1.2": "1-9", "1.3": "1-11", "1.4": "1-3", "1.5": "1-2",
    "2.1": "1-3", "2.2": "1-3", "2.3": "1-4", "2.4": "1",
    "3.2": "1-2", "3.3": "1-4", "3.4": "1-6", "3.5": "1-5", "3.7": "1-2",
    "4.1": "1-3", "4.2": "1", "4.3": "1-2", "4.4": "1-4",
    "5.1": "1", "5.2": "1-3", "5.3": "1-2", "5.4": "1-3",
    "6.1": "1-3", "6.2": "1-12", "6.3": "1-4", "6.4": "1-4", "6.5": "1-5", "6.6": "1-3", "6.8": "1-4",
    "7.1": "1-3", "7.2": "1-4", "7.3": "1-2", "7.4": "1-5", "7.5": "1-2", "7.6": "1-2",
    "8.1": "1-2", "8.2": "1-3", "8.3": "1", "8.4": "1",
    "9.1": "1-3", "9.2": "1-4",
    "10.1": "1-2", "10.2": "1-2", "10.3": "1-4", "10.4": "1-11", "10.5": "1-5", "10.6": "1-2", "10.7": "1-3",
    "11.1": "1-2", "11.2": "1-3", "11.3": "1-3", "11.4": "1-4", "11.5": "1", "11.6": "1",
    "12.1": "1-3", "12.2": "1-2", "12.3": "1-4",
    "13.1": "1", "13.2": "1-5", "13.3": "1-2", "13.4": "1-5",
    "14.1": "1-2", "14.2": "1-4", "14.3": "1-3",
    "15.1": "1-3", "15.2": "1-3", "15.3": "1-7",
    "16.1": "1", "16.2": "1-5", "16.3": "1-4", "16.4": "1-3", "16.5": "1-3",
    "17.1": "1", "17.2": "1-4", "17.3": "1-2",
}  # fmt: skip


def lines():
    for section, span in LINES.items():
        first, _, last = span.partition("-")
        for number in range(int(first), int(last or first) + 1):
            yield f"{section}.{number}"


@cache
def named_in(path):
    """The names of the tests in a file, those of classes with the class before them."""
    tree = ast.parse((ROOT / "tests" / path).read_text())
    found = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    for group in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        found |= {f"{group.name}::{node.name}" for node in group.body if isinstance(node, ast.FunctionDef)}
    return found


def test_every_test_that_is_named_exists():
    named = PROOF.findall(PAPER) + PROOF.findall(STANDARD)
    assert len(named) > 80
    missing = [f"{path}::{name}" for path, name in named if name not in named_in(path)]
    assert missing == []


def test_every_defence_has_its_proof():
    part = PAPER.split("## Defences, and what proves them")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (?!defence|---)(.+?) \| (.+) \|$", part, re.M)
    assert len(rows) > 40
    assert [defence for defence, proof in rows if not PROOF.search(proof)] == []


def test_the_words_that_make_no_password_are_told():
    assert ", ".join(SITE_WORDS) in " ".join(PAPER.split())


def test_every_line_of_the_standard_is_answered_and_none_is_blank():
    rows = ROW.findall(STANDARD)
    assert [number for number, *_ in rows] == list(lines())
    for number, _, asked, state, why in rows:
        assert state in STATES and asked.strip() and len(why.strip()) > 3, number


def test_the_sums_are_those_of_the_lines():
    rows = ROW.findall(STANDARD)
    for level in "12":
        states = [state for _, one, _, state, _ in rows if one == level]
        told = re.search(rf"^\| {level} \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", STANDARD, re.M)
        counted = [states.count(state) for state in ("met", "not applicable", "not met")]
        assert [int(figure) for figure in told.groups()] == [len(states), *counted]


def test_what_is_not_met_says_why():
    for number, _, _, state, why in ROW.findall(STANDARD):
        assert state != "not met" or len(why) > 30, number


def test_files_that_the_standard_points_to_exist():
    for path in re.findall(
        r"`((?:archive|config|deploy|docs|engine|home|ops|people|ratelimit|scorepad|tests)/[^`:]+)`", STANDARD
    ):
        assert (ROOT / path).exists(), path
