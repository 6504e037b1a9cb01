import csv
import io

import pytest

from scorepad import exports
from tests.scorepad.conftest import axis, capture, victory

pytestmark = pytest.mark.django_db


def test_the_result_carries_its_head(table):
    assert table.watcher.result()["head"] == 0
    table.player.enter(victory("a1"))
    result = table.watcher.result()
    assert result["head"] == 1
    assert result["lines"][0]["cites"]
    assert (result["stopped"], result["changed"]) == (None, None)


def test_a_known_result_is_not_sent_again(table):
    tag = table.watcher.get("result.json").headers["ETag"]
    again = table.watcher.get("result.json", **{"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


def test_a_weak_tag_from_a_compressed_answer_is_known_too(table):
    tag = table.watcher.get("result.json").headers["ETag"]
    assert table.watcher.get("result.json", **{"If-None-Match": f"W/{tag}"}).status_code == 304


@pytest.mark.parametrize("change", ["entry", "names", "stop"])
def test_any_change_is_sent(table, change):
    tag = table.watcher.get("result.json").headers["ETag"]
    if change == "entry":
        table.player.enter(victory("a1"))
    elif change == "names":
        table.keeper.post("names/", {"players": ["Anna", "Bert", "Cleo"]})
    else:
        table.keeper.post("stop/")
    assert table.watcher.get("result.json", **{"If-None-Match": tag}).status_code == 200


def test_a_poll_costs_two_queries_when_nothing_changed(table, django_assert_num_queries):
    tag = table.watcher.get("result.json").headers["ETag"]
    with django_assert_num_queries(2):
        table.watcher.get("result.json", **{"If-None-Match": tag})


def test_the_result_at_an_earlier_moment(table):
    table.player.enter(victory("a1"), capture("b1", "Bert"))
    earlier = table.watcher.get("result.json?at=1").json()
    assert (earlier["head"], earlier["totals"]["Bert"]) == (1, 0)
    assert table.watcher.get("result.json?at=x").status_code == 400


def test_the_log_says_who_and_when_and_what_it_brought(table):
    table.player.enter(victory("a1"), who="Cleo")
    table.player.enter({"id": "v", "type": "void", "of": "a1"}, who="tablet")
    first, second = table.watcher.get("log.json").json()["log"]
    assert (first["number"], first["who"], first["lines"]) == (1, "Cleo", [])
    assert (second["who"], second["entry"]["of"]) == ("tablet", "a1")
    assert first["made"].endswith("Z")


def test_the_sheet_is_a_tally_sheet_with_ids_and_options_in_full(table):
    import engine

    table.player.enter(victory("a1"), victory("a2"), axis("a3", cards=1))
    sheet = table.watcher.get("sheet.json").json()
    assert sheet["entries"][2] == axis("a3", cards=1)
    assert len(sheet["options"]) == 4
    assert engine.score(sheet).totals == {"Ann": 30, "Bert": 0, "Cleo": 0}


def test_the_spreadsheet_has_running_totals_and_no_formulas(table):
    table.keeper.post("names/", {"players": ["=1+1", "Bert", "Cleo"]})
    table.player.enter(victory("a1", "=1+1"), victory("a2", "=1+1"), axis("a3", "=1+1"))
    rows = table.watcher.get("sheet.csv").content.decode().split("\r\n")
    assert rows[0].split(",")[-3:] == ["'=1+1", "Bert", "Cleo"]
    assert rows[2].split(",")[-3:] == ["20", "0", "0"]
    assert rows[3].split(",")[3] == "axis"


FORMULAS = {
    "＝1+1": "'＝1+1",
    "－2": "'－2",
    "@SUM(1)": "'@SUM(1)",
    "a;=1+1": "a;'=1+1",
    "a, =1+1": "a,' =1+1",
    "a|＠b": "a|'＠b",
    '"=1+1': "'\"=1+1",
    "Ann-Marie": "Ann-Marie",
    "a b=c": "a b=c",
}


@pytest.mark.parametrize("name", FORMULAS)
def test_no_cell_of_the_spreadsheet_begins_like_a_formula_however_cells_are_divided(table, name):
    table.keeper.post("names/", {"players": [name, "Bert", "Cleo"]})
    table.player.enter(victory("a1", name))
    head, row, *_ = csv.reader(io.StringIO(table.watcher.get("sheet.csv").content.decode()))
    assert head[-3] == FORMULAS[name]
    assert row[4] == FORMULAS[name]


@pytest.mark.parametrize("words", ["\t=1+1", "\r=1", " \u00a0=1", "\ufeff=1", "\tplain"])
def test_white_space_hides_no_formula(words):
    assert exports.spreadsheet_text(words).startswith("'")
