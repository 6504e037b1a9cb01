"""Page of the state of a book: a draft is published or deleted, a public book withdrawn, and shown again."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from archive.curation.forms.fields import reason_from
from archive.curation.proofreading import states_of
from archive.curation.proposals import proposals_at
from archive.models import Book, StateChange
from archive.models.history import Proposal
from archive.publication import book_states
from archive.publication.errors import EditError
from people.permissions import person_of, requires


@require_http_methods(["GET", "HEAD", "POST"])
@requires("publish")
def book_state(request: HttpRequest, slug: str) -> HttpResponse:
    book = get_object_or_404(Book.objects.catalogued(), slug=slug)
    if request.method != "POST":
        return _page(request, book)
    act, person = request.POST.get("act", ""), person_of(request)
    try:
        if act == "publish":
            book_states.publish_book(slug, person)
        elif act == "withdraw":
            book_states.withdraw_book(slug, person, reason_from(request))
        elif act == "delete":
            _check_name(request, book)
            book_states.delete_draft(slug)
            return redirect("desk")
        else:
            raise EditError("Choose what to do.")
    except EditError as refused:
        return _page(request, book, 422, **refused.context)
    return redirect("book-state", slug)


def _check_name(request: HttpRequest, book: Book) -> None:
    """Deleting cannot be undone, so it is asked for twice."""
    if request.POST.get("name", "").strip() != book.slug:
        raise EditError(f"Write {book.slug}, to be sure that it is the one you mean.", field="name")


def _page(request: HttpRequest, book: Book, status: int = 200, **said: Any) -> HttpResponse:
    book.refresh_from_db(fields=["state"])
    pages = states_of(book)
    context = {
        "book": book,
        "log": StateChange.objects.filter(book=book),
        "pages": len(pages),
        "without_text": sum(not state.leaf.lines for state in pages),
        "proposals_here": proposals_at(book, person_of(request), kind=Proposal.BOOK),
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "curation/book_state.html", context | said, status=status)
