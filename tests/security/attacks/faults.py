"""Attacks by odd input, and by using up places: nothing may fail, and nobody may take another's place."""

import csv
import io
import itertools
import os
import struct
import unicodedata
import zlib
from datetime import UTC, datetime, timedelta

from tests.security.attacks.caller import import_pad, new_pad
from tests.security.attacks.findings import SMALL, SMALL_LIMITS, Verdict, finding
from tests.security.attacks.sheets import dear_sheet, malformed_sheets
from tests.security.attacks.table import NAMES, plain_entries
from tests.security.attacks.target import BOOK, invited

FORMULA = "=+-@"
SEPARATORS = " ,;\t|\u00a0\u3000"
CELLS = (
    "=1+1",
    " =1+1",
    ";=1+1",
    ",=1+1",
    "\t=1+1",
    "＝1+1",
    "＋1",
    "－1+1",
    "＠sum",
    "\u3000＝1",
    "|=1",
    "; ＝1",
)
PAGES = (
    "",
    "fragment/",
    "table/",
    "history/",
    "history/?at=1",
    "after/",
    "print/",
    "why/0/",
    "correct/spoiled/",
)
FILES = ("sheet", "result", "pad", "log", "play", "about", "draft")
READ = (*PAGES, *(f"{name}.json" for name in FILES), "sheet.csv")


@finding(11, "a cell of a spreadsheet begins like a formula")
def formulas(site, size):
    caller = site.caller()
    pad = new_pad(caller, NAMES)
    for entry, device in zip(plain_entries(), CELLS, strict=False):
        caller.post(pad.at("entries/"), {"entries": [entry], "who": device}, pad.play)
    # A file that is brought in names its devices itself.
    log = [{"device": cell} for cell in CELLS]
    entries = list(itertools.islice(plain_entries(), len(CELLS)))
    sheet = {"tally": 1, "game": "victory-rummy", "players": NAMES, "entries": entries}
    brought = caller.post("/pads/import/", {"pad": 1, "sheet": sheet, "log": log})
    named = caller.post("/pads/", {"game": "victory-rummy", "players": ["; ＝Ann", "－Bert"]})
    texts = [caller.get(pad.at("sheet.csv"), pad.watch).text]
    for answer in (brought, named):
        if answer.status == 201:
            told = answer.json
            texts.append(caller.get(told["pad"] + "sheet.csv", told["watch"].rsplit("/", 1)[-1]).text)
    cells = {cell for text in texts for row in csv.reader(io.StringIO(text)) for cell in row}
    wrong = sorted(cell for cell in cells if is_formula(cell))
    return Verdict(not wrong and len(cells) > len(CELLS), f"{len(wrong)} cells: {wrong[:6]}")


def is_formula(cell):
    """True if a spreadsheet might reckon with this. A plain number is none."""
    bare = unicodedata.normalize("NFKC", cell).lstrip(SEPARATORS + "\r\n")
    return bare[:1] in tuple(FORMULA) and not cell.lstrip("+-").isdigit()


@finding(12, "malformed entries that were struck out give a fault of the server", is_long=True)
def malformed_entries(site, size):
    came_in, faults, where = 0, 0, set()
    for number, sheet in enumerate(malformed_sheets(size.sheets)):
        # A club has 200 pads an hour; an attacker has as many addresses as he needs.
        if number % 50 == 0:
            caller = site.caller()
        answer = caller.post("/pads/import/", sheet)
        faults += answer.status >= 500
        if answer.status != 201:
            continue
        came_in += 1
        told = answer.json
        token = told["play"].rsplit("/", 1)[-1]
        for path in READ:
            if caller.get(told["pad"] + path, token).status >= 500:
                faults += 1
                where.add(path)
    return Verdict(
        not faults and came_in > 0, f"{came_in} sheets came in and gave {faults} faults {sorted(where)[:6]}"
    )


@finding(12, "a picture of one colour is a fault of the server", needs_account=True)
def plain_picture(site, size):
    curator = site.account(invited(site.administrator(), "curator"), "Clara Colour")
    answer = curator.upload(f"/books/{BOOK}/scans/upload/", "plain.png", one_colour(900, 1200))
    refused = answer.status == 422 and len(answer.json["files"][0]["sentence"]) > 20
    left = [path for path in (site.var / "originals").rglob("*") if path.is_file()] if site.var else []
    return Verdict(refused and not left, f"{answer.status}, {len(left)} originals stay")


def one_colour(width, height):
    """A PNG, white all over."""
    rows = zlib.compress((b"\0" + b"\xff" * width) * height)
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        _part(*one) for one in ((b"IHDR", head), (b"IDAT", rows), (b"IEND", b""))
    )


def _part(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


@finding(12, "times in the future keep a pad for ever")
def future_times(site, size):
    caller = site.caller()
    sheet, future = dear_sheet(3), "2900-01-01T00:00:00Z"
    log = [{"made": future} for _ in sheet["entries"]]
    checks = [{"head": 1, "counted": [0] * 8, "made": future}]
    answer = caller.post(
        "/pads/import/", {"pad": 1, "sheet": sheet, "log": log, "checks": checks, "made": future}
    )
    if answer.status == 422:
        return Verdict(True, "refused with a sentence")
    told = answer.json
    kept = caller.get(told["pad"] + "pad.json", told["watch"].rsplit("/", 1)[-1]).json
    times = [kept["made"], *(row["made"] for row in kept["log"] + kept["checks"])]
    late = (datetime.now(UTC) + timedelta(minutes=5)).isoformat()
    wrong = sum(one > late for one in times)
    return Verdict(not wrong, f"{wrong} of {len(times)} times are in the future")


@finding(12, "asking for a deleted pad locks the address's other links out")
def polls_of_a_deleted_pad(site, size):
    caller = site.caller()
    gone, other = new_pad(caller), new_pad(caller)
    assert caller.post(gone.at("delete/"), {}, gone.keep).status == 200
    for _ in range(130):
        caller.get(gone.at("result.json"), gone.play)
    status = caller.get(other.at("result.json"), other.play).status
    return Verdict(status == 200, f"after 130 questions another pad's link gives {status}")


@finding(12, "a watcher takes all links of a pad", site=SMALL)
def watchers_links(site, size):
    owner, watcher = site.caller(), site.caller()
    pad = new_pad(owner)
    for _ in range(SMALL_LIMITS["LINKS_PER_PAD_MOST"] + 2):
        code = watcher.post(pad.at("join/"), {"role": "watch"}, pad.watch).json.get("code")
        if code is None or site.caller().post("/pads/join/", {"code": code}).status >= 400:
            break
    code = owner.post(pad.at("join/"), {"role": "play"}, pad.keep).json.get("code")
    status = site.caller().post("/pads/join/", {"code": code}).status
    return Verdict(status < 300, f"a player's code then gives {status}")


@finding(12, "a watcher takes all streams of a pad", site=SMALL)
def watchers_streams(site, size):
    pad = new_pad(site.caller())
    watchers = [site.caller() for _ in range(SMALL_LIMITS["STREAMS_PER_PAD_MOST"] + 2)]
    taken = [watcher.open_stream(pad.at("events"), pad.watch) for watcher in watchers]
    player = site.caller()
    status = player.open_stream(pad.at("events"), pad.play)
    for caller in (*watchers, player):
        caller.close()
    return Verdict(status == 200, f"{taken.count(200)} streams of a watcher; a player's then gives {status}")


@finding(12, "a few addresses use up the new pads of the whole site", site=SMALL)
def quota_of_all(site, size):
    per_address, in_all = SMALL_LIMITS["PADS_MADE_PER_ADDRESS_MOST"], SMALL_LIMITS["PADS_MADE_IN_ALL_MOST"]
    body = {"game": "victory-rummy", "players": ["Ann", "Bert"]}
    made = 0
    for _ in range(in_all // per_address + 1):
        caller = site.caller()
        for _ in range(per_address + 1):
            made += caller.post("/pads/", body).status == 201
    status = site.caller().post("/pads/", body).status
    return Verdict(
        status == 201, f"after {made} pads of {in_all // per_address + 1} addresses another gets {status}"
    )


@finding(12, "files under var/ are open to others", on_machine=True)
def files_of_the_site(site, size):
    import_pad(site.caller(), dear_sheet(3))
    found = sorted(str(path.relative_to(site.var)) for path in open_files(site.var))
    return Verdict(not found, f"{len(found)} files: {found[:5]}")


def open_files(folder):
    """Files that others than their owner can read: every folder on the way lets them through."""
    if not os.stat(folder).st_mode & 0o011:
        return
    for path in folder.iterdir():
        if path.is_symlink():
            continue
        if path.is_dir():
            yield from open_files(path)
        elif path.stat().st_mode & 0o044:
            yield path
