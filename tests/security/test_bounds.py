"""Everything has a bound, and what is beyond it gets a sentence, never a fault."""

import json
import re
import subprocess
import sys
from datetime import timedelta

import pytest
from django.conf import settings as site
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client, RequestFactory
from django.utils import timezone

import archive.messages.limits
import archive.offprints.limits
import archive.scans.limits
import people.limits
import scorepad.limits
from ratelimit.configured_limits import configured_limit
from scorepad import expiry
from scorepad.models import CountCheck, Pad
from tests.scorepad.conftest import NAMES, Phone, browser_of, seated, sit_down, victory

OF_SETTINGS = {
    name: getattr(site, name)
    for name in dir(site)
    if name.startswith(
        (
            "SCAN_",
            "INGEST_",
            "READING_",
            "TESSERACT_",
            "BODY_",
            "BODIES_",
            "ANSWER",
            "HEAD_",
            "REQUESTS_",
            "PAGES_",
            "PAGE_WAIT_",
            "IIIF_MANIFEST_",
            "IIIF_SECONDS",
        )
    )
}
OF_MESSAGES = archive.messages.limits.DEFAULTS
ALL = {
    **OF_MESSAGES,
    **scorepad.limits.DEFAULTS,
    **people.limits.DEFAULTS,
    **archive.offprints.limits.DEFAULTS,
    **archive.scans.limits.DEFAULTS,
    **OF_SETTINGS,
}
TEXT = (site.BASE_DIR / "docs" / "limits.md").read_text(encoding="utf-8")


def test_every_limit_stands_in_the_document_with_its_default():
    told = re.findall(r"^\| `([A-Z_]+)` \| ([\d.]+) \| .+ \|$", TEXT, re.MULTILINE)
    assert {name: float(value) for name, value in told} == ALL
    assert len(told) == len(ALL)


def test_every_limit_can_be_set_by_the_environment(tmp_path):
    script = (
        "import os, sys, django; django.setup()\n"
        "from scorepad.limits import limit, DEFAULTS\n"
        "from people.limits import limit as of_people, DEFAULTS as PEOPLE\n"
        "from archive.messages.limits import limit as of_messages, DEFAULTS as MESSAGES\n"
        "assert all(of_messages(name) == 7 for name in MESSAGES)\n"
        "from archive.offprints.limits import limit as of_print, DEFAULTS as PRINT\n"
        "assert all(of_print(name) == 7 for name in PRINT)\n"
        "assert all(limit(name) == 7 for name in DEFAULTS) and all(of_people(name) == 7 for name in PEOPLE)\n"
        f"assert all(getattr(django.conf.settings, name) == 7 for name in {[*OF_SETTINGS]})\n"
    )
    own = {
        **dict.fromkeys(ALL, "7"),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "TALLYROOM_VAR": str(tmp_path),
    }
    assert subprocess.run([sys.executable, "-c", script], env=own, cwd=site.BASE_DIR).returncode == 0
    own["PAD_IDLE_DAYS"] = "a year"
    told = subprocess.run(
        [sys.executable, "-c", script], env=own, cwd=site.BASE_DIR, capture_output=True, text=True
    )
    assert "PAD_IDLE_DAYS must be a whole number of 1 or more, and it is 'a year'." in told.stderr


def test_a_setting_outranks_the_default(settings):
    settings.ENTRIES_PER_PAD_MOST = 3
    assert configured_limit("ENTRIES_PER_PAD_MOST", 2_000) == 3


AXIS = {"id": "a", "type": "axis", "player": "Ann"}
LONG = "x" * 5_000
HUGE = "y" * 3_000_000
BEYOND = {
    "ENTRIES_BODY_BYTES_MOST": (413, "entries/", {"entries": [], "more": "x" * 600_000}),
    "ENTRIES_PER_POST_MOST": (413, "entries/", {"entries": [{}] * 501}),
    "ENTRY_ID_LENGTH_MOST": (200, "entries/", {"entries": [victory("i" * 101)]}),
    "PAD_SETTINGS_BYTES_MOST": (422, "settings/", {"settings": {"a": "x" * 9_000}}),
    "DRAFT_PUTS_MOST": (422, "draft/", {"type": "capture", "put": [{"field": "player"}] * 51}),
    "HEADING_LENGTH_MOST": (422, "/pads/", {"game": "victory-rummy", "players": NAMES, "notes": LONG}),
    "IMPORT_BYTES_MOST": (413, "/pads/import/", {"tally": 1, "notes": HUGE}),
    "a player's name": (422, "/pads/", {"game": "victory-rummy", "players": [LONG, "Bert"]}),
    "a new name": (422, "names/", {"players": [LONG, "Bert", "Cleo"]}),
    "seats": (422, "/pads/", {"game": "victory-rummy", "players": [f"P{n}" for n in range(500)]}),
    "a device's name": (200, "seat/", {"who": LONG}),
    "a short code": (422, "/pads/join/", {"code": LONG}),
    "a variant": (422, "/pads/", {"game": "victory-rummy", "players": NAMES, "variant": LONG}),
    "an option": (422, "/pads/", {"game": "victory-rummy", "players": NAMES, "options": {LONG: LONG}}),
    "nesting": (400, "entries/", "[" * 100_000),
    "a number": (200, "entries/", {"entries": [{**AXIS, "cards": 10**4_000}]}),
}  # fmt: skip


@pytest.mark.parametrize("what", BEYOND)
def test_what_is_beyond_a_bound_gets_a_sentence(db, what):
    status, path, body = BEYOND[what]
    table = sit_down()
    answer = table.keeper.post(path, body)
    assert answer.status_code == status, answer.content[:200]
    if status == 200:
        shown = json.dumps(answer.json())
        assert LONG not in shown and len(shown) < 2_000
    else:
        assert len(answer.json()["error"]["message"].split()) > 3
    assert table.pad.entries.count() == 0 and Pad.objects.count() == 1


def test_a_pad_that_is_full_says_so(db, settings):
    settings.ENTRIES_PER_PAD_MOST = 2
    results = sit_down().player.enter(victory("a"), victory("b", "Bert"), victory("c", "Cleo"))
    assert [one["status"] for one in results] == ["stored", "stored", "refused"]
    assert results[2]["error"]["message"]


def test_a_draft_too_long_and_counts_too_many_say_so(db, settings):
    settings.DRAFT_BYTES_MOST, settings.COUNT_CHECKS_PER_PAD_MOST = 10, 1
    table = sit_down(game="thumbs-up")
    counted = {"counted": dict.fromkeys(NAMES, 0)}
    assert table.player.post("checks/", counted).status_code == 200
    assert table.player.post("checks/", counted).json()["error"]["message"]
    other = sit_down().player
    put = {"type": "victory", "put": [{"field": "player", "value": "Ann"}]}
    assert other.post("draft/", put).json()["error"]["message"]


def test_names_that_seats_had_before_have_an_end(db, settings):
    settings.FORMER_NAMES_PER_PAD_MOST = 5
    table = sit_down()
    table.player.enter(victory("a"))
    answers = [table.keeper.post("names/", {"players": [f"{name} {n}" for name in NAMES]}) for n in (1, 2)]
    assert [answer.status_code for answer in answers] == [200, 422]
    assert answers[1].json()["error"]["code"] == "too-many-names"
    assert Phone(None).post("/pads/import/", table.keeper.get("pad.json").json()).status_code == 201


def test_links_given_out_for_codes_have_an_end(db, settings):
    settings.LINKS_PER_PAD_MOST = 3
    code = sit_down().player.post("join/").json()["code"]
    answer = Phone(None).post("/pads/join/", {"code": code})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "too-many-links")


def test_a_pad_has_only_so_many_links_and_they_can_always_be_revoked(db, settings):
    settings.LINKS_EVER_PER_PAD_MOST = 4
    table = sit_down()
    code = table.player.post("join/").json()["code"]
    assert table.keeper.post("links/", {"rotate": "watch"}).status_code == 200
    for answer in (
        table.keeper.post("links/", {"rotate": "play"}),
        Phone(None).post("/pads/join/", {"code": code}),
    ):
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "too-many-links")
    assert table.player.get("about.json").status_code == 200
    assert table.keeper.post("links/", {"revoke": "play"}).status_code == 200
    assert table.player.get("about.json").status_code == 404


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("/people/sign-in/", {"name": HUGE, "password": "x"}),
        ("/people/sign-in/", {f"field-{n}": "x" for n in range(1_100)}),
        ("/join/", {"code": HUGE}),
        ("/pads/new/", {"game": "victory-rummy", "name": [HUGE]}),
        ("/pads/import/", {"sheet": HUGE}),
    ],
)
def test_a_form_that_is_too_large_gets_a_page(db, path, sent):
    answer = Client().post(path, sent)
    assert answer.status_code == 413
    assert re.search("too large|more than one form can send", answer.content.decode())


def test_a_long_word_on_a_page_of_a_pad_is_harmless(db):
    client = browser_of(sit_down().player)
    code = next(name for name in client.cookies if name.startswith("pad-")).removeprefix("pad-")
    for path in (f"?at={LONG}&by={LONG}", f"history/?at={LONG}", f"why/{'9' * 400}/", f"correct/{LONG}/"):
        assert client.get(f"/pads/{code}/{path}").status_code in (200, 404)
    for path in (f"/search/?q={LONG}", f"/join/?code={LONG}", f"/pads/new/?game={LONG}", f"/books/{LONG}/"):
        assert client.get(path).status_code in (200, 400, 404)


# Pads nobody uses.


def days_ago(days):
    return timezone.now() - timedelta(days=days)


@pytest.fixture
def later(monkeypatch):
    """Let days pass."""
    now = [timezone.now()]
    monkeypatch.setattr(expiry.timezone, "now", lambda: now[0])

    def pass_days(days):
        now[0] += timedelta(days=days)

    return pass_days


def test_a_pad_nobody_uses_is_told_and_goes_only_after_the_whole_notice(db, later):
    table = sit_down()
    table.player.enter(victory("a1"))
    later(369)
    assert expiry.expire() == expiry.ExpiryReport(0, 0, 0)
    later(2)
    assert expiry.expire() == expiry.ExpiryReport(1, 0, 0)
    later(29.5)
    assert expiry.expire() == expiry.ExpiryReport(0, 0, 0)
    later(1)
    assert expiry.expire() == expiry.ExpiryReport(0, 0, 1)
    assert not Pad.objects.exists()


TOMORROW = {
    "pad": 1,
    "made": "2099-01-01T00:00:00Z",
    "sheet": {"tally": 1, "game": "victory-rummy", "players": NAMES, "entries": [victory("a1")]},
    "log": [{"made": "2098-01-01T00:00:00Z"}],
    "checks": [{"head": 1, "counted": [10, 0, 0], "made": "2097-01-01T00:00:00Z"}],
}


def test_times_in_the_future_are_now_and_keep_no_pad(db, later):
    table = seated(Phone(None).post("/pads/import/", TOMORROW).json())
    kept = table.keeper.get("pad.json").json()
    assert {kept["made"][:4], kept["log"][0]["made"][:4], kept["checks"][0]["made"][:4]} == {
        str(timezone.now().year)
    }
    later(371)
    assert expiry.expire() == expiry.ExpiryReport(1, 0, 0)


def test_a_pad_that_was_brought_in_with_such_times_before_goes_too(db, later):
    table = sit_down()
    tomorrow = timezone.now() + timedelta(days=20_000)
    Pad.objects.filter(code=table.code).update(made_at=tomorrow, touched_at=None)
    CountCheck.objects.create(pad=table.pad, head=0, counted=[0, 0, 0], made_at=tomorrow)
    assert expiry.expire() == expiry.ExpiryReport(1, 0, 0)
    later(31)
    assert expiry.expire().deleted == 1


def test_a_site_that_was_off_for_years_gives_notice_first(db, later):
    sit_down()
    later(3_000)
    assert expiry.expire() == expiry.ExpiryReport(1, 0, 0)
    assert expiry.expire() == expiry.ExpiryReport(0, 0, 0)
    later(30)
    assert expiry.expire().deleted == 1


def test_a_pad_kept_at_the_last_moment_stays(db, later, monkeypatch):
    first, second = sit_down(), sit_down()
    later(31)
    expiry.expire()
    later(30)
    delete = expiry.pads.delete

    def somebody_comes_to_the_other(pad):
        delete(pad)
        for other in Pad.objects.all():
            expiry.stay(other)

    monkeypatch.setattr(expiry.pads, "delete", somebody_comes_to_the_other)
    assert expiry.expire().deleted == 1
    assert Pad.objects.get().code in (first.code, second.code)


def test_a_strangers_file_is_kept_no_further_than_a_form_may_have(db, settings):
    settings.FORM_FILE_BYTES_MAX = 1000
    sent = SimpleUploadedFile("long.xml", b"x" * 5000)
    request = RequestFactory().post("/oai", {"verb": "Identify", "file": sent})
    assert request.FILES["file"].size == 1001


def test_an_empty_pad_goes_sooner(db, later):
    sit_down()
    later(31)
    assert expiry.expire().noticed == 1
    later(30)
    assert expiry.expire().deleted == 1


def test_the_notice_is_on_the_pad_and_on_the_table_and_one_tap_keeps_it(db, later):
    table = sit_down()
    later(31)
    call_command("expire")
    player, watcher = browser_of(table.player), browser_of(table.watcher)
    for place in ("", "table/"):
        page = player.get(f"/pads/{table.code}/{place}").content.decode()
        assert "It will be deleted on" in page and "Keep it" in page
        assert "Keep it" not in watcher.get(f"/pads/{table.code}/{place}").content.decode()
    assert table.watcher.get("about.json").json()["ends"]
    player.cookies["csrftoken"] = "a" * 32
    answer = player.post(f"/pads/{table.code}/stay/", headers={"X-CSRFToken": "a" * 32})
    assert answer.status_code == 302
    assert "It will be deleted on" not in player.get(f"/pads/{table.code}/").content.decode()
    later(29)
    assert expiry.expire().deleted == 0


def test_a_pad_that_is_played_again_stays(db, later):
    table = sit_down()
    later(31)
    expiry.expire()
    table.player.enter(victory("a1"))
    assert table.watcher.get("about.json").json()["ends"] is None
    assert expiry.expire() == expiry.ExpiryReport(0, 1, 0)


def test_an_imported_sheet_of_long_ago_is_new_here(db):
    file = {**sit_down().keeper.get("pad.json").json(), "made": "1999-05-01T19:30:00Z"}
    assert Phone(None).post("/pads/import/", file).status_code == 201
    assert Pad.objects.filter(made_at__year=1999).exists()
    assert expiry.expire() == expiry.ExpiryReport(0, 0, 0)


def test_beginning_a_pad_looks_around_once_a_day(db, later):
    sit_down()
    later(31)
    for told in (1, 0):
        assert (
            Phone(None).post("/pads/", {"game": "rummy-1916", "players": ["Ann", "Bert"]}).status_code == 201
        )
        assert Pad.objects.filter(notice_at__isnull=False).update(notice_at=None) == told
