"""The way of one tap, counted on the running site with two phones: requests, queries, files entered.

Queries are counted without BEGIN and COMMIT. Files are those of our own Python that are entered from the
tap to the other phone's fragment, server and stream included. The figures before are from a trace of a warm
process when whole entries and parts had an address each. They were not taken by this bench: the 7 queries of
an entry had BEGIN and COMMIT among them, and 10 of the 60 files, those of server and stream, were counted by
hand. The requests before of a part are its POST alone.
"""

from __future__ import annotations

import json
import sys
import tempfile
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.bench.bench_pads import told
from tests.browser.conftest import CHROMIUM, PHONE
from tests.browser.pads import join, key, start
from tests.browser.site import Site

QUIET_MS = 2_500


@dataclass(frozen=True)
class Floors:
    """At most so many, and how many there were before."""

    requests: int
    requests_before: int
    tap: int
    tap_before: str
    fragment: int
    fragment_before: int


ENTRY = Floors(requests=1, requests_before=3, tap=8, tap_before="7 and 6", fragment=4, fragment_before=6)
PART = Floors(requests=1, requests_before=1, tap=8, tap_before="18", fragment=4, fragment_before=6)
FILES_BEFORE = 60


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="tallyroom-bench-") as folder, sync_playwright() as playwright:
        site = Site(Path(folder) / "var", DJANGO_SETTINGS_MODULE="tests.bench.traced_site").start()
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            phones = [browser.new_context(base_url=site.url, **PHONE).new_page() for _ in range(2)]
            keys = ("Ann: red victory, 10", "Bert: capture, 50")
            held = [
                whole_story(site, phones, "a whole entry", "victory-rummy", keys, ENTRY),
                whole_story(site, phones, "a part", "rummy-1916", ("Ann", "Bert: 7"), PART),
            ]
        finally:
            browser.close()
            site.kill()
    return 0 if all(held) else 1


def whole_story(
    site: Site, phones: list[Page], name: str, game: str, keys: tuple[str, str], floors: Floors
) -> bool:
    """The second tap is counted: with the first the process has read what it keeps."""
    ann, bert = phones
    start(ann, game)
    join(bert, ann)
    ann.wait_for_timeout(QUIET_MS)
    key(ann, keys[0])
    ann.wait_for_timeout(QUIET_MS)
    asked: list[str] = []
    ann.on("request", lambda request: asked.append(request.url))
    traced(site)
    key(ann, keys[1])
    ann.wait_for_timeout(QUIET_MS)
    found = traced(site)
    taps = [count for path, count in found["queries"] if path.startswith("POST")]
    fragments = [count for path, count in found["queries"] if path.endswith("/fragment/")]
    return all(
        [
            told(
                f"{name}: {len(asked)} requests of the phone that taps, {floors.requests_before} before",
                len(asked),
                floors.requests,
            ),
            told(
                f"{name}: {sum(taps)} queries with its fragment, {floors.tap_before} before",
                sum(taps),
                floors.tap,
            ),
            told(
                f"{name}: {max(fragments)} queries for the other phone, {floors.fragment_before} before",
                max(fragments),
                floors.fragment,
            ),
            told(
                f"{name}: {len(found['files'])} files entered, {FILES_BEFORE} before",
                len(found["files"]),
                FILES_BEFORE,
            ),
        ]
    )


def traced(site: Site) -> dict[str, Any]:
    with urllib.request.urlopen(f"{site.url}/traced/", timeout=20) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


if __name__ == "__main__":
    sys.exit(main())
