"""Kits for phones without network: taken along, played on, and made older than they are."""

import gzip
import hashlib
import json
import os
import re
import signal
import subprocess
import time
import zipfile

from playwright.sync_api import expect

from tests.browser.site import KEPT, PATIENCE_SECONDS, ROOT

HERE = re.compile(r"/pads/here-[a-z0-9]{8}/$")
SHARED = re.compile(r"/pads/[a-z0-9]{8}/$")
PATIENCE = 120_000
KIT = KEPT / "kit"
LIMITS_OF_ONE_ADDRESS = (
    "PADS_MADE_PER_MINUTE_MOST",
    "PADS_MADE_PER_ADDRESS_MOST",
    "PADS_MADE_IN_ALL_MOST",
    "REPLAY_SECONDS_PER_ADDRESS_MOST",
    "REPLAY_SECONDS_IN_ALL_MOST",
)
READ = """async ([store, key]) => {
  const asked = indexedDB.open("tallyroom-here", 1);
  await new Promise((resolve, reject) => { asked.onsuccess = resolve; asked.onerror = reject; });
  const found = asked.result.transaction(store).objectStore(store).get(key);
  await new Promise((resolve, reject) => { found.onsuccess = resolve; found.onerror = reject; });
  asked.result.close();
  return found.result ?? null;
}"""
FORGET_FACT = """async (name) => {
  const asked = indexedDB.open("tallyroom-here", 1);
  await new Promise((resolve, reject) => { asked.onsuccess = resolve; asked.onerror = reject; });
  const change = asked.result.transaction("facts", "readwrite");
  change.objectStore("facts").delete(name);
  await new Promise((resolve, reject) => { change.oncomplete = resolve; change.onerror = reject; });
  asked.result.close();
}"""


class OwnBrowser:
    """Chromium with a folder of its own, in a group of its own, so that all of it can be killed at once."""

    def __init__(self, driver, program, folder):
        self.driver, self.program, self.folder = driver, program, folder

    def open(self, url):
        told = self.folder / "DevToolsActivePort"
        told.unlink(missing_ok=True)
        own = [f"--user-data-dir={self.folder}", "--remote-debugging-port=0", "--headless", "--no-sandbox"]
        self.process = subprocess.Popen(
            [self.program, *own, "--disable-gpu", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        deadline = time.monotonic() + 60
        while not (told.exists() and told.read_text().count("\n")):
            assert time.monotonic() < deadline, "Chromium did not start."
            time.sleep(0.05)
        port = told.read_text().split()[0]
        self.browser = self.driver.connect_over_cdp(f"http://127.0.0.1:{port}")
        page = self.browser.contexts[0].new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(url)
        return page

    def kill(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        # The driver learns that it is gone.
        self.browser.close()


def wait_for_kit(site):
    """It is built while the site serves."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not manifest(site).exists():
        assert time.monotonic() < deadline, site.log.read_text()[-4000:]
        time.sleep(0.1)


def manifest(site):
    return site.var / "kit.json"


def read_manifest(site):
    return json.loads(manifest(site).read_text())


def take_along(page):
    page.goto("/phone/")
    page.get_by_role("button", name="Take it along").click()
    expect(page.get_by_text("Ready. This phone")).to_be_visible(timeout=PATIENCE)


def begin(page, game):
    page.goto(f"/pads/here-new/?game={game}")
    fill(page)
    page.get_by_role("button", name="Go", exact=True).click()
    page.wait_for_url(HERE)


def fill(page):
    for number, name in enumerate(("Ada", "Ben", "Cy")):
        page.locator("input[name=name]").nth(number).fill(name)


def enter(page, number, head):
    page.locator("#keys button").nth(number).click()
    has(page, head)


def has(page, head):
    expect(page.locator(f"#pad[data-head='{head}']")).to_be_visible(timeout=PATIENCE)


def fact(page, name):
    """What this phone knows by this name; of kits which one is used."""
    return (page.evaluate(READ, ["facts", name]) or {}).get("value")


def record(page, code):
    """A pad as this phone keeps it."""
    return page.evaluate(READ, ["pads", code])


def forget_fact(page, name):
    page.evaluate(FORGET_FACT, name)


def until(page, condition):
    deadline = time.monotonic() + PATIENCE / 1000
    while not condition():
        assert time.monotonic() < deadline, "it never came"
        page.wait_for_timeout(100)


def rewritten(kit, version, modules):
    """A kit whose program has these modules written otherwise: file, what stands there, what instead."""
    place = kit["places"]["program"].removeprefix("/static/phone/")
    changed = {}
    for file, before, instead in modules:
        text = changed.get(file) or (ROOT / file).read_text()
        assert before in text, f"{file} has no {before}"
        changed[file] = text.replace(before, instead)
    folder = KIT / hashlib.sha256(f"{place} {version} {sorted(changed.items())}".encode()).hexdigest()[:12]
    folder.mkdir(exist_ok=True)
    made = folder / "program.zip"
    if not made.with_name("program.zip.gz").exists():
        with zipfile.ZipFile(KIT / place) as program, zipfile.ZipFile(made, "w") as new:
            for name in program.namelist():
                if name.removesuffix("c") not in changed:
                    new.writestr(name, program.read(name))
            for name, text in changed.items():
                new.writestr(name, text)
        # The site serves a file when its compressed one is there.
        made.with_name("program.zip.gz").write_bytes(gzip.compress(made.read_bytes(), 1))
    url = f"/static/phone/{folder.name}/program.zip"
    data = made.read_bytes()
    own = {
        "url": url,
        "bytes": len(data),
        "sent": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    files = [own if file["url"] == kit["places"]["program"] else file for file in kit["files"]]
    return {
        **kit,
        "version": hashlib.sha256(json.dumps(files).encode()).hexdigest()[:12],
        "engine": version,
        "stored": sum(file["bytes"] for file in files),
        "places": {**kit["places"], "program": url},
        "files": files,
    }
