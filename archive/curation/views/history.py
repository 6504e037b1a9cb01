"""Pages of the history of a book: every revision at its own address, any two compared, one restored."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_http_methods, require_safe

from archive.curation import edits
from archive.curation.book_files import PAIRS, TEXT
from archive.curation.diff import FileDifference, diff_files
from archive.curation.forms.fields import MAX_PAGE_NUMBER, number_from, reason_from
from archive.curation.page_clips import with_clips
from archive.edition.folder import pairs_in
from archive.edition.text import join
from archive.edition.transcript import read_text
from archive.models import Book
from archive.models.history import Revision
from archive.models.scans import Placing
from archive.publication.errors import EditError
from archive.publication.revisions import Signature, files_at, head_of, texts_of
from archive.reader.citation_formats import citation_context
from archive.reader.citations import cite_revision
from archive.reader.corrected_pairs import unseen_books
from archive.responses import origin
from people.permissions import person_of, requires

Files = dict[str, str]
UNSEEN = "This file quotes a rulebook that was withdrawn.\n"


def _revision(slug: str, number: int) -> Revision:
    return get_object_or_404(Revision.objects.select_related("book"), book__slug=slug, number=number)


@require_safe
def revisions(request: HttpRequest, slug: str) -> HttpResponse:
    book = get_object_or_404(Book.objects.catalogued(), slug=slug)
    log = list(Revision.objects.filter(book=book))
    placings = Placing.objects.filter(book=book)
    old, new = (number_from(request.GET.get(name, ""), most=MAX_PAGE_NUMBER) for name in ("old", "new"))
    if old is not None and new is not None:
        return redirect("compare-revisions", slug, *sorted((old, new)))
    return render(request, "curation/revisions.html", {"book": book, "log": log, "placings": placings})


def _diff_with_clips(book: Book, old: Files, new: Files) -> list[FileDifference]:
    return with_clips(book, diff_files(old, new), new, book.files[TEXT])


def _diff_for_readers(book: Book, old: Files, new: Files) -> list[FileDifference]:
    """Without the pairs of parallel texts if either state quotes a rulebook that readers may not see."""
    if _quotes_unseen(old) or _quotes_unseen(new):
        old, new = ({name: text for name, text in one.items() if name != PAIRS} for one in (old, new))
    return _diff_with_clips(book, old, new)


def _quotes_unseen(files: Files) -> bool:
    return bool(unseen_books(pairs_in(files)))


@require_safe
def revision(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    shown = _revision(slug, number)
    files = texts_of(shown.files)
    before = files_at(shown.book, shown.parent) if shown.parent else None
    latest = head_of(shown.book).number
    context = {
        "book": shown.book,
        "revision": shown,
        "files": sorted(shown.files.items()),
        "blocks": _reading_text(files),
        "found": _diff_for_readers(shown.book, before, files) if before is not None else [],
        "is_latest": latest == number,
        "latest": latest,
        **citation_context(cite_revision(shown.book, shown, origin(request))),
    }
    return render(request, "curation/revision.html", context)


def _reading_text(files: dict[str, str]) -> list[tuple[int, list[str]]]:
    """The reading text of each leaf as it was, by paragraphs; leaf 0 has what stands on none."""
    blocks = read_text(files[TEXT]).blocks
    return [
        (block.leaf, join((line for line in block.lines if not line.furniture), "reading").split("\n"))
        for block in blocks
        if block.kind != "loose"
    ]


@require_safe
def file(request: HttpRequest, slug: str, number: int, name: str) -> HttpResponse:
    """A file of a revision: these bytes and no others, for ever."""
    shown = _revision(slug, number)
    if name not in shown.files:
        raise Http404("This revision has no such file.")
    digest = shown.files[name]
    files = texts_of({name: digest})
    if _quotes_unseen(files):
        return HttpResponse(UNSEEN, status=410, content_type="text/plain; charset=utf-8")
    response = HttpResponse(files[name], content_type="text/plain; charset=utf-8")
    response["ETag"] = f'"{digest}"'
    patch_cache_control(response, public=True, max_age=31_536_000, immutable=True)
    return response


@require_safe
def compare(request: HttpRequest, slug: str, old: int, new: int) -> HttpResponse:
    first, second = _revision(slug, old), _revision(slug, new)
    found = _diff_for_readers(first.book, texts_of(first.files), texts_of(second.files))
    context = {"book": first.book, "old": first, "new": second, "found": found}
    return render(request, "curation/compare.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@requires("publish")
def restore(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    shown = _revision(slug, number)
    if request.method != "POST":
        now = texts_of(head_of(shown.book).files)
        found = _diff_with_clips(shown.book, now, edits.restored_files(shown.book, number))
        return render(
            request, "curation/restore.html", {"book": shown.book, "revision": shown, "found": found}
        )
    reason = f"Back to revision {number}. {reason_from(request)}".strip()
    try:
        signed = Signature(reason, person_of(request), restores=number)
        saved = edits.restore(slug, number, signed)
    except EditError as refused:
        said = {"book": shown.book, "revision": shown, "faults": refused.faults}
        return render(request, "curation/publication_error.html", said, status=422)
    return redirect(saved.revision)
