"""Page for the order of leaves: named, moved, added, taken out. For those who publish."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from archive.curation import edits
from archive.curation.book_files import CATALOGUE, TEXT
from archive.curation.edits import OpenBook, Saved, open_book
from archive.curation.errors import LeafOrderError, MergeConflictError
from archive.curation.forms.fields import move_from, moved, page_number, reason_from
from archive.curation.forms.leaf_order import places_from, taken_out
from archive.curation.leaf_order import LeafPlace, bodies_in, places_of, reordered
from archive.curation.merge import Chunk
from archive.curation.views.editor import refusal
from archive.edition import CERTAINTIES
from archive.models import Book, PageImage
from archive.publication import revisions
from archive.publication.errors import EditError
from archive.publication.revisions import Signature
from people.permissions import person_of, requires


@require_http_methods(["GET", "HEAD", "POST"])
@requires("publish")
def leaf_order(request: HttpRequest, slug: str) -> HttpResponse:
    opened = open_book(request, slug)
    places = places_of(opened.files)
    if request.method != "POST":
        return _page(request, opened, places)
    places, act = places_from(request.POST, len(places)), request.POST.get("act", "")
    if move := move_from(act):
        return _page(request, opened, moved(places, *move))
    if act.partition(":")[0] == "add":
        return _page(request, opened, [*places, LeafPlace(0, f"Page {len(places) + 1}")])
    out = taken_out(request.POST)
    kept = [place for place in places if place.was not in out or not place.was]
    try:
        saved = _publish(opened, kept, Signature(reason_from(request), person_of(request)))
    except MergeConflictError as conflict:
        now = places_of(revisions.texts_of(conflict.head.files))
        return _page(request, opened, now, 412, **refusal(conflict)[1])
    except (LeafOrderError, EditError) as fault:
        status, said = refusal(fault)
        return _page(request, opened, places, status, out=out, **said)
    return redirect(f"{reverse('arrange', args=[slug])}?saved={saved.revision.number}")


@transaction.atomic
def _publish(opened: OpenBook, places: Sequence[LeafPlace], signed: Signature) -> Saved:
    """Publish over the latest revision, if its leaves are still those the form was drawn from; else
    MergeConflictError."""
    head = revisions.head_of(Book.objects.select_for_update().get(pk=opened.book.pk))
    files, base = revisions.texts_of(head.files), places_of(opened.files)
    if places_of(files) != base:
        theirs = places_of(files)
        chunk = Chunk("clash", _listed(base), _listed(places), _listed(theirs))
        raise MergeConflictError(head, {CATALOGUE: [chunk]})
    gone = {place.was for place in base} - {place.was for place in places}
    scanned = _scanned(opened.book) & gone
    if scanned:
        says = "has had a scan, and the scan's address must go on answering. Keep the page."
        raise LeafOrderError(f"Page {min(scanned)} {says}")
    changed = reordered(files, places)
    order = tuple(place.was for place in places)
    same = order == tuple(range(1, len(base) + 1))
    signed = Signature(signed.reason, signed.person, moved=None if same else order)
    return edits.save(opened.slug, changed, head.number, signed)


def _listed(places: Sequence[LeafPlace]) -> tuple[str, ...]:
    return tuple(f"{number}. {place.title}" for number, place in enumerate(places, 1))


def _scanned(book: Book) -> set[int]:
    scans = PageImage.objects.filter(leaf__book=book, kind=PageImage.SCAN)
    return set(scans.values_list("leaf__number", flat=True))


def _page(
    request: HttpRequest, opened: OpenBook, places: Sequence[LeafPlace], status: int = 200, **said: Any
) -> HttpResponse:
    bodies, scanned = bodies_in(opened.files[TEXT])[1], _scanned(opened.book)
    context = {
        "book": opened.book,
        "parent": opened.parent,
        "places": places,
        "empty": {number for number, body in enumerate(bodies, 1) if not body} - scanned,
        "certainties": CERTAINTIES,
        "saved": page_number(request, "saved"),
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "curation/leaf_order.html", context | said, status=status)
