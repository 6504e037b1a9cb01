"""Pages of proposed scans: the form for one, its picture, and its acceptance."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from archive import scan_proposals
from archive.curation.errors import AlreadyDecidedError
from archive.curation.views.proposals import MAX_ANSWER, proposal_page
from archive.images.derivatives import jpeg
from archive.images.pictures import page_image
from archive.models import Leaf
from archive.models.history import Proposal
from archive.publication.errors import EditError
from archive.rights_statements import IMAGE_RIGHTS
from archive.scans import credits
from archive.scans.errors import ScanError
from archive.text_input import MAX_REASON, clean_line, clean_text
from people.permissions import person_of, requires
from ratelimit.limiter import RateLimitError

PICTURE_SIDE = 1_600
QUALITY = 82


@require_http_methods(["GET", "HEAD", "POST"])
@requires("propose")
def propose_scan(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The form that proposes a picture as the scan of a page."""
    leaves = Leaf.objects.select_related("book").with_images()
    leaf = get_object_or_404(leaves, book__slug=slug, number=number)
    if request.method != "POST":
        return _page(request, leaf)
    reason = clean_line(request.POST.get("reason", ""))[:MAX_REASON]
    try:
        told = credits.credits_from(request.POST.dict())
        file = request.FILES.get("file")
        proposal = scan_proposals.propose_scan(person_of(request), leaf, file, reason, told)
    except EditError as refused:
        return _page(request, leaf, 422, **refused.context)
    except RateLimitError as refused:
        return _page(request, leaf, 429, faults=[str(refused)])
    return redirect("proposal", proposal.pk)


def _page(request: HttpRequest, leaf: Leaf, status: int = 200, **context: object) -> HttpResponse:
    context |= {
        "book": leaf.book,
        "leaf": leaf,
        "picture": page_image(leaf, leaf.book.short_title),
        "credits": {name: request.POST.get(f"credits-{name}", "") for name in credits.FIELDS},
        "statements": IMAGE_RIGHTS.items(),
        "megabytes": settings.FORM_FILE_BYTES_MAX // (1024 * 1024),
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "curation/propose_scan.html", context, status=status)


@require_safe
@requires("propose")
def picture(request: HttpRequest, number: int) -> HttpResponse:
    """The picture of a proposed scan, for its author and for curators."""
    shown = get_object_or_404(Proposal, pk=number, kind=Proposal.SCAN)
    person = person_of(request)
    if shown.author_id != person.pk and not person.may("publish"):
        raise Http404("There is no such proposal.")
    try:
        copy = scan_proposals.picture_of_proposal(shown, PICTURE_SIDE)
    except ScanError:
        raise Http404("The picture of this proposal is gone.") from None
    copy.thumbnail((PICTURE_SIDE, PICTURE_SIDE))
    return HttpResponse(jpeg(copy, QUALITY), content_type="image/jpeg")


@require_POST
@requires("publish")
def accept_scan(request: HttpRequest, number: int) -> HttpResponse:
    """Take a proposed scan in, and open it where it is cut and published."""
    shown = get_object_or_404(Proposal.objects.select_related("book"), pk=number, kind=Proposal.SCAN)
    words = clean_text(request.POST.get("words", "")).strip()[:MAX_ANSWER]
    try:
        scan = scan_proposals.accept_scan(person_of(request), shown, words)
    except AlreadyDecidedError:
        return proposal_page(request, shown, 409, faults=["Someone has already decided about this."])
    except EditError as refused:
        return proposal_page(request, shown, 422, **refused.context)
    return redirect(reverse("scan", args=[scan.book.slug, scan.pk]))
