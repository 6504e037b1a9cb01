"""Phones that hear of each other: in time, after a restart, in a burst, and no longer than they may."""

import time

import pytest
from playwright.sync_api import expect

from tests.browser.pads import join, join_hearing, key, link, pad, shows_totals, start, until

# Sends hands of Rummy 1916 as the page itself would, all at once, with the cookie and the page's own token.
SEND = """async ([name, count]) => {
  const token = document.cookie.match(/csrftoken=([^;]+)/)[1];
  const hand = {type: "hand", winner: "Ann", hands: {Bert: {count: 1}}};
  const send = (number) => fetch(location.pathname + "entries/", {
    method: "POST",
    headers: {"Content-Type": "application/json", "X-CSRFToken": token},
    body: JSON.stringify({entries: [{id: name + number, ...hand}]}),
  }).then((answer) => answer.json()).then((answer) => answer.results[0]);
  return Promise.all([...Array(count).keys()].map(send));
}"""

# A stream as a page opens it: nothing but the cookie.
OPEN = """() => new Promise((resolve) => {
  window.heard = [];
  window.stream = new EventSource(location.pathname + "events");
  window.stream.addEventListener("entry", (event) => window.heard.push(Number(event.lastEventId)));
  window.stream.addEventListener("hello", () => resolve());
})"""


@pytest.fixture
def table(device):
    return device(phone=True), device(phone=True)


def test_another_phone_is_told_of_an_entry_and_need_not_ask(table):
    ann, bert = table
    start(ann, "victory-rummy")
    join_hearing(bert, ann)
    key(ann, "Ann: red victory, 10")
    began = time.monotonic()
    shows_totals(bert, 10, 0, 0, 0)
    assert time.monotonic() - began < 4  # without a stream a phone asks every five seconds


@pytest.mark.parametrize(
    ("game", "words"), [("victory-rummy", "Ann: red victory, 10"), ("rummy-1916", "Ann")]
)
def test_a_tap_is_one_request_and_its_phone_asks_for_nothing_again(table, game, words):
    ann, bert = table
    start(ann, game)
    join_hearing(bert, ann)
    asked = {ann: [], bert: []}
    for phone, seen in asked.items():
        # A face that is drawn, or a sound that is made for the first time is fetched once; neither says
        # anything of the pad.
        phone.on(
            "request",
            lambda request, seen=seen: (
                request.resource_type in ("font", "script") or seen.append(request.url.rsplit("/", 2)[-2])
            ),
        )
    key(ann, words)
    for phone in table:
        expect(phone.locator("#last")).to_contain_text("Ann")
    bert.wait_for_timeout(1500)  # neither asks for anything more
    assert asked[ann] == ["tap"]
    assert asked[bert] == ["fragment"]


def test_when_the_server_comes_back_both_phones_go_on_and_miss_nothing(table, site):
    ann, bert = table
    start(ann, "victory-rummy")
    join(bert, ann)
    key(ann, "Ann: red victory, 10")
    shows_totals(bert, 10, 0, 0, 0)
    site.kill()
    site.start()
    key(ann, "Bert: capture, 50")
    shows_totals(ann, 10, 50, 0, 0)
    shows_totals(bert, 10, 50, 0, 0)


def test_two_phones_send_twenty_entries_each_at_once_and_hear_all_forty_in_order(table):
    ann, bert = table
    start(ann, "rummy-1916", ("Ann", "Bert"), rounds=100)
    join(bert, ann)
    for phone in table:
        phone.evaluate(OPEN)
    for name, phone in (("a", ann), ("b", bert)):
        # Not awaited in the page: the other phone sends at the same time.
        phone.evaluate(f"(given) => {{ window.sent = ({SEND})(given); }}", [name, 20])
    numbers = [result["number"] for phone in table for result in phone.evaluate("() => window.sent")]
    assert sorted(numbers) == list(range(1, 41))
    for phone in table:
        until(phone, lambda phone=phone: phone.evaluate("window.heard.length") == 40)
        assert phone.evaluate("() => window.heard") == list(range(1, 41))
        shows_totals(phone, 0, 40)


def test_a_phone_whose_link_was_changed_hears_nothing_more(table):
    ann, bert = table
    start(ann, "victory-rummy")
    join(bert, ann)
    bert.evaluate(OPEN)
    changed = """async () => {
      const token = document.cookie.match(/csrftoken=([^;]+)/)[1];
      const answer = await fetch(location.pathname + "links/", {
        method: "POST",
        headers: {"Content-Type": "application/json", "X-CSRFToken": token},
        body: JSON.stringify({rotate: "play"}),
      });
      return answer.status;
    }"""
    assert ann.evaluate(changed) == 200
    # The stream ends within five seconds; the phone asks once more, is refused, and gives up.
    until(bert, lambda: bert.evaluate("window.stream.readyState === EventSource.CLOSED"))


@pytest.mark.thorough
def test_a_stranger_with_the_address_alone_sees_no_pad(table):
    ann, stranger = table
    start(ann, "victory-rummy")
    assert stranger.goto(pad(ann)).status == 404
    assert stranger.goto(link(ann, "watch")).status == 200
