"""A pad shown as codes and opened from them: one or several, read in any order."""

import html
import re

import pytest
from django.test import Client

from scorepad import game_codes, ledger
from scorepad.models import Pad
from tests.scorepad.conftest import Phone, browser_of, capture, seated, sit_down, victory
from tests.security.attacks.sheets import dear_sheet

pytestmark = pytest.mark.django_db


def codes_of(table):
    """The addresses in the codes, page by page, as one goes on with "The next code"."""
    browser, found, following = browser_of(table.watcher), [], "?code=1"
    while following:
        page = browser.get(f"/pads/{table.code}/code/{following}")
        assert page.status_code == 200
        found += re.findall(r'href="([^"]*/q/[^"]+)"', page.content.decode())
        following = "".join(re.findall(r'href="([?]code=\d+)"', page.content.decode()))
    return found


def posted(codes):
    client = Client()
    return client, client.post("/q/", {"codes": "\n".join(codes)})


def test_a_game_goes_by_one_code_and_becomes_the_same_game():
    table = sit_down()
    table.keeper.enter(victory("a"), capture("b"), {"id": "c", "type": "void", "of": "a"})
    (address,) = codes_of(table)
    path = address.removeprefix("http://testserver")
    for read in (path, path.upper(), path + "/"):
        page = Client().get(read)
        assert page.status_code == 200
        assert "3 entries" in page.content.decode() and "Open as a pad" in page.content.decode()
    client, opened = posted([path])
    assert opened.status_code == 302
    pad = Pad.objects.get(code=opened.headers["Location"].split("/")[2])
    assert client.get(opened.headers["Location"]).status_code == 200
    assert (pad.game, pad.players) == (table.pad.game, table.pad.players)
    assert ledger.position(pad).lines == ledger.position(table.pad).lines
    assert codes_of(table) == [address]


def test_a_long_game_has_several_codes_that_say_what_is_missing():
    table = seated(Phone(None).post("/pads/import/", dear_sheet(80)).json())
    codes = codes_of(table)
    assert len(codes) == 2
    page = Client().get(codes[1].removeprefix("http://testserver"))
    assert page.status_code == 200
    assert "This game has 2 codes. Take number 1 as well." in page.content.decode()
    assert codes[1].rpartition("/")[2] in page.content.decode()
    _, opened = posted(reversed(codes))
    assert opened.status_code == 302
    pad = Pad.objects.get(code=opened.headers["Location"].split("/")[2])
    assert ledger.position(pad).totals == ledger.position(table.pad).totals


@pytest.mark.parametrize(
    "codes",
    [["ABC"], ["https://x/q/!"], ["1.2.A.B", "1.3.A.B"], ["1.99.A.B"], ["A" * 5_000], ["1.1.AAAAAAAA.AE"]],
)
def test_what_is_no_game_is_told_and_kept(codes):
    _, answer = posted(codes)
    assert answer.status_code in (200, 422)
    page = answer.content.decode()
    assert 'role="alert"' in page and html.escape(codes[0]) in page
    assert not Pad.objects.exists()


def test_a_game_that_is_too_long_for_codes_says_so_and_prints_without():
    table = seated(Phone(None).post("/pads/import/", dear_sheet(450)).json())
    browser = browser_of(table.watcher)
    page = browser.get(f"/pads/{table.code}/code/").content.decode()
    assert "This game is too long for a code." in page and "gamecode" not in page
    assert "printed__qr--game" not in browser.get(f"/pads/{table.code}/print/").content.decode()


def test_a_code_is_printed_with_the_sheet():
    table = sit_down()
    page = browser_of(table.watcher).get(f"/pads/{table.code}/print/").content.decode()
    assert "printed__qr--game" in page


def test_an_empty_code_asks_for_one():
    assert "The addresses of the codes" in Client().get("/q/").content.decode()


def test_parts_of_a_code_fit_their_number():
    assert len(game_codes.parts(b"x" * 1_101)) == 2
    assert game_codes.parts(b"\x01") == ["AE"]
