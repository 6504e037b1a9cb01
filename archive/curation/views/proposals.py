"""Page of a proposal: accept, amend and accept, refuse with words, withdraw."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from archive.curation import proposals
from archive.curation.book_files import TEXT
from archive.curation.diff import diff_files
from archive.curation.errors import AlreadyDecidedError, MergeConflictError
from archive.curation.page_clips import with_clips
from archive.images.pictures import page_image
from archive.models import ProposedScan
from archive.models.history import Proposal
from archive.publication import revisions
from archive.publication.errors import EditError
from archive.text_input import clean_text
from people.permissions import person_of, requires

MAX_ANSWER = 1_000
"""Letters of the words with which a curator decides."""


@require_http_methods(["GET", "HEAD", "POST"])
@requires("propose")
def proposal(request: HttpRequest, number: int) -> HttpResponse:
    """A contributor sees and may withdraw his own; a curator sees and decides all."""
    person = person_of(request)
    shown = get_object_or_404(Proposal.objects.select_related("book", "decided_by"), pk=number)
    if shown.author_id != person.pk and not person.may("publish"):
        raise Http404("There is no such proposal.")
    if request.method != "POST":
        return proposal_page(request, shown)
    act, said = request.POST.get("act", ""), clean_text(request.POST.get("words", "")).strip()[:MAX_ANSWER]
    try:
        if act == "say":
            proposals.say(person, shown, clean_text(request.POST.get("remark", "")).strip()[:MAX_ANSWER])
        elif act == "withdraw" and shown.author_id == person.pk:
            proposals.withdraw(person, shown)
        elif act == "refuse" and person.may("publish"):
            proposals.refuse(person, shown, said)
        elif act == "accept" and person.may("publish") and shown.kind == Proposal.BOOK:
            proposals.approve(person, shown, said)
        elif act == "accept" and person.may("publish") and shown.kind != Proposal.SCAN:
            files = revisions.texts_of(shown.files)
            return redirect(proposals.accept(person, shown, files, shown.parent, said).revision)
        else:
            refused = {"role": person.role, "least": "curator"}
            return render(request, "people/forbidden.html", refused, status=403)
    except AlreadyDecidedError:
        return proposal_page(request, shown, 409, faults=["Someone has already decided about this."])
    except EditError as refused:
        return proposal_page(request, shown, 422, **refused.context)
    except MergeConflictError as conflict:
        return proposal_page(request, shown, 412, clash=conflict)
    return redirect("proposal", number)


def proposal_page(request: HttpRequest, shown: Proposal, status: int = 200, **context: Any) -> HttpResponse:
    """The page of a proposal, as this person sees it."""
    shown.refresh_from_db()
    person = person_of(request)
    base = revisions.files_at(shown.book, shown.parent)
    proposed = revisions.texts_of(shown.files)
    proposed_scan = ProposedScan.objects.filter(proposal=shown).select_related("original", "leaf").first()
    leaf = proposed_scan.leaf if proposed_scan else None
    context |= {
        "proposal": shown,
        "proposed_scan": proposed_scan,
        "picture": page_image(leaf, shown.book.short_title) if leaf else None,
        "message": shown.reader_messages.first(),
        "book": shown.book,
        "found": with_clips(
            shown.book,
            diff_files({name: base.get(name, "") for name in proposed}, proposed),
            proposed,
            shown.book.files[TEXT],
        ),
        "remarks": shown.remarks.all(),
        "remark": request.POST.get("remark", ""),
        "publishes": person.may("publish"),
        "is_own": shown.author_id == person.pk,
        "amended": proposals.was_amended(shown),
        "is_waiting": shown.state == Proposal.WAITING,
        "behind": revisions.head_of(shown.book).number - shown.parent,
    }
    return render(request, "curation/proposal.html", context, status=status)
