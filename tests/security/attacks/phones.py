"""Attacks on what a phone keeps: a pad that was deleted or whose link was ended, seen in Chromium."""

import re
import shutil

from playwright.sync_api import Error as BrowserError
from playwright.sync_api import sync_playwright

from tests.security.attacks.caller import new_pad
from tests.security.attacks.findings import Verdict, finding

NAMES = ("Xaverine", "Zebedee")
MAY_BE_GONE = re.compile(r"may (be gone|be deleted|have been|no longer|not be)", re.I)


@finding(10, "a phone goes on showing a pad that was deleted", is_long=True)
def deleted_pad(site, size):
    chromium = shutil.which("chromium")
    if not chromium:
        return Verdict(None, "not tried: there is no Chromium here")
    owner = site.caller()
    pad, ended = new_pad(owner, NAMES), new_pad(owner, NAMES)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(base_url=f"http://{site.host}")
        page = context.new_page()
        for one in (pad, ended):
            open_and_store(page, one)
        context.set_offline(True)
        says = bool(MAY_BE_GONE.search(shown(page, pad)))
        context.set_offline(False)
        page.goto("/")
        forgets = page.get_by_text(re.compile("forget", re.I)).count() > 0
        page.goto(pad.at())
        owner.post(pad.at("delete/"), {}, pad.keep)
        owner.post(ended.at("links/"), {"revoke": "play"}, ended.keep)
        page.wait_for_timeout(3_500)
        online = shown(page, ended)
        context.set_offline(True)
        kept = [NAMES[0] in shown(page, one) for one in (pad, ended)]
        browser.close()
    held = says and forgets and not any(kept) and NAMES[0] not in online
    told = f"without network it says that the pad may be gone: {says}; Forget in the list: {forgets}; "
    return Verdict(held, f"{told}shown after deletion and after the link was ended: {kept}")


def open_and_store(page, pad):
    """As a phone does: by the link, and once more when the worker is there."""
    page.goto(pad.at(pad.play))
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.goto(pad.at())
    page.wait_for_timeout(700)


def shown(page, pad):
    """The words of the page, or nothing where the browser has only its own page."""
    try:
        page.goto(pad.at())
    except BrowserError:
        return ""
    page.wait_for_timeout(500)
    return page.inner_text("body")
