"""Tell us: the form in which a reader without account writes to the curators, and the private page of what
was sent."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from archive.messages import inbox, photographs
from archive.messages.forms import MAX_EMAIL, MAX_SENDER, MessageForm, message_form
from archive.messages.inbox import InboxFullError, MessageGoneError
from archive.messages.limits import guesses, limit
from archive.messages.places import Place, place_asked, place_of
from archive.models import Book, Proposal, ReaderMessage
from archive.publication.errors import EditError
from archive.responses import origin
from ratelimit import client_address, limiter
from ratelimit.limiter import RateLimitError


@never_cache
@sensitive_post_parameters("words", "sender", "email")
@require_http_methods(["GET", "HEAD", "POST"])
def tell(request: HttpRequest, slug: str) -> HttpResponse:
    """The form about a page, a passage, a note or the whole rulebook."""
    book = get_object_or_404(Book.objects.catalogued(), slug=slug)
    place = place_asked(book, request.GET)
    if request.method != "POST":
        return _form(request, place, MessageForm())
    form, address = message_form(request.POST), client_address.of_request(request)
    if form.faults:
        return _form(request, place, form, 422)
    try:
        file = request.FILES.get("photograph")
        photograph = photographs.copy_of(file, address) if file is not None else b""
        token = inbox.send(place, form, address, photograph)
    except EditError as refused:
        return _form(request, place, form, 422, wrong={refused.field: str(refused)})
    except InboxFullError as full:
        return _form(request, place, form, 503, fault=full.says)
    except RateLimitError as fault:
        response = _form(request, place, form, fault.status, fault=fault.says)
        response["Retry-After"] = str(fault.seconds)
        return response
    return redirect("message", token)


def _form(
    request: HttpRequest, place: Place, form: MessageForm, status: int = 200, **said: Any
) -> HttpResponse:
    context = {
        "place": place,
        "book": place.book,
        "form": form,
        "wrong": dict(form.faults),
        "most": limit("MESSAGE_LETTERS_MOST"),
        "sender_most": MAX_SENDER,
        "email_most": MAX_EMAIL,
        "days": limit("MESSAGE_ADDRESS_DAYS"),
        "takes_photographs": settings.READERS_PHOTOGRAPHS,
        "megabytes": settings.FORM_FILE_BYTES_MAX // (1024 * 1024),
        "had_photograph": bool(request.FILES),
    }
    return render(request, "archive/tell.html", context | said, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def message(request: HttpRequest, token: str) -> HttpResponse:
    """The private page of a message: what became of it. Its sender may delete the address, or all of it."""
    try:
        found = inbox.find(token)
    except MessageGoneError:
        limiter.record_failure(guesses(), client_address.of_request(request))
        return render(request, "archive/message_gone.html", status=404)
    if request.method == "POST":
        if request.POST.get("act") == "delete":
            found.delete()
            return render(request, "archive/message_gone.html", {"was_deleted": True})
        if request.POST.get("act") == "forget":
            inbox.forget(found)
        return redirect("message", token)
    context = {
        "message": found,
        "book": found.book,
        "place": place_of(found) if found.book.is_public else None,
        "outcome": _outcome(found),
        "link": f"{origin(request)}{request.path}",
        "days": limit("MESSAGE_ADDRESS_DAYS"),
    }
    return render(request, "archive/message.html", context)


def _outcome(message: ReaderMessage) -> str:
    """What has become of a message, in one word."""
    if message.proposal and message.proposal.state == Proposal.ACCEPTED:
        return "published"
    if message.proposal and message.proposal.state == Proposal.REFUSED:
        return "refused"
    if message.answered:
        return "answered"
    return "started" if message.proposal else "waiting"
