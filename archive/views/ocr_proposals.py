"""Proposes a first text for the leaf of a scan, by OCR."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from archive import ocr_proposals
from archive.publication.errors import EditError
from archive.scans.views.preview import find_scan
from archive.scans.views.scan import scan_page
from people.permissions import person_of, requires


@require_POST
@requires("publish")
def propose_text(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Propose a first text, from a file if one was sent; it opens on the page that edits the text."""
    shown, person, file = find_scan(slug, number), person_of(request), request.FILES.get("file")
    try:
        if file is not None:
            content, of = file.read(settings.READING_BYTES_MAX + 1), request.POST.get("of", "")
            proposal = ocr_proposals.propose_file(shown, person, content, of)
        else:
            if "language" in request.POST:
                for_book = bool(request.POST.get("for_book"))
                ocr_proposals.choose_language(shown, request.POST["language"], for_book)
            proposal = ocr_proposals.propose_reading(shown, person)
    except EditError as fault:
        return scan_page(request, shown, shown.chosen_steps, 422, faults=[str(fault)])
    return redirect(f"{proposal.address}?proposal={proposal.pk}")
