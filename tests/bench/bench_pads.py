"""Pads over HTTP against the running server: what a tap costs, and how quickly a thousand phones hear of it.

All figures are ratios or delays of one run, both sides in turns. A missed floor or a lost event fails it.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from tests.scorepad.live_server import Server, free_port

TAP_RATIO_MOST = 4.0
LENGTH_RATIO_MOST = 1.5
DELAY_P95_MOST_MS = 250.0
TAPS = 300
PADS, PHONES_PER_PAD = 250, 4
ENTRIES_PER_SECOND, SECONDS = 50, 12
DATABASE_CONNECTIONS_MOST = 16
NAMES = ["Ann", "Bert", "Cleo", "Dora"]

Pad = dict[str, str]


def main() -> int:
    resource.setrlimit(resource.RLIMIT_NOFILE, (8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    with tempfile.TemporaryDirectory(prefix="tallyroom-bench-") as var:
        server = Server(Path(var), free_port(), "tests.bench.pads_site")
        server.prepare()
        server.start()
        try:
            held = [
                tap_against_a_bare_insert(server),
                tap_on_a_long_log(server),
                asyncio.run(streams(server)),
            ]
        finally:
            server.kill()
    return 0 if all(held) else 1


def entries(colors: random.Random) -> Iterator[dict[str, Any]]:
    """Entries that always stand: everyone in turn goes out, and no AXIS card is left in the other hands."""
    for count in itertools.count():
        player = NAMES[count % len(NAMES)]
        for _ in range(2):
            yield {
                "id": new_id(),
                "type": "victory",
                "player": player,
                "color": colors.choice(["red", "blue"]),
            }
        yield {"id": new_id(), "type": "axis", "player": player, "cards": 0}


def new_id() -> str:
    return os.urandom(16).hex()


class Phone:
    """One kept connection that taps."""

    def __init__(self, server: Server, pad: Pad, log: Iterator[dict[str, Any]]) -> None:
        self.connection = HTTPConnection("127.0.0.1", server.port)
        self.path = f"/pads/{pad['code']}/entries/"
        self.headers = {"Content-Type": "application/json", "Authorization": f"Bearer {pad['play']}"}
        self.log = log

    def post(self, path: str, body: str) -> tuple[float, bytes]:
        began = time.perf_counter()
        self.connection.request("POST", path, body, self.headers)
        text = self.connection.getresponse().read()
        return time.perf_counter() - began, text

    def tap(self) -> float:
        seconds, text = self.post(self.path, json.dumps({"entries": [next(self.log)]}))
        assert json.loads(text)["results"][0]["status"] == "stored", text
        return seconds


def new_pad(server: Server) -> Pad:
    pad: Pad = server.make_pad(NAMES, options={"target": 10_000})
    return pad


def tap_against_a_bare_insert(server: Server) -> bool:
    phone = Phone(server, new_pad(server), entries(random.Random(1)))
    bare, taps = [], []
    for count in range(TAPS + 20):
        seconds = phone.post("/bare/", "{}")[0], phone.tap()
        if count >= 20:
            bare.append(seconds[0])
            taps.append(seconds[1])
    ratio = median(taps) / median(bare)
    about = f"({median(taps) * 1000:.2f} ms to {median(bare) * 1000:.2f} ms)"
    return told(f"a tap costs {ratio:.2f} times a bare insert {about}", ratio, TAP_RATIO_MOST)


def tap_on_a_long_log(server: Server) -> bool:
    pads = {}
    for length in (10, 1_000):
        pad, log = new_pad(server), entries(random.Random(length))
        for start in range(0, length, 500):
            server.enter(pad, *itertools.islice(log, min(500, length - start)))
        pads[length] = Phone(server, pad, log)
    seconds: dict[int, list[float]] = {10: [], 1_000: []}
    for count in range(TAPS + 20):
        # The short one is kept short: it begins again on a new pad before it has grown much.
        if count % 20 == 0:
            pad, log = new_pad(server), entries(random.Random(count))
            server.enter(pad, *itertools.islice(log, 10))
            pads[10] = Phone(server, pad, log)
            pads[10].tap()
        for length in (10, 1_000):
            taken = pads[length].tap()
            if count >= 20:
                seconds[length].append(taken)
    ratio = median(seconds[1_000]) / median(seconds[10])
    return told(f"after 1,000 entries a tap costs {ratio:.2f} times one after 10", ratio, LENGTH_RATIO_MOST)


def told(words: str, figure: float, most: float) -> bool:
    print(f"{'ok  ' if figure <= most else 'MISS'} {words}; at most {most:g}", flush=True)
    return figure <= most


class Table:
    """One pad with its phones, and when each entry was sent and heard."""

    def __init__(self, pad: Pad) -> None:
        self.pad = pad
        self.log = entries(random.Random(7))
        self.sent: dict[str, float] = {}
        self.heard: list[list[str]] = [[] for _ in range(PHONES_PER_PAD)]
        self.delays: list[float] = []
        self.lock = asyncio.Lock()


async def listen(server: Server, table: Table, phone: int, ready: asyncio.Semaphore) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    token = table.pad[("keep", "play", "watch", "watch")[phone]]
    head = f"GET /pads/{table.pad['code']}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    writer.write(f"{head}Authorization: Bearer {token}\r\n\r\n".encode())
    try:
        kind = b""
        while line := await reader.readline():
            if line.startswith(b"event: "):
                kind = line[7:].strip()
                if kind == b"hello":
                    ready.release()
            elif line.startswith(b"data: ") and kind == b"entry":
                name = json.loads(line[6:])["id"]
                table.delays.append(time.perf_counter() - table.sent[name])
                table.heard[phone].append(name)
    finally:
        writer.close()


async def write(server: Server, tables: list[Table], turns: asyncio.Queue[Table | None]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    while (table := await turns.get()) is not None:
        async with table.lock:
            entry = next(table.log)
            body = json.dumps({"entries": [entry]})
            table.sent[entry["id"]] = time.perf_counter()
            writer.write(
                f"POST /pads/{table.pad['code']}/entries/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                f"Authorization: Bearer {table.pad['play']}\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
            )
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
            answer = json.loads(await reader.readexactly(int(length.split(b":")[1])))
            assert answer["results"][0]["status"] == "stored", answer
    writer.close()


async def streams(server: Server) -> bool:
    tables = [Table(new_pad(server)) for _ in range(PADS)]
    before = connections(server)
    ready = asyncio.Semaphore(0)
    phones = [
        asyncio.create_task(listen(server, table, phone, ready))
        for table in tables
        for phone in range(PHONES_PER_PAD)
    ]
    began = time.perf_counter()
    for _ in phones:
        await asyncio.wait_for(ready.acquire(), 60)
    print(f"     {len(phones)} streams opened in {time.perf_counter() - began:.1f} s", flush=True)
    await asyncio.sleep(2)
    turns: asyncio.Queue[Table | None] = asyncio.Queue()
    writers = [asyncio.create_task(write(server, tables, turns)) for _ in range(8)]
    chance = random.Random(3)
    began = time.perf_counter()
    for count in range(ENTRIES_PER_SECOND * SECONDS):
        await asyncio.sleep(max(0, began + count / ENTRIES_PER_SECOND - time.perf_counter()))
        turns.put_nowait(chance.choice(tables))
    for _ in writers:
        turns.put_nowait(None)
    await asyncio.gather(*writers)
    rate = ENTRIES_PER_SECOND * SECONDS / (time.perf_counter() - began)
    await asyncio.sleep(3)
    after = connections(server)
    for phone in phones:
        phone.cancel()
    await asyncio.gather(*phones, return_exceptions=True)
    return judged(tables, rate, before, after)


def judged(tables: list[Table], rate: float, before: int, after: int) -> bool:
    delays = [delay * 1000 for table in tables for delay in table.delays]
    lost = sum(heard != list(table.sent) for table in tables for heard in table.heard)
    p95 = quantiles(delays, n=20)[-1]
    words = f"{len(delays)} events heard: median {median(delays):.0f} ms, p95 {p95:.0f} ms"
    held = [
        told(words, p95, DELAY_P95_MOST_MS),
        told(f"{lost} phones missed an entry or got one out of order", lost, 0),
        told(
            f"{after} database connections with all phones, {before} before", after, DATABASE_CONNECTIONS_MOST
        ),
        told(
            f"{rate:.1f} entries a second were written; short of {ENTRIES_PER_SECOND} by a part", 45 / rate, 1
        ),
    ]
    return all(held)


def connections(server: Server) -> int:
    """How often the server has its database file open: once for every connection."""
    assert server.process is not None
    folder = Path(f"/proc/{server.process.pid}/fd")
    return sum(os.path.realpath(link).endswith("db.sqlite3") for link in folder.iterdir())


if __name__ == "__main__":
    sys.exit(main())
