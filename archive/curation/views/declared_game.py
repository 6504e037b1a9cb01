"""Page of a book's declared game: its files as text, read back in sentences, tried on its golden sheets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from archive.curation.book_files import passage_names
from archive.curation.edits import OpenBook, open_book
from archive.curation.errors import MergeConflictError
from archive.curation.forms.declared_game import Reading, files_from, outline, read_game
from archive.curation.forms.fields import page_number
from archive.curation.views.editor import NOT_SAVED, editor_context, refusal, submit
from archive.edition.declared_game import GAME, SHEETS
from people.permissions import person_of, requires


@require_http_methods(["GET", "HEAD", "POST"])
@requires("propose")
def declared_game(request: HttpRequest, slug: str) -> HttpResponse:
    """The game that this book declares, or an outline to begin one."""
    opened = open_book(request, slug)
    if request.method == "POST":
        return _save(request, opened)
    files = {GAME: opened.files.get(GAME, ""), SHEETS: opened.files.get(SHEETS, "")}
    return _page(request, opened, files, read_game(slug, opened.files))


def _save(request: HttpRequest, opened: OpenBook) -> HttpResponse:
    files = files_from(request.POST.dict(), opened.files)
    reading = read_game(opened.slug, opened.files | files)
    if request.POST.get("act") == "preview":
        return _page(request, opened, files, reading)
    if not reading.may_be_published:
        return _page(request, opened, files, reading, 422)
    address = reverse("edit-game", args=[opened.slug])
    try:
        title = reading.declaration.title if reading.declaration else "taken out"
        place = f"Declared game, {title}"[:200]
        return submit(request, opened, files, place, address, f"{address}?saved={{}}")
    except NOT_SAVED as fault:
        status, said = refusal(fault)
        if isinstance(fault, MergeConflictError):
            files |= {name: text for name, text in fault.merged.items() if name in files}
            reading = read_game(opened.slug, opened.files | files)
        return _page(request, opened, files, reading, status, **said)


def _page(
    request: HttpRequest,
    opened: OpenBook,
    files: Mapping[str, str],
    reading: Reading,
    status: int = 200,
    **said: Any,
) -> HttpResponse:
    is_new = request.method != "POST" and not files[GAME]
    begun = outline(opened.slug, opened.book.short_title, person_of(request).name) if is_new else ""
    context = editor_context(request, opened) | {
        "declaration": files[GAME] or begun,
        "sheets": files[SHEETS],
        "is_new": is_new,
        "is_tried": request.method == "POST",
        "reading": reading,
        "anchors": passage_names(opened.files),
        "saved": page_number(request, "saved"),
    }
    return render(request, "curation/declared_game.html", context | said, status=status)
