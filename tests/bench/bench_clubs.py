"""Clubs over HTTP against the running server: one of 1,000 pads opens in under three times one of ten.

First nobody remembers any of it and the figures follow: in how many requests, and what the longest of them
takes. Then both are asked in turns, with their figures remembered.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path
from statistics import median

from tests.bench.bench_pads import told
from tests.scorepad.live_server import ROOT, Server, free_port

FEW, MANY = 10, 1_000
RATIO_MOST = 3.0
COLD_RATIO_MOST = 50.0
TURNS = 60
REQUESTS_MOST = 200


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="tallyroom-bench-") as var:
        server = Server(Path(var), free_port(), "tests.security.running_site")
        server.prepare()
        command = [sys.executable, "-m", "tests.bench.many_club_pads", str(FEW), str(MANY)]
        seeded = subprocess.run(
            command, cwd=ROOT, env=server.environment, capture_output=True, text=True, check=True
        )
        clubs = [line.split() for line in seeded.stdout.splitlines()]
        server.start()
        try:
            # Whatever a process does only once is done before the long one is looked at.
            cold(server, *clubs[0])
            seconds = cold(server, *clubs[1])
            held = judged(seconds, warm(server, clubs))
        finally:
            server.kill()
    return 0 if held else 1


def asked(server: Server, address: str, token: str) -> tuple[float, bool]:
    """The seconds until the page is there, and whether figures follow."""
    connection = HTTPConnection("127.0.0.1", server.port)
    began = time.perf_counter()
    connection.request("GET", address, headers={"Authorization": f"Bearer {token}"})
    answer = connection.getresponse()
    text = answer.read()
    seconds = time.perf_counter() - began
    assert answer.status == 200, text[:300]
    connection.close()
    return seconds, answer.headers.get("Refresh") is not None


def cold(server: Server, address: str, token: str) -> list[float]:
    """The seconds of each request until all figures are there."""
    seconds = []
    for _ in range(REQUESTS_MOST):
        taken, follows = asked(server, address, token)
        seconds.append(taken)
        if not follows:
            return seconds
    raise AssertionError("the figures never came")


def warm(server: Server, clubs: list[list[str]]) -> dict[int, float]:
    """The seconds of each club's page, by its number of pads."""
    seconds: dict[int, list[float]] = {FEW: [], MANY: []}
    for turn in range(TURNS + 5):
        for count, (address, token) in zip((FEW, MANY), clubs, strict=True):
            taken, _ = asked(server, address, token)
            if turn >= 5:
                seconds[count].append(taken)
    return {count: median(found) for count, found in seconds.items()}


def judged(first: list[float], later: dict[int, float]) -> bool:
    few, many = later[FEW], later[MANY]
    follows = f"{MANY:,} pads that nobody remembers take {len(first)} requests"
    longest = f"the longest {max(first) / few:.1f} times a club of {FEW} ({max(first) * 1000:.0f} ms)"
    opens = f"a club of {MANY:,} pads opens in {many / few:.2f} times one of {FEW}"
    held = [
        told(f"{follows}, {longest}", max(first) / few, COLD_RATIO_MOST),
        told(f"{opens} ({many * 1000:.1f} ms to {few * 1000:.1f} ms)", many / few, RATIO_MOST),
    ]
    return all(held)


if __name__ == "__main__":
    sys.exit(main())
