"""The leaves of a book in their order: named, moved, added, taken out. For those who publish."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from archive.curation import edits
from archive.curation.edits import MergeConflictError, Saved
from archive.curation.forms import fields, leaf_order
from archive.curation.forms.leaf_order import LeafOrderError, Place
from archive.curation.merge import Chunk
from archive.curation.note_repair import TEXT
from archive.curation.opening import Opened, open_book
from archive.curation.views.errors import answer_to
from archive.edition import CERTAINTIES
from archive.models import Book, PageImage
from archive.publication import revisions
from archive.publication.errors import EditError
from archive.publication.revisions import Signed
from people.permissions import person_of, requires

REASON_MOST = 500


@require_http_methods(["GET", "HEAD", "POST"])
@requires("publish")
def arrange(request: HttpRequest, slug: str) -> HttpResponse:
    opened = open_book(request, slug)
    if request.method != "POST":
        return _page(request, opened, leaf_order.places_of(opened.files))
    places = _places_from(request.POST, len(leaf_order.places_of(opened.files)))
    verb, _, place = request.POST.get("act", "").partition(":")
    if verb in ("up", "down") and place.isdecimal() and len(place) < 4:
        return _page(request, opened, _moved(places, int(place), -1 if verb == "up" else 1))
    if verb == "add":
        return _page(request, opened, [*places, Place(0, f"Page {len(places) + 1}")])
    reason = fields.line(request.POST.get("reason", ""))[:REASON_MOST]
    out = {int(number) for number in request.POST.getlist("out") if number.isdecimal() and len(number) < 4}
    kept = [place for place in places if place.was not in out or not place.was]
    try:
        saved = _publish(opened, kept, Signed(reason, person_of(request)))
    except MergeConflictError as clash:
        now = leaf_order.places_of(revisions.texts_of(clash.head.files))
        return _page(request, opened, now, 412, **answer_to(clash)[1])
    except (LeafOrderError, EditError) as fault:
        status, said = answer_to(fault)
        return _page(request, opened, places, status, out=out, **said)
    return redirect(f"{reverse('arrange', args=[slug])}?saved={saved.revision.number}")


def _places_from(sent: QueryDict, count: int) -> list[Place]:
    """The rows of the form; a new one that was emptied is none. No leaf comes twice."""
    rows = zip(
        sent.getlist("was"), sent.getlist("title"), sent.getlist("label"), sent.getlist("certainty"),
        strict=False,
    )  # fmt: skip
    places: list[Place] = []
    for was, title, label, certainty in rows:
        number = int(was) if was.isdecimal() and len(was) < 4 else 0
        number = number if number <= count and number not in {place.was for place in places} else 0
        if number or fields.line(title):
            places.append(Place(number, fields.line(title), fields.line(label), certainty))
    return places[: leaf_order.LEAVES_MOST + 1]


def _moved(places: list[Place], index: int, by: int) -> list[Place]:
    to = index + by
    if 0 <= index < len(places) and 0 <= to < len(places):
        places[index], places[to] = places[to], places[index]
    return places


@transaction.atomic
def _publish(opened: Opened, places: Sequence[Place], signed: Signed) -> Saved:
    """Over the latest revision, if its leaves are still those the form was drawn from; else a Clash."""
    head = revisions.head_of(Book.objects.select_for_update().get(pk=opened.book.pk))
    files, base = revisions.texts_of(head.files), leaf_order.places_of(opened.files)
    if leaf_order.places_of(files) != base:
        theirs = leaf_order.places_of(files)
        chunk = Chunk("clash", _listed(base), _listed(places), _listed(theirs))
        raise MergeConflictError(head, {"book.toml": [chunk]})
    gone = {place.was for place in base} - {place.was for place in places}
    scanned = _scanned(opened.book) & gone
    if scanned:
        says = "has had a scan, and the scan's address must go on answering. Keep the leaf."
        raise LeafOrderError(f"Leaf {min(scanned)} {says}")
    changed = leaf_order.arranged(files, places)
    order = tuple(place.was for place in places)
    same = order == tuple(range(1, len(base) + 1))
    signed = Signed(signed.reason, signed.person, moved=None if same else order)
    return edits.save(opened.slug, changed, head.number, signed)


def _listed(places: Sequence[Place]) -> tuple[str, ...]:
    return tuple(f"{number}. {place.title}" for number, place in enumerate(places, 1))


def _scanned(book: Book) -> set[int]:
    scans = PageImage.objects.filter(leaf__book=book, kind=PageImage.SCAN)
    return set(scans.values_list("leaf__number", flat=True))


def _page(
    request: HttpRequest, opened: Opened, places: Sequence[Place], status: int = 200, **context: Any
) -> HttpResponse:
    bodies, scanned = leaf_order.bodies_in(opened.files[TEXT])[1], _scanned(opened.book)
    empty = {number for number, body in enumerate(bodies, 1) if not body} - scanned
    saved = request.GET.get("saved", "")
    context |= {
        "book": opened.book,
        "parent": context.get("parent", opened.parent),
        "places": places,
        "empty": empty,
        "certainties": CERTAINTIES,
        "saved": saved if saved.isdecimal() and len(saved) < 10 else "",
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "curation/leaf_order.html", context, status=status)
