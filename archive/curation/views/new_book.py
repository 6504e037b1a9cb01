"""A new book: what is known of it, and how many leaves it has."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from archive.curation.forms import catalogue, catalogue_fields, fields
from archive.curation.forms import new_book as adding
from archive.curation.forms.catalogue import Card, CatalogueError
from archive.curation.forms.leaf_order import LEAVES_MOST
from archive.curation.views.catalogue import preview_of, questions
from archive.publication.errors import EditError
from archive.publication.revisions import Signed
from people.permissions import person_of, requires

REASON = "A new book."
FIRST = Card({"language": "en"}, rights=next(iter(catalogue_fields.STATEMENTS)))


@require_http_methods(["GET", "HEAD", "POST"])
@requires("publish")
def new_book(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _page(request, FIRST)
    card, slug = catalogue.card_from(request.POST), fields.line(request.POST.get("slug", ""))
    verb, _, place = request.POST.get("act", "").partition(":")
    if verb in ("up", "down") and place.isdecimal() and len(place) < 4:
        return _page(request, catalogue.moved(card, int(place), -1 if verb == "up" else 1))
    if verb == "preview":
        return _page(request, card, slug=slug or adding.slug_from(card))
    try:
        signed = Signed(REASON, person_of(request))
        revision = adding.add(card, slug, fields.line(request.POST.get("leaves", "")), signed)
    except CatalogueError as bad:
        return _page(request, card, 422, wrong=bad.faults)
    except EditError as refused:
        return _page(request, card, 422, faults=refused.faults)
    return redirect(f"{reverse('arrange', args=[revision.book.slug])}?saved={revision.number}")


def _page(
    request: HttpRequest,
    card: Card,
    status: int = 200,
    slug: str = "",
    wrong: dict[str, str] | None = None,
    faults: tuple[str, ...] = (),
) -> HttpResponse:
    context = questions(card, wrong or {}, adding.FILLED) | {
        "slug": slug or request.POST.get("slug", ""),
        "leaves": request.POST.get("leaves", "1"),
        "leaves_most": LEAVES_MOST,
        "preview": preview_of(adding.filled(card), slug),
        "faults": faults,
    }
    return render(request, "curation/new_book.html", context, status=status)
