"""Page for the box of a word on a scan: on a strip of the page, by pointer, by keys or by numbers."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from archive.curation.forms import word_box
from archive.curation.forms.word_box import SIDES, Band, Word, WordBoxForm
from archive.images.clips import clip_address
from archive.models.scans import Scan
from archive.publication.errors import EditError
from people.permissions import requires

MAX_CLIP_SIDE = 1_200


@require_http_methods(["GET", "HEAD", "POST"])
@requires("publish")
def place_word(request: HttpRequest, slug: str, number: int, line: int, offset: int) -> HttpResponse:
    scan = get_object_or_404(Scan.objects.for_page(), book__slug=slug, pk=number)
    word = word_box.missing_word(scan, line, offset) if scan.is_shown else None
    if word is None or scan.image is None:
        # It has a place by now, or there is no such word: the page of the scan says which are wanting.
        return redirect(scan.get_absolute_url())
    band = word_box.band_of(scan.image, word)
    if request.method != "POST":
        return _page(request, scan, word, band)
    try:
        word_box.place_word(scan, word, band.box_of(*WordBoxForm(request.POST).numbers()))
    except EditError as refused:
        return _page(request, scan, word, band, refused.faults)
    scan.refresh_from_db()
    following = next((one for one in scan.missing if (one["line"], one["offset"]) > (line, offset)), None)
    if following is None:
        return redirect(scan.get_absolute_url())
    return redirect("place-word", slug, number, following["line"], following["offset"])


def _page(
    request: HttpRequest, scan: Scan, word: Word, band: Band, faults: tuple[str, ...] = ()
) -> HttpResponse:
    assert scan.image is not None
    written = {side: request.POST.get(side, "") for side in SIDES}
    context = {
        "scan": scan,
        "book": scan.book,
        "word": word,
        "band": band,
        "clip": clip_address(scan.image, band.box.xywh, MAX_CLIP_SIDE, MAX_CLIP_SIDE),
        "fields": written if request.method == "POST" else band.numbers,
        "faults": faults,
        "left": len(scan.missing),
    }
    return render(request, "curation/word_box.html", context, status=422 if faults else 200)
