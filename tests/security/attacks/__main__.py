"""`make attack`: all findings against a site of its own, one line each; ends with 1 if one was not held.

SITE_ROOT serves another checkout, SITE=127.0.0.1:8000 attacks one that runs; ONLY=7,9 tries some,
SIZE=short has the sizes of `make test`.
"""

import contextlib
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.scorepad.live_server import ROOT
from tests.security.attacks.findings import FULL, SHORT, SMALL_LIMITS, Verdict, every
from tests.security.attacks.target import Target, own_site


def sites(held):
    """By kind: a site that is started when the first attack needs it."""
    root = Path(os.environ.get("SITE_ROOT") or ROOT)
    running = os.environ.get("SITE", "").removeprefix("http://").strip("/")
    started = {}

    def site(kind):
        if running:
            return Target(running)
        if kind not in started:
            folder = held.enter_context(tempfile.TemporaryDirectory(prefix="tallyroom-attack-"))
            limits = SMALL_LIMITS if kind == "small" else {}
            started[kind] = held.enter_context(own_site(Path(folder) / "var", root, kind == "club", **limits))
        return started[kind]

    return site


def tried(one, site, size):
    """The verdict in words: held, FAILED with figures, or not tried."""
    if one.needs_own_site and not site.is_ours:
        return None, "not tried: it needs a site of our own"
    try:
        verdict = one.attack(site, size)
    except Exception as fault:
        # An attack that breaks has proved nothing; the site may be the one that broke.
        verdict = Verdict(False, f"{type(fault).__name__}: {str(fault)[:300]}")
    if site.is_ours and verdict.held is False:
        # What is still under way must not be counted against the next attack.
        site.restart()
    return verdict.held, verdict.figures


def is_wanted(one, only):
    """By its number or a part of its name; several are parted by commas."""
    words = only.split(",") if only else [""]
    return any(word == str(one.item) if word.isdigit() else word in one.name for word in words)


def main():
    size = SHORT if os.environ.get("SIZE") == "short" else FULL
    wanted = [one for one in every() if is_wanted(one, os.environ.get("ONLY", ""))]
    failed = set()
    with contextlib.ExitStack() as held:
        site = sites(held)
        for one in wanted:
            began = time.monotonic()
            is_held, figures = tried(one, site(one.site), size)
            word = {True: "held", False: "FAILED", None: "–"}[is_held]
            print(
                f"{one.item:>2} {one.says}: {word} ({figures}) [{time.monotonic() - began:.0f} s]", flush=True
            )
            failed |= {one.item} if is_held is False else set()
    print(f"{len(failed)} of {len({one.item for one in wanted})} findings were not held: {sorted(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
