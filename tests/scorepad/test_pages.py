"""The pages of the pads: they work, they refuse, a stranger sees nothing, and forms are enough."""

import json
import re

import pytest
from django.test import Client

import engine
from engine import EntryType, Field, Game
from engine.rules import Award, Citation, Ended, Happened
from scorepad import engine_versions, imports, ledger, new_pads
from scorepad.access import links
from scorepad.layouts import PadState, thumbs_up
from scorepad.presentation import race_chart
from tests.html import holds
from tests.security.attacks.sheets import dear_sheet

pytestmark = pytest.mark.django_db
FOUR = ["Ann", "Bert", "Cora", "Dan"]


def opened(game="victory-rummy", players=FOUR, **wish):
    return new_pads.create({"game": game, "players": list(players), **wish})


def phone(address):
    """A phone that came by a link."""
    client = Client()
    client.get(address)
    return client


def tap(client, pad, name, value, **more):
    return client.post(f"/pads/{pad.code}/tap/", {name: json.dumps(value), **more}, follow=True)


def totals(pad):
    return list(ledger.position(pad).totals)


RED = {"type": "victory", "player": "Ann", "color": "red"}


def test_a_pad_is_started_with_a_form_and_opens_for_its_maker():
    client = Client()
    answer = client.post("/pads/new/", {"game": "rap-rummy", "name": ["Ann", "Bert", ""]}, follow=True)
    assert answer.status_code == 200
    assert "Who rapped?" in answer.content.decode()


def test_a_refused_start_says_why_and_keeps_what_was_typed():
    answer = Client().post("/pads/new/", {"game": "rap-rummy", "name": ["Ann", "ann"], "rounds": "3"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Two players have the same name." in page
    assert page.count('value="Ann"') == 1
    assert holds(page, 'name="rounds" min="1" max="100" value="3"')


def test_options_come_with_the_address_and_their_sentences():
    page = Client().get("/pads/new/?game=victory-rummy&bonus_order=exact").content.decode()
    assert holds(page, 'value="exact" checked')
    assert "/books/victory-rummy-1942/passages/score-bonus/" in page


def test_no_game_lets_one_choose_and_a_strange_one_is_not_found():
    assert "Rap Rummy" in Client().get("/pads/new/").content.decode()
    assert Client().get("/pads/new/?game=whist").status_code == 404


@pytest.mark.parametrize(
    "place", ["", "fragment/", "why/0/", "table/", "history/", "after/", "print/", "correct/a/"]
)
def test_a_stranger_sees_nothing(place):
    new = opened()
    ledger.append(new.pad, [{"id": "a", **RED}])
    assert Client().get(f"/pads/{new.pad.code}/{place}").status_code == 404
    assert phone(new.keep).get(f"/pads/{new.pad.code}/{place}").status_code == 200


def test_a_watcher_cannot_write():
    new = opened()
    watcher = phone(new.watch)
    assert tap(watcher, new.pad, "enter", RED).status_code == 403
    for place in ("names", "stop", "delete", "links", "rematch", "again", "keep"):
        assert watcher.post(f"/pads/{new.pad.code}/{place}/", {}).status_code == 403, place
    assert totals(new.pad) == [0, 0, 0, 0]


def test_the_cookie_of_one_pad_does_not_open_another():
    one, other = opened(), opened()
    assert phone(one.keep).get(f"/pads/{other.pad.code}/").status_code == 404


def test_the_same_tap_sent_twice_counts_once():
    new = opened()
    client = phone(new.play)
    for _ in range(2):
        tap(client, new.pad, "enter", RED, tap="the-same-page")
    assert totals(new.pad) == [10, 0, 0, 0]


def test_a_refused_tap_comes_back_with_the_pad_and_the_passage():
    new = opened()
    answer = tap(phone(new.play), new.pad, "enter", {"type": "axis", "player": "Ann", "cards": 1})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert "Ann is not out" in page
    assert "/books/victory-rummy-1942/passages/score-axis/" in page


def test_a_hand_grows_part_by_part_and_is_entered_by_its_last_count():
    new = opened("rap-rummy")
    client = phone(new.play)
    tap(client, new.pad, "part", {"at": ["rapper"], "put": None})
    for name, count in zip(FOUR, (11, 8, 6, 4), strict=True):
        assert totals(new.pad) == [0, 0, 0, 0]
        tap(client, new.pad, "part", {"at": ["hands", name, "count"], "put": count})
    assert totals(new.pad) == [0, 0, 0, 13]


def test_a_part_that_comes_again_after_the_hand_is_entered_begins_nothing():
    new = opened("rummy-1916", ["Ann", "Bert"])
    client = phone(new.play)
    tap(client, new.pad, "part", {"at": ["winner"], "put": "Ann", "for": "", "head": 0})
    drafted = client.get(f"/pads/{new.pad.code}/draft.json").json()["draft"]["id"]
    last = {"at": ["hands", "Bert", "count"], "put": 9, "for": drafted, "head": 0}
    tap(client, new.pad, "part", last)
    tap(client, new.pad, "part", last)
    assert totals(new.pad) == [0, 9]
    assert client.get(f"/pads/{new.pad.code}/draft.json").json()["draft"] is None


def test_a_piece_that_is_sent_twice_is_added_once():
    new = opened("thumbs-up", ["Ann", "Bert"])
    client = phone(new.play)
    tap(client, new.pad, "part", {"at": ["winner"], "put": "Ann"})
    add = {"at": ["losers", "Bert", "blocks"], "add": "blue dot", "nth": 0}
    for _ in range(2):
        tap(client, new.pad, "part", add, tap="one")
    entry = client.get(f"/pads/{new.pad.code}/draft.json").json()["draft"]["entry"]
    assert entry["losers"]["Bert"]["blocks"] == ["blue dot"]


def test_undo_takes_back_the_part_that_was_filled_last():
    new = opened("rap-rummy")
    client = phone(new.play)
    tap(client, new.pad, "part", {"at": ["rapper"], "put": "Ann"})
    tap(client, new.pad, "part", {"at": ["hands", "Ann", "count"], "put": 4})
    tap(client, new.pad, "part", {"at": ["hands", "Ann"], "clear": True})
    entry = client.get(f"/pads/{new.pad.code}/draft.json").json()["draft"]["entry"]
    assert entry == {"type": "hand", "rapper": "Ann"}
    tap(client, new.pad, "part", {"at": ["rapper"], "clear": True})
    assert client.get(f"/pads/{new.pad.code}/draft.json").json()["draft"] is None


@pytest.mark.parametrize(
    "sent", ["", "{", "[]", "7", '{"at": 3}', '{"at": ["hands"], "put": 1}', '{"type": "none"}']
)
def test_nonsense_is_answered_with_a_sentence(sent):
    new = opened("rap-rummy")
    for name in ("enter", "part", "units", "begin"):
        answer = phone(new.play).post(f"/pads/{new.pad.code}/tap/", {name: sent})
        assert answer.status_code in (200, 302, 422), (name, sent)


def test_a_fragment_that_has_not_changed_is_not_sent_again():
    new = opened()
    client = phone(new.play)
    first = client.get(f"/pads/{new.pad.code}/fragment/")
    again = client.get(f"/pads/{new.pad.code}/fragment/", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304
    tap(client, new.pad, "enter", RED)
    assert (
        client.get(f"/pads/{new.pad.code}/fragment/", headers={"If-None-Match": first["ETag"]}).status_code
        == 200
    )


def test_the_page_asks_few_questions_of_the_database(django_assert_max_num_queries):
    new = opened()
    client = phone(new.play)
    ledger.append(new.pad, [{"id": str(number), **RED} for number in range(1)])
    with django_assert_max_num_queries(10):
        client.get(f"/pads/{new.pad.code}/")


def test_a_correction_shows_what_else_changes_before_it_is_stored():
    new = opened()
    log = [("a", "red"), ("b", "white")]
    ledger.append(
        new.pad, [{"id": name, "type": "victory", "player": "Ann", "color": color} for name, color in log]
    )
    ledger.append(new.pad, [{"id": "c", "type": "axis", "player": "Ann", "cards": 0}])
    ledger.append(new.pad, [{"id": "d", "type": "victory", "player": "Ann", "color": "blue"}])
    client = phone(new.play)
    blue = {"type": "victory", "player": "Ann", "color": "blue"}
    page = client.post(f"/pads/{new.pad.code}/correct/a/", {"enter": json.dumps(blue)}).content.decode()
    assert "The GRAND VICTORY of Ann in deal 2 goes." in page
    assert totals(new.pad)[0] == 105
    assert holds(page, "Ann would have <b>30</b> instead of 105.")
    store = json.dumps({"type": "amend", "of": "a", "entry": blue})
    client.post(f"/pads/{new.pad.code}/correct/a/", {"store": store, "tap": "x"})
    assert totals(new.pad)[0] == 30


def test_what_a_correction_takes_from_its_own_entry_is_told_in_totals():
    """The GRAND VICTORY and the bonus come with the blue one itself: no other entry loses anything."""
    new = opened()
    victories = [
        {"id": color, "type": "victory", "player": "Ann", "color": color} for color in ("red", "white")
    ]
    axis = {"id": "x", "type": "axis", "player": "Ann", "cards": 0}
    ledger.append(
        new.pad, [*victories, axis, {"id": "d", "type": "victory", "player": "Ann", "color": "blue"}]
    )
    white = {"type": "victory", "player": "Ann", "color": "white"}
    client = phone(new.play)
    page = client.post(f"/pads/{new.pad.code}/correct/d/", {"enter": json.dumps(white)}).content.decode()
    assert holds(page, "Ann would have <b>30</b> instead of 105.") and "Nothing else would change" not in page


def test_a_hyphen_in_a_name_stays_and_one_in_a_word_is_spoken():
    new = opened("thumbs-up", ["Anne-Marie", "Bert"])
    page = tap(phone(new.play), new.pad, "part", {"at": ["winner"], "put": "Anne-Marie"}).content.decode()
    assert "Anne-Marie" in re.search(r'<section id="last".*?</section>', page, re.S)[0]


def test_who_lost_the_link_is_told_to_ask_for_a_new_one():
    new = opened()
    client = phone(new.play)
    links.revoke(new.pad, links.PLAY)
    page = client.get(f"/pads/{new.pad.code}/")
    assert page.status_code == 404
    assert "No pad is open here" in page.content.decode() and 'href="/join/"' in page.content.decode()


def test_a_pad_is_taken_away_as_a_file_and_the_way_back_is_shown():
    new = opened()
    page = phone(new.play).get(f"/pads/{new.pad.code}/table/").content.decode()
    assert f'download="victory-rummy-{new.pad.code}.json"' in page and 'href="/pads/import/"' in page
    assert 'href="/pads/import/"' in Client().get("/pads/new/").content.decode()


@pytest.mark.parametrize("name", ["a/b", "ü & ?", "../x", "%2F"])
def test_an_entry_with_any_id_can_be_corrected(name):
    new = opened()
    ledger.append(new.pad, [{"id": name, **RED}])
    client = phone(new.play)
    page = client.get(f"/pads/{new.pad.code}/history/").content.decode()
    address = re.search(r'href="(/pads/[^"]+/correct/[^"]+)"', page).group(1)
    assert client.get(address).status_code == 200


def test_a_hand_is_corrected_count_by_count():
    new = opened("rummy-1916", ["Ann", "Bert", "Cora"])
    entry = {"type": "hand", "winner": "Ann", "hands": {"Bert": {"count": 5}, "Cora": {"count": 6}}}
    ledger.append(new.pad, [{"id": "a", **entry}])
    client = phone(new.play)
    page = client.post(
        f"/pads/{new.pad.code}/correct/a/",
        {
            "part": json.dumps({"at": ["hands", "Bert", "count"], "put": 15}),
            "made": json.dumps({**entry, "done": []}),
        },
    ).content.decode()
    assert "Store the correction" in page
    assert "Bert 15" in page


def test_any_part_of_a_hand_can_be_turned_to_while_it_is_corrected():
    new = opened("thumbs-up", ["Ann", "Bert", "Cora"])
    entry = {"type": "hand", "winner": "Ann", "losers": {"Bert": {"points": 5}, "Cora": {"points": 10}}}
    ledger.append(new.pad, [{"id": "a", **entry}])
    client, address = phone(new.play), f"/pads/{new.pad.code}/correct/a/"
    page = client.post(address, {"turn": ["losers/Cora/points", ""]}).content.decode()
    assert "What does Cora pay?" in page
    page = client.post(address, {"turn": "losers/Cora/points", "by": ["blocks", ""]}).content.decode()
    assert "Cora’s five blocks" in page
    part = {"at": ["losers", "Cora", "blocks"], "add": "blue dot"}
    page = client.post(
        address, {"turn": "losers/Cora/blocks", "by": "blocks", "part": json.dumps(part)}
    ).content.decode()
    assert "blue dot: free. Take back" in page
    assert "Store the correction" not in page


def test_history_tells_every_entry_and_the_sheet_at_any_moment():
    new = opened()
    ledger.append(new.pad, [{"id": "a", **RED}, {"id": "b", "type": "void", "of": "a"}], ledger.Who(1))
    page = phone(new.watch).get(f"/pads/{new.pad.code}/history/?at=1").content.decode()
    assert "Entry 1 struck out" in page
    assert "Bert," in page
    assert "After 1 of 2 entries" in page


def test_how_it_went_draws_the_race_and_the_same_as_a_table():
    new = opened(options={"target": 50})
    ledger.append(new.pad, [{"id": "a", **RED}, {"id": "b", "type": "capture", "player": "Bert"}])
    page = phone(new.watch).get(f"/pads/{new.pad.code}/after/").content.decode()
    assert "<polyline" in page
    assert "Bert won" in page
    assert "The same as a table" in page


def test_the_printed_sheet_has_its_qr_and_no_inline_style():
    new = opened()
    page = phone(new.watch).get(f"/pads/{new.pad.code}/print/").content.decode()
    assert "<path" in page
    assert " style=" not in page


def test_the_printed_sheet_tells_an_option_and_its_value_apart():
    new = new_pads.create({"game": "thumbs-up", "players": ["Ann", "Bert"], "options": {"stake": 300}})
    page = html_of(phone(new.watch), new.pad, "print/")
    assert re.search(r"<dt>[^<]*0 counts only what changes hands.</dt>\s*<dd>300.</dd>", page)


def test_names_are_changed_on_the_table_page_and_a_bad_one_is_refused_in_place():
    new = opened()
    keeper = phone(new.keep)
    keeper.post(f"/pads/{new.pad.code}/names/", {"name": ["Anna", "Bert", "Cora", "Dan"]})
    assert "Anna" in keeper.get(f"/pads/{new.pad.code}/").content.decode()
    answer = keeper.post(f"/pads/{new.pad.code}/names/", {"name": ["Bert", "bert", "Cora", "Dan"]})
    assert answer.status_code == 422
    assert "Two players have the same name." in answer.content.decode()


def test_stop_reopen_and_delete_by_form():
    new = opened()
    keeper = phone(new.keep)
    keeper.post(f"/pads/{new.pad.code}/stop/")
    assert "Stopped in deal 1" in keeper.get(f"/pads/{new.pad.code}/").content.decode()
    keeper.post(f"/pads/{new.pad.code}/reopen/")
    assert "Stopped" not in keeper.get(f"/pads/{new.pad.code}/").content.decode()
    keeper.post(f"/pads/{new.pad.code}/delete/")
    assert keeper.get(f"/pads/{new.pad.code}/").status_code == 404


def test_a_golden_sheet_opens_as_a_pad():
    client = Client()
    assert "The sample score of 1942" in client.get("/pads/samples/").content.decode()
    answer = client.post("/pads/samples/", {"sheet": "victory-rummy/0"}, follow=True)
    assert "195" in answer.content.decode()


def test_a_sheet_is_brought_in_by_form_and_a_bad_one_is_kept_to_be_mended():
    new = opened()
    ledger.append(new.pad, [{"id": "a", **RED}])
    sheet = phone(new.watch).get(f"/pads/{new.pad.code}/sheet.json").content.decode()
    client = Client()
    assert client.get("/pads/import/").status_code == 200
    answer = client.post("/pads/import/", {"sheet": sheet}, follow=True)
    assert "red victory" in answer.content.decode()
    answer = client.post("/pads/import/", {"sheet": "{not json"})
    assert answer.status_code == 422
    assert "{not json" in answer.content.decode()


def test_a_pad_of_an_older_engine_says_what_is_scored_otherwise(monkeypatch):
    new = opened()
    ledger.append(new.pad, [{"id": "a", **RED}])
    says = {
        "from": "0.9",
        "to": "1.0",
        "entries": [{"entry": 0}],
        "changelog": [{"version": "1.0", "says": "Why."}],
    }
    monkeypatch.setattr(engine_versions, "report", lambda pad, head=None: says)
    watcher = phone(new.watch)
    assert "Scored again by engine 1.0" in watcher.get(f"/pads/{new.pad.code}/").content.decode()
    page = watcher.get(f"/pads/{new.pad.code}/history/").content.decode()
    assert holds(page, "begun with engine 0.9; 1.0 scores 1 entry differently: 1.")


def test_chips_are_counted_against_the_log():
    new = opened("thumbs-up", ["Ann", "Bert"], options={"stake": 100})
    page = phone(new.play).post(f"/pads/{new.pad.code}/checks/", {"counted": ["100", "85"]}).content.decode()
    assert "The table has 3 chips less than it should (15 points)." in page


def test_the_worker_is_served_from_the_root_and_the_manifest_names_the_site():
    assert Client().get("/sw.js")["Content-Type"].startswith("text/javascript")
    assert Client().get("/manifest.webmanifest").json()["name"] == "Tallyroom"


@pytest.mark.parametrize(
    ("path", "is_pad"), [("/pads/abc23456/", True), ("/pads/new/", False), ("/pads/samples/", False)]
)
def test_the_worker_keeps_pads_and_no_forms(path, is_pad):
    script = b"".join(Client().get("/sw.js")).decode()
    pattern = re.search(r"const PAD = /(.*)/;", script)[1].replace(r"\/", "/")
    assert bool(re.search(pattern, path)) is is_pad


# A seventh game, known to no template: whoever guesses the number of beans gets them.
BEANS = Citation("beans-1900/guess")
GUESS = EntryType(
    "guess",
    "Someone guesses",
    (
        Field("player", "player", "Who guesses?"),
        Field("beans", "number", "How many beans?", least=0, most=20),
        Field("kind", "choice", "Which beans?", values=("white", "black")),
    ),
)
ROUND = EntryType(
    "round",
    "Everyone shows beans",
    (
        Field(
            "shown",
            "each",
            "What does each show?",
            shapes=((Field("beans", "number", "Beans", least=0, most=9),),),
        ),
    ),
)


def play_beans(now, entry):
    if now.kind == "round":
        awards = tuple(
            Award(seat, entry["shown"][name]["beans"], "bean", (BEANS,), f"{name} shows beans")
            for seat, name in enumerate(now.table.players)
        )
        return Happened(now.state, awards)
    seat = now.table.players.index(entry["player"])
    ended = Ended((seat,), "Twenty beans are enough.", (BEANS,)) if entry["beans"] == 20 else None
    return Happened(now.state, (Award(seat, entry["beans"], "bean", (BEANS,), "The beans are his"),), ended)


BEAN_GAME = Game(
    "beans",
    "Beans",
    "beans-1900",
    (2, 8),
    (),
    (GUESS, ROUND),
    lambda table: None,
    play_beans,
    lambda *state: {"round": 1},
)


def test_a_seventh_game_is_played_on_the_drawn_pad(monkeypatch):
    monkeypatch.setitem(engine.GAMES, "beans", BEAN_GAME)
    client = Client()
    client.post("/pads/new/", {"game": "beans", "name": ["Ann", "Bert"]})
    pad = links.Link.objects.get(role="keep").pad
    page = client.get(f"/pads/{pad.code}/").content.decode()
    assert "Someone guesses" in page
    assert "Everyone shows beans" in page
    tap(client, pad, "begin", {"type": "round"})
    for name, beans in (("Ann", 3), ("Bert", 4)):
        page = client.get(f"/pads/{pad.code}/").content.decode()
        assert f"{name}: Beans" in page
        tap(client, pad, "part", {"at": ["shown", name, "beans"], "put": beans})
    assert totals(pad) == [3, 4]
    tap(client, pad, "begin", {"type": "guess"})
    tap(client, pad, "part", {"at": ["player"], "put": "Ann"})
    tap(client, pad, "part", {"at": ["beans"], "put": 20})
    assert "Which beans?" in client.get(f"/pads/{pad.code}/").content.decode()
    answer = tap(client, pad, "part", {"at": ["kind"], "put": "white"})
    assert totals(pad) == [23, 4]
    assert "Ann wins." in answer.content.decode()
    for place in ("history/", "after/", "print/", "why/0/"):
        assert client.get(f"/pads/{pad.code}/{place}").status_code == 200, place


def test_a_long_history_has_pages_and_a_long_pad_shows_its_newest_hands(db, settings, monkeypatch):
    """All 2,000 rows at once took seconds and eight megabytes."""
    settings.ENTRIES_PER_HISTORY_PAGE_MOST = 3
    monkeypatch.setattr(thumbs_up, "HANDS_SHOWN", 2)
    new = imports.import_pad(dear_sheet(7))
    pad, watcher = new.pad, phone(new.watch)
    newest, older, oldest = (
        html_of(watcher, pad, f"history/{query}") for query in ("", "?until=4", "?until=1")
    )
    assert numbers(newest) == ["7", "6", "5"] and "?until=4" in newest and "Newest entries" not in newest
    assert numbers(older) == ["4", "3", "2"] and "?until=1" in older and "Newest entries" in older
    assert numbers(oldest) == ["1"] and "Earlier entries" not in oldest
    shown = html_of(watcher, pad, "")
    assert re.findall(r'<th scope="row">(\d+)</th>', shown) == ["6", "7"]
    assert "The hands before number 6 are in the" in shown
    printed = html_of(watcher, pad, "print/")
    assert re.findall(r'<th scope="row">(\d+)</th>', printed) == list("1234567")


def test_a_long_race_is_drawn_with_steps_left_out_but_not_the_last(monkeypatch):
    state = PadState(engine.replay(dear_sheet(23)))
    whole = race_chart.draw_race(state)
    assert whole.steps == tuple(range(1, 24))
    monkeypatch.setattr(race_chart, "STEPS_MOST", 8)
    thinned = race_chart.draw_race(state)
    assert thinned.steps == (2, 5, 8, 11, 14, 17, 20, 23)
    for runner, all_of_it in zip(thinned.runners, whole.runners, strict=True):
        assert runner.totals == tuple(all_of_it.totals[step] for step in (0, *thinned.steps))


def numbers(page):
    return re.findall(r'class="log__number">(\d+)<', page)


def html_of(client, pad, path):
    answer = client.get(f"/pads/{pad.code}/{path}")
    assert answer.status_code == 200
    return answer.content.decode()
