"""What a tap costs while a hundred pages are read with Tesseract in the background.

All figures are ratios of one run, drawn for SQLite and for PostgreSQL.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import quantiles

from archive.ocr import tesseract
from tests.bench.bench_pads import Phone, entries, new_pad, told
from tests.bench.bench_taps import SAFE, taps
from tests.bench.scale import draw, on_both
from tests.scorepad.live_server import ROOT, Server, free_port

PAGES = 100
RATIO_MOST = 2.0
QUIET_ROUNDS = 3
TAPS_A_PAD = 400


def main() -> int:
    if not tesseract.is_installed():
        print("MISS Tesseract is not installed: nothing was measured")
        return 1
    return on_both(on, **SAFE)


def on(name: str, url: str) -> bool:
    if url:
        os.environ["TEST_DATABASE_URL"] = url
    with tempfile.TemporaryDirectory(prefix="tallyroom-bench-") as var:
        server = Server(Path(var), free_port(), "tests.bench.pads_site")
        server.prepare()
        run(server, "-m", "tests.bench.many_readings", str(PAGES))
        server.start()
        try:
            return beside_readings(server, name)
        finally:
            server.kill()


def run(server: Server, *command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=server.environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def beside_readings(server: Server, name: str) -> bool:
    """Taps on a quiet site, then as many as there are until the last page is read."""
    quiet = [each for _ in range(QUIET_ROUNDS) for each in taps(server)]
    command = [sys.executable, "manage.py", "work"]
    busy: list[float] = []
    with subprocess.Popen(command, cwd=ROOT, env=server.environment, stdout=subprocess.DEVNULL) as worker:
        while worker.poll() is None:
            phone = Phone(server, new_pad(server), entries(random.Random(1)))
            for _ in range(TAPS_A_PAD):
                if worker.poll() is None:
                    busy.append(phone.tap() * 1000)
    read = int(run(server, "-m", "tests.bench.many_readings", "count"))
    shown = {0: quantiles(quiet, n=20)[-1], PAGES: quantiles(busy, n=20)[-1]}
    draw(f"{name}: p95 of {len(busy)} taps while so many pages are read", "pages", shown)
    ratio = shown[PAGES] / shown[0]
    words = f"{name}: while pages are read the p95 of a tap is {ratio:.2f} times that of a quiet site"
    held = told(words, ratio, RATIO_MOST)
    return told(f"{name}: {PAGES - read} of {PAGES} pages were not read", PAGES - read, 0) and held


if __name__ == "__main__":
    sys.exit(main())
