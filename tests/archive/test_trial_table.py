"""The trial table: a pad plays a draft, and its log is kept as an example sheet."""

from datetime import timedelta

import pytest
from django.utils import timezone

from archive.models import GameDraft
from scorepad import expiry, pads
from scorepad.models import Club, Declaration, Pad
from tests.archive.curators import PIT, seen_in, signed_in

GAME, SHEETS = ((PIT / name).read_text() for name in ("game.toml", "sheets.json"))
ADDRESS, TEXT = "/books/pit/game/trial/", "/books/pit/game/text/"
CORNER = {"type": "corner_called", "player": "Ann", "grain": "wheat", "bear_left": "Cora"}

pytestmark = pytest.mark.django_db


@pytest.fixture
def curator(pit):
    return signed_in(pit["contributor"])


def draft(client, declaration):
    seen = seen_in(client.get(TEXT))
    client.post(TEXT, {"declaration": declaration, "sheets": SHEETS, "act": "keep", "seen": seen})


def begin(client, **more):
    return client.post(ADDRESS, {"act": "begin", "name": ["Ann", "Bert", "Cora"], **more})


def play(client, *entries):
    pad = Pad.objects.get(code=GameDraft.objects.get().trial)
    # Without the curator's sign-in: the cookie of the pad alone lets in.
    told = client.post(
        f"/pads/{pad.code}/entries/", {"entries": list(entries)}, content_type="application/json"
    )
    assert told.status_code == 200, told.content
    return pad


def test_a_draft_is_played_and_its_log_becomes_an_example_sheet(curator):
    draft(curator, GAME.replace("wheat = 100", "wheat = 110"))
    begun = begin(curator, **{"option-target": "300"})
    assert begun.status_code == 302 and begun["Location"] == ADDRESS
    pad = play(curator, CORNER)
    page = curator.get(ADDRESS).content.decode()
    assert "<b>Ann 110</b>" in page and "/books/pit/passages/left/" in page
    assert curator.post(ADDRESS, {"act": "keep", "sheet": ""}).status_code == 422
    kept = curator.post(ADDRESS, {"act": "keep", "sheet": "Wheat is dear"})
    assert kept["Location"] == "/books/pit/game/#examples"
    page = curator.get("/books/pit/game/").content.decode()
    assert "Wheat is dear" in page and "Ann 110, Bert 0, Cora -20" in page
    assert (
        '"target": 300' in GameDraft.objects.get().sheets and pad.code not in GameDraft.objects.get().sheets
    )
    curator.post(ADDRESS, {"act": "keep", "sheet": "<script>a</script>"})
    assert "<script>a" not in curator.get("/books/pit/game/").content.decode()
    assert "&lt;script&gt;a" in curator.get("/books/pit/game/").content.decode()
    again = curator.post(ADDRESS, {"act": "keep", "sheet": "Wheat is dear"})
    assert again.status_code == 422 and "of this name already" in again.content.decode()


def test_an_example_that_came_to_something_else_is_confirmed_or_removed(curator):
    draft(curator, GAME.replace("wheat = 100", "wheat = 110"))
    address = "/books/pit/game/"
    before = curator.get(address).content.decode().count("This result is right")
    assert before > 0
    first = curator.get(address).content.decode().split("confirm-sheet:")[1].split('"')[0]
    assert curator.post(address, {"act": f"confirm-sheet:{first}"}).status_code == 302
    assert curator.get(address).content.decode().count("This result is right") == before - 1
    count = SHEETS.count('"name"')
    last = curator.get(address).content.decode().rpartition("drop-sheet:")[2].split('"')[0]
    for _ in range(2):  # A button that is pressed twice takes one sheet away.
        curator.post(address, {"act": f"drop-sheet:{last}"})
    assert GameDraft.objects.get().sheets.count('"name"') == count - 1


def test_one_table_at_a_time_and_it_is_gone_after_two_days(curator):
    draft(curator, GAME)
    begin(curator)
    first = GameDraft.objects.get().trial
    begin(curator)
    second = Pad.objects.get()
    assert second.code != first and second.trial_until > timezone.now() + timedelta(hours=47)
    curator.post(f"/pads/{second.code}/entries/", {"entries": [CORNER]}, content_type="application/json")
    Pad.objects.update(trial_until=timezone.now())
    expiry.expire()
    assert not Pad.objects.exists() and not Declaration.objects.exists()
    assert "Start a trial pad" in curator.get(ADDRESS).content.decode()


def test_a_table_that_was_replaced_in_the_moment_it_expires_stops_nothing_else(curator, monkeypatch):
    draft(curator, GAME)
    begin(curator)
    Pad.objects.update(trial_until=timezone.now())
    delete = pads.delete
    monkeypatch.setattr(pads, "delete", lambda pad: (delete(Pad.objects.get(pk=pad.pk)), delete(pad)))
    expiry.expire()
    assert not Pad.objects.exists()


def test_a_table_is_its_curators_alone(curator, pit, client):
    draft(curator, GAME)
    begin(curator)
    code = GameDraft.objects.get().trial
    assert client.get(f"/pads/{code}/").status_code == 404
    assert client.get(ADDRESS)["Location"].startswith("/people/sign-in/")
    other = signed_in(pit["curator"])
    assert code not in other.get(ADDRESS).content.decode()
    assert other.post(ADDRESS, {"act": "keep", "sheet": "Mine"}).status_code in (302, 422)
    assert GameDraft.objects.filter(person=pit["contributor"]).get().sheets == SHEETS


def test_what_no_table_can_play_is_refused(curator):
    draft(curator, GAME)
    answer = begin(curator, name=["Ann"])
    assert answer.status_code == 422 and "notice--fault" in answer.content.decode()
    assert begin(curator, **{"option-target": "7"}).status_code == 422
    assert not Pad.objects.exists()
    draft(curator, "key = 3")
    assert curator.get(ADDRESS)["Location"] == "/books/pit/game/"


def test_its_pad_says_so_and_what_follows_it_goes_with_it_and_into_no_club(curator):
    draft(curator, GAME)
    begin(curator)
    pad = Pad.objects.get()
    assert "Trial pad: deleted on " in curator.get(f"/pads/{pad.code}/").content.decode()
    page = curator.get(f"/pads/{pad.code}/table/").content.decode()
    assert "still being declared" in page and "Make a club" not in page

    def post(place, **sent):
        return curator.post(f"/pads/{pad.code}/{place}/", sent, content_type="application/json")

    assert post("club").json()["error"]["code"] == "trial-table"
    assert not Club.objects.exists()
    play(curator, CORNER)
    post("rematch")
    own = {"seen": 0, "entries": "[]", "name": "n" * 64}
    token = {"X-CSRFToken": curator.cookies["csrftoken"].value}
    assert curator.post(f"/pads/{pad.code}/own/", own, headers=token).status_code == 200
    assert {one.trial_until for one in Pad.objects.all()} == {pad.trial_until}
    assert Pad.objects.count() == 3
    Pad.objects.update(trial_until=timezone.now())
    expiry.expire()
    assert not Pad.objects.exists()


def test_a_log_is_not_kept_when_the_pad_has_expired_and_the_sentence_is_not_lost(curator):
    draft(curator, GAME)
    begin(curator)
    Pad.objects.update(trial_until=timezone.now())
    answer = curator.post(ADDRESS, {"act": "keep", "sheet": "Wheat is dear"})
    page = answer.content.decode()
    assert answer.status_code == 422 and "has expired" in page and "Wheat is dear" in page


def test_no_more_entries_are_kept_than_the_example_sheets_can_have(curator, monkeypatch):
    monkeypatch.setattr("archive.curation.game_sheets.ENTRIES_MOST", SHEETS.count('"type"'))
    draft(curator, GAME)
    begin(curator)
    play(curator, CORNER)
    answer = curator.post(ADDRESS, {"act": "keep", "sheet": "One more"})
    assert answer.status_code == 422 and "entries together" in answer.content.decode()
    assert GameDraft.objects.get().sheets == SHEETS
