"""Clubs: made from an evening, what their links open, who leaves, what is kept, who recovers a key."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

import engine
from scorepad import expiry
from scorepad.models import Club, ClubHandover, ClubLink, ClubPad, Link, Pad
from tests.html import holds
from tests.scorepad.clubs import Owner, viewer
from tests.scorepad.conftest import Phone, browser_of, sit_down

pytestmark = pytest.mark.django_db
UNITED = engine.GAMES["rummy-1916"].title


@pytest.fixture
def owner():
    return Owner()


def test_one_tap_makes_a_club_of_an_evening_and_no_account(owner):
    first = owner.win()
    second = owner.again(first)
    page = owner.client.get(f"/evenings/{first.pad.evening.code}/").content.decode()
    assert f'action="/pads/{first.code}/club/"' in page
    answer = owner.post(f"/pads/{first.code}/club/")
    shown = owner.client.get(answer.headers["Location"]).content.decode()
    assert holds(shown, "Ann and Bert") and holds(shown, "2 games, 1 finished.")
    assert {row.pad.code for row in ClubPad.objects.all()} == {first.code, second.code}


def test_the_clubs_links_watch_its_pads_and_no_more(owner):
    table = owner.win()
    club = owner.club(table)
    guest, pad = viewer(club), f"/pads/{table.code}/"
    for place in ("", "history/?at=1", "after/", "print/", "why/0/", "result.json", "table/", "fragment/"):
        assert guest.get(f"{pad}{place}").status_code == 200, place
    assert guest.get(f"{pad}about.json").json()["role"] == "watch"
    # No link that would outlast the club is given away.
    assert guest.get(f"{pad}links.json").json() == {}
    tokens = [address.rsplit("/", 1)[-1] for address in table.watcher.get("links.json").json().values()]
    for place in ("table/", "print/", ""):
        assert not any(token in guest.get(f"{pad}{place}").content.decode() for token in tokens)
    guest.cookies["csrftoken"] = "a" * 32
    for place in ("seat/", "join/", "stop/", "rematch/", "club/", "entries/", "keep/"):
        answer = guest.post(
            f"{pad}{place}", "{}", content_type="application/json", headers={"X-CSRFToken": "a" * 32}
        )
        assert answer.status_code == 403, place
    token = Phone(club["watch"].rsplit("/", 1)[-1], table.code)
    assert token.get("about.json").json()["role"] == "watch"
    assert token.post("join/").status_code == 403
    # The owner's link of the club is no owner's link of its pads.
    keeper = Phone(club["keep"].rsplit("/", 1)[-1], table.code)
    assert keeper.get("about.json").json()["role"] == "watch"
    assert keeper.post("stop/").status_code == 403


def test_leaving_ends_it_at_once_by_the_pads_owner_or_the_clubs(owner):
    table = owner.win()
    second = owner.again(table)
    club = owner.club(table)
    guest = viewer(club)
    assert guest.get(f"/pads/{table.code}/next/").headers["Location"] == f"/pads/{second.code}/"
    code = club["club"].split("/")[2]
    assert owner.post(f"/pads/{table.code}/leave/", club=code).status_code == 302
    assert guest.get(f"/pads/{table.code}/").status_code == 404
    assert guest.get(f"/pads/{second.code}/").status_code == 200
    assert [game["titles"] for game in owner.figures(club)["evenings"]] == ["Thumbs Up"]
    assert owner.post(f"{club['club']}remove/", pad=second.code).status_code == 302
    assert guest.get(f"/pads/{second.code}/").status_code == 404
    assert owner.figures(club)["games"] == 0
    assert owner.post(f"{club['club']}remove/", pad=second.code).status_code == 422


def test_a_revoked_club_link_opens_neither_the_club_nor_its_pads(owner):
    table = owner.win()
    club = owner.club(table)
    guest = viewer(club)
    assert owner.send(f"{club['club']}links/", rotate="watch").json()["watch"] != club["watch"]
    assert guest.get(club["club"]).status_code == 404
    assert guest.get(f"/pads/{table.code}/").status_code == 404
    assert Client().get(club["watch"]).status_code == 404
    answer = owner.send(f"{club['club']}links/", rotate="keep")
    assert owner.client.get(club["club"]).status_code == 200
    assert answer.json()["keep"] != club["keep"]


def test_no_page_of_a_club_has_a_token_that_is_not_the_readers_to_give(owner):
    club = owner.club(owner.win())
    keep, watch = (club[role].rsplit("/", 1)[-1] for role in ("keep", "watch"))
    guest = viewer(club)
    for place in ("", "games/", "club.json", "games.csv", "settings/"):
        text = guest.get(f"{club['club']}{place}").content.decode()
        assert keep[:20] not in text, place
        assert (watch in text) == (place == "settings/"), place
    entered = Client().get(club["watch"])
    assert (entered.headers["Referrer-Policy"], entered.content) == ("no-referrer", b"")
    assert set(ClubLink.objects.values_list("token_hash", flat=True)).isdisjoint({keep, watch})


def test_a_cookie_of_a_pad_opens_no_club_though_their_numbers_are_the_same(owner):
    table = owner.win()
    club = owner.club(table)
    code = club["club"].split("/")[2]
    of_pad = Link.objects.get(pad=table.pad, role="watch")
    ClubLink.objects.filter(role="watch").update(id=of_pad.pk)
    assert viewer(club).get(club["club"]).status_code == 200
    stranger = Client()
    stranger.cookies[f"club-{code}"] = browser_of(table.watcher).cookies[f"pad-{table.code}"].value
    assert stranger.get(club["club"]).status_code == 404
    assert stranger.get(f"/pads/{table.code}/").status_code == 404


def test_an_evening_is_added_only_by_who_owns_it_and_the_club(owner):
    club = owner.club(owner.win())
    code = club["club"].split("/")[2]
    other = owner.win("Cleo", "Dan")
    assert owner.post(f"/pads/{other.code}/club/", club=code).headers["Location"] == club["club"]
    stranger = Owner()
    theirs = stranger.win("Emil", "Fay")
    assert stranger.send(f"/pads/{theirs.code}/club/", club=code).json()["error"]["code"] == "no-club"
    stranger.client.get(club["watch"])
    assert stranger.send(f"/pads/{theirs.code}/club/", club=code).status_code == 422
    assert theirs.player.post("club/").status_code == 403
    # A program shows the club's owner's link.
    assert theirs.keeper.post("club/", {"club": club["keep"]}).json() == {"club": club["club"]}
    assert owner.figures(club)["games"] == 3


def test_the_next_game_of_an_evening_is_in_its_club_too(owner):
    table = owner.win()
    club = owner.club(table)
    owner.again(table, game="rummy-1916")
    assert owner.figures(club)["evenings"][0]["titles"] == f"Thumbs Up; {UNITED}"


def test_a_club_has_room_for_so_many_pads_and_a_pad_for_so_many_clubs(owner, settings):
    settings.PADS_PER_CLUB_MOST, settings.CLUBS_PER_PAD_MOST = 1, 1
    first, second = owner.win(), owner.win("Cleo", "Dan")
    club = owner.club(first)
    code = club["club"].split("/")[2]
    assert owner.send(f"/pads/{second.code}/club/", club=code).json()["error"]["code"] == "club-full"
    assert owner.send(f"/pads/{first.code}/club/").json()["error"]["code"] == "too-many-clubs"
    assert owner.again(first).pad.club_pads.count() == 0


def test_pads_that_expire_tell_their_club_first_and_it_can_keep_them(owner):
    table = owner.win()
    club = owner.club(table)
    # The times of entries cannot be changed, so the notice comes from the future: nothing was entered since.
    Pad.objects.filter(code=table.code).update(notice_at=timezone.now() + timedelta(days=1))
    page = viewer(club).get(club["club"]).content.decode()
    assert holds(page, "Nobody has used 1 pad of this club for long")
    assert holds(page, "The club's owner can keep them.")
    assert owner.post(f"{club['club']}stay/").status_code == 302
    assert Pad.objects.get(code=table.code).notice_at is None
    assert "Nobody has used" not in owner.client.get(club["club"]).content.decode()


def test_a_club_that_asks_keeps_its_pads_while_it_is_used(owner):
    kept, other = owner.begin(), owner.begin()
    club = owner.club(kept)
    Pad.objects.update(touched_at=timezone.now() - timedelta(days=500))
    owner.post(f"{club['club']}stay/")
    expiry.expire()
    Pad.objects.filter(notice_at__isnull=False).update(notice_at=timezone.now() - timedelta(days=31))
    expiry.expire()
    assert [pad.code for pad in Pad.objects.all()] == [kept.code] != [other.code]
    Club.objects.update(kept_at=timezone.now() - timedelta(days=500))
    expiry.expire()
    assert Pad.objects.get().notice_at is not None


def test_an_empty_club_goes_after_a_while_and_one_with_pads_stays(owner):
    club, other = owner.club(owner.win()), owner.club(owner.win())
    owner.post(f"{club['club']}remove/", pad=ClubPad.objects.first().pad.code)
    expiry.expire()
    assert Club.objects.count() == 2
    Club.objects.update(touched_at=timezone.now() - timedelta(days=61))
    expiry.expire()
    assert Club.objects.get().code == other["club"].split("/")[2]


def test_deleting_a_pad_or_a_club_leaves_the_other(owner):
    first, second = owner.win(), owner.win("Cleo", "Dan")
    club = owner.club(first)
    owner.post(f"/pads/{second.code}/club/", club=club["club"].split("/")[2])
    owner.post(f"/pads/{first.code}/delete/")
    assert owner.figures(club)["games"] == 1
    assert owner.post(f"{club['club']}delete/").headers["Location"] == "/"
    assert owner.client.get(club["club"]).status_code == 404
    assert owner.client.get(f"/pads/{second.code}/").status_code == 200


def test_a_lost_key_is_recovered_by_a_player_whom_nobody_answers(owner):
    table = owner.win()
    club = owner.club(table)
    guest = Owner()
    guest.client.get(club["watch"])
    # Whoever has no more than the viewer's link may be anybody.
    assert guest.send(f"{club['club']}keep/").json()["error"]["code"] == "no-player"
    guest.client.get(table.keeper.get("links.json").json()["play"])
    guest.post(f"/pads/{table.code}/seat/", seat="1")
    asked = guest.send(f"{club['club']}keep/")
    assert asked.status_code == 202 and asked.json()["given"] is False
    page = owner.client.get(club["club"]).content.decode()
    assert holds(page, "Bert asks to become an owner of this club.")
    # Nobody else collects it, and nobody before its time; a sign of the owner's phone begins it anew.
    other = Owner()
    other.client.get(club["watch"])
    other.client.get(table.keeper.get("links.json").json()["play"])
    assert other.send(f"{club['club']}keep/").json()["error"]["code"] == "asked-already"
    ClubHandover.objects.update(asked_at=timezone.now() - timedelta(days=14))
    assert guest.send(f"{club['club']}keep/").json()["given"] is False
    ClubHandover.objects.update(seen_at=None)
    assert guest.send(f"{club['club']}keep/").json()["given"] is True
    assert guest.send(f"{club['club']}name/", name="Friday").status_code == 200
    # For a week a new owner sends nobody away.
    assert guest.send(f"{club['club']}delete/").json()["error"]["code"] == "new-owner"
    assert guest.send(f"{club['club']}links/", rotate="keep").json()["error"]["code"] == "new-owner"
    assert owner.client.get(club["club"]).status_code == 200


def test_an_owner_says_yes_or_no(owner):
    table = owner.win()
    club = owner.club(table)
    guest = Owner()
    guest.client.get(club["watch"])
    guest.client.get(table.keeper.get("links.json").json()["play"])
    guest.send(f"{club['club']}keep/")
    owner.post(f"{club['club']}keep/", decline="1")
    assert guest.send(f"{club['club']}keep/").json()["error"]["code"] == "declined"
    ClubHandover.objects.all().delete()
    guest.send(f"{club['club']}keep/")
    owner.post(f"{club['club']}keep/", accept="1")
    assert guest.send(f"{club['club']}keep/").json()["given"] is True


def test_a_club_is_forgotten_on_this_phone(owner):
    club = owner.club(owner.win())
    page = owner.client.get("/").content.decode()
    assert f'href="{club["club"]}"' in page
    owner.post(f"{club['club']}forget/")
    assert owner.client.get(club["club"]).status_code == 404
    assert f'href="{club["club"]}"' not in owner.client.get("/").content.decode()


def test_a_name_that_is_none_is_refused_with_a_sentence(owner):
    club = owner.club(owner.win())
    for name in ("", "x" * 61, "a\nb\x07", None, 7):
        answer = owner.send(f"{club['club']}name/", name=name)
        assert answer.json()["error"]["code"] == "bad-name", name
    assert holds(owner.post(f"{club['club']}name/", name="").content.decode(), "A club needs a name")


def test_an_evening_of_different_games_is_shared_by_one_link(owner):
    """Same people, another game: two taps from any pad, and again by the readings of this evening."""
    first = owner.win()
    page = owner.client.get(f"/pads/{first.code}/table/").content.decode()
    assert '<button class="button" name="game" value="rummy-1916">' in page
    begun = owner.post(f"/pads/{first.code}/rematch/", game="rummy-1916")
    second = seated_by(owner.client, begun)
    assert (second.game, second.players, second.dealer) == ("rummy-1916", ["Ann", "Bert"], 1)
    third = seated_by(owner.client, owner.post(f"/pads/{second.code}/rematch/", game="thumbs-up"))
    assert third.options == first.pad.options
    evening = f"/evenings/{third.evening.code}/"
    shown = owner.client.get(evening).content.decode()
    assert shown.index("Thumbs Up") < shown.index(UNITED)
    assert holds(shown, "Ann won") and holds(shown, "1 of 1")
    link = (
        shown.split('id="link-evening"')[1]
        .split('value="')[1]
        .split('"')[0]
        .removeprefix("http://testserver")
    )
    guest = Client()
    assert guest.get(link).headers["Location"] == evening
    assert guest.get(evening).status_code == 200
    arrived = guest.get(f"{evening}{third.code}/")
    assert arrived.headers["Location"] == f"/pads/{third.code}/"
    assert guest.get(f"/pads/{third.code}/about.json").json()["role"] == "watch"
    assert Client().get(f"{evening}{third.code}/").status_code == 404
    first.keeper.post("links/", {"revoke": "watch"})
    assert Client().get(link).status_code == 404
    assert "link-evening" not in owner.client.get(evening).content.decode()


def seated_by(client, begun):
    """The pad that a form has begun, as the phone follows to it."""
    return Pad.objects.get(code=client.get(begun.headers["Location"]).headers["Location"].split("/")[2])


def test_another_game_is_refused_where_so_many_cannot_play_it(owner):
    table = sit_down(game="rummy-1916", players=["Ann", "Bert", "Cleo", "Dan", "Emil", "Fay"])
    few = [game.key for game in engine.GAMES.values() if game.seats[1] < 6]
    assert few
    for game in few:
        assert table.keeper.post("rematch/", {"game": game}).json()["error"]["code"] == "bad-players"
    page = browser_of(table.keeper).get(f"/pads/{table.code}/table/").content.decode()
    assert not any(f'value="{game}"' in page for game in few)
    assert table.keeper.post("rematch/", {"game": "chess"}).status_code == 422
    assert table.keeper.post("rematch/", {"game": ["x"]}).status_code == 422


def test_a_viewer_of_the_club_sees_its_evenings(owner):
    table = owner.win()
    owner.again(table)
    club = owner.club(table)
    guest = viewer(club)
    evening = f"/evenings/{table.pad.evening.code}/"
    page = guest.get(evening).content.decode()
    assert holds(page, "Standings over 1 finished game; 1 not finished")
    assert "link-evening" not in page and "/club/" not in page
    assert guest.get(f"{evening}{table.code}/").headers["Location"] == f"/pads/{table.code}/"
    assert not [name for name in guest.cookies if name.startswith("pad-")]


def test_all_pads_a_phone_knows_are_listed_unfinished_first(owner):
    done = [owner.win() for _ in range(6)]
    going = owner.begin()
    newest = owner.win()
    page = owner.client.get("/").content.decode()
    assert "All 8 pads" in page
    assert page.index(going.code) < page.index(newest.code)
    pages = [owner.client.get(f"/pads/known/?page={number}").content.decode() for number in (1, 2)]
    assert going.code in pages[0] and going.code not in pages[1]
    assert all(any(table.code in page for page in pages) for table in done)
    assert "no pad on this phone" in Client().get("/pads/known/").content.decode()
