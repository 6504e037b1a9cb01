"""Pads of declared games: begun from a published book, pinned to its text, taken away and brought back."""

import json

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

import engine
from archive.models import Book
from archive.publication import publish
from engine.declared import read_declaration
from scorepad import declarations, game_codes, pads
from scorepad.ledger import cache
from scorepad.models import Declaration
from tests.scorepad.conftest import Phone, browser_of, seated, sit_down

pytestmark = pytest.mark.django_db
PIT = settings.FIXTURES / "declared" / "pit"
WHEAT = {"id": "a1", "type": "corner_called", "player": "Ann", "grain": "wheat", "bear_left": "Cleo"}

PAGES = ["", "history/", "table/", "after/", "print/", "help/", "board/", "code/", "readings/", "fragment/"]
ALL_PAGES = [*PAGES, "history/?at=2", "pad.json", "log.json", "sheet.csv", "result-wide.png"]


@pytest.fixture
def pit(db):
    publish.load([PIT])
    return read_declaration((PIT / "game.toml").read_text())


@pytest.fixture
def table(pit):
    return sit_down(game="pit")


def revise(tmp_path):
    """Publish another declaration of the same game: wheat is worth 110."""
    folder = tmp_path / "pit"
    folder.mkdir()
    for file in PIT.iterdir():
        text = file.read_text().replace("wheat = 100", "wheat = 110")
        (folder / file.name).write_text("[]\n" if file.name == "sheets.json" else text)
    sheets = json.loads((PIT / "sheets.json").read_text())
    kept = [case for case in sheets if "wheat" not in json.dumps(case["sheet"])] * 2
    (folder / "sheets.json").write_text(json.dumps(kept))
    publish.load([folder])


def test_a_pad_is_begun_by_the_key_and_is_pinned_to_the_text(table, pit):
    assert table.pad.game == pit.name
    assert Declaration.objects.get().text == pit.text
    table.player.enter(WHEAT)
    assert table.watcher.result()["totals"] == {"Ann": 100, "Bert": 0, "Cleo": -20}


def test_a_text_is_locked_before_its_last_pad_is_looked_for(table):
    """Else a pad that is begun at this moment would be left without its game, on PostgreSQL."""
    with CaptureQueriesContext(connection) as asked:
        pads.delete(table.pad)
    told = [query["sql"] for query in asked]
    texts = [at for at, sql in enumerate(told) if sql.startswith("SELECT") and "scorepad_declaration" in sql]
    others = [at for at, sql in enumerate(told) if sql.startswith("SELECT 1") and "scorepad_pad" in sql]
    assert texts and others and texts[0] < others[0]
    assert not Declaration.objects.exists()


def test_a_pad_is_begun_on_the_site_and_says_who_declared_its_game(pit, client):
    listed = client.get("/pads/new/").content.decode()
    assert "not tested by the makers of this software" in listed
    form = client.get("/pads/new/", {"game": "pit"}).content.decode()
    assert pit.name in form and "Declared from the rulebook by Tallyroom" in form
    names = {"name": ["Ann", "Bert", "Cleo"], "game": pit.name, "dealer": "0"}
    begun = client.post("/pads/new/", names)
    assert begun.status_code == 302
    assert "Pit" in client.get(begun["Location"]).content.decode()
    assert "Declared from the rulebook by" in client.get(begun["Location"] + "table/").content.decode()


def test_corrections_are_foreseen_and_made_as_in_any_game(table):
    table.player.enter(WHEAT, {**WHEAT, "id": "a2", "grain": "hay"})
    amend = {"type": "amend", "of": "a1", "entry": {key: WHEAT[key] for key in ("type", "player", "grain")}}
    assert table.player.post("preview/", {"entry": amend}).json()["totals"]["Cleo"] == -20
    insert = {
        "id": "i",
        "type": "insert",
        "after": "a1",
        "entry": {"type": "corner_called", "player": "Bert", "grain": "flax"},
    }
    table.player.enter({"id": "c", **amend}, insert, {"id": "v", "type": "void", "of": "a2"})
    assert table.watcher.result()["totals"] == {"Ann": 100, "Bert": 40, "Cleo": 0}


def test_a_pad_stays_as_it_was_begun_when_its_book_is_revised_or_withdrawn(table, tmp_path, pit):
    table.player.enter(WHEAT)
    before = table.watcher.get("pad.json").content
    revise(tmp_path)
    cache.clear()
    assert table.watcher.get("pad.json").content == before
    page = table.keeper.get("table/").content.decode()
    assert "It has been revised since this pad was begun" in page
    assert sit_down(game="pit").pad.game != pit.name
    Book.objects.update(state=Book.WITHDRAWN)
    cache.clear()
    declarations._kept_game.cache_clear()
    assert table.watcher.get("pad.json").content == before
    table.player.enter({**WHEAT, "id": "a2"})
    assert table.watcher.result()["totals"]["Ann"] == 200
    following = seated(table.keeper.post("rematch/").json())
    assert following.pad.game == pit.name


def test_an_export_carries_the_declaration_and_comes_back_on_a_site_without_the_book(table, pit):
    table.player.enter(WHEAT, {"id": "v", "type": "void", "of": "a1"})
    whole = table.watcher.get("pad.json").json()
    assert whole["sheet"]["game"] == pit.name and whole["sheet"]["declaration"] == pit.text
    Book.objects.update(state=Book.WITHDRAWN)
    assert table.keeper.post("delete/").status_code in (200, 204)
    assert not Declaration.objects.exists()
    declarations._kept_game.cache_clear()
    again = seated(Phone(None).post("/pads/import/", whole).json())
    assert again.watcher.get("pad.json").json() == whole
    assert Declaration.objects.get().text == pit.text


def test_an_import_with_another_text_under_the_name_is_refused(table):
    sheet = table.watcher.get("pad.json").json()["sheet"]
    sheet["declaration"] = sheet["declaration"].replace("wheat = 100", "wheat = 900")
    answer = Phone(None).post("/pads/import/", sheet)
    assert answer.status_code == 422 and answer.json()["error"]["code"] == "bad-declaration"


def test_verify_finds_nothing_wrong_and_then_a_text_that_was_altered(table, capsys):
    table.player.enter(WHEAT)
    call_command("verify")
    Declaration.objects.update(text=Declaration.objects.get().text.replace("wheat = 100", "wheat = 900"))
    declarations._kept_game.cache_clear()
    with pytest.raises(CommandError):
        call_command("verify")
    assert "there is no game" in capsys.readouterr().out


def test_a_code_holds_such_a_game_whole(table, pit):
    table.player.enter(WHEAT)
    sheet = game_codes.sheet(game_codes.texts(table.pad))
    assert sheet["declaration"] == pit.text
    assert engine.score(sheet).totals == {"Ann": 100, "Bert": 0, "Cleo": -20}


def test_a_number_of_any_size_is_typed_and_added_up_without_a_script(db, client):
    publish.load([settings.FIXTURES / "declared" / "rook"])
    made = Phone(None).post("/pads/", {"game": "rook", "players": ["Us", "Them"]}).json()
    page = client.get(made["play"], follow=True)
    address = f"{made['pad']}tap/"
    client.post(address, {"part": '{"at": ["bidder"], "put": "Us"}'})
    page = client.get(made["pad"]).content.decode()
    assert "data-keypad" in page and "40 to 300, by 5" in page
    client.post(address, {"typed": '{"at": ["bid"]}', "sum": "70"})
    refused = client.post(address, {"typed": '{"at": ["taken"]}', "sum": "thirty"})
    assert refused.status_code == 422 and "3+6+2" in refused.content.decode()
    client.post(address, {"typed": '{"at": ["taken"]}', "sum": "30 + 45 + 15 − 5"})
    assert seated(made).watcher.result()["totals"] == {"Us": 85, "Them": 35}


def test_what_need_not_be_answered_is_asked_on_one_panel(pit, client):
    made = Phone(None).post("/pads/", {"game": "pit", "players": ["Ann", "Bert", "Cleo"]}).json()
    client.get(made["play"], follow=True)
    for question, answer in (("player", "Ann"), ("grain", "hay")):
        tapped = json.dumps({"at": [question], "put": answer})
        page = client.post(f"{made['pad']}tap/", {"part": tapped}, follow=True).content.decode()
    asked = ("All nine, and the Bull?", "Who is left with the Bull?", "Who is left with the Bear?")
    assert all(words in page for words in asked)
    bear = {"part": '{"at": ["bear_left"], "put": "Bert"}'}
    assert 'aria-pressed="true"' in client.post(f"{made['pad']}tap/", bear, follow=True).content.decode()
    client.post(f"{made['pad']}tap/", {"part": '{"at": ["player"], "rest": true}'})
    assert seated(made).watcher.result()["totals"] == {"Ann": 50, "Bert": -20, "Cleo": 0}


def test_other_people_go_on_with_a_declared_game_that_so_many_can_play(pit):
    three, two = sit_down(game="thumbs-up"), sit_down(game="thumbs-up", players=["Ann", "Bert"])
    page = three.keeper.get("table/").content.decode()
    assert '<option value="pit" >' in page
    assert 'value="pit"' not in two.keeper.get("table/").content.decode()
    following = seated(three.keeper.post("rematch/", {"game": "pit"}).json())
    assert following.pad.game == pit.name
    assert 'value="pit"' not in following.keeper.get("table/").content.decode()


def test_entries_are_told_in_words_on_the_sheet_and_the_whole_of_them_in_the_history(pit):
    publish.load([settings.FIXTURES / "declared" / "hearts"])
    table, hearts = sit_down(game="pit"), sit_down(game="hearts", players=["Ann", "Bert", "Cleo", "Dan"])
    table.player.enter({**WHEAT, "bull": True})
    took = {
        "Ann": {"hearts": 3},
        "Bert": {"hearts": 0, "queen": True},
        "Cleo": {"hearts": 10},
        "Dan": {"hearts": 0},
    }
    hearts.player.enter({"id": "h", "type": "hand", "took": took})
    assert '<th scope="row">wheat, bull</th>' in table.watcher.get("").content.decode()
    assert "Ann, wheat, bull, bear left Cleo" in table.watcher.get("history/").content.decode()
    page = hearts.watcher.get("history/").content.decode()
    assert "Ann hearts 3, Bert hearts 0 queen, Cleo hearts 10, Dan hearts 0" in page


def test_every_page_of_a_pad_with_all_corrections_opens_before_its_end_and_after(table, pit):
    browser = browser_of(table.keeper)
    bare = {key: WHEAT[key] for key in ("type", "player", "grain")}
    table.player.enter(WHEAT, {**WHEAT, "id": "a2"}, {**WHEAT, "id": "a3", "player": "Bert"})
    table.player.enter(
        {"id": "i", "type": "insert", "after": "a1", "entry": {**bare, "player": "Cleo"}},
        {"id": "r", "type": "revise", "changes": [{"of": "a1", "entry": bare}, {"of": "a2", "entry": None}]},
    )
    pages = [*ALL_PAGES, *(f"correct/{name}/" for name in ("a1", "a3", "i"))]
    for ends in (False, True):
        if ends:
            table.player.enter(*({**bare, "id": f"e{at}", "bull": True} for at in range(2)))
            assert table.watcher.result()["winners"] == ["Ann"]
        for page in pages:
            assert browser.get(f"/pads/{table.code}/{page}").status_code == 200, page
    club = table.keeper.post("club/").json()
    watched = browser.get(club["keep"], follow=True)
    games = browser.get(f"{club['club']}games/").content.decode()
    assert watched.status_code == 200 and "Pit" in games
    csv = browser.get(f"{club['club']}games.csv").content.decode()
    assert "Pit" in csv or pit.key in csv
    undone = table.player.post("entries/", {"entries": [{"id": "u", "type": "void", "of": "e1"}]})
    assert undone.status_code == 200 and table.watcher.result()["winners"] == []


def test_help_reads_the_rules_back_each_with_its_passages(table, pit):
    told = table.watcher.get("help/").content.decode()
    assert "How it scores" in told and "Declared from the rulebook by Tallyroom" in told
    assert "the bull left gets −“penalty”" in told and 'href="/books/pit/passages/left/"' in told
    assert "How many points win the game?" not in told


def test_where_the_fewest_points_win_they_lead(pit):
    publish.load([settings.FIXTURES / "declared" / "hearts"])
    names = ["Ann", "Bert", "Cleo", "Dan"]
    table = sit_down(game="hearts", players=names, options={"limit": 20})
    took = dict(
        zip(names, ({"hearts": 3}, {"hearts": 0, "queen": True}, {"hearts": 10}, {"hearts": 0}), strict=True)
    )
    table.player.enter({"id": "h", "type": "hand", "took": took})
    board = table.watcher.get("board/").content.decode()
    assert board.index("is-leading") > board.index("<b>Cleo</b>")
    took = {**took, "Ann": {"hearts": 10}, "Cleo": {"hearts": 3}}
    table.player.enter({"id": "i", "type": "hand", "took": took})
    after = table.watcher.get("after/").content.decode()
    assert [after.index(name) for name in ("Dan won", "Dan</", "Ann</")] == sorted(
        after.index(name) for name in ("Dan won", "Dan</", "Ann</")
    )
    correct = table.keeper.get("correct/h/?at=took/Ann/hearts").content.decode()
    assert "Ann, hearts: 3" in correct and "Ann, queen: no" in correct and "js/pad/keypad" in correct


def test_sides_are_asked_for_as_sides(pit, client):
    publish.load([settings.FIXTURES / "declared" / "rook"])
    form = client.get("/pads/new/", {"game": "rook"}).content.decode()
    assert "Which sides play?" in form and "Names of side 2" in " ".join(form.split())
    assert "Who plays?" in client.get("/pads/new/", {"game": "pit"}).content.decode()


def test_many_declared_games_have_a_search_and_leave_the_home_page_as_it_is(pit, client, monkeypatch):
    texts = [
        pit.text.replace('title = "Pit"', f'title = "Pit {n}"').replace('"pit"', f'"pit-{n}"', 1)
        for n in range(9)
    ]
    monkeypatch.setattr("archive.lookup.declared_games", lambda: texts)
    page = client.get("/pads/new/").content.decode()
    assert page.count("/pads/new/?game=pit-") == 9 and 'name="find"' in page
    assert page.count("not tested by the makers") == 1
    found = client.get("/pads/new/", {"find": "PIT 7"}).content.decode()
    assert found.count("/pads/new/?game=pit-") == 1 and "Show all" in found
    assert "No results for “<b>”" in client.get("/pads/new/", {"find": "<b>"}).content.decode().replace(
        "&lt;", "<"
    ).replace("&gt;", ">")
    home = client.get("/").content.decode()
    assert "9 more games" in home and "game=pit" not in home


def test_a_field_called_player_may_hold_something_else_than_a_name(db):
    """Of a revise is told who was given what, if there is such a field and it names somebody."""
    text = (PIT.parent / "muggins" / "game.toml").read_text()
    declaration = read_declaration(text.replace('key = "hands"', 'key = "player"'))
    table = seated(
        Phone(None)
        .post(
            "/pads/import/",
            {
                "tally": 1,
                "game": declaration.name,
                "declaration": declaration.text,
                "players": ["Ann", "Ben"],
                "entries": [{"id": "a", "type": "domino", "winner": "Ann", "player": {"Ben": {"pips": 10}}}],
            },
        )
        .json()
    )
    instead = {"type": "domino", "winner": "Ann", "player": {"Ben": {"pips": 20}}}
    told = table.player.enter({"id": "r", "type": "revise", "changes": [{"of": "a", "entry": instead}]})
    assert told[0]["status"] == "stored"
    browser = browser_of(table.watcher)
    for page in ("", "board/", "history/"):
        assert browser.get(f"/pads/{table.code}/{page}").status_code == 200
