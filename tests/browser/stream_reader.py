"""Pages that notice when a string comes to life, and the means to send strings wherever words are taken."""

import contextlib
import os
import re
import time
import urllib.parse

from django.urls import Resolver404, resolve
from playwright.sync_api import Error

from tests.security.script_strings import SUM, strings

SOAK = bool(os.environ.get("SOAK"))
MANY = 300 if SOAK else 30
LINE_MOST = 190
OF_A_STRING = re.compile(r"hit\(|data-hit|7919")
sent_to: set[str] = set()
"""The routes that strings were posted to, as the requests of all pages had them."""

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
  if (/sign-out|sessions|delete|links\\/$/.test(form.action)) return 'passed over';
  let next = 0;
  for (const field of form.elements) {
    if (field.name === 'csrfmiddlewaretoken' || field.type === 'file') continue;
    if (/^(textarea|text|search|password|number|hidden)$/.test(field.type)) {
      if (field.type === 'hidden' && /^(parent|proposal|game|tap|was)$/.test(field.name)) continue;
      if (field.type === 'number') field.type = 'text';
      field.value = words[next++ % words.length];
    }
  }
  if (!next) return 'nothing to write';
  HTMLFormElement.prototype.submit.call(form);
  return 'sent';
}"""
POST = """([action, fields]) => {
  const form = Object.assign(document.createElement('form'), { method: 'post', action });
  const token = document.querySelector('[name=csrfmiddlewaretoken]').value;
  for (const [name, value] of Object.entries({ ...fields, csrfmiddlewaretoken: token })) {
    form.append(Object.assign(document.createElement('textarea'), { name, value }));
  }
  document.body.append(form);
  HTMLFormElement.prototype.submit.call(form);
}"""
PUT_IN = """async ([address, fields]) => {
  const token = document.querySelector('[name=csrfmiddlewaretoken]').value;
  const body = new URLSearchParams({ ...fields, csrfmiddlewaretoken: token });
  const answer = await fetch(address, { method: 'POST', body, headers: { 'HX-Request': 'true' } });
  document.querySelector('main').innerHTML = await answer.text();
  return answer.status;
}"""
PUT_FILE_IN = """async ([address, name, told]) => {
  const body = new FormData();
  body.append('csrfmiddlewaretoken', document.querySelector('[name=csrfmiddlewaretoken]').value);
  body.append('file', new File([told], name, { type: 'text/html' }));
  document.querySelector('main').innerHTML = await (await fetch(address, { method: 'POST', body })).text();
}"""
WRITE_IN = """fields => { const form = document.querySelector('main form[method=post]');
  for (const [name, value] of Object.entries(fields)) {
    form.querySelectorAll(`[name="${name}"]`).forEach(old => old.remove());
    const field = document.createElement('textarea');
    Object.assign(field, { name, value }); form.append(field); }
  HTMLFormElement.prototype.submit.call(form); }"""


def listening(page):
    page.context.add_init_script(LISTEN)
    page.on("dialog", lambda dialog: (page.evaluate("window.hits += 1"), dialog.dismiss()))
    page.on("request", remember)
    return page


def remember(request):
    """Remember where a string was posted to."""
    body = (request.method == "POST" and request.post_data_buffer) or b""
    if OF_A_STRING.search(urllib.parse.unquote_plus(body.decode(errors="replace"))):
        with contextlib.suppress(Resolver404):
            sent_to.add(resolve(urllib.parse.urlsplit(request.url).path).route)


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


def post(page, address, **fields):
    """Post these to an address, from the page that stands there, and look at what it answers."""
    with Leaving(page) as waiting:
        page.evaluate(POST, [address, fields])
        waiting.sent = True
    look(page, f"{address} posted to")


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
