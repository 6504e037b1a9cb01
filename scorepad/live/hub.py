"""One reader for all open streams of this process: it is woken, reads what is new, and fans it out to queues.

Nothing in here is done per phone but putting a small text into its queue. The database is read in one thread,
with one connection, however many phones there are.
"""

import asyncio
import contextlib
import logging
import random
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context
from typing import Any, TypeVar

from django.db import close_old_connections

from scorepad.limits import limit
from scorepad.live import notices, notify, reader
from scorepad.live.streams import Event, Seen, Stream, Table

SWEEP_SECONDS = 3.0
WATCHERS_SECONDS = 0.5
PAUSE_SECONDS = 1.0
COME_BACK_MS = (200, 2_000)
Answer = TypeVar("Answer")
log = logging.getLogger(__name__)


class Full(Exception):
    """No more streams: of this pad, from this address, or in this process."""


class Hub:
    """The streams of one event loop. All its methods run in that loop, but `woken_by_thread`."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.tables: dict[str, Table] = {}
        self.addresses: dict[str, int] = {}
        self.count = 0
        self.is_leaving = False
        self.woken: dict[str, set[str]] = {}
        self.bell = asyncio.Event()
        self.reader = ThreadPoolExecutor(1, "scorepad-reader")
        self.door = ThreadPoolExecutor(2, "scorepad-door")
        # In a context of their own: what they write is not of the request that happened to come first.
        self.tasks = [
            loop.create_task(work(), context=Context()) for work in (self._read_forever, self._sweep_forever)
        ]
        notify.listen(self.woken_by_thread)
        self.notices = notices.listening()

    def stop(self) -> None:
        notify.forget(self.woken_by_thread)
        if self.notices is not None:
            self.notices.stop()
        self.reader.shutdown(wait=False)
        self.door.shutdown(wait=False)

    def is_well(self) -> bool:
        """Whether everything that brings news to the phones is still at work."""
        hears = self.notices is None or self.notices.is_alive()
        return hears and not any(task.done() for task in self.tasks)

    async def ask(self, work: Callable[..., Answer], *args: Any, at_door: bool = True) -> Answer:
        """Run a short piece of database work in a thread that keeps its connection."""
        pool = self.door if at_door else self.reader
        return await self.loop.run_in_executor(pool, _with_connection, work, *args)

    def woken_by_thread(self, code: str, what: str) -> None:
        with contextlib.suppress(RuntimeError):  # The loop has ended; so have its streams.
            self.loop.call_soon_threadsafe(self.wake, code, what)

    def wake(self, code: str, what: str) -> None:
        if code in self.tables:
            self.woken.setdefault(code, set()).add(what)
            self.bell.set()

    def check_room(self, code: str, address: str) -> None:
        table = self.tables.get(code)
        if table is not None and len(table.streams) >= limit("STREAMS_PER_PAD_MOST"):
            raise Full
        if self.addresses.get(address, 0) >= limit("STREAMS_PER_ADDRESS_MOST"):
            raise Full
        if self.count >= limit("STREAMS_PER_PROCESS_MOST"):
            raise Full

    def farewell(self) -> None:
        """The process stops: every phone is told when to come back, each at a time of its own, and let go."""
        self.is_leaving = True
        for table in self.tables.values():
            for stream in list(table.streams):
                stream.say_farewell(come_back_ms())

    def join(self, code: str, seen: Seen, stream: Stream) -> None:
        fresh = Table(seen.pad_id, stream.sent, seen.revision, seen.draft_revision)
        table = self.tables.setdefault(code, fresh)
        table.streams.add(stream)
        self.count += 1
        self.addresses[stream.address] = self.addresses.get(stream.address, 0) + 1
        # Reading again from where this phone is, is also its replay; the others know what they have.
        table.read_to = min(table.read_to, stream.sent)
        self.wake(code, notify.ENTRY)
        self._tell_count_soon(code)
        if self.is_leaving:
            # It was at the door when the others were let go.
            stream.say_farewell(come_back_ms())

    def leave(self, code: str, stream: Stream) -> None:
        table = self.tables.get(code)
        if table is None or stream not in table.streams:
            return
        table.streams.discard(stream)
        self.count -= 1
        self.addresses[stream.address] -= 1
        if not self.addresses[stream.address]:
            del self.addresses[stream.address]
        if table.streams:
            self._tell_count_soon(code)
        else:
            del self.tables[code]

    def _tell_count_soon(self, code: str) -> None:
        self.loop.call_later(WATCHERS_SECONDS, self._tell_count, code)

    def _tell_count(self, code: str) -> None:
        table = self.tables.get(code)
        if table is not None:
            self._fan_out(table, [Event("watchers", {"count": len(table.streams)})])

    def _fan_out(self, table: Table, events: Iterable[Event]) -> None:
        for event in events:
            text = event.text()
            table.note(event)
            for stream in list(table.streams):
                stream.offer(event, text)

    async def _read_forever(self) -> None:
        while True:
            await self.bell.wait()
            self.bell.clear()
            woken, self.woken = self.woken, {}
            try:
                await self._read(woken)
            except Exception:
                # Whatever it was, a process that is deaf for ever would be worse.
                log.exception("The reader of the streams could not read; it tries again.")
                await asyncio.sleep(PAUSE_SECONDS)
                for code, what in woken.items():
                    # With a sweep, since more may have changed than it was woken for.
                    for word in (*what, notify.LINKS):
                        self.wake(code, word)

    async def _read(self, woken: dict[str, set[str]]) -> None:
        if any(notify.LINKS in what for what in woken.values()):
            # First, so that whoever lost the link does not hear what else is new.
            await self._sweep()
        asked = [
            (code, self.tables[code].pad_id, self.tables[code].read_to, what)
            for code, what in woken.items()
            if code in self.tables
        ]
        found = await self.ask(reader.read, asked, at_door=False)
        for code, events in found.items():
            table = self.tables.get(code)
            if table is not None:
                self._fan_out(table, events)
                numbers = [event.number for event in events if event.number is not None]
                # A phone that joined meanwhile may have set it back; then its own wake-up is under way.
                if numbers and code not in self.woken:
                    table.read_to = max(table.read_to, *numbers)

    async def _sweep_forever(self) -> None:
        """What a wake-up did not tell: links revoked and entries made by another process."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await self._sweep()
            except Exception:
                log.exception("The sweep of the streams failed; it is tried again.")

    async def _sweep(self) -> None:
        link_ids = {stream.link_id for table in self.tables.values() for stream in table.streams}
        if not link_ids:
            return
        codes = {table.pad_id: code for code, table in self.tables.items()}
        alive, states = await self.ask(reader.look_around, list(link_ids), list(codes), at_door=False)
        for table in list(self.tables.values()):
            for stream in list(table.streams):
                if stream.link_id in link_ids and stream.link_id not in alive:
                    stream.close()
        for pad_id, head, revision, draft_revision in states:
            found = self.tables.get(codes[pad_id])
            if found is None:
                continue
            if head > found.read_to:
                self.wake(codes[pad_id], notify.ENTRY)
            if found.revision != revision:
                self.wake(codes[pad_id], notify.PAD)
            if found.draft_revision != draft_revision:
                self.wake(codes[pad_id], notify.DRAFT)


def come_back_ms() -> int:
    return random.randint(*COME_BACK_MS)  # noqa: S311 - no secret


def _with_connection(work: Callable[..., Answer], *args: Any) -> Answer:
    close_old_connections()
    try:
        return work(*args)
    finally:
        close_old_connections()


_hub: Hub | None = None


def here() -> Hub:
    """The hub of the running event loop; there is one per process."""
    global _hub
    loop = asyncio.get_running_loop()
    if _hub is None or _hub.loop is not loop:
        if _hub is not None:
            _hub.stop()
        _hub = Hub(loop)
    return _hub


def open_streams() -> int:
    return _hub.count if _hub is not None else 0


def is_well() -> bool:
    """Whether the phones of this process are told what is new; before the first comes, none need be."""
    return _hub is None or _hub.loop.is_closed() or _hub.is_well()


def farewell() -> None:
    """Let all phones of this process go; called in its event loop."""
    if _hub is not None:
        _hub.farewell()
