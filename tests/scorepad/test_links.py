"""/pads/<code>/<token>, cookies, rotation and the role matrix."""

import io
import logging
import subprocess
import sys
from datetime import timedelta

import pytest
from django.conf import settings
from django.core import signing
from django.test import Client
from django.utils import timezone

from config.log_format import HideKeys
from scorepad.access import cookies, links, permissions
from scorepad.models import Link
from tests.scorepad.conftest import NAMES, Phone, browser_of, sit_down, victory

pytestmark = pytest.mark.django_db


def test_a_link_is_traded_for_a_cookie_and_a_clean_address(table):
    client = Client()
    answer = client.get(f"/pads/{table.code}/{table.player.token}")
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/pads/{table.code}/?who=1")
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    cookie = answer.cookies[f"pad-{table.code}"]
    assert cookie["httponly"] and cookie["samesite"] == "Lax" and not cookie["secure"]
    assert table.player.token not in cookie.value
    assert client.get(f"/pads/{table.code}/result.json").status_code == 200


def test_over_tls_the_cookie_is_secure(table):
    answer = Client().get(f"/pads/{table.code}/{table.player.token}", secure=True)
    assert answer.cookies[f"pad-{table.code}"]["secure"]


def test_over_tls_the_cookie_is_of_this_host_alone(table, settings):
    plain = browser_of(table.player).cookies[f"pad-{table.code}"].value
    settings.SECURE, settings.COOKIE_PREFIX = True, "__Host-"
    client = Client()
    name, address = f"__Host-pad-{table.code}", f"/pads/{table.code}/result.json"
    cookie = client.get(f"/pads/{table.code}/{table.player.token}").cookies[name]
    assert cookie["secure"] and cookie["path"] == "/" and not cookie["domain"]
    assert client.get(address).status_code == 200
    # Another name of the domain, or somebody on the way, could have put the same one here without the prefix.
    tossed = Client()
    tossed.cookies[f"pad-{table.code}"] = plain
    assert tossed.get(address).status_code == 404


def test_a_lesser_link_does_not_take_the_better_one_away(table):
    client = browser_of(table.keeper)
    client.get(f"/pads/{table.code}/{table.watcher.token}")
    assert client.get(f"/pads/{table.code}/about.json").json()["role"] == "keep"


def test_a_better_link_is_taken(table):
    client = browser_of(table.watcher)
    client.get(f"/pads/{table.code}/{table.keeper.token}")
    assert client.get(f"/pads/{table.code}/about.json").json()["role"] == "keep"


def test_a_wrong_token_is_a_404(table):
    assert Client().get(f"/pads/{table.code}/{'x' * 32}").status_code == 404
    assert Client().get(f"/pads/{sit_down().code}/{table.keeper.token}").status_code == 404


def test_a_changed_cookie_is_worth_nothing(table):
    client = browser_of(table.watcher)
    cookie = client.cookies[f"pad-{table.code}"]
    client.cookies[f"pad-{table.code}"] = cookie.value[:-2] + "xx"
    assert client.get(f"/pads/{table.code}/result.json").status_code == 404


def test_the_cookie_of_one_pad_does_not_open_another(table):
    other, client = sit_down(), browser_of(table.keeper)
    client.cookies[f"pad-{other.code}"] = client.cookies[f"pad-{table.code}"].value
    assert client.get(f"/pads/{other.code}/result.json").status_code == 404


def reused_number(table):
    """A stranger's pad whose link has the number that one of this table had before a restore."""
    number = Link.objects.get(token_hash=links.hashed(table.keeper.token)).pk
    Link.objects.filter(pk=number).delete()
    other = sit_down()
    Link.objects.filter(token_hash=links.hashed(other.keeper.token)).update(id=number)
    return other


def old_cookie(link, signed_at):
    """As the version before signed it: the number of the link alone."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(signing.time, "time", lambda: signed_at.timestamp())
        return signing.TimestampSigner(salt="scorepad.link").sign_object({"l": link.pk, "s": 1, "d": ""})


def test_a_cookie_is_bound_to_its_pad_though_numbers_repeat_after_a_restore(table):
    client = browser_of(table.keeper)
    kept = client.cookies[f"pad-{table.code}"].value
    other = reused_number(table)
    client.cookies[f"pad-{other.code}"] = kept
    assert client.get(f"/pads/{other.code}/result.json").status_code == 404
    assert "pads__open" not in client.get("/").content.decode()


def test_an_old_cookie_opens_its_pad_and_is_signed_anew_at_first_use(table):
    link = Link.objects.get(token_hash=links.hashed(table.player.token))
    client = Client()
    client.cookies[f"pad-{table.code}"] = old_cookie(link, timezone.now())
    assert client.get(f"/pads/{table.code}/about.json").json()["seat"] == 1
    renewed = client.get(f"/pads/{table.code}/").cookies[f"pad-{table.code}"].value
    assert cookies.read_cookie(renewed).mark and cookies.read_cookie(renewed).who.seat == 1
    assert client.get(f"/pads/{table.code}/about.json").json()["seat"] == 1
    assert f"pad-{table.code}" not in client.get(f"/pads/{table.code}/").cookies


def test_an_old_cookie_of_a_link_that_was_lost_opens_no_other_with_its_number(table):
    lost = Link.objects.get(token_hash=links.hashed(table.keeper.token))
    cookie = old_cookie(lost, timezone.now() - timedelta(seconds=2))
    other, client = reused_number(table), Client()
    client.cookies[f"pad-{other.code}"] = cookie
    assert client.get(f"/pads/{other.code}/result.json").status_code == 404


def test_a_wrong_token_in_the_header_is_not_helped_by_a_cookie(table):
    client = browser_of(table.keeper)
    answer = client.get(f"/pads/{table.code}/result.json", headers={"Authorization": "Bearer nonsense"})
    assert answer.status_code == 404


def test_a_rotated_link_is_dead_at_once_and_the_new_one_works(table):
    answer = table.keeper.post("links/", {"rotate": "play"})
    token = answer.json()["play"].rsplit("/", 1)[-1]
    assert table.player.get("result.json").status_code == 404
    assert Phone(token, table.code).enter(victory("a1"))[0]["status"] == "stored"
    assert table.watcher.get("result.json").status_code == 200


def test_a_keeper_who_rotates_the_keep_link_stays_the_keeper(table):
    client = browser_of(table.keeper)
    client.cookies["csrftoken"] = "a" * 32
    address = f"/pads/{table.code}/links/"
    answer = client.post(
        address, {"rotate": "keep"}, content_type="application/json", headers={"X-CSRFToken": "a" * 32}
    )
    assert answer.status_code == 200
    assert client.get(f"/pads/{table.code}/about.json").json()["role"] == "keep"
    assert table.keeper.get("about.json").status_code == 404


def test_links_are_revoked_without_a_new_one(table):
    assert table.keeper.post("links/", {"revoke": "all"}).json() == {"play": None, "watch": None}
    assert table.player.get("result.json").status_code == 404
    assert table.watcher.get("result.json").status_code == 404


@pytest.mark.parametrize(
    "body", [{}, {"rotate": "king"}, {"revoke": "keep"}, {"rotate": None}, {"rotate": ["play"]}]
)
def test_a_role_that_is_none_is_refused(table, body):
    assert table.keeper.post("links/", body).status_code == 422


def test_a_join_sheet_shows_the_same_links_again_but_none_above_ones_own(table):
    assert table.keeper.get("links.json").json()["play"].endswith(table.player.token)
    assert set(table.player.get("links.json").json()) == {"play", "watch"}
    assert set(table.watcher.get("links.json").json()) == {"watch"}


def test_after_the_sites_key_changed_old_links_work_and_new_ones_are_made_on_request(table, settings):
    settings.SECRET_KEY, before = "another key" * 5, table.pad.links.count()
    assert table.keeper.get("links.json").json() == {}
    assert table.keeper.get("table/").status_code == 200
    assert table.pad.links.count() == before
    assert table.player.get("result.json").status_code == 200
    shown = table.keeper.post("links/", {"rotate": "play"}).json()["play"]
    assert table.keeper.get("links.json").json() == {"play": shown}
    assert Phone(shown.rsplit("/", 1)[-1], table.code).get("result.json").status_code == 200


def test_while_the_old_key_is_named_the_same_links_are_shown(table, settings):
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another key" * 5, [settings.SECRET_KEY]
    before = table.pad.links.count()
    assert table.keeper.get("links.json").json()["play"].endswith(table.player.token)
    assert table.pad.links.count() == before


def test_a_phone_forgets_its_oldest_pads(db, settings):
    settings.PADS_KNOWN_BY_A_PHONE_MOST = 3
    client = Client()
    for _ in range(5):
        table = sit_down()
        client.get(f"/pads/{table.code}/{table.player.token}")
    kept = [name for name, cookie in client.cookies.items() if name.startswith("pad-") and cookie.value]
    assert len(kept) == 3
    assert f"pad-{table.code}" in kept


def test_the_pads_a_phone_knows_are_listed_while_their_links_live(table, rf):
    client = browser_of(table.player)
    request = rf.get("/")
    request.COOKIES = {name: cookie.value for name, cookie in client.cookies.items()}
    assert [(holder.pad.code, holder.role) for holder in permissions.remembered_pads(request)] == [
        (table.code, "play")
    ]
    table.keeper.post("links/", {"rotate": "play"})
    assert permissions.remembered_pads(request) == []


def test_a_seat_that_was_taken_away_is_nobodys(table):
    client = browser_of(table.player)
    client.cookies["csrftoken"] = "a" * 32
    address = f"/pads/{table.code}/"
    told = {"content_type": "application/json", "headers": {"X-CSRFToken": "a" * 32}}
    assert client.post(address + "seat/", {"who": "Cleo"}, **told).json()["seat"] == 2
    table.keeper.post("names/", {"players": ["Ann", "Bert"]})
    assert client.get(address + "about.json").json()["seat"] is None
    assert client.get(address).status_code == 200
    assert client.post(address + "draft/", {"type": "capture", "put": []}, **told).status_code == 200


@pytest.fixture
def log():
    """What the site's own handler writes, through the settings' LOGGING as it is."""
    [handler] = [
        handler
        for handler in logging.getLogger().handlers
        if any(isinstance(one, HideKeys) for one in handler.filters)
    ]
    written = io.StringIO()
    before = handler.setStream(written)
    yield written
    handler.setStream(before)


def test_a_token_never_reaches_a_log(table, log):
    secret = "x" * 32
    Client().get(f"/pads/{table.code}/{secret}")
    Client().get(f"/pads/{table.code}/{table.player.token}")
    for name in ("uvicorn", "uvicorn.access", "uvicorn.error", "django.server", "django.security.csrf"):
        logging.getLogger(name).warning('%s - "%s %s"', name, "GET", f"/pads/{table.code}/{secret}")
        assert f'{name} - "GET /pads/{table.code}/…"' in log.getvalue()
    assert f"Not Found: /pads/{table.code}/…" in log.getvalue()
    assert secret not in log.getvalue() and table.player.token not in log.getvalue()


@pytest.mark.parametrize("name", ["django", "django.server", "uvicorn", "uvicorn.access", "uvicorn.error"])
def test_no_logger_has_a_handler_that_passes_the_filter_by(name):
    assert settings.LOGGING["loggers"][name] == {"handlers": [], "propagate": True}


SERVED = """
import logging, uvicorn
uvicorn.Config("config.asgi:application").load()
told = ("1.2.3.4", "GET", "/pads/k7q/" + "x" * 32, "1.1", 404)
logging.getLogger("uvicorn.access").info('%s - "%s %s HTTP/%s" %d', *told)
"""


def test_under_uvicorns_own_command_no_token_reaches_the_access_log():
    ran = subprocess.run(
        [sys.executable, "-c", SERVED], cwd=settings.BASE_DIR, capture_output=True, text=True, check=True
    )
    assert '"GET /pads/k7q/… HTTP/1.1" 404' in ran.stderr
    assert "x" * 32 not in ran.stderr + ran.stdout


# Every address, with the least role that may use it and a body that would do something.
READS = [
    "result.json",
    "sheet.json",
    "pad.json",
    "log.json",
    "play.json",
    "copy.json",
    "sheet.csv",
    "about.json",
    "links.json",
    "draft.json",
]
WRITES = {
    "entries/": ("play", {"entries": []}),
    "preview/": ("watch", {"entry": {"type": "capture", "player": "Ann"}}),
    "draft/": ("play", {"type": "capture", "put": []}),
    "draft/drop/": ("play", {}),
    "draft/complete/": ("play", {"draft": "none"}),
    "checks/": ("play", {"counted": dict.fromkeys(NAMES, 0)}),
    "seat/": ("watch", {"who": "Ann"}),
    "join/": ("watch", {}),
    "keep/": ("play", {}),
    "rematch/": ("play", {}),
    "again/": ("keep", {"players": ["Ann", "Bert"]}),
    "names/": ("keep", {"players": NAMES}),
    "settings/": ("keep", {"settings": {}}),
    "links/": ("keep", {"rotate": "watch"}),
    "stay/": ("play", {}),
    "stop/": ("keep", {}),
    "reopen/": ("keep", {}),
    "delete/": ("keep", {}),
    "club/": ("keep", {}),
    "leave/": ("keep", {"club": "none"}),
}


@pytest.mark.parametrize("role", ["keep", "play", "watch"])
@pytest.mark.parametrize("address", READS)
def test_every_holder_reads(table, address, role):
    phone = {"keep": table.keeper, "play": table.player, "watch": table.watcher}[role]
    assert phone.get(address).status_code == 200


@pytest.mark.parametrize("address", READS)
def test_strangers_and_other_tables_read_nothing(table, address):
    other = sit_down().keeper
    other.code = table.code
    assert table.stranger.get(address).status_code == 404
    assert other.get(address).status_code == 404


@pytest.mark.parametrize("role", ["keep", "play", "watch", "stranger", "other table"])
@pytest.mark.parametrize("address", WRITES)
def test_only_who_may_writes(table, address, role):
    least, body = WRITES[address]
    other = sit_down().keeper
    other.code = table.code
    cast = {"keep": table.keeper, "play": table.player, "watch": table.watcher}
    phone = {**cast, "stranger": table.stranger, "other table": other}[role]
    status = phone.post(address, body).status_code
    if role in ("stranger", "other table"):
        assert status == 404
    elif links.RANK[role] < links.RANK[least]:
        assert status == 403
    else:
        assert status in (200, 201, 202, 422)


@pytest.mark.parametrize("address", WRITES)
def test_what_a_cookie_authorises_needs_the_pages_token(table, address):
    client = browser_of(table.keeper)
    answer = client.post(f"/pads/{table.code}/{address}", WRITES[address][1], content_type="application/json")
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "csrf")


@pytest.mark.parametrize("address", WRITES)
def test_reading_an_address_that_writes_changes_nothing(table, address):
    assert table.keeper.get(address).status_code == 405


def test_the_matrix_names_every_address_of_a_pad():
    from scorepad.urls import programs

    routes = {str(pattern.pattern) for pattern in programs}
    inside = {
        route.removeprefix("pads/<slug:code>/") for route in routes if route.startswith("pads/<slug:code>/")
    }
    assert inside - {"next/"} == set(READS) | set(WRITES)


def test_a_player_who_starts_the_next_game_does_not_become_its_keeper(table):
    answer = table.player.post("rematch/")
    assert set(answer.json()) == {"pad", "play", "watch", "evening"}
