"""The budget: every address in its dearest legal form against the front page, in processor time of the site.

Then the p95 of a tap while eight strangers do the dearest things they may, on both databases. Nothing is
remembered from one request to the next: a stranger can always have more pads than are remembered.
BUDGET_ENTRIES makes the long logs shorter.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
django.setup()

from tests.bench.bench_pads import told  # noqa: E402
from tests.bench.dearest import DEAREST, Form  # noqa: E402
from tests.bench.scale import on_both  # noqa: E402
from tests.postgres.private_server import named  # noqa: E402
from tests.scorepad.live_server import ROOT, free_port  # noqa: E402
from tests.security.addresses import EVERY, OF_THE_ARCHIVE, Row  # noqa: E402
from tests.security.attacks.caller import Answer, Caller, Pad, import_pad  # noqa: E402
from tests.security.attacks.cost import long_evening, strangers  # noqa: E402
from tests.security.attacks.findings import FULL  # noqa: E402
from tests.security.attacks.sheets import dear_sheet  # noqa: E402
from tests.security.attacks.table import tapped_beside  # noqa: E402
from tests.security.attacks.target import Target  # noqa: E402

STRANGER_MOST, CURATOR_MOST = 50.0, 200.0
"""Front pages that one request may cost: of strangers and holders of links, of people with an account."""
ENTRIES = int(os.environ.get("BUDGET_ENTRIES", "1990"))
GAMES = 40
OTHER_BOOKS = ("rap-rummy-1926", "rummy-1916", "thumbs-up-1941")
"""The longest rulebooks there are, beside the one of the tests."""
# Room for the replay of one long pad: whoever asks for another has it forgotten. All this costs much in all.
FORGETFUL = {
    "REPLAYS_IN_MEMORY_BYTES_MOST": str(6_000 * ENTRIES),
    "RESULTS_IN_MEMORY_MOST": "1",
    "REPLAY_SECONDS_IN_ALL_MOST": "100000",
}
PLENTY = dict.fromkeys(
    ("PADS_MADE_PER_MINUTE_MOST", "PADS_MADE_PER_ADDRESS_MOST", "PADS_MADE_IN_ALL_MOST"), 1_000_000
)


def main() -> int:
    wanted = os.environ.get("BUDGET", "")
    held = [costs()] if wanted != "taps" else []
    if wanted != "costs":
        held.append(on_both(beside_strangers) == 0)
    return 0 if all(held) else 1


@dataclass(frozen=True)
class World:
    """A site with everything at its longest: who comes in how, and the places that addresses name."""

    site: Target
    places: dict[str, Any]
    accounts: dict[str, dict[str, str]]
    tokens: dict[str, str]
    other: Pad
    """A pad that is read before each request, so that the one asked for is not remembered."""


@contextmanager
def world() -> Iterator[World]:
    """The house of the tests over sockets, with a long pad, a spare one, and an evening of long games."""
    with tempfile.TemporaryDirectory(prefix="tallyroom-bench-") as folder:
        site = Target(f"127.0.0.1:{free_port()}", Path(folder) / "var", **PLENTY)
        site.var.mkdir()
        site.prepare(with_book=False)
        (site.var / "images").rmdir()
        seed = [sys.executable, "-m", "tests.security.seed_data", "0"]
        seeded = subprocess.run(
            seed, cwd=ROOT, env=site.environment, capture_output=True, text=True, check=True
        )
        found = json.loads(seeded.stdout)
        loaded = site.manage("load_books", *OTHER_BOOKS)
        assert loaded.returncode == 0, loaded.stderr
        site.start()
        try:
            yield furnished(site, found)
        finally:
            site.stop()


def furnished(site: Target, found: dict[str, Any]) -> World:
    pad, spare, other = (import_pad(site.caller(), dear_sheet(ENTRIES)) for _ in range(3))
    address, watch = long_evening(site, GAMES, ENTRIES)
    site.limits |= FORGETFUL
    site.restart()
    places = found["places"] | {"code": pad.code, "spare": spare.code, "token": pad.keep}
    places |= {"host": site.host, "evening": address.strip("/").split("/")[1]}
    tokens = {pad.code: pad.keep, spare.code: spare.keep, places["evening"]: watch}
    club = site.caller().post(pad.at("club/"), {}, pad.keep).json
    places |= {"club": club["club"].split("/")[2], "club_token": club["keep"].rsplit("/", 1)[-1]}
    tokens[places["club"]] = places["club_token"]
    return World(site, places, found["accounts"], tokens, other)


@dataclass(frozen=True)
class Cost:
    """What one request cost, in front pages."""

    method: str
    route: str
    least: str
    pages: float
    answer: Answer

    @property
    def most(self) -> float:
        return CURATOR_MOST if self.least in OF_THE_ARCHIVE else STRANGER_MOST

    @property
    def is_over(self) -> bool:
        return self.pages > self.most

    def __str__(self) -> str:
        kilobytes = len(self.answer.content) / 1000
        said = f"{self.answer.status}, {kilobytes:.0f} kB, as {self.least}"
        return f"{self.method} /{self.route}: {self.pages:.1f} front pages ({said})"


def measured(here: World, route: str, row: Row, method: str, least: str) -> Cost:
    """The request once, from an address of its own; sign-outs and the like are measured as any other."""
    form = DEAREST[route]
    caller = here.site.caller()
    if least in OF_THE_ARCHIVE:
        caller.cookies |= here.accounts[least]
    path = (form.path or row.example).format(**here.places)
    if path.startswith("/pads/"):
        here.site.caller().get(here.other.at("play.json"), here.other.watch)
    _, pages, answer = here.site.cost(lambda: ask(here, caller, row, form, method, path))
    return Cost(method, route, least, pages, answer)


def ask(here: World, caller: Caller, row: Row, form: Form, method: str, path: str) -> Answer:
    parts = path.strip("/").split("/")
    token = (
        here.tokens.get(parts[1]) if len(parts) > 1 and parts[0] in ("pads", "evenings", "clubs") else None
    )
    if method == "GET":
        return caller.get(path, token)
    if form.file:
        return caller.upload(path, "page.png", form.file(), form.field, form.sent() if form.sent else {})
    sent = form.sent() if form.sent else row.form or row.body or {}
    if path.startswith(("/pads/", "/clubs/")) and row.form is None:
        return caller.post(path, sent, token)
    bearer = {"Authorization": f"Bearer {token}"} if token else {}
    fields = {name: value if isinstance(value, str) else json.dumps(value) for name, value in sent.items()}
    return caller.form(path, fields, **bearer)


def every_cost(here: World) -> Iterator[Cost]:
    """All that is read first, then all that is written: the last of these delete a pad."""
    for method in ("GET", "POST"):
        for route, row in EVERY.items():
            least = row.get if method == "GET" else row.post
            if least is not None:
                yield measured(here, route, row, method, least)


def costs() -> bool:
    with world() as here:
        print(f"     the front page takes {here.site.front_page() * 1000:.1f} ms", flush=True)
        found = list(every_cost(here))
    found.sort(key=lambda cost: cost.pages / cost.most, reverse=True)
    for cost in found[:25]:
        print(f"{'MISS' if cost.is_over else 'ok  '} {cost}", flush=True)
    faults = [cost for cost in found if cost.answer.status >= 500 and cost.answer.status != 503]
    for cost in faults:
        print(f"MISS {cost}", flush=True)
    over = [cost for cost in found if cost.is_over]
    print(f"     {len(found)} requests, {len(over)} over the budget, {len(faults)} faults", flush=True)
    return judged(found)


def judged(found: list[Cost]) -> bool:
    """True if no request was over its budget, and none failed."""
    return not any(cost.is_over or cost.answer.status == 500 for cost in found)


def beside_strangers(name: str, url: str) -> bool:
    size = replace(FULL, hands=ENTRIES)
    with tempfile.TemporaryDirectory(prefix="tallyroom-bench-") as folder:
        database = named(url, "tallyroom_try_budget") if url else ""
        site = Target(f"127.0.0.1:{free_port()}", Path(folder) / "var", database=database)
        site.var.mkdir()
        site.prepare().start()
        try:
            verdict = tapped_beside(site, size, *strangers(site, size))
        finally:
            site.stop()
    print(f"     {name}: {verdict.figures}", flush=True)
    return told(f"{name}: a tap beside eight strangers", 0.0 if verdict.held else 9e9, 1.0)


if __name__ == "__main__":
    sys.exit(main())
