"""The archive's pages: how many queries, how many bytes, how steady they are.

Floors: at most 10 queries and 60 kB of compressed HTML for a book's page; at most 250 kB for the first view
on a phone, without any shift. Lighthouse (mobile, median of five) is reported, for a pad too. `LIGHTHOUSE=0`
leaves it out and `LIGHTHOUSE=only` everything else.
"""

from __future__ import annotations

import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile
import urllib.request
import uuid
from typing import Any
from urllib.parse import urljoin

SCRATCH = tempfile.TemporaryDirectory(prefix="tallyroom-bench-")
os.environ["TALLYROOM_VAR"] = f"{SCRATCH.name}/var"
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.pop("DATABASE_URL", None)
os.environ.pop("DEBUG", None)

import django  # noqa: E402

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import CaptureQueriesContext  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from archive.publication import publish  # noqa: E402
from archive.reader import book_page  # noqa: E402
from tests.interop.tools import CHROMIUM, NODE, NPM, install_npm, product  # noqa: E402

QUERIES_MOST = 10
HTML_MOST = 60_000
FIRST_VIEW_MOST = 250_000
BOOK = "/books/victory-rummy-1942/"
PASSAGE = f"{BOOK}passages/score-bonus/"
PHONE = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
WATCH_SHIFTS = """window.shifted = 0; new PerformanceObserver(list => {
  for (const entry of list.getEntries()) window.shifted += entry.value;
}).observe({type: 'layout-shift', buffered: true})"""

missed: list[str] = []


def report(what: str, figure: str, holds: bool) -> None:
    print(f"{'  ' if holds else '! '}{what:<48}{figure}", flush=True)
    if not holds:
        missed.append(what)


def scratch() -> Client:
    call_command("migrate", interactive=False, verbosity=0)
    publish.load(sorted((settings.FIXTURES / "books").iterdir()))
    settings.ALLOWED_HOSTS = ["testserver"]
    # Names of static files come from the manifest that collectstatic writes.
    call_command("collectstatic", interactive=False, verbosity=0)
    return Client()


def measure_queries(client: Client) -> None:
    for slug in ("victory-rummy-1942", "rap-rummy-1926", "victor-or-victim"):
        address = f"/books/{slug}/"
        book_page._bodies.clear()
        with CaptureQueriesContext(connection) as asked:
            answer = client.get(address)
        size = len(gzip.compress(answer.content, 6))
        report(f"queries of {address}", str(len(asked)), len(asked) <= QUERIES_MOST)
        report(f"compressed HTML of {address}", f"{size / 1000:.1f} kB", size < HTML_MOST)


def measure_first_view(site: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for slug in sorted(folder.name for folder in (settings.FIXTURES / "books").iterdir()):
            # The sharpest screens fetch the largest images.
            page = browser.new_context(**(PHONE | {"device_scale_factor": 3})).new_page()
            page.add_init_script(WATCH_SHIFTS)
            network = page.context.new_cdp_session(page)
            sizes: list[float] = []
            network.on(
                "Network.loadingFinished", lambda done, sizes=sizes: sizes.append(done["encodedDataLength"])
            )
            network.send("Network.enable")
            page.goto(f"{site}/books/{slug}/", wait_until="networkidle")
            size = sum(sizes)
            what = f"first view of {slug} on a phone"
            report(what, f"{size / 1000:.0f} kB in {len(sizes)} files", size < FIRST_VIEW_MOST)
            for screen in range(1, 13):
                page.evaluate(f"scrollTo(0, {screen * 700})")
                page.wait_for_timeout(80)
            shifted = page.evaluate("window.shifted")
            # A tenth of what counts as good: the stand-in faces differ from ours by parts of a pixel.
            report("layout shift, while scrolling too", f"{shifted:.5f}", shifted < 0.01)
        browser.close()


def lighthouse(site: str) -> None:
    install_npm()
    kinds = ("performance", "accessibility", "best-practices", "seo")
    # A pad is for whoever holds its link; that robots are kept out of it is no fault.
    asked: dict[str, tuple[str, tuple[str, ...]]] = {
        "shelf": (f"{site}/", ()),
        "book": (site + BOOK, ()),
        "passage": (site + PASSAGE, ()),
        "pad": (_pad(site), ("--skip-audits=is-crawlable",)),
    }
    for name, (address, more) in asked.items():
        runs = [_judged(address, *more) for _ in range(5)]
        scores = {kind: [round(run["categories"][kind]["score"] * 100) for run in runs] for kind in kinds}
        middle = {kind: statistics.median(scores[kind]) for kind in kinds}
        said = ", ".join(f"{kind} {middle[kind]:.0f}" for kind in kinds)
        wanting = [kind for kind in kinds if middle[kind] < (98 if kind == "performance" else 100)]
        print(f"  Lighthouse, {name}: {said} (performance {scores['performance']})", flush=True)
        for kind in wanting:
            print(f"    {kind} wants: {'; '.join(_wants(runs[-1], kind))}")


def _pad(site: str) -> str:
    """The link to a new pad with some entries; whoever opens it gets the cookie, as at a table."""
    players = ["Ann", "Bert", "Cora", "Dan"]
    made = _post(f"{site}/pads/", {"game": "victory-rummy", "players": players})
    pad, keep = (urljoin(site, made[name]) for name in ("pad", "keep"))
    victories = [{"type": "victory", "player": name, "color": "red"} for name in players]
    entries = [{"id": str(uuid.uuid4()), **victory} for victory in victories]
    _post(f"{pad}entries/", {"entries": entries}, keep.rpartition("/")[2])
    return keep


def _post(address: str, body: dict[str, Any], token: str = "") -> dict[str, Any]:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    with urllib.request.urlopen(
        urllib.request.Request(address, json.dumps(body).encode(), headers)
    ) as answer:
        said: dict[str, Any] = json.load(answer)
        return said


def _judged(address: str, *more: str) -> dict[str, Any]:
    command = [
        NODE,
        NPM / "node_modules" / "lighthouse" / "cli" / "index.js",
        address,
        "--output=json",
        "--quiet",
        *more,
    ]
    flags = "--chrome-flags=--headless=new --no-sandbox"
    surroundings = {**os.environ, "CHROME_PATH": CHROMIUM}
    for _ in range(3):
        done = subprocess.run(
            [*command, flags], env=surroundings, capture_output=True, text=True, check=False
        )
        # On a busy machine its browser may not start or paint in time; that says nothing about a page.
        judged: dict[str, Any] = json.loads(done.stdout) if done.returncode == 0 else {"categories": {}}
        scores = [category["score"] for category in judged["categories"].values()]
        if scores and None not in scores:
            return judged
    raise RuntimeError(f"Lighthouse cannot judge {address}: {done.stderr[-1500:]}")


def _wants(run: dict[str, Any], kind: str) -> list[str]:
    audits = [(run["audits"][ref["id"]], ref["weight"]) for ref in run["categories"][kind]["auditRefs"]]
    return [
        f"{audit['title']} {audit.get('displayValue', '')}".strip()
        for audit, weight in audits
        if audit["score"] is not None and audit["score"] < 0.9 and weight
    ]


def main() -> int:
    wanted = os.environ.get("LIGHTHOUSE", "")
    if wanted != "only":
        measure_queries(scratch())
    with product() as site:
        if wanted != "only":
            measure_first_view(site.url)
        if wanted != "0":
            lighthouse(site.url)
    if missed:
        print(f"Missed: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
