"""`python -m tests.interop.viewers`: Mirador, Universal Viewer and Clover open our collection and our books.

Each viewer comes from its npm package and stands in a small page served here, on another origin than the
site, as it would in the world. It must show the page, a note and a search hit, throw no error and ask nobody
else for anything.
"""

from __future__ import annotations

import contextlib
import functools
import http.server
import json
import re
import shutil
import subprocess
import sys
import threading
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.interop.tools import CHROMIUM, NODE_MODULES, NPM, Failed, install_npm, product

BOOK, TITLE = "victory-rummy-1942", "Victory Rummy, 1942"
FIRST_TITLE = "Rummy, 1916"
LEAF = 5
LOOKED_FOR = "consecutive"
NOTE = "When are three colours consecutive?"
PATIENCE = 60_000

HEAD = """<!doctype html><html lang=en><meta charset=utf-8><title>A viewer</title><link rel=icon href=data:,>
<style>html,body{margin:0;height:100%}#v{position:absolute;inset:0}</style><div id=v class=uv></div>
<script>const asked = location.hash && JSON.parse(decodeURIComponent(location.hash.slice(1)))</script>"""
PAGES = {
    "/mirador": """<script src=/node_modules/mirador/dist/mirador.min.js></script>
        <script>Mirador.viewer({id: 'v', ...asked})</script>""",
    "/universal": """<link rel=stylesheet href=/node_modules/universalviewer/dist/uv.css>
        <script src=/node_modules/universalviewer/dist/umd/UV.js></script>
        <script>addEventListener('DOMContentLoaded', () => UV.init('v', asked))</script>""",
    "/clover": "<script src=/clover.js></script>",
}
# What a viewer's own libraries say about each other; it is nothing that a manifest could cause.
OWN_CHATTER = re.compile(r"element\.ref was removed in React 19|MUI: ")


class Host(http.server.SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        body = PAGES.get(self.path)
        if body:
            self._send((HEAD + body).encode())
        elif "/data:" in self.path:
            # A style sheet of Universal Viewer asks for a picture it has in its hands.
            self._send(b"")
        else:
            super().do_GET()

    def _send(self, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def hosted() -> Iterator[str]:
    shutil.copy(Path(__file__).parent / "clover.mjs", NPM / "clover.mjs")
    bundle = [NODE_MODULES / ".bin" / "esbuild", "clover.mjs", "--bundle", "--minify", "--log-level=error"]
    production = '--define:process.env.NODE_ENV="production"'
    subprocess.run([*bundle, "--format=iife", production, "--outfile=clover.js"], cwd=NPM, check=True)
    serve = functools.partial(Host, directory=str(NPM))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), serve)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


class Visit:
    """One viewer in one browser window; what goes wrong in it is kept."""

    def __init__(self, browser: Browser, site: str, host: str, path: str) -> None:
        self.site, self.host, self.path = site, host, path
        self.collection = f"{site}/iiif/3/collection.json"
        self.manifest = f"{site}/iiif/3/{BOOK}/manifest.json"
        self.canvas = f"{site}/iiif/3/{BOOK}/canvas/{LEAF}"
        self.troubles: list[str] = []
        self.asked: list[str] = []
        self.context = browser.new_context(viewport={"width": 1280, "height": 900})
        self.context.set_default_timeout(PATIENCE)
        self.context.on("request", self._request)
        self.context.on("response", self._response)
        self.context.on("weberror", lambda error: self.troubles.append(f"threw {error.error}"))
        self.context.on("console", self._console)
        self.page = self.context.new_page()

    def _request(self, request) -> None:
        self.asked.append(request.url)
        if not request.url.startswith((self.site, self.host, "data:", "blob:")):
            self.troubles.append(f"asked outside: {request.url}")

    def _response(self, response) -> None:
        if response.status >= 400:
            self.troubles.append(f"was answered {response.status} by {response.url}")

    def _console(self, message) -> None:
        if message.type == "error" and not OWN_CHATTER.search(message.text):
            self.troubles.append(f"wrote: {message.text[:300]}")

    def open(self, **ask: object) -> Page:
        self.page.goto("about:blank")
        self.page.goto(f"{self.host}{self.path}#{urllib.parse.quote(json.dumps(ask))}")
        return self.page

    def saw_page_image(self) -> None:
        """Some part of the page image was drawn from our image service."""
        tiles = [
            url for url in self.asked if f"{self.site}/iiif/image/3/{BOOK}" in url and url.endswith(".jpg")
        ]
        if not tiles:
            self.troubles.append("showed no page image")

    def close(self) -> list[str]:
        self.context.close()
        return list(dict.fromkeys(self.troubles))


def mirador(visit: Visit) -> None:
    page = visit.open(workspace={"isWorkspaceAddVisible": True}, catalog=[{"manifestId": visit.collection}])
    page.get_by_role("button", name="Rummy rulebooks").click()
    page.get_by_role("button", name="Show collection").click()
    page.get_by_text(TITLE, exact=True).click()
    expect(page.get_by_text("1 of 6")).to_be_visible(timeout=PATIENCE)

    panels = {"info": True, "annotations": True, "search": True}
    page = visit.open(
        windows=[{"manifestId": visit.manifest, "canvasId": visit.canvas}],
        window={"panels": panels, "defaultSideBarPanel": "annotations", "sideBarOpen": True},
    )
    expect(page.get_by_text(NOTE)).to_be_visible(timeout=PATIENCE)
    page.get_by_role("tab", name="Search").click()
    page.get_by_role("combobox").fill(LOOKED_FOR)
    page.keyboard.press("Enter")
    expect(page.locator("strong", has_text=LOOKED_FOR).first).to_be_visible(timeout=PATIENCE)


def universal(visit: Visit) -> None:
    page = visit.open(manifest=visit.collection, embedded=True)
    expect(page.get_by_text(FIRST_TITLE).first).to_be_visible(timeout=PATIENCE)
    page.get_by_text("Index", exact=True).click()
    expect(page.get_by_text(TITLE).first).to_be_visible(timeout=PATIENCE)

    # This viewer shows the annotations its page hands it, and reads their words from bodyValue.
    with urllib.request.urlopen(f"{visit.canvas}/notes.json") as answer:
        notes = json.load(answer)["items"]
    shown = [{**note, "bodyValue": re.sub("<[^>]+>", " ", note["body"]["value"])} for note in notes]
    page = visit.open(manifest=visit.manifest, canvasIndex=LEAF - 1, embedded=True, annotations=shown)
    expect(page.locator(f".annotationRect[title*='{NOTE}']")).to_be_visible(timeout=PATIENCE)

    page = visit.open(manifest=visit.manifest, canvasIndex=LEAF - 1, embedded=True)
    page.locator("#searchWithinInput").fill(LOOKED_FOR)
    page.keyboard.press("Enter")
    expect(page.locator(".annotationRect").first).to_be_visible(timeout=PATIENCE)


def clover(visit: Visit) -> None:
    page = visit.open(iiifContent=visit.collection)
    expect(page.get_by_text("Improved Rules for the Games of Rummy").first).to_be_visible(timeout=PATIENCE)
    page = visit.open(iiifContent=visit.manifest)
    page.get_by_alt_text("5. Grand Victory").click()
    page.get_by_role("tab", name="Annotations").click()
    expect(page.get_by_text(NOTE).first).to_be_visible(timeout=PATIENCE)
    page.get_by_role("tab", name="Search").click()
    page.get_by_placeholder("Search").fill(LOOKED_FOR)
    page.keyboard.press("Enter")
    expect(page.locator("[data-content-search=true]", has_text=LOOKED_FOR).first).to_be_visible(
        timeout=PATIENCE
    )


VIEWERS: dict[str, Callable[[Visit], None]] = {"mirador": mirador, "universal": universal, "clover": clover}


def check(site: str, names: list[str] | None = None) -> str:
    install_npm()
    faults = []
    with hosted() as host, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name in names or list(VIEWERS):
            visit = Visit(browser, site, host, f"/{name}")
            try:
                VIEWERS[name](visit)
                visit.saw_page_image()
            except AssertionError as missed:
                visit.troubles.append(f"did not show what it should: {str(missed)[:600]}")
            except (
                Exception
            ) as broken:  # a viewer that hangs is a finding, and the next one still gets its turn
                visit.troubles.append(f"{type(broken).__name__}: {str(broken)[:600]}")
            if visit.troubles:
                visit.page.screenshot(path=NPM / f"{name}-failed.png")
            faults += [f"{name} {trouble}" for trouble in visit.close()]
        browser.close()
    if faults:
        raise Failed(*faults)
    return (
        "Mirador 4, Universal Viewer 4 and Clover show collection, page, note and search hit; nothing outside"
    )


if __name__ == "__main__":
    with product() as served:
        try:
            print(check(served.url, sys.argv[1:]))
        except Failed as failed:
            sys.exit(str(failed))
