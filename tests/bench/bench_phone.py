"""Play without network: what it weighs, how soon it is there, how long a tap takes, how much memory it needs.

All processes of a Chromium of our own are stopped three quarters of the time, since the throttle of the
developer tools does not reach workers: a phone four times slower than this machine. Times are only told of
an idle machine. Pages of phones that have not taken it along load nothing of it.
"""

from __future__ import annotations

import os
import re
import signal
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.bench.bench_pads import told
from tests.browser import kits
from tests.browser.conftest import CHROMIUM
from tests.browser.site import Site, furnish

PROGRAM_BYTES_MOST, CONTENT_BYTES_MOST = 6_000_000, 3_000_000
START_MS_MOST, TAP_MS_MOST, MEMORY_MB_MOST = 2_000, 200, 160
SLICE_SECONDS, SLOWER = 0.02, 4
TAPS = (4, 8, 3, 5, 9, 1)
"""Keys that can be tapped one after the other."""
# From the finger to the screen, by the clock of the page.
TAP = """async (number) => {
  const before = document.getElementById("pad").dataset.head;
  const began = performance.now();
  document.querySelectorAll("#keys button")[number].click();
  while (document.getElementById("pad").dataset.head === before)
    await new Promise((resolve) => requestAnimationFrame(resolve));
  return performance.now() - began;
}"""
SHOWN = """async () => {
  while (!document.querySelector("#pad[data-head]")) await new Promise((resolve) => setTimeout(resolve, 5));
  return performance.now();
}"""
SITES_PAGES = ("/", "/pads/new/?game=victory-rummy")


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="tallyroom-bench-") as folder, sync_playwright() as playwright:
        var = Path(folder) / "var"
        furnish(var)
        site = Site(var, PHONE_KIT="1").start()
        browser = kits.OwnBrowser(playwright.chromium, CHROMIUM, Path(folder) / "profile")
        try:
            kits.wait_for_kit(site)
            held = [*sizes(site), *unasked(browser, site), *times(browser, site)]
        finally:
            browser.kill()
            site.kill()
    return 0 if all(held) else 1


def sizes(site: Site) -> Iterator[bool]:
    kit = kits.read_manifest(site)
    for part, most in (("program", PROGRAM_BYTES_MOST), ("content", CONTENT_BYTES_MOST)):
        yield told(f"{part}: {kit[part]:,} bytes sent", kit[part], most)


def unasked(browser: kits.OwnBrowser, site: Site) -> Iterator[bool]:
    """What the site's own pages load of it on a phone that has not taken it along."""
    page = browser.open("about:blank")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(site.url)))
    for address in SITES_PAGES:
        page.goto(f"{site.url}{address}", wait_until="networkidle")
    kits.fill(page)
    page.get_by_role("button", name="Go", exact=True).click()
    page.wait_for_url(kits.SHARED)
    page.wait_for_load_state("networkidle")
    of_phone = [url for url in asked if re.match(r"/phone/|/static/(js/)?phone/|/sw\.js\?", url)]
    yield told(f"{len(asked)} requests without the kit, {len(of_phone)} of them for it", len(of_phone), 0)
    page.close()


def times(browser: kits.OwnBrowser, site: Site) -> Iterator[bool]:
    page = browser.browser.contexts[0].new_page()
    page.set_default_timeout(kits.PATIENCE)
    page.goto(f"{site.url}/phone/")
    page.get_by_role("button", name="Take it along").click()
    page.get_by_text("Ready. This phone").wait_for()
    page.goto(f"{site.url}/books/", wait_until="networkidle")
    before = memory(browser)
    page.goto(f"{site.url}/pads/here-new/?game=victory-rummy")
    kits.fill(page)
    page.get_by_role("button", name="Go", exact=True).click()
    page.wait_for_url(kits.HERE)
    page.evaluate(TAP, 0)
    more = memory(browser) - before
    yield told(f"memory: {more:.0f} MB more", more, MEMORY_MB_MOST)
    yield from slowed_times(browser, page)


def slowed_times(browser: kits.OwnBrowser, page: Page) -> Iterator[bool]:
    here = page.url
    page.goto("about:blank")
    with slowed(browser.process.pid):
        page.goto(here, wait_until="commit")
        start: float = page.evaluate(SHOWN)
        yield told(f"start from the cache: {start:.0f} ms", start, START_MS_MOST)
        page.wait_for_timeout(2_000)
        taps: list[float] = []
        for number in TAPS:
            # A finger that comes again at once is a bounce.
            page.wait_for_timeout(1_000)
            taps.append(page.evaluate(TAP, number))
    middle = statistics.median(taps)
    yield told(f"a tap: {middle:.0f} ms, the median of {len(taps)}", middle, TAP_MS_MOST)


def memory(browser: kits.OwnBrowser) -> float:
    """Megabytes of all processes of the browser, what they share divided among them."""
    found = 0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if os.getpgid(int(folder.name)) == browser.process.pid:
                rolled = (folder / "smaps_rollup").read_text()
                found += int(re.search(r"^Pss: +(\d+)", rolled, re.MULTILINE)[1])  # type: ignore[index]
        except OSError:
            continue  # It has just ended.
    return found / 1000


@contextmanager
def slowed(group: int) -> Iterator[None]:
    """Let a group of processes run one part of the time in so many."""
    is_over = threading.Event()

    def hold() -> None:
        while not is_over.is_set():
            os.killpg(group, signal.SIGSTOP)
            time.sleep(SLICE_SECONDS * (SLOWER - 1))
            os.killpg(group, signal.SIGCONT)
            time.sleep(SLICE_SECONDS)

    holding = threading.Thread(target=hold)
    holding.start()
    try:
        yield
    finally:
        is_over.set()
        holding.join()


if __name__ == "__main__":
    sys.exit(main())
