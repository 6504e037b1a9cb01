"""Messages of the stream: what each server-sent event looks like. docs/pads-api.md lists them."""

import json
from dataclasses import dataclass
from typing import Any

from scorepad import drafts, pads
from scorepad.models import Pad

HEARTBEAT = b": still here\n\n"


@dataclass(frozen=True)
class Event:
    """One event of a stream; entries carry their number, by which a phone catches up."""

    kind: str
    data: Any
    number: int | None = None

    def encode(self) -> bytes:
        head = f"id: {self.number}\n" if self.number is not None else ""
        return f"{head}event: {self.kind}\ndata: {json.dumps(self.data, separators=(',', ':'))}\n\n".encode()


def hello(head: int, role: str) -> Event:
    """The first event: how far the log is, and what this link may do."""
    return Event("hello", {"head": head, "role": role})


def entry(number: int, entry_id: str) -> Event:
    return Event("entry", {"number": number, "id": entry_id}, number)


def reset(head: int) -> Event:
    """Too much has happened to be told one by one: read the pad again."""
    return Event("reset", {"head": head}, head)


def pad_changed(pad: Pad) -> Event:
    """The data beside the log: names, settings, stopped or not."""
    return Event("pad", pads.summary(pad))


def draft_changed(pad: Pad) -> Event:
    return Event("draft", {"draft": drafts.told(drafts.current(pad))})


def watchers(count: int) -> Event:
    return Event("watchers", {"count": count})


def retry(milliseconds: int) -> bytes:
    """The delay after which a phone reconnects when the stream has ended."""
    return f"retry: {milliseconds}\n\n".encode()
