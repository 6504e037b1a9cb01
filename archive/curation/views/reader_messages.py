"""Curators' pages of what readers have written: the list, and one message with its answer."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from archive.curation import proposals
from archive.messages import inbox
from archive.messages.inbox import MessageGoneError
from archive.messages.limits import limit
from archive.messages.places import editors_of, place_of
from archive.models import MessagePhotograph, Proposal, ReaderMessage
from archive.publication.errors import EditError
from archive.text_input import clean_text
from people.permissions import person_of, requires

PER_PAGE = 50


@require_safe
@requires("publish")
def messages(request: HttpRequest) -> HttpResponse:
    """All messages: those that wait first, the oldest at the top, then the answered ones."""
    everything = ReaderMessage.objects.select_related("book", "proposal")
    ordered = everything.order_by(F("answered").desc(nulls_first=True), "made", "pk")
    page = Paginator(ordered, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "curation/messages.html", {"page": page})


@require_http_methods(["GET", "HEAD", "POST"])
@requires("publish")
def message(request: HttpRequest, number: int) -> HttpResponse:
    """One message: answer it, open the right form with it, or delete it."""
    shown = get_object_or_404(ReaderMessage.objects.select_related("book", "proposal"), pk=number)
    if request.method != "POST":
        return _page(request, shown)
    act = request.POST.get("act", "")
    if act == "delete":
        shown.delete()
        return redirect("desk")
    words = clean_text(request.POST.get("answer", "")).strip()
    try:
        if act in editors_of(place_of(shown)):
            return redirect(_begin(request, shown, act).editor)
        inbox.answer(person_of(request), shown, words)
    except EditError as refused:
        return _page(request, shown, 422, written=words, **refused.context)
    except MessageGoneError:
        raise Http404("The reader has deleted this message meanwhile.") from None
    return redirect(shown)


def _begin(request: HttpRequest, message: ReaderMessage, act: str) -> Proposal:
    place = place_of(message)
    words, address = editors_of(place)[act]
    return proposals.begin_from_message(person_of(request), message, f"{words}: {place.title}", address)


def _page(request: HttpRequest, shown: ReaderMessage, status: int = 200, **said: Any) -> HttpResponse:
    place = place_of(shown)
    context = {
        "message": shown,
        "book": shown.book,
        "place": place,
        "editors": editors_of(place).items(),
        "has_photograph": MessagePhotograph.objects.filter(message=shown).exists(),
        "written": shown.answer,
        "most": inbox.MAX_ANSWER,
        "days": limit("MESSAGE_ADDRESS_DAYS"),
    }
    return render(request, "curation/message.html", context | said, status=status)


@require_safe
@requires("publish")
def photograph(request: HttpRequest, number: int) -> HttpResponse:
    found = MessagePhotograph.objects.filter(message=number).first()
    if found is None:
        raise Http404("There is no photograph with this message.")
    return HttpResponse(bytes(found.jpeg), content_type="image/jpeg")
