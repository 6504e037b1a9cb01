"""The curators' desk and the queue of proposals: accept, amend and accept, refuse with words."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from archive.curation import proposals
from archive.curation.diff import differences
from archive.curation.edits import MergeConflictError
from archive.curation.forms import fields
from archive.curation.page_clips import with_clips
from archive.models import Book
from archive.models.history import Proposal, Revision, Slip
from archive.publication import revisions
from archive.publication.errors import EditError
from people.permissions import person_of, requires

WORDS_MOST = 1_000


@require_safe
@requires("propose")
def desk(request: HttpRequest) -> HttpResponse:
    """What waits, what slipped, what happened lately, and the ways to every book."""
    person = person_of(request)
    waiting = Proposal.objects.filter(state=Proposal.WAITING).select_related("book")
    context = {
        "person": person,
        "publishes": person.may("publish"),
        "keeps": person.may("keep"),
        "books": Book.objects.catalogued().on_time_line(),
        "waiting": waiting if person.may("publish") else waiting.filter(author=person),
        "own": Proposal.objects.filter(author=person).exclude(state="waiting").select_related("book")[:20],
        "slips": Slip.objects.filter(repaired=None).select_related("book"),
        "lately": Revision.objects.select_related("book").order_by("-made", "-pk")[:10],
    }
    return render(request, "curation/desk.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@requires("propose")
def proposal(request: HttpRequest, number: int) -> HttpResponse:
    """A contributor sees and may withdraw his own; a curator sees and decides all."""
    person = person_of(request)
    shown = get_object_or_404(Proposal.objects.select_related("book", "decided_by"), pk=number)
    if shown.author_id != person.pk and not person.may("publish"):
        raise Http404("There is no such proposal.")
    if request.method != "POST":
        return _page(request, shown)
    act, said = request.POST.get("act", ""), fields.plain(request.POST.get("words", "")).strip()[:WORDS_MOST]
    try:
        if act == "withdraw" and shown.author_id == person.pk:
            proposals.withdraw(person, shown)
        elif act == "refuse" and person.may("publish"):
            proposals.refuse(person, shown, said)
        elif act == "accept" and person.may("publish"):
            files = revisions.texts_of(shown.files)
            return redirect(proposals.accept(person, shown, files, shown.parent, said).revision)
        else:
            refused = {"role": person.role, "least": "curator"}
            return render(request, "people/refused.html", refused, status=403)
    except proposals.AlreadyDecidedError:
        return _page(request, shown, 409, faults=["Somebody has decided about this already."])
    except EditError as refused:
        return _page(request, shown, 422, faults=refused.faults)
    except MergeConflictError as clash:
        return _page(request, shown, 412, clash=clash)
    return redirect("proposal", number)


def _page(request: HttpRequest, shown: Proposal, status: int = 200, **context: Any) -> HttpResponse:
    shown.refresh_from_db()
    person = person_of(request)
    base = revisions.files_at(shown.book, shown.parent)
    proposed = revisions.texts_of(shown.files)
    context |= {
        "proposal": shown,
        "book": shown.book,
        "found": with_clips(
            shown.book,
            differences({name: base[name] for name in proposed}, proposed),
            proposed,
            shown.book.files["text.txt"],
        ),
        "publishes": person.may("publish"),
        "is_own": shown.author_id == person.pk,
        "amended": proposals.was_amended(shown),
        "is_waiting": shown.state == Proposal.WAITING,
        "behind": revisions.head_of(shown.book).number - shown.parent,
    }
    return render(request, "curation/proposal.html", context, status=status)
