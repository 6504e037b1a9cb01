"""A player becomes an owner: by a yes, or after hours without a sign of the owner's phone."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from scorepad.live import reader
from scorepad.models import Handover, Link
from tests.scorepad.conftest import Phone, browser_of, seated

pytestmark = pytest.mark.django_db
TWELVE = timedelta(hours=12, seconds=5)


def ask(phone, claim=""):
    return phone.post("keep/", {"claim": claim})


def let_pass(time):
    """So much time goes by after everything that is written down about the request."""
    row = Handover.objects.get()
    row.asked_at -= time
    row.seen_at = row.seen_at and row.seen_at - time
    row.save()


def new_owner(table):
    """The player, after the owner's yes."""
    claim = ask(table.player).json()["claim"]
    table.keeper.post("keep/", {"accept": True})
    return Phone(ask(table.player, claim).json()["keep"].rsplit("/", 1)[-1], table.code)


def error(answer):
    return answer.status_code, answer.json()["error"]["code"]


def test_without_a_yes_or_time_a_player_is_no_owner(table):
    first = ask(table.player)
    assert (first.status_code, first.json()["given"]) == (202, False)
    assert 11 * 3600 < first.json()["wait"] <= 12 * 3600
    let_pass(timedelta(minutes=61))
    again = ask(table.player, first.json()["claim"])
    assert (again.status_code, again.json()["given"]) == (202, False)
    assert Link.objects.filter(role="keep").count() == 1


def test_with_the_owners_yes_he_is(table):
    owner = new_owner(table)
    assert owner.post("names/", {"players": ["Anna", "Bert", "Cleo"]}).status_code == 200
    assert table.keeper.get("about.json").json()["role"] == "keep"


def test_with_a_no_he_is_not_and_asks_again_later(table):
    claim = ask(table.player).json()["claim"]
    table.keeper.post("keep/", {"decline": True})
    assert error(ask(table.player, claim)) == (422, "declined")
    assert table.keeper.get("about.json").json()["asks_to_keep"] is None
    let_pass(timedelta(minutes=61))
    assert ask(table.player, claim).json()["claim"] != claim


def test_a_yes_can_be_taken_back_until_it_is_used(table):
    claim = ask(table.player).json()["claim"]
    table.keeper.post("keep/", {"accept": True})
    table.keeper.post("keep/", {"decline": True})
    assert error(ask(table.player, claim)) == (422, "declined")


def test_after_twelve_hours_without_the_owners_phone_he_is(table):
    claim = ask(table.player).json()["claim"]
    let_pass(TWELVE)
    assert ask(table.player, claim).json()["given"] is True


@pytest.mark.parametrize("sign", ["result.json", "", "table/"])
def test_any_sign_of_the_owners_phone_begins_the_time_anew(table, sign):
    claim = ask(table.player).json()["claim"]
    let_pass(TWELVE)
    assert table.keeper.get(sign).status_code == 200
    again = ask(table.player, claim)
    assert again.status_code == 202 and again.json()["wait"] > 11 * 3600


def test_an_open_stream_of_the_owner_is_a_sign_too(table):
    claim = ask(table.player).json()["claim"]
    let_pass(TWELVE)
    reader.note_owners(list(Link.objects.filter(role="keep").values_list("pk", flat=True)))
    assert ask(table.player, claim).status_code == 202


def test_players_and_watchers_are_no_sign(table):
    claim = ask(table.player).json()["claim"]
    let_pass(TWELVE)
    assert table.watcher.get("result.json").status_code == 200
    assert ask(table.player, claim).json()["given"] is True


def test_only_the_phone_that_asked_becomes_an_owner_though_others_have_the_same_link(table):
    claim = ask(table.player).json()["claim"]
    table.keeper.post("keep/", {"accept": True})
    assert error(ask(Phone(table.player.token, table.code))) == (422, "asked-already")
    assert error(ask(table.player, "x" * 32)) == (422, "asked-already")
    assert ask(table.player, claim).json()["given"] is True
    assert claim not in str(list(Handover.objects.values()))


def test_never_on_a_stopped_pad(table):
    claim = ask(table.player).json()["claim"]
    table.keeper.post("keep/", {"accept": True})
    table.keeper.post("stop/")
    assert error(ask(table.player, claim)) == (422, "stopped")
    assert table.keeper.get("about.json").json()["asks_to_keep"] is None
    Handover.objects.all().delete()
    assert error(ask(table.player)) == (422, "stopped")
    assert Link.objects.filter(role="keep").count() == 1


def test_who_is_sent_away_has_asked_for_nothing(table):
    ask(table.player)
    table.keeper.post("links/", {"rotate": "play"})
    assert not Handover.objects.exists()


def test_what_nobody_collects_does_not_keep_others_from_asking(table):
    ask(table.player)
    let_pass(2 * TWELVE)
    assert ask(Phone(table.player.token, table.code)).status_code == 202


def test_for_a_week_a_new_owner_neither_sends_the_first_away_nor_deletes_the_pad(table):
    owner = new_owner(table)
    assert error(owner.post("links/", {"rotate": "keep"})) == (422, "new-owner")
    assert error(owner.post("delete/")) == (422, "new-owner")
    assert owner.post("links/", {"rotate": "play"}).status_code == 200
    Link.objects.filter(given_at__isnull=False).update(given_at=timezone.now() - timedelta(days=7, seconds=1))
    assert owner.post("links/", {"rotate": "keep"}).status_code == 200
    assert table.keeper.get("about.json").status_code == 404


def test_the_first_owner_may_end_the_new_owners_link_at_any_time(table):
    owner = new_owner(table)
    assert table.keeper.post("links/", {"rotate": "keep"}).status_code == 200
    assert owner.get("about.json").status_code == 404


def test_nothing_a_new_owner_is_shown_or_makes_lets_him_do_more(table):
    table.keeper.post("/pads/join/", {"code": table.keeper.post("join/", {"role": "keep"}).json()["code"]})
    owner = new_owner(table)
    assert owner.get("links.json").json()["keep"].endswith(owner.token)
    assert table.keeper.token not in owner.get("table/").content.decode()
    assert not table.keeper.get("links.json").json()["keep"].endswith(owner.token)
    code = owner.post("join/", {"role": "keep"}).json()["code"]
    made = Phone(None).post("/pads/join/", {"code": code}).json()["link"]
    assert error(Phone(made.rsplit("/", 1)[-1], table.code).post("delete/")) == (422, "new-owner")


def test_the_next_game_has_the_same_owners_with_the_same_bounds(table):
    owner = new_owner(table)
    begun = owner.post("rematch/").json()
    there = seated(begun).keeper
    assert error(there.post("delete/")) == (422, "new-owner")
    followed, first = browser_of(owner), browser_of(table.keeper)
    for phone, status in ((followed, 422), (first, 200)):
        assert phone.get(f"/pads/{table.code}/next/").headers["Location"] == begun["pad"]
        assert phone.get(f"{begun['pad']}about.json").json()["role"] == "keep"
        phone.cookies["csrftoken"] = "a" * 32
        answer = phone.post(f"{begun['pad']}delete/", headers={"X-CSRFToken": "a" * 32})
        assert answer.status_code == (302 if status == 200 else 422)


def test_who_becomes_an_owner_after_the_next_game_was_begun_plays_on_there(table):
    begun = table.keeper.post("rematch/").json()
    phone = browser_of(new_owner(table))
    assert phone.get(f"/pads/{table.code}/next/").status_code == 302
    assert phone.get(f"{begun['pad']}about.json").json()["role"] == "play"


def send(client, table, **fields):
    """The form of the page, by a phone with its cookies."""
    client.cookies["csrftoken"] = "a" * 32
    fields = {"csrfmiddlewaretoken": "a" * 32, **fields}
    return client.post(f"/pads/{table.code}/keep/", fields)


def test_every_phone_of_the_pad_shows_it_and_says_what_will_happen(table):
    asking, owner, watcher = browser_of(table.player), browser_of(table.keeper), browser_of(table.watcher)
    asking.cookies["csrftoken"] = "a" * 32
    asking.post(f"/pads/{table.code}/seat/", {"csrfmiddlewaretoken": "a" * 32, "seat": "1"})
    assert send(asking, table).status_code == 302
    for page in ("", "fragment/", "table/"):
        address = f"/pads/{table.code}/{page}"
        assert "Bert asks to become an owner of this pad." in watcher.get(address).content.decode()
        shown = owner.get(address).content.decode()
        assert 'name="accept"' in shown and 'name="decline"' in shown
        assert "You have asked to become an owner" in asking.get(address).content.decode()
        assert 'name="accept"' not in asking.get(address).content.decode()
    send(owner, table, accept="1")
    assert "You can become an owner of this pad now." in asking.get(f"/pads/{table.code}/").content.decode()
    assert "Bert becomes an owner" in watcher.get(f"/pads/{table.code}/fragment/").content.decode()
    send(asking, table)
    page = asking.get(f"/pads/{table.code}/table/").content.decode()
    assert "You are a new owner of this pad." in page and "Delete this pad" not in page


def test_a_phone_that_shares_the_link_cannot_collect_by_its_own_cookie(table):
    asking, other = browser_of(table.player), browser_of(table.player)
    send(asking, table)
    send(browser_of(table.keeper), table, accept="1")
    assert send(other, table).status_code == 422
    assert send(asking, table).status_code == 302
    assert asking.get(f"/pads/{table.code}/about.json").json()["role"] == "keep"
    assert other.get(f"/pads/{table.code}/about.json").json()["role"] == "play"


def test_the_fragment_is_drawn_anew_when_somebody_asks(table):
    watcher = Client()
    watcher.get(f"/pads/{table.code}/{table.watcher.token}")
    address = f"/pads/{table.code}/fragment/"
    tag = watcher.get(address).headers["ETag"]
    assert watcher.get(address, headers={"If-None-Match": tag}).status_code == 304
    ask(table.player)
    assert watcher.get(address, headers={"If-None-Match": tag}).status_code == 200
