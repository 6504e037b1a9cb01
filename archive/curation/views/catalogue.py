"""Page of the catalogue of a book: plain questions, a preview, and the same history as everything else."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

import engine
from archive.curation.book_files import catalogue_in, passages_in
from archive.curation.edits import OpenBook, open_book
from archive.curation.errors import CatalogueError, MergeConflictError
from archive.curation.forms import catalogue_fields
from archive.curation.forms.catalogue import (
    COVER_STYLES,
    CatalogueDraft,
    answers_with_defaults,
    catalogue_from,
    draft_from,
    draft_of,
    merged,
    moved,
    with_catalogue,
)
from archive.curation.forms.catalogue_fields import Question
from archive.curation.forms.fields import move_from, page_number
from archive.curation.views.editor import NOT_SAVED, editor_context, refusal, submit
from archive.publication import revisions
from people.permissions import requires


@require_http_methods(["GET", "HEAD", "POST"])
@requires("propose")
def catalogue(request: HttpRequest, slug: str) -> HttpResponse:
    opened = open_book(request, slug)
    if request.method != "POST":
        return _page(request, opened, draft_of(catalogue_in(opened.files)))
    draft, act = draft_from(request.POST), request.POST.get("act", "")
    if move := move_from(act):
        return _page(request, opened, moved(draft, *move))
    return _save(request, opened, draft, act == "preview")


def _save(request: HttpRequest, opened: OpenBook, draft: CatalogueDraft, only_look: bool) -> HttpResponse:
    address = reverse("catalogue", args=[opened.slug])
    try:
        written = catalogue_from(draft, passages_in(opened.files), catalogue_in(opened.files))
        if only_look:
            return _page(request, opened, draft, looked=True)
        changed = with_catalogue(opened.files, written)
        return submit(request, opened, changed, "Catalogue", address, f"{address}?saved={{}}")
    except CatalogueError as bad:
        return _page(request, opened, draft, 422, wrong=bad.faults)
    except NOT_SAVED as fault:
        status, said = refusal(fault)
        if isinstance(fault, MergeConflictError):
            base = catalogue_in(revisions.files_at(opened.book, opened.parent))
            theirs = catalogue_in(revisions.texts_of(fault.head.files))
            draft = merged(draft_of(base), draft, draft_of(theirs))
        return _page(request, opened, draft, status, **said)


def _page(
    request: HttpRequest, opened: OpenBook, draft: CatalogueDraft, status: int = 200, **said: Any
) -> HttpResponse:
    context = question_context(draft, said.get("wrong", {})) | editor_context(request, opened)
    context |= {
        "anchors": passages_in(opened.files),
        "preview": preview_of(draft, opened.slug),
        "saved": page_number(request, "saved"),
    }
    return render(request, "curation/catalogue.html", context | said, status=status)


def question_context(
    draft: CatalogueDraft, wrong: dict[str, str], optional: tuple[str, ...] = ()
) -> dict[str, Any]:
    """The questions of a catalogue for the template, with what is wrong at each; `optional` ones may be
    left empty here, whatever the catalogue needs."""
    rights = dict(catalogue_fields.RIGHTS_STATEMENTS)
    if draft.rights and draft.rights not in rights:
        rights[draft.rights] = draft.rights

    def rows_of(questions: tuple[Question, ...]) -> list[dict[str, Any]]:
        return [
            {
                "question": question,
                "value": draft.answers.get(question.name, ""),
                "fault": wrong.get(question.name),
                "needed": question.default is None and question.name not in optional,
            }
            for question in questions
        ]

    return {
        "what": rows_of(catalogue_fields.WHAT),
        "table": rows_of(catalogue_fields.TABLE),
        "told": rows_of(catalogue_fields.TOLD),
        "why": rows_of((catalogue_fields.WHY,)),
        "draft": draft,
        "statements": rights.items(),
        "games": engine.GAMES.values(),
        "styles": COVER_STYLES,
        "wrong": wrong,
    }


def preview_of(draft: CatalogueDraft, slug: str) -> dict[str, Any]:
    """The card and the cover as they will be shown, right or wrong."""
    return {
        "slug": slug,
        "answers": answers_with_defaults(draft),
        "cover": [{"text": text, "style": style} for text, style in draft.cover],
        "has_pages": True,
        "rights_label": catalogue_fields.RIGHTS_STATEMENTS.get(draft.rights, draft.rights),
        "unknown": [line for line in draft.answers.get("unknown", "").split("\n") if line.strip()],
        "games": [engine.GAMES[key].title for key in draft.games],
    }
