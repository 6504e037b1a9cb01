"""Page on which the pairs of parallel texts are corrected: sentences are ticked, joined, parted, moved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from archive.curation.book_files import write_pairs
from archive.curation.edits import OpenBook, open_book
from archive.curation.errors import MergeConflictError, PairError
from archive.curation.forms.fields import page_number
from archive.curation.forms.sentence_pairs import (
    Texts,
    carried_from,
    decided,
    decision_from,
    with_pairs,
)
from archive.curation.views.editor import NOT_SAVED, editor_context, refusal, submit
from archive.edition import EditionError, SentencePair
from archive.edition.folder import pairs_in
from archive.models import Book
from archive.publication import revisions
from archive.reader.corrected_pairs import has_pairs_of, sentences
from archive.reader.sentence_alignment import compare
from people.permissions import person_of, requires

ACTS = ("pair", "alone", "forget")


@require_http_methods(["GET", "HEAD", "POST"])
@requires("propose")
def sentence_pairs(request: HttpRequest, slug: str, other: str) -> HttpResponse:
    """The pairs of two public rulebooks, at the address of the one that keeps them."""
    opened = open_book(request, slug)
    second = get_object_or_404(Book.objects.public().catalogued(), slug=other)
    if second == opened.book:
        raise Http404("A rulebook cannot be compared with itself.")
    if not has_pairs_of(opened.book, second):
        return redirect("edit-parallel", other, slug)
    if request.method == "POST":
        return _save(request, opened, second)
    return _page(request, opened, second, _pairs_with(other, pairs_in(opened.files)))


def _pairs_with(other: str, pairs: Sequence[SentencePair]) -> list[SentencePair]:
    return [pair for pair in pairs if pair.other == other]


def _save(request: HttpRequest, opened: OpenBook, other: Book) -> HttpResponse:
    pairs = _pairs_with(other.slug, pairs_in(opened.files))
    known = [*pairs, *_proposed(opened)]
    signed, day = person_of(request).name, timezone.localdate()
    try:
        pairs = carried_from(request.POST.get("pairs", ""), other.slug, known, signed, day)
        if request.POST.get("act") in ACTS:
            texts = Texts(sentences(opened.book), sentences(other), other.slug)
            decision = decision_from(request.POST, texts, signed, day)
            ticked = [*request.POST.getlist("here"), *request.POST.getlist("there")]
            return _page(request, opened, other, decided(pairs, decision, texts), ticked=ticked[:1])
        if request.POST.get("act"):
            return _page(request, opened, other, pairs)
        changed = with_pairs(opened.files, other.slug, pairs)
        address = reverse("edit-parallel", args=[opened.slug, other.slug])
        place = f"Parallel texts, {other.short_title}"[:200]
        return submit(request, opened, changed, place, address, f"{address}?saved={{}}")
    except PairError as fault:
        ticked = [*request.POST.getlist("here"), *request.POST.getlist("there")]
        return _page(request, opened, other, pairs, 422, ticked=ticked, faults=[str(fault)])
    except NOT_SAVED as fault:
        status, said = refusal(fault)
        if isinstance(fault, MergeConflictError):
            pairs = _merged(fault, other.slug) or pairs
        return _page(request, opened, other, pairs, status, **said)


def _proposed(opened: OpenBook) -> list[SentencePair]:
    """The pairs of the proposal that is open; they keep their signatures after a conflict too, when the files
    are those of the latest revision."""
    return pairs_in(revisions.texts_of(opened.proposal.files)) if opened.proposal else []


def _merged(conflict: MergeConflictError, other: str) -> list[SentencePair]:
    """My decisions with what others decided elsewhere; none if the two together cannot be read."""
    try:
        return _pairs_with(other, pairs_in(conflict.merged))
    except EditionError:
        return []


def _page(
    request: HttpRequest,
    opened: OpenBook,
    other: Book,
    pairs: list[SentencePair],
    status: int = 200,
    ticked: Sequence[str] = (),
    **said: Any,
) -> HttpResponse:
    texts = compare(opened.book, other, pairs)
    if texts is None:
        raise Http404("These two cannot be compared: one of them has no text here, or is too long.")
    published = _pairs_with(other.slug, pairs_in(opened.files))
    context = editor_context(request, opened) | {
        "other": other,
        "texts": texts,
        "pairs": write_pairs(pairs),
        "is_changed": pairs != published,
        "ticked": ticked if status != 200 else (),
        "focus": ticked[0] if ticked else "",
        "saved": page_number(request, "saved"),
    }
    return render(request, "curation/sentence_pairs.html", context | said, status=status)
