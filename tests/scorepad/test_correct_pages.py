"""The correction page: an entry, its whole deal or hand, something forgotten, and what belongs together."""

import html
import json
import re
from random import Random

import pytest

from scorepad import ledger
from scorepad.ledger import pad_verification
from tests.engine.random_games import PROPOSE, random_log
from tests.scorepad.conftest import Phone, axis, browser_of, capture, seated, sit_down, victory
from tests.scorepad.test_revise_and_insert import insert, stored

pytestmark = pytest.mark.django_db


class Page:
    """A correction page as a phone without JavaScript has it: a form, tapped button by button."""

    def __init__(self, table, entry_id, query=""):
        self.table, self.browser = table, browser_of(table.player)
        self.address = f"/pads/{table.code}/correct/{entry_id}/"
        self.answer = self.browser.get(self.address + query)
        assert self.answer.status_code == 200

    @property
    def text(self):
        return html.unescape(self.answer.content.decode())

    @property
    def foreseen(self):
        found = re.search(r'<section class="foresee".*?</section>', self.text, re.S)
        return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", found[0])) if found else ""

    def button(self, words, name=None, has=""):
        """The name and value of a button, by what it says and, where several say so, what its value has."""
        for tag, inside in re.findall(r"<button([^>]*)>(.*?)</button>", self.answer.content.decode(), re.S):
            said = html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", inside)).strip())
            spoken = re.search(r'aria-label="([^"]*)"', tag)
            if words in (said, html.unescape(spoken[1]) if spoken else None):
                value = re.search(r"""value=(?:"([^"]*)"|'([^']*)')""", tag)
                found = re.search(r'name="([^"]*)"', tag)[1]
                sent = html.unescape(value[1] if value[1] is not None else value[2])
                if name in (None, found) and has in sent:
                    return found, sent
        raise AssertionError(f"no button {words!r}")

    def tap(self, words, name=None, has="", status=200):
        pressed, value = self.button(words, name, has)
        form = re.search(r'<form id="tap".*?</form>', self.answer.content.decode(), re.S)[0]
        hidden = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form)
        fields = [(pressed, value), *((key, html.unescape(one)) for key, one in hidden)]
        data = {}
        for key, one in fields:
            data.setdefault(key, []).append(one)
        self.answer = self.browser.post(self.address, data)
        assert self.answer.status_code == status, self.foreseen
        return self

    def store(self):
        self.tap("Store the correction", status=302)
        return self.table.watcher.result()


@pytest.fixture
def wrong(table):
    """Ann's deal, in which she went out, was Bert's; a second deal has begun."""
    stored(
        table, victory("a"), victory("c", "Cleo", "blue"), victory("b", "Ann", "white"), axis("x", "Ann", 3)
    )
    stored(table, capture("d", "Cleo"))
    return table


def test_a_whole_deal_is_given_to_another_player(wrong):
    page = Page(wrong, "a", "?who=Ann").tap("Bert", "round")
    assert "Give Ann’s part of deal 1 to Bert" in page.foreseen
    assert "Ann red victory becomes Bert red victory" in page.foreseen
    assert "Ann would have 0 instead of 50" in page.foreseen
    assert page.store()["totals"] == {"Ann": 0, "Bert": 50, "Cleo": 60}
    assert wrong.pad.entries.last().body["type"] == "revise"
    assert pad_verification.verify(wrong.pad.pk) == (6, [])


def test_one_entry_that_cannot_move_alone_takes_its_deal_with_it(wrong):
    page = Page(wrong, "a").tap("Bert: red victory, 10")
    assert "That change alone is not possible" in page.foreseen
    assert "Ann out, 3 AXIS cards becomes Bert out, 3 AXIS cards" in page.foreseen
    assert page.store()["totals"] == {"Ann": 0, "Bert": 50, "Cleo": 60}


def test_what_put_a_player_out_is_struck_out_with_its_count(wrong):
    page = Page(wrong, "b").tap("Strike it out")
    assert "That change alone is not possible" in page.foreseen
    assert "Ann out, 3 AXIS cards is struck out" in page.foreseen
    assert page.store()["totals"] == {"Ann": 10, "Bert": 0, "Cleo": 60}


def test_two_players_are_swapped_in_a_deal(wrong):
    page = Page(wrong, "b").tap("Cleo", "round", has="swap")
    assert "Swap Ann and Cleo in deal 1" in page.foreseen
    assert page.store()["totals"] == {"Ann": 10, "Bert": 0, "Cleo": 100}


def token(page):
    return re.search(r'name="csrfmiddlewaretoken" value="([^"]*)"', page.text)[1]


def test_a_whole_deal_is_struck_out(wrong):
    page = Page(wrong, "x").tap("Strike out all of deal 1")
    assert page.foreseen.count("struck out") == 4
    assert page.store()["totals"] == {"Ann": 0, "Bert": 0, "Cleo": 50}


def test_another_player_of_the_deal_can_be_moved_instead(wrong):
    page = Page(wrong, "a").tap("Cleo…")
    assert "Give Cleo’s part to" in page.text
    page.tap("Bert", "round")
    assert page.store()["totals"] == {"Ann": 50, "Bert": 10, "Cleo": 50}


def test_everyone_has_a_share_of_a_hand_so_players_are_only_swapped(db):
    table = sit_down(game="rummy-1926")
    hand = {"type": "hand", "winner": "Ann", "hands": {"Bert": {"count": 7}, "Cleo": {"count": 12}}}
    stored(table, {"id": "h", **hand})
    page = Page(table, "h", "?who=Bert")
    assert "All of hand 1" in page.text and "part to" not in page.text
    page.tap("Ann", "round")
    assert page.store()["totals"] == {"Ann": 7, "Bert": 0, "Cleo": 12}


def test_something_forgotten_is_added_after(wrong):
    page = Page(wrong, "a").tap("After this entry")
    assert "Something was forgotten after this" in page.text
    page.tap("Bert: blue victory, 10")
    assert "Add Bert blue victory" in page.foreseen
    assert page.store()["totals"] == {"Ann": 50, "Bert": 10, "Cleo": 60}
    assert wrong.pad.entries.last().body["after"] == "a"


def test_something_forgotten_is_added_before_the_first(wrong):
    page = Page(wrong, "a").tap("Before this entry").tap("Bert: capture, 50")
    page.store()
    assert wrong.pad.entries.last().body["after"] is None


def test_nothing_is_offered_before_what_was_itself_added_there(wrong):
    stored(wrong, insert("i", "d", victory("", "Bert", "blue")), insert("j", "i", victory("", "Ann")))
    assert 'value="before"' not in Page(wrong, "i").text
    assert 'value="before"' not in Page(wrong, "j").text
    assert 'value="before"' in Page(wrong, "c").text


def test_a_forgotten_victory_that_put_a_player_out_asks_for_its_count(table):
    stored(table, victory("a"), victory("b", "Bert"))
    page = Page(table, "a").tap("After this entry").tap("Ann: white victory, 10")
    assert "Ann is out. How many AXIS cards?" in page.text and not page.foreseen
    page.tap("Ann: 2 AXIS cards, 20")
    assert "Ann would have 40 instead of 10" in page.foreseen
    assert page.store()["totals"] == {"Ann": 40, "Bert": 10, "Cleo": 0}
    assert list(table.pad.entries.values_list("step", flat=True)) == [None, None, 3, 3]
    assert pad_verification.verify(table.pad.pk) == (4, [])


def test_before_the_count_of_a_deal_means_before_what_put_the_player_out(wrong):
    page = Page(wrong, "x").tap("Before this entry")
    assert "Ann is out" not in page.text
    page.tap("Bert: capture, 50")
    assert page.store()["totals"] == {"Ann": 50, "Bert": 50, "Cleo": 60}
    assert wrong.pad.entries.last().body["after"] == "c"


def test_nothing_is_offered_between_what_put_a_player_out_and_the_count(wrong):
    assert 'value="after"' not in Page(wrong, "b").text
    assert 'value="before"' in Page(wrong, "b").text
    assert 'value="after"' in Page(wrong, "x").text


def test_a_correction_that_puts_a_player_out_asks_for_his_count_too(table):
    stored(table, victory("a"), victory("b", "Bert"), victory("c", "Cleo"))
    page = Page(table, "b").tap("Ann: white victory, 10")
    assert "Ann is out. How many AXIS cards?" in page.text
    page.tap("Ann: 0 AXIS cards, 0")
    assert page.store()["totals"] == {"Ann": 20, "Bert": 0, "Cleo": 10}


def test_a_key_tapped_after_the_count_begins_anew(table):
    stored(table, victory("a"), victory("b", "Bert"))
    page = Page(table, "a").tap("After this entry").tap("Ann: white victory, 10")
    page.tap("Ann: 2 AXIS cards, 20").tap("Cleo: capture, 50")
    assert "Add Cleo capture" in page.foreseen and "AXIS" not in page.foreseen
    assert page.store()["totals"] == {"Ann": 10, "Bert": 10, "Cleo": 50}


def test_a_forgotten_hand_is_filled_in_part_by_part(db):
    table = sit_down(game="rummy-1926", players=["Ann", "Bert"], options={"rounds": 2})
    hand = {"type": "hand", "winner": "Ann", "hands": {"Bert": {"count": 7}}}
    stored(table, {"id": "h", **hand})
    page = Page(table, "h").tap("Before this entry").tap("Bert")
    assert not page.foreseen
    page.tap("Ann: 9")
    assert "Add Bert out; Ann 9" in page.foreseen
    assert page.store()["totals"] == {"Ann": 9, "Bert": 7}
    assert list(table.pad.entries.values_list("step", flat=True)) == [None, None]


def test_nonsense_in_the_form_is_answered_with_a_sentence(wrong):
    page = Page(wrong, "a")
    for odd in (
        {"round": "[]"},
        {"round": json.dumps({"do": "give", "with": "Nobody"})},
        {"round": json.dumps({"do": "give", "with": ["Bert"]})},
        {"follows": "{}", "enter": "{}"},
        {"follows": '[{"type": "nothing"}]'},
        {"asking": "follow", "enter": '"x"'},
        {"scope": "after", "part": '{"at": ["player"], "put": "Ann"}'},
        {"store": "[]"},
        {"store": "[1, 2]"},
    ):
        answer = page.browser.post(page.address, {**odd, "csrfmiddlewaretoken": token(page)})
        assert answer.status_code == 422, odd
        assert 'role="alert"' in answer.content.decode()
    assert wrong.pad.entries.count() == 5


def test_a_number_leads_to_the_part_it_came_from(db):
    table = sit_down(game="rummy-1926")
    hand = {"type": "hand", "winner": "Ann", "hands": {"Bert": {"count": 7}, "Cleo": {"count": 12}}}
    stored(table, {"id": "h", **hand})
    browser = browser_of(table.player)
    page = browser.get(f"/pads/{table.code}/why/1/").content.decode()
    address = html.unescape(re.search(r'href="([^"]*/correct/[^"]*)"', page)[1])
    assert address.endswith("?at=hands%2FCleo&who=Cleo")
    assert "Cleo’s count?" in browser.get(address).content.decode()


# Rap Rummy


def tied(name="t", **more):
    hands = {"Ann": {"count": 5}, "Bert": {"count": 5}, "Cleo": {"count": 9}}
    return {"id": name, "type": "hand", "rapper": None, "hands": hands, **more}


@pytest.fixture
def rapped(db):
    table = sit_down(game="rap-rummy")
    stored(table, tied(tiebreak="Ann"))
    return table


def test_a_tied_hand_can_be_corrected(rapped):
    page = Page(rapped, "t", "?at=hands/Ann").tap("Ann: 3")
    assert "Store the correction" in page.text, page.foreseen
    assert page.store()["totals"] == {"Ann": 8, "Bert": 0, "Cleo": 0}
    assert "tiebreak" not in rapped.pad.entries.last().body["entry"]


def test_its_tie_break_can_be_corrected(rapped):
    page = Page(rapped, "t").tap("Tiebreak: Ann").tap("Bert has the lowest set or sequence")
    assert page.store()["totals"] == {"Ann": 0, "Bert": 4, "Cleo": 0}
    page = Page(rapped, "t").tap("Tiebreak: Bert").tap("It cannot be broken")
    assert page.store()["totals"] == {"Ann": 4, "Bert": 4, "Cleo": 0}
    page = Page(rapped, "t").tap("Tiebreak: cannot be broken").tap("Ann has the lowest set or sequence")
    assert page.store()["totals"] == {"Ann": 4, "Bert": 0, "Cleo": 0}


def test_another_tie_is_asked_anew(rapped):
    page = Page(rapped, "t", "?at=hands/Ann").tap("Ann: 9").tap("Cleo: 9").tap("Cleo: 5")
    assert "Who has the lowest set or sequence?" in page.text and not page.foreseen
    page.tap("Cleo has the lowest set or sequence")
    assert page.store()["totals"] == {"Ann": 0, "Bert": 0, "Cleo": 4}


def test_the_printed_sheet_lists_hands_in_order_of_play(rapped):
    stored(rapped, tied("u", tiebreak="Bert"))
    page = browser_of(rapped.player).get(f"/pads/{rapped.code}/print/").content.decode()
    assert re.findall(r"Hand (\d)<", page) == ["1", "2"]
    pad = browser_of(rapped.player).get(f"/pads/{rapped.code}/").content.decode()
    assert re.findall(r"Hand (\d)<", pad) == ["2", "1"]


@pytest.mark.parametrize("key", sorted(PROPOSE))
def test_every_way_is_open_at_every_entry_of_every_game(key):
    """What the page proposes is stored as it was foreseen, or refused with a sentence; it never fails."""
    sheet = random_log(Random(f"ways {key}"), key, entries_most=12)
    table = seated(Phone(None).post("/pads/import/", sheet).json())
    position = ledger.position(table.pad)
    names = [name for name, place in position.places.items() if place is not None]
    assert names
    proposed = 0
    for name in names[:8]:
        page = Page(table, name)
        rounds = re.findall(r"""name="round"\s*value='([^']*)'""", page.answer.content.decode())
        ways = [{"forgotten": "after"}, {"forgotten": "before"}, {"strike": "1"}]
        for way in [*ways, *({"round": html.unescape(one)} for one in rounds)]:
            page.answer = page.browser.post(page.address, {**way, "csrfmiddlewaretoken": token(page)})
            assert page.answer.status_code == 200, (name, way)
            assert page.foreseen or "forgotten" in way or "(struck out)" in page.text
            stores = 'name="store"' in page.text
            proposed += stores
            if stores:
                _, sent = page.button("Store the correction")
                foreseen = table.watcher.post("preview/", {"entry": json.loads(sent)}).json()
                assert foreseen["error"] is None
    assert proposed
