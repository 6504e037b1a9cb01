"""The hub: all open streams of this process, and one reader that brings them what is new.

Nothing in here is done per phone but putting a small text into its queue. The database is read in one thread,
with one connection, however many phones there are.
"""

import asyncio
import contextlib
import itertools
import logging
import random
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context
from typing import Any, TypeVar

from django.db import close_old_connections

from scorepad.access import links
from scorepad.limits import limit
from scorepad.live import messages, notify, reader
from scorepad.live.messages import Event
from scorepad.live.streams import PadStreams, Stream, StreamStart

SWEEP_SECONDS = 3.0
SWEEPS_PER_SIGN = 20
WATCHERS_SECONDS = 0.5
PAUSE_SECONDS = 1.0
RECONNECT_MS = (200, 2_000)
Answer = TypeVar("Answer")
log = logging.getLogger(__name__)


class StreamsFullError(Exception):
    """No more streams: of this pad, from this address, or in this process."""


class Hub:
    """The streams of one event loop. All its methods run in that loop, but `wake_from_thread`."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.pads: dict[str, PadStreams] = {}
        self.addresses: dict[str, int] = {}
        self.count = 0
        self.is_draining = False
        self.changed: dict[str, set[str]] = {}
        self.has_changes = asyncio.Event()
        self.reader_pool = ThreadPoolExecutor(1, "scorepad-reader")
        self.access_pool = ThreadPoolExecutor(2, "scorepad-access")
        # In a context of their own: what they write is not of the request that happened to come first.
        self.tasks = [
            loop.create_task(work(), context=Context()) for work in (self._read_forever, self._sweep_forever)
        ]
        notify.add_listener(self.wake_from_thread)
        self.listener = notify.start_listener()

    def stop(self) -> None:
        notify.remove_listener(self.wake_from_thread)
        if self.listener is not None:
            self.listener.stop()
        self.reader_pool.shutdown(wait=False)
        self.access_pool.shutdown(wait=False)

    def is_healthy(self) -> bool:
        """True while the listener and all tasks that bring news to the phones are running."""
        is_listening = self.listener is None or self.listener.is_alive()
        return is_listening and not any(task.done() for task in self.tasks)

    async def run_in_thread(
        self, pool: ThreadPoolExecutor, work: Callable[..., Answer], *args: Any
    ) -> Answer:
        """Run a short piece of database work in a thread that keeps its connection."""
        return await self.loop.run_in_executor(pool, _with_connection, work, *args)

    def wake_from_thread(self, code: str, kind: str) -> None:
        with contextlib.suppress(RuntimeError):  # The loop has ended; so have its streams.
            self.loop.call_soon_threadsafe(self.wake, code, kind)

    def wake(self, code: str, kind: str) -> None:
        if code in self.pads:
            self.changed.setdefault(code, set()).add(kind)
            self.has_changes.set()

    def check_capacity(self, code: str, address: str, role: str) -> None:
        """Raise StreamsFullError if there is no place. Of a pad's places some are kept for those above."""
        pad, most = self.pads.get(code), limit("STREAMS_PER_PAD_MOST")
        if pad is not None and (len(pad.streams) >= most or pad.up_to(role) >= links.share(role, most)):
            raise StreamsFullError
        if self.addresses.get(address, 0) >= limit("STREAMS_PER_ADDRESS_MOST"):
            raise StreamsFullError
        if self.count >= limit("STREAMS_PER_PROCESS_MOST"):
            raise StreamsFullError

    def close_streams(self) -> None:
        """End all streams before the process stops; each phone is told to come back at a time of its own."""
        self.is_draining = True
        for pad in self.pads.values():
            for stream in list(pad.streams):
                stream.close_with_retry(reconnect_ms())

    def join(self, code: str, start: StreamStart, stream: Stream) -> None:
        fresh = PadStreams(start.pad_id, stream.sent, start.revision, start.draft_revision)
        pad = self.pads.setdefault(code, fresh)
        pad.streams.add(stream)
        self.count += 1
        self.addresses[stream.address] = self.addresses.get(stream.address, 0) + 1
        # Reading again from where this phone is, is also its replay; the others know what they have.
        pad.read_to = min(pad.read_to, stream.sent)
        self.wake(code, notify.ENTRY)
        self._send_count_soon(code)
        if self.is_draining:
            # It was being opened when the others were closed.
            stream.close_with_retry(reconnect_ms())

    def leave(self, code: str, stream: Stream) -> None:
        pad = self.pads.get(code)
        if pad is None or stream not in pad.streams:
            return
        pad.streams.discard(stream)
        self.count -= 1
        self.addresses[stream.address] -= 1
        if not self.addresses[stream.address]:
            del self.addresses[stream.address]
        if pad.streams:
            self._send_count_soon(code)
        else:
            del self.pads[code]

    def _send_count_soon(self, code: str) -> None:
        self.loop.call_later(WATCHERS_SECONDS, self._send_count, code)

    def _send_count(self, code: str) -> None:
        pad = self.pads.get(code)
        if pad is not None:
            self._fan_out(pad, [messages.watchers(len(pad.streams))])

    def _fan_out(self, pad: PadStreams, events: Iterable[Event]) -> None:
        for event in events:
            text = event.encode()
            pad.note(event)
            for stream in list(pad.streams):
                stream.offer(event, text)

    async def _read_forever(self) -> None:
        while True:
            await self.has_changes.wait()
            self.has_changes.clear()
            changed, self.changed = self.changed, {}
            try:
                await self._read(changed)
            except Exception:
                # Any fault: a process that never reads again would be worse.
                log.exception("The reader of the streams could not read; it tries again.")
                await asyncio.sleep(PAUSE_SECONDS)
                for code, kinds in changed.items():
                    # With a sweep, since more may have changed than it was changed for.
                    for kind in (*kinds, notify.LINKS):
                        self.wake(code, kind)

    async def _read(self, changed: dict[str, set[str]]) -> None:
        if any(notify.LINKS in what for what in changed.values()):
            # First, so that a phone that lost its link is not told what else is new.
            await self._sweep()
        asked = [
            (code, self.pads[code].pad_id, self.pads[code].read_to, what)
            for code, what in changed.items()
            if code in self.pads
        ]
        found = await self.run_in_thread(self.reader_pool, reader.read_changes, asked)
        for code, events in found.items():
            pad = self.pads.get(code)
            if pad is not None:
                self._fan_out(pad, events)
                numbers = [event.number for event in events if event.number is not None]
                # A phone that joined meanwhile may have set it back; then its own wake-up is under way.
                if numbers and code not in self.changed:
                    pad.read_to = max(pad.read_to, *numbers)

    async def _sweep_forever(self) -> None:
        """Find what no notification told: links revoked and entries made by another process."""
        for nth in itertools.count(1):
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await self._sweep()
                if nth % SWEEPS_PER_SIGN == 0:
                    await self._note_owners()
            except Exception:
                log.exception("The sweep of the streams failed; it is tried again.")

    async def _note_owners(self) -> None:
        """Write down which owners listen: a phone that lies on the table is a sign of them too."""
        owners = {stream.link_id for stream in self._streams() if stream.role == links.KEEP}
        if owners:
            await self.run_in_thread(self.reader_pool, reader.note_owners, list(owners))

    def _streams(self) -> Iterator[Stream]:
        return (stream for pad in self.pads.values() for stream in pad.streams)

    async def _sweep(self) -> None:
        link_ids = {stream.link_id for stream in self._streams()}
        if not link_ids:
            return
        codes = {pad.pad_id: code for code, pad in self.pads.items()}
        alive, states = await self.run_in_thread(
            self.reader_pool, reader.read_states, list(link_ids), list(codes)
        )
        for pad in list(self.pads.values()):
            for stream in list(pad.streams):
                if stream.link_id in link_ids and stream.link_id not in alive:
                    stream.close()
        for pad_id, head, revision, draft_revision in states:
            found = self.pads.get(codes[pad_id])
            if found is None:
                continue
            if head > found.read_to:
                self.wake(codes[pad_id], notify.ENTRY)
            if found.revision != revision:
                self.wake(codes[pad_id], notify.PAD)
            if found.draft_revision != draft_revision:
                self.wake(codes[pad_id], notify.DRAFT)


def reconnect_ms() -> int:
    return random.randint(*RECONNECT_MS)  # noqa: S311 - no secret


def _with_connection(work: Callable[..., Answer], *args: Any) -> Answer:
    close_old_connections()
    try:
        return work(*args)
    finally:
        close_old_connections()


_hub: Hub | None = None


def current() -> Hub:
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


def is_healthy() -> bool:
    """True while the phones of this process are told what is new; before the first comes, none need be."""
    return _hub is None or _hub.loop.is_closed() or _hub.is_healthy()


def close_streams() -> None:
    """End all streams of this process; called in its event loop."""
    if _hub is not None:
        _hub.close_streams()
