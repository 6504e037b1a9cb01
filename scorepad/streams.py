"""What one open phone is to the hub: a queue of small texts, and how far it has come."""

import asyncio
import contextlib
import json
from dataclasses import dataclass, field
from typing import Any


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

    def offer(self, event: Event, text: bytes) -> None:
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
        """End it after what is already in its queue."""
        try:
            self.queue.put_nowait(None)
        except asyncio.QueueFull:
            self.drop()

    def say_farewell(self, come_back_ms: int) -> None:
        with contextlib.suppress(asyncio.QueueFull):
            self.queue.put_nowait(f"retry: {come_back_ms}\n\n".encode())
        self.close()

    def drop(self) -> None:
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
