"""Strings that would run in a careless page, in every text field: none runs, none is anything but text.

The detector is proved first, on pages that have no defences.
"""

import json
import urllib.parse
import urllib.request
from itertools import cycle

import pytest
from playwright.sync_api import expect

from tests.archive.scan_files import lines_of_print, photograph
from tests.browser.site import Site, furnish
from tests.browser.stream_reader import (
    LISTEN,
    LOOK,
    MANY,
    PUT_FILE_IN,
    PUT_IN,
    SOAK,
    WRITE_IN,
    Leaving,
    chunks,
    listening,
    look,
    opened,
    post,
    send_every_form,
    sent_to,
)
from tests.browser.test_curation import invitation
from tests.security.script_strings import KINDS, RUN_ALONE, SUM, strings
from tests.security.text_fields import unsent

pytestmark = pytest.mark.thorough

BOOK = "/books/victory-rummy-1942"
PASSWORD = "four plain words here"
NAME_MOST, SEATS = 40, 6
PROOF = ("present", "proof", "credential", "made", "name", "code", "next")
PLACES = ("", "history/")
entered: list[str] = []


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site of its own: these tests leave strange words in its books."""
    var = tmp_path_factory.mktemp("strings") / "var"
    furnish(var)
    generous = dict.fromkeys(
        (
            "PADS_MADE_PER_MINUTE_MOST",
            "PADS_MADE_PER_ADDRESS_MOST",
            "SIGN_IN_FAILURES_OF_AN_ADDRESS_MOST",
            "MESSAGES_PER_ADDRESS_MOST",
        ),
        "100000",
    )
    site = Site(var, **generous).start()
    yield site
    site.stop()


@pytest.fixture
def page(device):
    """A page that listens. A complaint of the policy fails the test too: nothing may even come that far."""
    return listening(device())


def test_the_detector_hears_what_a_careless_page_runs(chromium):
    context = chromium.new_context()
    context.add_init_script(LISTEN)
    page = context.new_page()
    page.goto("about:blank")
    heard = dict.fromkeys(KINDS, 0)
    for kind, seeds in KINDS.items():
        for seed in seeds:
            page.set_content(
                f"<!doctype html><title>x</title><p>{seed}</p><a href='{seed}'>x</a><input value=\"{seed}\">"
            )
            page.wait_for_timeout(20)
            heard[kind] += bool(page.evaluate(LOOK))
    context.close()
    assert all(heard[kind] >= 0.8 * len(KINDS[kind]) for kind in RUN_ALONE), heard
    assert sum(count > 0 for count in heard.values()) >= len(KINDS) - 1, heard


def test_the_detector_knows_a_template_that_reckons(chromium):
    context = chromium.new_context()
    page = context.new_page()
    page.set_content(f"<p>{SUM}</p>")
    assert page.evaluate(LOOK) == ["a sum was worked out"]
    context.close()


def enter(page, site, role, link=""):
    page.goto(link or invitation(site, role))
    page.get_by_label("Your name").fill(f"{role.title()} Strings {len(entered)}")
    entered.append(role)
    page.get_by_label("A password").fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    page.wait_for_url("**/people/me/")


def test_no_form_of_the_pads_gives_a_string_life(page, site):
    words = cycle(chunks())
    for address in ("/people/sign-in/", "/join/", "/pads/new/?game=victory-rummy", "/pads/import/", "/q/"):
        send_every_form(page, address, words)
    for line in chunks():
        page.goto("/search/?" + urllib.parse.urlencode({"q": line}))
        look(page, "search")
    opened(page, "/join/?" + urllib.parse.urlencode({"code": next(words)}))
    post(page, "/pads/samples/", sheet=next(words))


def made(site, **wish):
    body = json.dumps(wish).encode()
    request = urllib.request.Request(f"{site.url}/pads/", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        sent_to.add("pads/")
        return json.load(answer)


def test_names_devices_and_headings_of_a_pad_stay_words(page, site):
    plain = (name for name in strings(MANY, NAME_MOST) if name.isprintable() and name == name.strip())
    names = list({name.casefold(): name for name in plain}.values())
    notes = "\n".join(strings(MANY))[:1_500]
    for begin in range(0, len(names), SEATS):
        seats = [*names[begin : begin + SEATS], "Ann", "Bert"][:SEATS]
        table = made(site, game="rummy-1916", players=seats, title=names[begin], notes=notes)
        page.goto(table["keep"])
        look(page, "the pad")
        pad = page.url.partition("?")[0]
        club = page.evaluate(
            """async ([pad, names]) => {
              const token = document.querySelector('[name=csrfmiddlewaretoken]').value;
              const send = (path, body) => fetch(new URL(path, pad), {
                method: 'POST', body: JSON.stringify(body),
                headers: { 'Content-Type': 'application/json', 'X-CSRFToken': token } });
              await send('seat/', { who: names[0] + '?' });
              await send('entries/', { entries: [{ id: names[0], type: 'hand', winner: names[0],
                hands: Object.fromEntries(names.slice(1).map(name => [name, { count: 7 }])) }] });
              const told = names.join(' ');
              await send('settings/', { settings: { lamp: told } });
              await send('preview/', { entry: { id: told, type: 'hand', winner: told } });
              await send('checks/', { counted: { [told]: told }, who: told });
              await send('draft/complete/', { draft: told, who: told });
              await send('draft/drop/', { who: told });
              await send('join/', { role: told });
              await send('keep/', { decline: told });
              await send('rematch/', { dealer: told });
              await send('names/', { players: [...names].reverse(), dealer: told });
              await send('/pads/join/', { code: told });
              await send('draft/', { type: 'hand', put: [{ field: 'winner', value: names[1] }] });
              await send('club/', { club: told });
              const { club } = await (await send('club/', {})).json();
              await send(club + 'name/', { name: told });
              await send(club + 'name/', { name: names[0] });
              await send(club + 'people/', { join: names[0], to: told });
              await send(club + 'remove/', { pad: told });
              await send(club + 'keep/', { decline: told });
              return club;
            }""",
            [pad, seats],
        )
        assert (
            page.evaluate("pad => fetch(pad + 'result.json').then(r => r.json()).then(r => r.head)", pad) == 1
        )
        for place in (
            ("", "history/", "table/", "after/", "print/", "why/0/") if SOAK or not begin else PLACES
        ):
            opened(page, pad + place)
    opened(page, pad + "code/")
    opened(page, urllib.parse.urlsplit(page.locator(".gamecode a").get_attribute("href")).path)
    for place in ("", "settings/", "games/"):
        opened(page, club + place)
    send_every_form(page, pad + "table/", cycle(names))
    for place in ("tap/", "correct/none/"):
        page.goto(pad)
        told = json.dumps({"type": "hand", "winner": names[0], "hands": {names[1]: {"count": names[2]}}})
        post(page, pad + place, enter=told, made=told, store=told, tap=names[3])
    page.goto(pad)
    post(
        page,
        pad + "compare/",
        seen="0",
        entries=json.dumps([{"id": names[0], "type": names[1], "player": told}]),
    )


def a_note(id, lines, body):
    return {
        "id": id, "anchor": "enter-score", "kind": "gloss", "title": next(lines), "body": body,
        "reason": next(lines), "authority": "", "certainty": "", "layer": "reading",
    }  # fmt: skip


def test_what_curators_write_stays_words(page, site):
    enter(page, site, "keeper")
    lines, body = cycle(chunks(100)), "\n\n".join(strings(MANY))
    note = a_note("strange-words", lines, body[:19_000])
    variant = {
        "slug": "strange-words", "game": "victory-rummy", "title": next(lines), "reasons": body[:9_000],
        "who": next(lines), "since": next(lines)[:60], "reason": next(lines), "cites": "enter-score",
    }  # fmt: skip
    for path, fields in ((f"{BOOK}/notes/new/", note), (f"{BOOK}/variants/new/", variant)):
        opened(page, path)
        written = fields | {"parent": page.get_attribute("[name=parent]", "value")}
        page.evaluate(WRITE_IN, written)
        page.wait_for_url("**saved=**")
        look(page, path)
    people = ["/people/", "/curation/"]
    read = [
        f"{BOOK}/",
        f"{BOOK}/passages/enter-score/",
        f"{BOOK}/revisions/",
        f"{BOOK}/revisions/3/",
        f"{BOOK}/revisions/1-3/",
    ]
    rules = [
        "/variants/strange-words/",
        "/variants/compare/victory-rummy/",
        "/pads/new/?game=victory-rummy",
        "/variants/",
    ]
    for address in (*people, *read, *rules):
        opened(page, address)
    words = cycle(chunks())
    forms = [
        "/people/",
        f"{BOOK}/notes/new/",
        f"{BOOK}/notes/strange-words/",
        f"{BOOK}/variants/new/",
        f"{BOOK}/variants/strange-words/",
        f"{BOOK}/1/mend/",
        f"{BOOK}/catalogue/",
    ]
    for address in forms:
        send_every_form(page, address, words)
    send_files_named(page)
    opened(page, "/people/")
    # By its address: links stand before the people, and a long run has made many.
    person = page.locator("form.inline").first.get_attribute("action")
    post(page, person, act=next(words), role=next(words))
    opened(page, "/people/")
    opened(page, "/curation/")


def send_files_named(page):
    """Names of files are words as well: the script of the page shows them, and so does its answer."""
    names = [name for name in strings(MANY, 60) if "/" not in name and name.isprintable()]
    names = names if SOAK else names[:8]
    opened(page, f"{BOOK}/scans/")
    files = [{"name": name, "mimeType": "image/jpeg", "buffer": b"no picture"} for name in names]
    page.set_input_files("#files", files)
    sent_to.add("books/<slug:slug>/scans/upload/")
    expect(page.locator(".upload__file.is-refused")).to_have_count(len(names))
    look(page, "names of files")


def test_what_a_desk_asks_for_stays_words(page, device, site):
    """A book and its leaves, rules in brief, one's own password, a proposal and the words that refuse it."""
    enter(page, site, "curator")
    words = cycle(chunks())
    own = ("/people/me/", "/curation/books/new/")
    for address in (
        *own,
        *(
            f"{BOOK}/{place}/"
            for place in ("brief/victory-rummy", "game", "leaves/order", "parallel/thumbs-up-1941")
        ),
        *(f"{BOOK}/game/{place}/" for place in ("text", "piece/head", "piece/end")),
    ):
        send_every_form(page, address, words)
    # Its form leads on to the game's own address; without a game it is posted to as well.
    page.goto(f"{BOOK}/brief/")
    post(page, f"{BOOK}/brief/", title=next(words), reason=next(words))
    page.goto("/people/me/")
    post(page, "/people/me/sessions/", began=next(words))
    for path in ("me/recovery-codes/", "me/passkeys/", "sign-in/step/", "sign-in/passkey/"):
        page.goto("/people/me/")
        post(page, f"/people/{path}", **{field: next(words) for field in PROOF})
    other, link = listening(device()), invitation(site, "contributor")
    send_every_form(other, link, words)
    enter(other, site, "contributor", link)
    send_every_form(other, f"{BOOK}/5/scan/", words)
    opened(other, f"{BOOK}/notes/new/")
    with Leaving(other) as waiting:
        note = a_note("proposed-words", cycle(chunks(100)), "\n\n".join(strings(MANY))[:9_000])
        other.evaluate(WRITE_IN, note | {"parent": other.get_attribute("[name=parent]", "value")})
        waiting.sent = True
    look(other, "a proposed note")
    opened(page, "/curation/")
    proposal = page.locator("a[href*='/curation/proposals/']").first.get_attribute("href")
    opened(page, proposal)
    post(page, proposal, act="refuse", words=next(words))
    opened(other, proposal)
    tell = f"{BOOK}/tell/?passage=enter-score"
    send_every_form(other, tell, words)
    other.goto(tell)
    post(other, tell, words="\n\n".join(strings(MANY))[:3_900], sender=next(words)[:80])
    opened(page, "/curation/messages/")
    message = page.locator("a[href*='/curation/messages/']").first.get_attribute("href")
    opened(page, message)
    post(page, message, act="answer", answer=next(words))
    opened(page, message)
    for address, fields in (
        ("/curation/markdown/", {"body": "\n\n".join(strings(MANY))}),
        (f"{BOOK}/1/mend/preview/", {"line": "\n".join(chunks()), "line-new": next(words)}),
    ):
        page.goto(f"{BOOK}/1/mend/")
        page.evaluate(PUT_IN, [address, fields])
        look(page, address)
    send_every_form(page, f"{BOOK}/revisions/1/restore/", words)
    for place in ("", "leaves/", "revisions/", "brief/"):
        opened(page, f"{BOOK}/{place}")


def test_what_is_written_about_a_scan_stays_words(page, site):
    enter(page, site, "keeper", invitation(site, "keeper"))
    words = cycle(chunks())
    opened(page, f"{BOOK}/scans/")
    picture = {"mimeType": "image/jpeg", "buffer": photograph(lines_of_print())}
    page.set_input_files("#files", [{"name": "<b data-hit onclick=hit()>.jpg", **picture}])
    expect(page.locator(".upload__file.is-new")).to_have_count(1)
    look(page, "the name of a scan")
    scan = page.locator("#scan-rows a").first.get_attribute("href")
    send_every_form(page, scan, words)
    post(page, scan, act="publish", leaf="", reason=next(words))
    page.goto(scan)
    sides = dict.fromkeys(("left", "top", "right", "bottom"), next(words))
    post(page, f"{scan}words/1-0/", **sides)
    post(page, f"{scan}places/", act="keep", word="1-0", **sides)
    page.goto(scan)
    told = "<html><body>" + "".join(strings(MANY)) + "</body></html>"
    page.evaluate(PUT_FILE_IN, [f"{scan}read/", "<b data-hit>.hocr", told])
    sent_to.add("books/<slug:slug>/scans/<int:number>/read/")
    look(page, "a reading of a scan")


def test_every_address_that_takes_words_was_sent_strings():
    """Of the whole file: the tests above have sent them. What is excused says why, in text_fields.py."""
    assert unsent(sent_to) == []
