"""Pages of another institution by IIIF: a manifest is looked at, pages are chosen, a job brings them over."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from archive.iiif_source import page_import
from archive.jobs.worker import process
from archive.models import Book
from archive.publication.errors import EditError
from archive.rights_statements import IMAGE_RIGHTS
from people.permissions import person_of, requires


@require_http_methods(["GET", "HEAD", "POST"])
@requires("publish")
def iiif_import(request: HttpRequest, slug: str) -> HttpResponse:
    """The form, the manifest that it leads to, and the job that is begun."""
    book = get_object_or_404(Book.objects.catalogued(), slug=slug)
    address, pages = request.POST.get("address", "").strip(), request.POST.get("pages", "")[:500]
    context = {
        "book": book,
        "hosts": settings.IIIF_HOSTS,
        "address": address,
        "pages": pages,
        "pages_most": page_import.PAGES_MOST,
    }
    if request.method != "POST":
        return render(request, "curation/iiif_import.html", context)
    try:
        shown = page_import.look(address)
        context |= {"look": shown, "rights": IMAGE_RIGHTS.get(shown.manifest.rights, "")}
        if request.POST.get("act") != "bring":
            return render(request, "curation/iiif_import.html", context)
        if request.POST.get("digest") != shown.digest:
            raise EditError("The manifest has changed meanwhile. Look at it, and choose again.")
        chosen = page_import.chosen_pages(shown.manifest, pages)
        job = page_import.begin(book, person_of(request), shown.manifest, chosen)
    except EditError as refused:
        context |= refused.context
        return render(request, "curation/iiif_import.html", context, status=422)
    process.start()
    return redirect(job)
