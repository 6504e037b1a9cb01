"""Curators' desk: what waits for a decision or a repair, recent revisions, and the ways to every book."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from archive.models import Book, GameDraft, ReaderMessage
from archive.models.history import Proposal, Revision, Slip
from people.permissions import person_of, requires

MAX_DECIDED = 20
MAX_REVISIONS = 10
MAX_MESSAGES = 10


@require_safe
@requires("propose")
def desk(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    waiting = Proposal.objects.filter(state=Proposal.WAITING).select_related("book")
    waiting = waiting.prefetch_related("remarks")
    decided = Proposal.objects.filter(author=person).exclude(state=Proposal.WAITING).select_related("book")
    publishes = person.may("publish")
    told = ReaderMessage.objects.filter(answered=None).select_related("book") if publishes else None
    # Drafts and withdrawn books are for curators.
    books = Book.objects.catalogued() if publishes else Book.objects.public().catalogued()
    context = {
        "person": person,
        "publishes": publishes,
        "keeps": person.may("keep"),
        "books": books.on_time_line(),
        **_by_whom(waiting if publishes else waiting.filter(author=person), publishes),
        "messages": told[:MAX_MESSAGES] if told is not None else (),
        "messages_in_all": told.count() if told is not None else 0,
        "games": GameDraft.objects.filter(person=person, book__in=books).select_related("book"),
        "own": decided[:MAX_DECIDED],
        "slips": Slip.objects.filter(repaired=None, book__in=books).select_related("book"),
        "lately": Revision.objects.filter(book__in=books)
        .select_related("book")
        .order_by("-made", "-pk")[:MAX_REVISIONS],
    }
    return render(request, "curation/desk.html", context)


def _by_whom(waiting: Iterable[Proposal], publishes: bool) -> dict[str, list[Proposal]]:
    """What waits for this person and what for others, each with the oldest first."""
    ordered = sorted(waiting, key=lambda one: one.waits_since)
    here = [one for one in ordered if one.waits_for_author != publishes]
    return {"waiting": here, "waiting_for_others": [one for one in ordered if one not in here]}
