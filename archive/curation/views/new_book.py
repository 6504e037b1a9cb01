"""Page for a new book: what is known of it, and how many leaves it has."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from archive.curation import proposals
from archive.curation.forms.catalogue import CatalogueDraft, moved
from archive.curation.forms.catalogue_fields import RIGHTS_STATEMENTS
from archive.curation.forms.fields import move_from
from archive.curation.forms.new_book import OPTIONAL, NewBookForm, filled, slug_from
from archive.curation.leaf_order import MAX_LEAVES
from archive.curation.views.catalogue import preview_of, question_context
from archive.publication.errors import EditError
from archive.publication.revisions import Signature
from archive.text_input import clean_line
from people.permissions import person_of, requires

REASON = "A new rulebook."
EMPTY = CatalogueDraft({"language": "en"}, rights=next(iter(RIGHTS_STATEMENTS)))


@require_http_methods(["GET", "HEAD", "POST"])
@requires("propose")
def new_book(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _page(request, EMPTY)
    form, act = NewBookForm(request.POST), request.POST.get("act", "")
    if move := move_from(act):
        return _page(request, moved(form.draft, *move))
    if act.partition(":")[0] == "preview":
        slug = clean_line(request.POST.get("slug", "")) or slug_from(form.draft)
        return _page(request, form.draft, slug=slug)
    person = person_of(request)
    try:
        if not person.may("publish"):
            proposals.check_waiting(person)
        revision = form.publish(Signature(REASON, person)) if form.is_valid() else None
    except EditError as refused:
        return _page(request, form.draft, 422, faults=refused.faults)
    if revision is None:
        return _page(request, form.draft, 422, wrong=form.faults)
    if not person.may("publish"):
        return redirect("proposal", proposals.propose_book(person, revision.book).pk)
    return redirect(f"{reverse('arrange', args=[revision.book.slug])}?saved={revision.number}")


def _page(
    request: HttpRequest,
    draft: CatalogueDraft,
    status: int = 200,
    slug: str = "",
    wrong: dict[str, str] | None = None,
    faults: tuple[str, ...] = (),
) -> HttpResponse:
    context = question_context(draft, wrong or {}, OPTIONAL) | {
        "slug": slug or request.POST.get("slug", ""),
        "leaves": request.POST.get("leaves", "1"),
        "leaves_most": MAX_LEAVES,
        "preview": preview_of(filled(draft), slug),
        "faults": faults,
        "publishes": person_of(request).may("publish"),
    }
    return render(request, "curation/new_book.html", context, status=status)
