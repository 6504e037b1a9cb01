"""A phone that comes by a link is asked once who it is; its seat is marked; who only watches has no keys."""

import pytest
from django.test import Client

from tests.scorepad.conftest import sit_down

pytestmark = pytest.mark.django_db


class Phone:
    """A phone with a browser, come by a link of this role."""

    def __init__(self, table, role="player"):
        link = getattr(table, role)
        self.client = Client()
        self.pad, self.link = f"/pads/{table.code}/", f"/pads/{table.code}/{link.token}"
        self.came = self.client.get(self.link)

    def page(self, path=""):
        return self.client.get(self.pad + path).content.decode()

    def say(self, seat):
        return self.client.post(f"{self.pad}seat/", {"seat": seat})


def test_a_link_asks_once(table):
    phone = Phone(table)
    assert phone.came.headers["Location"] == f"{phone.pad}?who=1"
    asked = phone.page("?who=1")
    assert "Who are you?" in asked
    assert all(name in asked for name in ("Ann</button>", "I keep the score", "I only watch"))
    assert "Who are you?" not in phone.page()
    assert phone.client.get(phone.link).headers["Location"] == phone.pad


def test_the_short_code_asks_too(table):
    code = table.player.post("join/").json()["code"]
    assert Client().post("/join/", {"code": code}).headers["Location"] == f"/pads/{table.code}/?who=1"


@pytest.mark.parametrize(
    "game", ["victory-rummy", "rap-rummy", "rummy-1916", "rummy-1926", "thumbs-up", "victor-or-victim"]
)
def test_the_own_seat_is_marked_on_every_pad(game):
    phone = Phone(sit_down(game=game))
    assert "data-own" not in phone.page()
    assert phone.say("1").headers["Location"] == phone.pad
    page = phone.page()
    assert page.count("data-own") == 1
    assert page.split("data-own")[1].split(", you")[0].split(">")[-2].strip().startswith("Bert<")


def test_who_only_watches_has_no_keys_until_he_says_otherwise(table):
    phone = Phone(table)
    assert 'name="enter"' in phone.page()
    tag = phone.client.get(f"{phone.pad}fragment/").headers["ETag"]
    phone.say("watch")
    page = phone.page()
    assert 'name="enter"' not in page
    assert f'<a href="{phone.pad}?who=1">say who you are</a>' in page
    assert phone.client.get(f"{phone.pad}fragment/", headers={"If-None-Match": tag}).status_code == 200
    phone.say("0")
    assert 'name="enter"' in phone.page()


def test_who_only_watches_is_not_offered_a_correction(table):
    table.player.enter({"id": "one", "type": "capture", "player": "Ann"})
    phone = Phone(table)
    assert "Correct this" in phone.page("why/0/")
    phone.say("watch")
    assert "Correct this" not in phone.page("why/0/")


def test_a_viewer_may_have_a_seat_and_still_has_no_keys(table):
    phone = Phone(table, "watcher")
    assert "I keep the score" not in phone.page("?who=1")
    phone.say("0")
    page = phone.page()
    assert "data-own" in page
    assert 'name="enter"' not in page
