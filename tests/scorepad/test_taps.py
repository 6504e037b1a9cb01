"""POST /pads/<code>/tap/ by the phone's script: whole entries and parts, answered with the fragment."""

import json
from contextlib import contextmanager

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from archive.models import Book, Variant
from scorepad.models import Draft
from tests.scorepad.conftest import axis, browser_of, capture, sit_down, victory

THUMBS_UP = {"game": "thumbs-up", "players": ["Ann", "Bert", "Cora"]}
RUMMY = {"game": "rummy-1916", "players": ["Ann", "Bert", "Cora"]}


class Script:
    """The script of a phone: the cookie, the page's token, and the fragment as answer."""

    def __init__(self, table):
        self.pad = f"/pads/{table.code}/"
        self.client = browser_of(table.player)
        self.client.get(self.pad)
        self.headers = {"Accept": "text/vnd.pad", "X-CSRFToken": self.client.cookies["csrftoken"].value}

    def post(self, **fields):
        sent = {name: json.dumps(value) for name, value in fields.items()}
        return self.client.post(f"{self.pad}tap/", sent, headers=self.headers)

    def fragment(self):
        return self.client.get(f"{self.pad}fragment/")


@pytest.fixture
def script(table):
    return Script(table)


def refusal(answer):
    return json.loads(answer.headers["X-Refusal"])


def test_whole_entries_are_stored_in_order_and_answered_with_the_pad(table, script):
    answer = script.post(entries=[victory("one"), victory("two", color="blue")])
    assert answer.status_code == 200
    assert 'id="pad"' in answer.content.decode()
    assert 'data-head="2"' in answer.content.decode()
    assert [entry["id"] for entry in table.watcher.get("sheet.json").json()["entries"]] == ["one", "two"]


def test_the_answer_to_a_tap_is_the_fragment_that_other_phones_get(script):
    answer = script.post(entries=[victory("one")]).content.decode()
    assert "".join(answer.split()) == "".join(script.fragment().content.decode().split())


def test_entries_sent_again_count_once(table, script):
    for _ in range(3):
        assert script.post(entries=[victory("one"), capture("two", "Bert")]).status_code == 200
    assert table.watcher.result()["head"] == 2


def test_the_first_refused_entry_is_named_and_those_after_it_are_not_judged(table, script):
    broken = victory("two", color="green")
    answer = script.post(entries=[victory("one"), broken, victory("three", color="blue")])
    assert (answer.status_code, refusal(answer)["id"]) == (422, "two")
    assert refusal(answer)["message"]
    assert 'data-head="1"' in answer.content.decode()
    assert script.post(entries=[victory("one"), victory("three", color="blue")]).status_code == 200
    assert table.watcher.result()["head"] == 2


def test_an_id_that_says_something_else_is_refused(script):
    script.post(entries=[victory("one")])
    answer = script.post(entries=[victory("one", color="blue")])
    assert (answer.status_code, refusal(answer)["code"]) == (422, "id-reused")


@pytest.mark.parametrize("entries", [[], {}, 3, None, "", [{}] * 501])
def test_what_is_no_list_of_entries_is_refused(table, script, entries):
    answer = script.post(entries=entries)
    assert answer.status_code == 422
    assert refusal(answer)["message"]
    assert table.watcher.result()["head"] == 0


def test_a_watcher_enters_nothing(table):
    watcher = Script(table)
    watcher.client = browser_of(table.watcher)
    watcher.client.get(watcher.pad)
    watcher.headers["X-CSRFToken"] = watcher.client.cookies["csrftoken"].value
    assert watcher.post(entries=[victory("one")]).status_code == 403
    assert table.watcher.result()["head"] == 0


def test_a_message_that_is_turned_away_says_why(table, script):
    """As /entries/ does: the phone lists the tap with this sentence."""

    def told(answer):
        return answer.status_code, answer.json()["error"]["code"]

    script.headers["X-CSRFToken"] = "x" * 32
    answer = script.post(entries=[capture("one")])
    assert told(answer) == (403, "csrf") and "Reload the page" in answer.json()["error"]["message"]
    script.client.cookies.clear()
    assert told(script.post(entries=[capture("one")])) == (404, "no-pad")
    watcher = browser_of(table.watcher)
    watcher.get(script.pad)
    headers = {**script.headers, "X-CSRFToken": watcher.cookies["csrftoken"].value}
    assert told(watcher.post(f"{script.pad}tap/", {}, headers=headers)) == (403, "not-allowed")


def test_a_form_without_a_script_is_turned_away_by_a_page(table, script):
    answer = script.client.post(f"{script.pad}tap/", {"enter": json.dumps(capture("one"))})
    assert answer.status_code == 403 and "load the page again" in answer.content.decode()


def test_a_stopped_pad_answers_with_its_sentence(table, script):
    table.keeper.post("stop/")
    answer = script.post(entries=[victory("one")])
    assert (answer.status_code, refusal(answer)["code"]) == (422, "stopped")


def test_a_part_of_an_entry_after_the_end_is_refused_with_the_reason(db):
    script = Script(sit_down(**THUMBS_UP))
    losers = {"Bert": {"points": 5}, "Cora": {"points": 10}}
    script.post(entries=[{"id": "h", "type": "hand", "winner": "Ann", "losers": losers}])
    assert script.post(entries=[{"id": "end", "type": "end"}]).status_code == 200
    answer = script.post(part={"at": ["winner"], "put": "Bert", "id": "late"})
    assert answer.status_code == 422 and refusal(answer)["message"].startswith("The game is over")
    assert not Draft.objects.exists()


def test_a_whole_draft_that_is_refused_stays_to_be_changed(db):
    table = sit_down(**RUMMY)
    script = Script(table)
    script.post(part={"at": ["winner"], "put": "Ann"})
    script.post(part={"at": ["hands", "Bert", "count"], "put": 7})
    table.keeper.post("stop/")
    assert script.post(part={"at": ["hands", "Cora", "count"], "put": 4}).status_code == 422
    assert len(Draft.objects.get().parts) == 2


@contextmanager
def queries_at_most(most):
    with CaptureQueriesContext(connection) as captured:
        yield
    asked = [query["sql"] for query in captured if not query["sql"].startswith(("BEGIN", "COMMIT"))]
    assert len(asked) <= most, asked


@pytest.fixture
def variants(committed):
    """As the archive has them: a table may have chosen one, or something else."""
    book = Book.objects.create(slug="a-book", published=timezone.now())
    for order, options in enumerate([{}, {"target": 300}], start=1):
        Variant.objects.create(
            book=book, order=order, slug=f"variant-{order}", game="victory-rummy", options=options
        )


WISHES = [{}, {"options": {"target": 300}}, {"variant": "variant-1", "options": {"target": 400}}]


@pytest.mark.parametrize("wish", WISHES)
def test_a_whole_entry_with_its_fragment_asks_eight_questions_at_most(variants, wish):
    script = Script(sit_down(**wish))
    for entry in (victory("one"), victory("two", color="blue"), axis("three")):
        with queries_at_most(8):
            assert script.post(entries=[entry]).status_code == 200


@pytest.mark.parametrize("wish", WISHES)
def test_a_fragment_alone_asks_four_questions_at_most(variants, wish):
    script = Script(sit_down(**wish))
    script.post(entries=[victory("one"), victory("two", color="blue")])
    with queries_at_most(4):
        answer = script.fragment()
    with queries_at_most(4):
        known = script.client.get(f"{script.pad}fragment/", headers={"If-None-Match": answer.headers["ETag"]})
    assert (answer.status_code, known.status_code) == (200, 304)


def test_a_part_asks_eight_questions_at_most_even_when_it_completes_the_entry(committed):
    table = sit_down(**RUMMY)
    script = Script(table)
    for hand in range(2):
        for at, value in (
            (["winner"], "Ann"),
            (["hands", "Bert", "count"], 7),
            (["hands", "Cora", "count"], 4),
        ):
            with queries_at_most(8):
                assert script.post(part={"at": at, "put": value}).status_code == 200
        assert table.watcher.result()["head"] == hand + 1


def test_a_part_of_thumbs_up_asks_eight_questions_at_most(committed):
    script = Script(sit_down(**THUMBS_UP))
    with queries_at_most(8):
        assert script.post(part={"at": ["winner"], "put": "Ann"}).status_code == 200
    with queries_at_most(4):
        assert script.fragment().status_code == 200
