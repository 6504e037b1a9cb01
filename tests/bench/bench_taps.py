"""What one tap costs while everything else grows: pads in the database, and phones that listen.

All figures are ratios of one run, drawn for SQLite and for PostgreSQL.
"""

from __future__ import annotations

import asyncio
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

from tests.bench.bench_pads import Phone, entries, new_pad, told
from tests.bench.scale import draw, on_both
from tests.scorepad.live_server import ROOT, Server, free_port

PADS = (10, 1_000, 10_000, 100_000)
PADS_RATIO_MOST = 1.5
STREAMS = (0, 60, 600)
STREAMS_RATIO_MOST = 2.0
TAPS, ROUNDS = 100, 3
# Rows that outlive the machine's power, as on a real server.
SAFE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}


def main() -> int:
    resource.setrlimit(resource.RLIMIT_NOFILE, (8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    return on_both(on, **SAFE)


def on(name: str, url: str) -> bool:
    if url:
        os.environ["TEST_DATABASE_URL"] = url
    with tempfile.TemporaryDirectory(prefix="tallyroom-bench-") as var:
        server = Server(Path(var), free_port(), "tests.bench.pads_site")
        server.prepare()
        server.start()
        try:
            return all([among_pads(server, name), beside_streams(server, name)])
        finally:
            server.kill()


def taps(server: Server) -> list[float]:
    """Milliseconds of taps on a pad of its own."""
    phone = Phone(server, new_pad(server), entries(random.Random(1)))
    return [phone.tap() * 1000 for _ in range(TAPS + 10)][10:]


def among_pads(server: Server, name: str) -> bool:
    shown: dict[int, float] = {}
    for count in PADS:
        grow(server, count)
        shown[count] = median(each for _ in range(ROUNDS) for each in taps(server))
    draw(f"{name}: a tap among so many pads", "pads", shown)
    ratio = shown[PADS[-1]] / shown[PADS[0]]
    words = f"{name}: among {PADS[-1]:,} pads a tap costs {ratio:.2f} times one among {PADS[0]}"
    return told(words, ratio, PADS_RATIO_MOST)


def grow(server: Server, count: int) -> None:
    command = [sys.executable, "-m", "tests.bench.many_pads", str(count)]
    subprocess.run(command, cwd=ROOT, env=server.environment, check=True, stdout=subprocess.DEVNULL)


def beside_streams(server: Server, name: str) -> bool:
    """In turns, so that a busy minute of the machine does not fall on one side alone."""
    seen: dict[int, list[float]] = {count: [] for count in STREAMS}
    for _ in range(ROUNDS):
        for count in STREAMS:
            with listening(server, count):
                seen[count] += taps(server)
    shown = {count: quantiles(seen[count], n=20)[-1] for count in STREAMS}
    draw(f"{name}: p95 of a tap beside so many streams", "streams", shown)
    ratio = shown[STREAMS[-1]] / shown[0]
    words = f"{name}: beside {STREAMS[-1]} streams the p95 of a tap is {ratio:.2f} times that beside none"
    return told(words, ratio, STREAMS_RATIO_MOST)


@contextmanager
def listening(server: Server, count: int) -> Iterator[None]:
    """So many phones with an open stream, four at a pad, in a process of their own."""
    if not count:
        yield
        return
    pads = [new_pad(server) for _ in range(count // 4)]
    keys = "\n".join(f"{pad['code']} {pad['watch']}" for pad in pads)
    command = [sys.executable, "-m", "tests.bench.bench_taps", "listen", str(server.port)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as phones:
        assert phones.stdin and phones.stdout
        phones.stdin.write(f"{keys}\n\n")
        phones.stdin.flush()
        assert phones.stdout.readline() == f"{count} listen\n"
        time.sleep(1)
        try:
            yield
        finally:
            phones.kill()


async def listen(port: int) -> None:
    keys = [line.split() for line in iter(sys.stdin.readline, "\n")]
    lines = [await heard(port, *key) for key in keys for _ in range(4)]
    print(f"{len(lines)} listen", flush=True)
    await asyncio.gather(*(reader.read() for reader, _ in lines))


async def heard(port: int, code: str, token: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A stream that has begun; the writer is kept so that it stays open."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"GET /pads/{code}/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n"
    writer.write(head.encode())
    await reader.readuntil(b"event: hello")
    return reader, writer


if __name__ == "__main__":
    if sys.argv[1:2] == ["listen"]:
        asyncio.run(listen(int(sys.argv[2])))
    else:
        sys.exit(main())
