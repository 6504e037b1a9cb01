"""Previews of a scan for curators: the picture as it came and the page as it would be cut. They are not
cached, and are drawn from the small copy, never from the original."""

from __future__ import annotations

import io

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from archive.models.scans import THUMBNAIL_SIDE, Scan
from archive.scans import word_search
from archive.scans.crop import crop_page
from archive.scans.errors import ScanError
from archive.scans.geometry import Steps, StepsError, steps_from_form
from archive.scans.originals import copy_of
from archive.scans.sandbox import sentence_for
from people.permissions import requires

QUALITY = 80
PREVIEW_SIDE = 1_200


def find_scan(slug: str, number: int) -> Scan:
    return get_object_or_404(Scan.objects.for_page(), book__slug=slug, pk=number)


def _side(request: HttpRequest) -> int:
    return THUMBNAIL_SIDE if request.GET.get("size") == "small" else PREVIEW_SIDE


def _answer(request: HttpRequest, shown: Scan, steps: Steps) -> HttpResponse:
    """Cut quickly, not finely; `requires` has set the headers that forbid caching."""
    side, out = _side(request), io.BytesIO()
    try:
        copy = copy_of(shown, side)
    except ScanError as refused:
        raise Http404(sentence_for(refused.reason)) from None
    page = crop_page(copy, steps, side, quick=True)
    page.save(out, "JPEG", quality=QUALITY)
    return HttpResponse(out.getvalue(), content_type="image/jpeg")


@require_safe
@requires("publish")
def before(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The whole picture, turned by quarters and no more."""
    shown = find_scan(slug, number)
    turns = request.GET.get("turns", "")
    steps = Steps(turns=int(turns) if turns in ("0", "1", "2", "3") else shown.chosen_steps.turns)
    return _answer(request, shown, steps)


@require_safe
@requires("publish")
def after(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The page as these steps would cut it, or as it was saved."""
    shown = find_scan(slug, number)
    try:
        steps = (
            steps_from_form(request.GET.dict(), shown.part) if "turns" in request.GET else shown.chosen_steps
        )
    except StepsError as fault:
        return HttpResponse(str(fault), status=422, content_type="text/plain; charset=utf-8")
    return _answer(request, shown, steps)


@require_safe
@requires("publish")
def words(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The state of the search for words, as a fragment."""
    shown = find_scan(slug, number)
    if shown.is_being_searched:
        # The process that searched may have been stopped; if one still does, nothing happens.
        word_search.enqueue_search(shown)
    return render(request, "curation/_scan_words.html", {"scan": shown})
