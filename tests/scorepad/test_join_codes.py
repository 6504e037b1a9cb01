from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from scorepad.access import join_codes, links, permissions
from scorepad.models import Handover, JoinCode, Link
from tests.scorepad.conftest import Phone, sit_down, victory

pytestmark = pytest.mark.django_db


def join(code):
    return Phone(None).post("/pads/join/", {"code": code})


def test_a_short_code_is_traded_for_a_link(table):
    made = table.keeper.post("join/")
    assert made.status_code == 201
    traded = join(made.json()["code"]).json()
    assert traded["role"] == "play"
    phone = Phone(traded["link"].rsplit("/", 1)[-1], table.code)
    assert phone.enter(victory("a1"))[0]["status"] == "stored"


def test_a_code_is_easy_to_type(table):
    code = table.keeper.post("join/").json()["code"]
    assert len(code) == 8
    assert not set(code) & set("0O1IL")
    assert join(f" {code[:4].lower()}-{code[4:].lower()} ").status_code == 200
    assert join(join_codes.in_groups(code)).status_code == 200


def test_a_code_is_no_token_and_is_kept_as_a_hash(table):
    code = table.keeper.post("join/").json()["code"]
    assert code not in str(list(JoinCode.objects.values()))
    assert Phone(code, table.code).get("result.json").status_code == 404


def test_a_code_lives_ten_minutes(table):
    code = table.keeper.post("join/").json()["code"]
    left = JoinCode.objects.get().ends_at - timezone.now()
    assert timedelta(minutes=9) < left <= timedelta(minutes=10)
    JoinCode.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
    assert join(code).json()["error"]["code"] == "no-code"


def test_how_long_a_code_lives_is_said_as_it_is_set(table, settings):
    settings.JOIN_CODE_MINUTES = 3
    assert "a code is valid for 3 minutes" in join("ZZZZZZ").json()["error"]["message"]
    client = Client()
    client.get(links.addresses(table.pad, links.PLAY)[links.PLAY])
    page = client.post(f"/pads/{table.code}/join/").content.decode()
    assert "It works for 3 minutes." in page


def test_shutting_the_join_sheet_ends_its_codes(table):
    code = table.keeper.post("join/").json()["code"]
    table.keeper.post("join/", {"close": True})
    assert join(code).status_code == 422


@pytest.mark.parametrize("verb", ["rotate", "revoke"])
def test_whoever_was_sent_away_does_not_come_back_by_a_code(table, verb):
    code, watching = table.player.post("join/").json()["code"], table.watcher.post("join/").json()["code"]
    table.keeper.post("links/", {verb: "play"})
    assert join(code).status_code == 422
    assert join(watching).status_code == 200


@pytest.fixture
def sent_away_first(table, monkeypatch):
    """All who play are sent away just before whoever comes next holds the pad."""
    held = links.lock

    def hold(pad):
        monkeypatch.setattr(links, "lock", held)
        links.revoke(table.pad, "play")
        return held(pad)

    return lambda: monkeypatch.setattr(links, "lock", hold)


def test_a_code_typed_while_its_role_is_ended_gives_nothing(table, sent_away_first):
    code = table.player.post("join/").json()["code"]
    sent_away_first()
    assert join(code).status_code == 422
    assert Link.objects.filter(pad=table.pad, role="play").count() == 1


def test_whoever_is_sent_away_while_asking_for_a_code_gets_none(table, sent_away_first):
    sent_away_first()
    assert table.player.post("join/").status_code == 404
    assert not JoinCode.objects.exists()


def test_whoever_is_sent_away_while_taking_the_pad_over_does_not_get_it(table, sent_away_first):
    asked = table.player.post("keep/")
    assert asked.status_code == 202
    Handover.objects.update(granted_at=timezone.now())
    sent_away_first()
    assert table.player.post("keep/", {"claim": asked.json()["claim"]}).status_code == 404
    assert Link.objects.filter(pad=table.pad, role="keep").count() == 1


def test_a_keeper_whose_link_was_just_ended_makes_no_new_ones(table, monkeypatch):
    held = links.lock

    def hold(pad):
        monkeypatch.setattr(links, "lock", held)
        links.live(pad).filter(role="keep").update(revoked_at=timezone.now())
        return held(pad)

    monkeypatch.setattr(links, "lock", hold)
    assert table.keeper.post("links/", {"rotate": "play"}).status_code == 404
    assert Link.objects.filter(pad=table.pad, role="play").count() == 1


def test_nobody_hands_on_more_than_he_has(table):
    assert table.watcher.post("join/").json()["role"] == "watch"
    assert table.watcher.post("join/", {"role": "play"}).status_code == 403
    assert table.player.post("join/", {"role": "keep"}).status_code == 403
    assert table.keeper.post("join/", {"role": "keep"}).status_code == 201


@pytest.mark.parametrize("code", [None, 3, "", "ZZZZZZ", ["A"], "x" * 10_000])
def test_a_wrong_code_is_refused(table, code):
    assert join(code).status_code == 422


def test_guessing_is_limited_by_address(table, settings):
    settings.JOIN_GUESSES_PER_ADDRESS_MOST = 3
    code = table.keeper.post("join/").json()["code"]
    for _ in range(3):
        assert join("ZZZZZZ").status_code == 422
    answer = join(code)
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too-often")
    assert answer.headers["Retry-After"]
    elsewhere = Phone(None)
    elsewhere.client.defaults["REMOTE_ADDR"] = "10.0.0.9"
    assert elsewhere.post("/pads/join/", {"code": code}).status_code == 200


def test_those_who_know_the_code_are_not_counted(table, settings):
    settings.JOIN_GUESSES_PER_ADDRESS_MOST = 2
    code = table.keeper.post("join/").json()["code"]
    assert [join(code).status_code for _ in range(5)] == [200] * 5
    assert [join("ZZZZZZ").status_code for _ in range(3)] == [422, 422, 429]


def test_a_watcher_cannot_end_the_tables_codes(table):
    code = table.keeper.post("join/").json()["code"]
    answer = table.watcher.post("join/", {"close": True})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "not-allowed")
    assert join(code).status_code == 200
    assert table.player.post("join/", {"close": True}).status_code == 200
    assert join(code).status_code == 422


def test_only_the_newest_codes_of_a_role_live(table, settings):
    settings.JOIN_CODES_PER_ROLE_MOST = 2
    kept = table.player.post("join/").json()["code"]
    codes = [table.watcher.post("join/").json()["code"] for _ in range(3)]
    assert [join(code).status_code for code in codes] == [422, 200, 200]
    assert join(kept).status_code == 200


def test_a_pad_gives_out_only_so_many_links(table, settings):
    settings.LINKS_PER_PAD_MOST = 4
    code = table.keeper.post("join/").json()["code"]
    assert join(code).status_code == 200
    assert join(code).json()["error"]["code"] == "too-many-links"


def test_those_who_watch_cannot_take_all_the_links_of_a_pad(table, settings):
    settings.LINKS_PER_PAD_MOST = 20
    watch, play = table.watcher.post("join/").json()["code"], table.player.post("join/").json()["code"]
    assert [join(watch).status_code for _ in range(10)] == [200] * 9 + [422]
    assert [join(play).status_code for _ in range(8)] == [200] * 7 + [422]
    keep = table.keeper.post("join/", {"role": "keep"}).json()["code"]
    assert [join(keep).status_code for _ in range(2)] == [200, 422]


def test_nor_all_it_may_ever_have(table, settings):
    settings.LINKS_EVER_PER_PAD_MOST = 8
    rotated = [table.keeper.post("links/", {"rotate": "watch"}).status_code for _ in range(4)]
    assert rotated == [200] * 3 + [422]
    assert table.keeper.post("links/", {"rotate": "play"}).status_code == 200


def test_every_code_is_its_own(db):
    table = sit_down()
    keeper = permissions.by_token("10.0.0.1", table.code, table.keeper.token)
    codes = {join_codes.new_code(keeper, "play")[0] for _ in range(50)}
    assert len(codes) == 50
