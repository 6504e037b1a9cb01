"""What one open phone is to the hub: a queue of small texts, and how far it has come."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

ENDING_SECONDS = 1.0
"""How long a phone may take to hear the end; one that does not read is cut off then."""


@dataclass(frozen=True)
class Event:
    """One event of a stream; entries carry their number, by which a phone catches up."""

    kind: str
    shown: Any
    number: int | None = None

    def text(self) -> bytes:
        head = f"id: {self.number}\n" if self.number is not None else ""
        return f"{head}event: {self.kind}\ndata: {json.dumps(self.shown, separators=(',', ':'))}\n\n".encode()


@dataclass(eq=False)
class Stream:
    """One open phone. `sent` is the last entry it has been given."""

    link_id: int
    address: str
    sent: int
    queue: asyncio.Queue[bytes | None]
    task: "asyncio.Task[Any] | None" = None
    closed: bool = False

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
            # It reads too slowly; it will come back by itself and ask for what it missed.
            self.drop()

    def close(self) -> None:
        """End it now: what still waits in its queue is not sent."""
        while not self.closed and not self.queue.empty():
            self.queue.get_nowait()
        self._end_with(None)

    def say_farewell(self, come_back_ms: int) -> None:
        """End it after what waits in its queue, and a word when to come back."""
        self._end_with(f"retry: {come_back_ms}\n\n".encode(), None)

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
class Seen:
    """A pad as a phone finds it when it comes."""

    pad_id: int
    link_id: int
    head: int
    revision: int
    draft_revision: int | None
    first: bytes


@dataclass(eq=False)
class Table:
    """The open streams of one pad, and how far its log, its draft and its names have been read for them."""

    pad_id: int
    read_to: int
    revision: int
    draft_revision: int | None
    streams: set[Stream] = field(default_factory=set)

    def note(self, event: Event) -> None:
        if event.kind == "pad":
            self.revision = event.shown["revision"]
        elif event.kind == "draft":
            self.draft_revision = event.shown["draft"] and event.shown["draft"]["revision"]
