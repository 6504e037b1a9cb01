"""Database reads of the hub, in one thread with one connection: changes, and a sweep of all open pads."""

import logging
from collections.abc import Sequence

from django.db import Error, connection
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from scorepad.limits import limit
from scorepad.live import messages, notify
from scorepad.live.messages import Event
from scorepad.models import Entry, Handover, Link, Pad

log = logging.getLogger(__name__)


def read_changes(asked: Sequence[tuple[str, int, int, set[str]]]) -> dict[str, list[Event]]:
    """The events of pads that have changed since they were read. Runs in the reader's thread."""
    found = {}
    for code, pad_id, read_to, what in asked:
        try:
            found[code] = _read_pad(pad_id, read_to, what)
        except Exception as fault:
            if isinstance(fault, Error):
                # Is it this pad, with a row that cannot be read, or the database? Then this raises too.
                with connection.cursor() as cursor:
                    cursor.execute("SELECT 1")
            # One pad that cannot be shown must not make the others wait; the sweep tries it again and again.
            log.error("Pad %s could not be read for its streams: %r", pad_id, fault)
    return found


def _read_pad(pad_id: int, read_to: int, what: set[str]) -> list[Event]:
    events: list[Event] = []
    if notify.ENTRY in what:
        events += _new_entries(pad_id, read_to)
    if notify.PAD in what or notify.DRAFT in what:
        pad = Pad.objects.select_related("evening").filter(pk=pad_id, removed_at=None).first()
        if pad is not None and notify.PAD in what:
            events.append(messages.pad_changed(pad))
        if pad is not None and notify.DRAFT in what:
            events.append(messages.draft_changed(pad))
    return events


def _new_entries(pad_id: int, read_to: int) -> list[Event]:
    most = limit("STREAM_REPLAY_MOST")
    rows = Entry.objects.filter(pad_id=pad_id, number__gt=read_to).order_by("number")
    found = list(rows.values_list("number", "entry_id")[: most + 1])
    if len(found) > most:
        head = rows.order_by("-number").values_list("number", flat=True)[0]
        return [messages.reset(head)]
    return [messages.entry(number, entry_id) for number, entry_id in found]


def note_owners(link_ids: list[int]) -> None:
    """Where somebody asks to become an owner: these owners' links are in use now."""
    asked = Handover.objects.filter(declined=False, pad__links__in=link_ids)
    asked.update(seen_at=timezone.now())


def read_states(
    link_ids: list[int], pad_ids: list[int]
) -> tuple[set[int], list[tuple[int, int, int, int | None]]]:
    """The links that are alive, and for each pad its head and revisions: two queries for all open streams."""
    alive = set(Link.objects.filter(pk__in=link_ids, revoked_at=None).values_list("pk", flat=True))
    last = Entry.objects.filter(pad=OuterRef("pk")).order_by("-number").values("number")[:1]
    rows = Pad.objects.filter(pk__in=pad_ids).annotate(head=Subquery(last))
    states: list[tuple[int, int, int, int | None]] = [
        (pk, head or 0, revision, draft_revision)
        for pk, head, revision, draft_revision in rows.values_list(
            "pk", "head", "revision", "draft__revision"
        )
    ]
    return alive, states
