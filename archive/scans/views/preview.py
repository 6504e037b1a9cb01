"""What a curator sees while he chooses: the picture as it came and the page as it would be. For curators
alone, kept by nobody, and drawn from the small copy, never from the original."""

from __future__ import annotations

import io

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from archive.models.scans import SMALL, Scan
from archive.scans import word_search
from archive.scans.developing import develop
from archive.scans.errors import Refused
from archive.scans.geometry import Steps, StepsError, steps_in
from archive.scans.sandbox import words_for
from archive.scans.uploads import copy_of
from people.permissions import requires

QUALITY = 80
LARGE = 1_200


def scan_of(slug: str, number: int) -> Scan:
    return get_object_or_404(
        Scan.objects.select_related("original", "leaf", "image__leaf", "book"), book__slug=slug, pk=number
    )


def _room(request: HttpRequest) -> int:
    return SMALL if request.GET.get("size") == "small" else LARGE


def _answer(request: HttpRequest, shown: Scan, steps: Steps) -> HttpResponse:
    """Quickly made and soon forgotten; the gate has said that nobody may keep it."""
    room, out = _room(request), io.BytesIO()
    try:
        copy = copy_of(shown, room)
    except Refused as refused:
        raise Http404(words_for(refused.reason)) from None
    page = develop(copy, steps, room, quick=True)
    page.save(out, "JPEG", quality=QUALITY)
    return HttpResponse(out.getvalue(), content_type="image/jpeg")


@require_safe
@requires("publish")
def before(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The whole picture, turned by quarters and no more."""
    shown = scan_of(slug, number)
    turns = request.GET.get("turns", "")
    steps = Steps(turns=int(turns) if turns in ("0", "1", "2", "3") else shown.way.turns)
    return _answer(request, shown, steps)


@require_safe
@requires("publish")
def after(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The page as these steps would cut it, or as it was saved."""
    shown = scan_of(slug, number)
    try:
        steps = steps_in(request.GET.dict(), shown.part) if "turns" in request.GET else shown.way
    except StepsError as fault:
        return HttpResponse(str(fault), status=422, content_type="text/plain; charset=utf-8")
    return _answer(request, shown, steps)


@require_safe
@requires("publish")
def words(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """How far looking for words has come, as a fragment."""
    shown = scan_of(slug, number)
    if shown.is_looked_at:
        # Whoever was at it may have been stopped; if somebody is, nothing happens.
        word_search.enqueue_search(shown)
    return render(request, "curation/_scan_words.html", {"scan": shown})
