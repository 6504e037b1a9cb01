"""Page for search and replace over the text of a book: a preview, then one revision or proposal."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from archive.curation import replacement
from archive.curation.book_files import TEXT
from archive.curation.edits import OpenBook, open_book
from archive.curation.errors import MergeConflictError
from archive.curation.forms.fields import page_number
from archive.curation.views.editor import NOT_SAVED, editor_context, refusal, submit
from archive.publication import revisions
from people.permissions import requires

CHANGED = (
    "Others have changed some of these lines meanwhile. Look at the places as they are now, and choose again."
)


@require_http_methods(["GET", "HEAD", "POST"])
@requires("propose")
def replace(request: HttpRequest, slug: str) -> HttpResponse:
    """What is found stands in the address, so that it can be looked at again; what is chosen is sent."""
    opened, status = open_book(request, slug), 200
    form = request.POST.dict() if request.method == "POST" else request.GET.dict()
    chosen = set(request.POST.getlist("place"))
    context = editor_context(request, opened) | {
        "form": form,
        "places_most": replacement.MAX_PLACES,
        "letters_most": replacement.MAX_LETTERS,
        "saved": page_number(request, "saved"),
        "chosen": chosen,
    }
    asked = None
    try:
        asked = replacement.replacement_from(form) if "find" in form else None
        if asked is not None and request.method == "POST":
            text = replacement.replaced(opened.files[TEXT], asked, chosen)
            place, saved_at = f"“{asked.find}” in the whole text", reverse("replace", args=[slug])
            address = reverse("leaves", args=[slug])
            return submit(request, opened, {TEXT: text}, place, address, f"{saved_at}?saved={{}}")
    except MergeConflictError as conflict:
        # What others have changed is in the new preview: there is nothing to choose between.
        status, now = 412, conflict.head.number
        opened = OpenBook(opened.book, now, now, revisions.files_at(opened.book, now))
        context |= {"opened": opened, "parent": now, "chosen": set(), "faults": [CHANGED]}
    except NOT_SAVED as fault:
        status, said = refusal(fault)
        context |= said
    if asked is not None:
        context |= {"asked": asked, "preview": replacement.preview(opened.files[TEXT], asked)}
    return render(request, "curation/replacement.html", context, status=status)
