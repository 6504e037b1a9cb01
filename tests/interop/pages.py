"""Every kind of page before axe-core and before the HTML checker."""

from __future__ import annotations

import json
import subprocess
import tempfile
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.interop.tools import CHROMIUM, NODE_MODULES, Failed, debian, install_npm

# One of each kind, and both kinds of book: with leaves, and with our own statements only.
PAGES = (
    "/",
    "/about/",
    "/books/victory-rummy-1942/",
    "/books/victory-rummy-1942/?view=printed",
    "/books/victory-rummy-1942/?q=consecutive",
    "/books/victory-rummy-1942/tell/",
    "/books/victor-or-victim/",
    "/books/rap-rummy-1926/2/",
    "/books/victory-rummy-1942/passages/score-bonus/",
    "/books/victory-rummy-1942/passages/sample-score/",
    "/books/victor-or-victim/passages/victor-wins/",
    "/variants/",
    "/variants/compare/victory-rummy/",
    "/questions/rap-rummy/",
    "/questions/rap-rummy/simulated/",
    "/questions/rap-rummy/failed_rap/nobody/1/",
    "/brief/",
    "/brief/thumbs-up/",
    "/parallel/rummy-1916/rap-rummy-1926/",
    "/sources/",
    "/about/edition/",
    "/privacy/",
    "/search/",
    "/search/?q=colour",
    "/search/?q=xyzzy",
    "/books/victory-rummy-1942/revisions/",
    "/books/victory-rummy-1942/revisions/1/",
    "/pads/new/?game=victory-rummy",
    "/pads/new/?game=thumbs-up",
    "/pads/samples/",
    "/join/",
    "/people/sign-in/",
)
OF_A_PAD = ("", "table/", "history/", "after/", "readings/", "print/", "why/0/")
SCREENS = ({"width": 360, "height": 740}, {"width": 1280, "height": 900})


def addresses(site: str) -> tuple[str, list[str]]:
    """The link that opens a pad with one entry, and every page, those of this pad too."""
    with urllib.request.urlopen(f"{site}/variants/of/victory-rummy.json") as answer:
        first = json.load(answer)["variants"][0]["slug"]
    opened = _post(f"{site}/pads/", {"game": "victory-rummy", "players": ["Ada", "Ben"]})
    pad, token = f"/pads/{opened['pad'].split('/')[2]}/", opened["keep"].rsplit("/", 1)[-1]
    _post(f"{site}{pad}entries/", {"entries": [{"type": "capture", "player": "Ada"}]}, token)
    paths = (*PAGES, f"/variants/{first}/", *(pad + path for path in OF_A_PAD))
    return site + opened["keep"], [site + path for path in paths]


def _post(address: str, body: Mapping[str, object], token: str = "") -> dict[str, str]:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(address, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def check_access(site: str) -> str:
    install_npm()
    axe = (NODE_MODULES / "axe-core" / "axe.min.js").read_text()
    link, every = addresses(site)
    faults, count = [], 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for screen in SCREENS:
            for scheme in ("light", "dark"):
                context = browser.new_context(viewport=screen, color_scheme=scheme)
                page = context.new_page()
                page.goto(link)
                for address in every:
                    page.goto(address)
                    # Through the debugger: the page's own policy rightly lets no script in from outside.
                    page.evaluate(axe)
                    found = page.evaluate("axe.run({resultTypes: ['violations']})")
                    count += 1
                    faults += [
                        f"{address} ({screen['width']} px, {scheme}): {fault['id']}: {node['target']}"
                        for fault in found["violations"]
                        for node in fault["nodes"]
                    ]
                context.close()
        browser.close()
    if faults:
        raise Failed(*faults)
    return f"axe-core finds nothing on {count} views of {len(every)} pages"


def check_html(site: str) -> str:
    install_npm()
    java, jar = (
        debian("java", "default-jre-headless"),
        NODE_MODULES / "vnu-jar" / "build" / "dist" / "vnu.jar",
    )
    with tempfile.TemporaryDirectory() as folder:
        named = {}
        link, every = addresses(site)
        reader = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        reader.open(link).close()
        for number, address in enumerate(every):
            file = Path(folder) / f"page-{number:02}.html"
            with reader.open(address) as answer:
                file.write_bytes(answer.read())
            named[file.name] = address
        command = [java, "-jar", jar, "--format", "json", "--stdout", "--exit-zero-always", folder]
        judged = subprocess.run(command, capture_output=True, text=True, check=True)
        control = Path(folder) / "control.html"
        control.write_text("<!doctype html><title>x</title><p><section></p>")
        broken = subprocess.run([*command[:-1], control], capture_output=True, text=True, check=True)
    faults = [
        f"{named[message['url'].rpartition('/')[2]]}: line {message.get('lastLine')}: {message['message']}:"
        f" {message.get('extract', '').strip()[:160]}"
        for message in json.loads(judged.stdout)["messages"]
        if message["type"] == "error"
    ]
    if faults:
        raise Failed(*dict.fromkeys(faults))
    if not json.loads(broken.stdout)["messages"]:
        raise Failed("the checker found nothing wrong with a broken page, so its word counts for nothing")
    return f"vnu finds no error in {len(named)} pages"
