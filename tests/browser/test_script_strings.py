"""Strings that would run in a careless page, in every text field: none runs, none is anything but text.

The detector is proved first, on pages that have no defences.
"""

import json
import os
import time
import urllib.parse
import urllib.request
from itertools import cycle

import pytest
from playwright.sync_api import Error, expect

from tests.browser.site import Site, furnish
from tests.browser.test_curation import invitation
from tests.security.script_strings import KINDS, RUN_ALONE, SUM, strings

SOAK = bool(os.environ.get("SOAK"))
MANY = 300 if SOAK else 30
BOOK = "/books/victory-rummy-1942"
PASSWORD = "four plain words here"
NAME_MOST, LINE_MOST, SEATS = 40, 190, 6
PLACES = ("", "history/")

LISTEN = """
window.hits = 0;
window.hit = window.alert = window.print = window.prompt = window.confirm = () => { window.hits += 1 };
"""
LOOK = """() => {
  const odd = /^[\\s\\x00-\\x20]*(javascript|vbscript|data:text)/i;
  const found = [];
  if (window.hits) found.push(`ran ${window.hits} times`);
  for (const element of document.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      if (/^(data-hit|on.*|hx-.*)$/.test(name)) found.push(`<${element.localName} ${name}>`);
      if (/href$|^src$|action$|^data$|^srcdoc$/.test(name) && odd.test(value)) found.push(`${name}=${value}`);
      if (value.includes('SUM')) found.push('a sum was worked out');
    }
  }
  if (document.body && document.body.innerText.includes('SUM')) found.push('a sum was worked out');
  return found;
}""".replace("SUM", SUM)  # fmt: skip
FORMS = """([nth, words]) => {
  const forms = [...document.querySelectorAll('form')].filter(form => form.method === 'post');
  const form = forms[nth];
  if (!form) return '';
  if (/sign-out|sessions|delete|me\\/code|links\\/$/.test(form.action)) return 'passed over';
  let next = 0;
  for (const field of form.elements) {
    if (field.name === 'csrfmiddlewaretoken' || field.type === 'file') continue;
    if (/^(textarea|text|search|password|number|hidden)$/.test(field.type)) {
      if (field.type === 'hidden' && /^(parent|proposal|game|tap)$/.test(field.name)) continue;
      if (field.type === 'number') field.type = 'text';
      field.value = words[next++ % words.length];
    }
  }
  HTMLFormElement.prototype.submit.call(form);
  return 'sent';
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site of its own: these tests leave strange words in its books."""
    var = tmp_path_factory.mktemp("strings") / "var"
    furnish(var)
    generous = dict.fromkeys(("PADS_MADE_PER_ADDRESS_MOST", "SIGN_IN_FAILURES_OF_AN_ADDRESS_MOST"), "100000")
    site = Site(var, **generous).start()
    yield site
    site.stop()


@pytest.fixture
def page(device):
    """A page that listens. A complaint of the policy fails the test too: nothing may even come that far."""
    page = device()
    page.context.add_init_script(LISTEN)
    page.on("dialog", lambda dialog: (page.evaluate("window.hits += 1"), dialog.dismiss()))
    return page


def look(page, where):
    assert page.evaluate(LOOK) == [], where


def opened(page, address):
    page.goto(address)
    look(page, address)


def chunks(length_most=LINE_MOST):
    """All strings, several in one text where they fit, for ever."""
    lines, line = [], ""
    for told in strings(MANY, length_most):
        if line and len(line) + len(told) + 1 > length_most:
            lines.append(line)
            line = ""
        line = f"{line} {told}" if line else told
    return [*lines, line]


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


def enter(page, site, role):
    page.goto(invitation(site, role))
    page.get_by_label("Your name").fill(f"{role.title()} Strings")
    page.get_by_label("A password").fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    page.wait_for_url("**/people/me/")


def send_every_form(page, address, words):
    """Every text field of every form of this page gets a string, whatever the page says about its length."""
    opened(page, address)
    for nth in range(page.locator("form[method=post]").count()):
        for _ in range(len(chunks()) if SOAK else 1):
            some = [next(words) for _ in range(7)]
            with Leaving(page) as waiting:
                waiting.sent = page.evaluate(FORMS, [nth, some]) == "sent"
            if not waiting.sent:
                break
            look(page, f"{address} after form {nth}")
            page.goto(address)


class Leaving:
    """Waits until the page that a form leads to has been loaded."""

    def __init__(self, page):
        self.page, self.sent = page, False

    def __enter__(self):
        self.page.evaluate("window.before = true")
        return self

    def __exit__(self, *fault):
        # Asked again and again through the debugger: waiting inside the page would need the eval it forbids.
        deadline = time.monotonic() + 30
        while self.sent and not any(fault) and not self._is_there():
            assert time.monotonic() < deadline, "the form led nowhere"
            self.page.wait_for_timeout(30)

    def _is_there(self):
        try:
            return self.page.evaluate("!window.before && document.readyState === 'complete'")
        except Error:
            return False


def test_no_form_of_the_pads_gives_a_string_life(page, site):
    words = cycle(chunks())
    for address in ("/people/sign-in/", "/join/", "/pads/new/?game=victory-rummy", "/pads/import/"):
        send_every_form(page, address, words)
    for line in chunks():
        page.goto("/search/?" + urllib.parse.urlencode({"q": line}))
        look(page, "search")
    opened(page, "/join/?" + urllib.parse.urlencode({"code": next(words)}))


def made(site, **wish):
    body = json.dumps(wish).encode()
    request = urllib.request.Request(f"{site.url}/pads/", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def test_names_devices_and_headings_of_a_pad_stay_words(page, site):
    names = [name for name in strings(MANY, NAME_MOST) if name.isprintable() and name == name.strip()]
    notes = "\n".join(strings(MANY))[:1_500]
    for begin in range(0, len(names), SEATS):
        seats = [*names[begin : begin + SEATS], "Ann", "Bert"][:SEATS]
        table = made(site, game="rummy-1916", players=seats, title=names[begin], notes=notes)
        page.goto(table["keep"])
        look(page, "the pad")
        pad = page.url
        page.evaluate(
            """async ([pad, names]) => {
              const token = document.querySelector('[name=csrfmiddlewaretoken]').value;
              const send = (path, body) => fetch(pad + path, { method: 'POST', body: JSON.stringify(body),
                headers: { 'Content-Type': 'application/json', 'X-CSRFToken': token } });
              await send('seat/', { who: names[0] + '?' });
              await send('entries/', { entries: [{ id: names[0], type: 'hand', winner: names[0],
                hands: Object.fromEntries(names.slice(1).map(name => [name, { count: 7 }])) }] });
              await send('settings/', { settings: { lamp: names.join(' ') } });
              await send('draft/', { type: 'hand', put: [{ field: 'winner', value: names[1] }] });
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
    send_every_form(page, pad + "table/", cycle(names))


def test_what_curators_write_stays_words(page, site):
    enter(page, site, "keeper")
    lines, body = cycle(chunks(100)), "\n\n".join(strings(MANY))
    note = {
        "id": "strange-words", "anchor": "enter-score", "kind": "gloss", "title": next(lines),
        "body": body[:19_000], "reason": next(lines), "authority": "", "certainty": "", "layer": "reading",
    }  # fmt: skip
    variant = {
        "slug": "strange-words", "game": "victory-rummy", "title": next(lines), "reasons": body[:9_000],
        "who": next(lines), "since": next(lines)[:60], "reason": next(lines), "cites": "enter-score",
    }  # fmt: skip
    for path, fields in ((f"{BOOK}/notes/new/", note), (f"{BOOK}/variants/new/", variant)):
        opened(page, path)
        written = fields | {"parent": page.get_attribute("[name=parent]", "value")}
        page.evaluate(
            """fields => { const form = document.querySelector('main form[method=post]');
              for (const [name, value] of Object.entries(fields)) {
                form.querySelectorAll(`[name="${name}"]`).forEach(old => old.remove());
                const field = document.createElement('textarea');
                Object.assign(field, { name, value }); form.append(field); }
              HTMLFormElement.prototype.submit.call(form); }""",
            written,
        )
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
        f"{BOOK}/1/mend/",
        f"{BOOK}/catalogue/",
    ]
    for address in forms:
        send_every_form(page, address, words)
    send_files_named(page)
    opened(page, "/people/")
    opened(page, "/curation/")


def send_files_named(page):
    """Names of files are words as well: the script of the page shows them, and so does its answer."""
    names = [name for name in strings(MANY, 60) if "/" not in name and name.isprintable()]
    names = names if SOAK else names[:8]
    opened(page, f"{BOOK}/scans/")
    files = [{"name": name, "mimeType": "image/jpeg", "buffer": b"no picture"} for name in names]
    page.set_input_files("#files", files)
    expect(page.locator(".upload__file.is-refused")).to_have_count(len(names))
    look(page, "names of files")
