"""Attacks that make the site work: long logs, long evenings, imports and pages that cost too much."""

import html
import re
import time
from functools import partial

from tests.security.attacks.caller import import_pad, new_pad, pad_of
from tests.security.attacks.findings import Verdict, finding
from tests.security.attacks.sheets import (
    PLAYERS,
    brittle_sheet,
    counted_pad,
    dear_hand,
    dear_sheet,
    refused_correction,
    voided_sheet,
)
from tests.security.attacks.table import Table, tapped_beside
from tests.security.attacks.target import BOOK, invited

LINE = re.compile(r'<textarea[^>]*name="line"[^>]*>(.*?)</textarea>', re.S)
CORRECTIONS_PER_POST = 10
ENTRIES_PER_POST = 500
STRANGER_MOST, CURATOR_MOST = 50, 200
"""Front pages that one request may cost."""
NEAR_CORRECTION_MOST = 20
NEAR_ENTRIES = 200
VOIDS_RATIO_MOST = 3
ANSWER_RATIO_MOST = 8
EVENING_READERS = 12
MEMORY_GROWTH_MOST = 150_000_000


def correcting(site, hands):
    """Somebody who sends corrections that cannot stand, for ever the same."""
    caller = site.caller()
    pad = import_pad(caller, brittle_sheet(hands))
    sent = {"entries": [refused_correction(number) for number in range(CORRECTIONS_PER_POST)]}
    return lambda: caller.post(pad.at("entries/"), sent, pad.play)


def counting(site, hands):
    caller = site.caller()
    pad = import_pad(caller, counted_pad(hands))
    return lambda: caller.post(pad.at("checks/"), {"counted": dict.fromkeys(PLAYERS, 1)}, pad.play)


@finding(1, "one connection that sends refused corrections stops all writing", is_long=True)
def refused_corrections(site, size):
    return tapped_beside(site, size, correcting(site, size.hands))


@finding(1, "one connection that counts chips on a long pad stops all writing", is_long=True)
def chip_counts(site, size):
    return tapped_beside(site, size, counting(site, size.hands))


@finding(1, "correcting one of the last entries replays the whole log", on_machine=True, is_long=True)
def near_correction(site, size):
    caller = site.caller()
    pad = import_pad(caller, dear_sheet(size.hands))
    table, turns = Table(site), iter(range(1, 10_000))

    def correct():
        place = f"e{max(0, size.hands - NEAR_ENTRIES)}"
        number = next(turns)
        sent = {"id": f"near{number}", "type": "amend", "of": place, "entry": dear_hand(number)}
        return caller.post(pad.at("entries/"), {"entries": [sent]}, pad.play)

    correct()
    tap = site.cost(table.tap, times=40)[0]
    seconds, _, answer = site.cost(correct, times=5)
    ratio = seconds / max(tap, 0.0005)
    stored = answer.json["results"][0]["status"] == "stored"
    return Verdict(stored and ratio <= NEAR_CORRECTION_MOST, f"{ratio:.1f} taps, {seconds * 1000:.0f} ms")


def long_evening(site, games, entries):
    """The address of an evening of so many games, and a token that opens it."""
    pad = first = new_pad(site.caller(), PLAYERS, "thumbs-up", options={"hands": 0, "sets": 2})
    evening = None
    for game in range(games):
        # From an address of its own: whoever builds this up over an evening meets no limit of a minute.
        caller = site.caller()
        log = [{"id": f"g{game}-{number}", **dear_hand(number)} for number in range(entries)]
        for start in range(0, entries, ENTRIES_PER_POST):
            part = {"entries": log[start : start + ENTRIES_PER_POST]}
            patiently(
                lambda caller=caller, pad=pad, part=part: caller.post(pad.at("entries/"), part, pad.play)
            )
        if game < games - 1:
            answer = patiently(lambda caller=caller, pad=pad: caller.post(pad.at("rematch/"), {}, pad.keep))
            pad, evening = pad_of(answer), answer.json["evening"]
    return evening, first.watch


def patiently(work, tries=60):
    """Ask again while the site says that it has no time: an attacker has."""
    for _ in range(tries):
        answer = work()
        if answer.status not in (429, 503):
            break
        time.sleep(1)
    assert answer.status < 300, (answer.status, answer.text[:300])
    return answer


@finding(2, "an evening of many long games is replayed for every reader", on_machine=True, is_long=True)
def evening(site, size):
    address, token = long_evening(site, size.games, size.games_entries)
    site.restart()
    site.front_page()
    before = site.memory_bytes()
    reader = site.caller()
    seconds, pages, answer = site.cost(lambda: reader.get(address, token))
    readers = [site.caller() for _ in range(EVENING_READERS)]
    beside = tapped_beside(site, size, *(lambda one=one: one.get(address, token) for one in readers))
    grown = site.memory_bytes() - before
    held = answer.status in (200, 503) and pages <= STRANGER_MOST and beside.held
    figures = (
        f"first GET {pages:.0f} front pages ({seconds:.2f} s, {answer.status}), {grown / 1e6:.0f} MB more"
    )
    return Verdict(held and grown <= MEMORY_GROWTH_MOST, f"{figures}; {beside.figures}")


@finding(3, "importing a log with corrections costs many times one without", on_machine=True, is_long=True)
def corrected_import(site, size):
    caller = site.caller()
    hands = size.hands - size.voids
    plain = site.cost(lambda: caller.post("/pads/import/", dear_sheet(size.hands)), times=2)[0]
    seconds, _, answer = site.cost(lambda: caller.post("/pads/import/", voided_sheet(hands, size.voids)))
    ratio = seconds / plain
    return Verdict(
        answer.status in (201, 429) and ratio <= VOIDS_RATIO_MOST,
        f"{hands} hands and {size.voids} voids: {ratio:.1f} times {size.hands} hands ({seconds:.2f} s)",
    )


@finding(4, "a long text proposed to a page costs seconds and a huge answer", on_machine=True, is_long=True)
def long_page(site, size):
    administrator = site.administrator()
    contributor = site.account(invited(administrator, "contributor"), "Carla Long")
    page = contributor.get(f"/books/{BOOK}/1/mend/").text
    lines = [html.unescape(line) for line in LINE.findall(page)]
    fields = {"line": [*lines, long_text(size.page_bytes)], "parent": "1", "reason": "A long page."}
    costs = {}

    def measured(name, work):
        _, pages, answer = site.cost(work)
        costs[name] = (pages, len(answer.content), answer.status)
        return answer

    for name in ("preview", "page"):
        address = f"/books/{BOOK}/1/mend/{'preview/' if name == 'preview' else ''}"
        answer = measured(name, partial(contributor.form, address, fields))
    if answer.status == 302:
        # It was taken: its page shows the difference.
        after = answer.headers["Location"]
        measured("after", partial(contributor.get, after))
        measured("proposal", partial(contributor.get, f"/curation/proposals/{after.rpartition('=')[2]}/"))
    held = all(
        pages <= CURATOR_MOST and length <= ANSWER_RATIO_MOST * size.page_bytes and status < 500
        for pages, length, status in costs.values()
    )
    told = (
        f"{name} {pages:.0f} ({length / 1e6:.1f} MB, {status})"
        for name, (pages, length, status) in costs.items()
    )
    return Verdict(held, f"{size.page_bytes // 1000} kB, in front pages: " + ", ".join(told))


def long_text(length):
    """Lines no two of which are alike, so many bytes in all, as one writes them into the last field."""
    return "\n".join(f"word{number} other{number} thing{number} more" for number in range(length // 32))


@finding(5, "eight strangers who do the dearest things make a table wait", is_long=True)
def eight_strangers(site, size):
    return tapped_beside(site, size, *strangers(site, size))


def strangers(site, size):
    """What eight strangers do, each from an address of his own."""
    caller = site.caller()
    pad = import_pad(caller, brittle_sheet(size.hands))
    sheet = voided_sheet(size.hands - size.voids, size.voids)
    importer = site.caller()

    def reading(path):
        reader = site.caller()
        return lambda: reader.get(pad.at(path), pad.watch)

    searcher, previewer = site.caller(), site.caller()
    correction = {"entry": refused_correction(1)}
    return [
        correcting(site, size.hands),
        counting(site, size.hands),
        lambda: importer.post("/pads/import/", sheet),
        lambda: searcher.get("/search/?q=" + "+".join("abcdefghij" * 4)),
        lambda: previewer.post(pad.at("preview/"), correction, pad.watch),
        reading("history/"),
        reading("print/"),
        reading("sheet.csv"),
    ]
