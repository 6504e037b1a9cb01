"""Open streams: one per phone, with a queue of small texts and how far it has come; grouped by pad."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from scorepad.access import links
from scorepad.live import messages
from scorepad.live.messages import Event
from scorepad.models import Link

ENDING_SECONDS = 1.0
"""Time a phone has to read the end; one that does not read is cut off then."""


@dataclass(eq=False)
class Stream:
    """One open phone. `sent` is the last entry it has been given."""

    link_id: int
    address: str
    sent: int
    queue: asyncio.Queue[bytes | None]
    task: "asyncio.Task[Any] | None" = None
    closed: bool = False
    role: str = Link.WATCH

    def offer(self, event: Event, text: bytes) -> None:
        if self.closed:
            return
        if event.number is not None:
            # What it has, it does not get again; what would leave a gap comes once more, in order.
            if event.number <= self.sent or (event.kind == "entry" and event.number > self.sent + 1):
                return
            self.sent = event.number
        try:
            self.queue.put_nowait(text)
        except asyncio.QueueFull:
            # It reads too slowly; it comes back by itself and asks for what it missed.
            self.drop()

    def close(self) -> None:
        """End it now: what still waits in its queue is not sent."""
        while not self.closed and not self.queue.empty():
            self.queue.get_nowait()
        self._end_with(None)

    def close_with_retry(self, milliseconds: int) -> None:
        """End it after what waits in its queue; the phone is told when to come back."""
        self._end_with(messages.retry(milliseconds), None)

    def _end_with(self, *last: bytes | None) -> None:
        if self.closed:
            return
        self.closed = True
        try:
            for text in last:
                self.queue.put_nowait(text)
        except asyncio.QueueFull:
            self.drop()
        asyncio.get_running_loop().call_later(ENDING_SECONDS, self.drop)

    def drop(self) -> None:
        self.closed = True
        if self.task is not None:
            self.task.cancel()


@dataclass(frozen=True)
class StreamStart:
    """The pad as a phone finds it when its stream begins; `first` is the text it is sent at once."""

    pad_id: int
    link_id: int
    role: str
    head: int
    revision: int
    draft_revision: int | None
    first: bytes


@dataclass(eq=False)
class PadStreams:
    """The open streams of one pad, and how far its log, its draft and its names have been read for them."""

    pad_id: int
    read_to: int
    revision: int
    draft_revision: int | None
    streams: set[Stream] = field(default_factory=set)

    def up_to(self, role: str) -> int:
        """How many listen by links of this role, or of one below it."""
        return sum(links.RANK[stream.role] <= links.RANK[role] for stream in self.streams)

    def note(self, event: Event) -> None:
        if event.kind == "pad":
            self.revision = event.data["revision"]
        elif event.kind == "draft":
            self.draft_revision = event.data["draft"] and event.data["draft"]["revision"]
