"""A pad begun with another engine: what is scored otherwise is said, in the changelog's words."""

import pytest

import engine
from scorepad import engine_versions, ledger
from scorepad.ledger import cache
from tests.scorepad.conftest import axis, capture, victory

pytestmark = pytest.mark.django_db

CHANGELOG = """# Changelog
## 1.2
### Scoring changes
- A CAPTURE counts 60: the second printing
  says so.
### Other
- Not about scoring.
## 1.1
### Scoring changes
- A VICTORY in white counts double.
## 0.9
### Scoring changes
- Long ago.
"""


@pytest.fixture
def newer_engine(monkeypatch, settings, tmp_path):
    """From now on a CAPTURE counts 60, and the changelog says so."""
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)

    def begin():
        settings.BASE_DIR = tmp_path
        game = engine.GAMES["victory-rummy"]

        def play(now, entry):
            happened = game.play(now, entry)
            awards = tuple(
                award._replace(points=60) if award.symbol == "C" else award for award in happened.awards
            )
            return happened._replace(awards=awards)

        monkeypatch.setitem(engine.GAMES, "victory-rummy", game._replace(play=play))
        monkeypatch.setattr(engine, "__version__", "1.2")
        cache.clear()

    monkeypatch.setattr(engine, "__version__", "1.0")
    return begin


def test_the_pad_says_which_entries_are_scored_otherwise(newer_engine, table):
    table.player.enter(victory("a1"), capture("b1", "Bert"))
    newer_engine()
    result = table.watcher.result()
    changed = result["changed"]
    assert (changed["from"], changed["to"]) == ("1.0", "1.2")
    assert [(entry["entry"], entry["id"]) for entry in changed["entries"]] == [(1, "b1")]
    assert changed["entries"][0]["lines"][0]["points"] == 60
    assert changed["changelog"] == [
        {"version": "1.2", "says": "A CAPTURE counts 60: the second printing says so."},
        {"version": "1.1", "says": "A VICTORY in white counts double."},
    ]
    assert result["totals"]["Bert"] == 60


def test_what_is_entered_with_the_newer_engine_is_not_called_changed(newer_engine, table):
    table.player.enter(victory("a1"))
    newer_engine()
    table.player.enter(capture("b1", "Bert"))
    assert table.watcher.result()["changed"] is None


def test_a_pad_of_this_version_is_not_replayed_for_it(table, monkeypatch):
    monkeypatch.setattr(ledger, "log", None)
    assert engine_versions.changed_entries(table.pad) == []


def test_a_log_the_newer_engine_refuses_is_told_and_can_be_mended(table, monkeypatch):
    table.player.enter(victory("a1"), victory("a2"), axis("a3", cards=3))
    game = engine.GAMES["victory-rummy"]

    def play(now, entry):
        if entry.get("cards") == 3:
            raise engine.Refused("impossible", "Three is not possible any more.")
        return game.play(now, entry)

    monkeypatch.setitem(engine.GAMES, "victory-rummy", game._replace(play=play))
    monkeypatch.setattr(engine, "__version__", "9.9")
    cache.clear()
    answer = table.watcher.get("result.json")
    assert (answer.status_code, answer.json()["error"]["entry"]) == (409, 2)
    assert answer.json()["changed"]["entries"][0]["error"]["code"] == "impossible"
    for place in ("result.json?at=3", "log.json", "sheet.csv", "play.json"):
        assert table.watcher.get(place).status_code == 409, place
    assert table.watcher.get("sheet.json").status_code == table.watcher.get("pad.json").status_code == 200
    fix = {"id": "fix", "type": "amend", "of": "a3", "entry": {"type": "axis", "player": "Ann", "cards": 2}}
    assert table.player.enter(victory("b1"))[0]["status"] == "refused"
    assert table.player.enter(fix)[0]["status"] == "stored"
    assert table.watcher.result()["totals"]["Ann"] == 40


def test_a_sheet_that_came_in_whole_is_not_said_to_be_changed(monkeypatch):
    """Its second half mends the first, so a part of it never stood and nothing was acknowledged there."""
    from tests.scorepad.conftest import NAMES, Phone, seated

    monkeypatch.setattr(engine, "__version__", "1.0")
    voids = [{"id": "v1", "type": "void", "of": "a1"}, {"id": "v3", "type": "void", "of": "a3"}]
    entries = [victory("a1"), victory("a2"), axis("a3"), *voids, capture("b1", "Bert")]
    sheet = {"tally": 1, "game": "victory-rummy", "players": NAMES, "entries": entries}
    table = seated(Phone(None).post("/pads/import/", sheet).json())
    monkeypatch.setattr(engine, "__version__", "1.1")
    assert table.watcher.result()["changed"] is None


def test_a_log_corrected_thousands_of_times_is_not_compared_and_stays_quick(monkeypatch):
    from scorepad.ledger import seals
    from tests.scorepad.conftest import NAMES, Phone, seated

    monkeypatch.setattr(seals, "MAX_REPLAYED", 10)
    amends = [{"type": "amend", "of": "a1", "entry": {"type": "capture", "player": "Bert"}} for _ in range(5)]
    sheet = {"tally": 1, "game": "victory-rummy", "players": NAMES, "entries": [capture("a1"), *amends]}
    table = seated(Phone(None).post("/pads/import/", sheet).json())
    assert set(table.pad.entries.values_list("scored", flat=True)) == {""}
    monkeypatch.setattr(engine, "__version__", "99")
    assert table.watcher.result()["changed"] is None
