"""Pages of notes: the list of a book's notes with those to repair, and the form for one."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from archive.curation.book_files import TEXT, notes_in
from archive.curation.edits import OpenBook, open_book
from archive.curation.errors import NoteError
from archive.curation.forms.note import (
    MAX_READINGS,
    check_place,
    fields_of,
    note_from,
    options_of,
    with_note,
    without_note,
)
from archive.curation.forms.note_region import region_page
from archive.curation.note_repair import waiting_for_repair
from archive.curation.views.editor import NOT_SAVED, editor_context, refusal, submit
from archive.edition import AUTHORITIES, CERTAINTIES, Note
from archive.edition.transcript import read_text
from archive.models import Leaf
from archive.reader.markdown import to_html
from archive.reader.notes import KIND_NAMES
from archive.text_input import clean_line
from people.permissions import person_of, requires

MAX_BODY = 20_000


@require_safe
@requires("propose")
def notes(request: HttpRequest, slug: str) -> HttpResponse:
    opened = open_book(request, slug)
    context = {
        "book": opened.book,
        "notes": [(note, KIND_NAMES[note.kind]) for note in notes_in(opened.files)],
        "slips": waiting_for_repair(opened.book),
        "saved": request.GET.get("saved", ""),
    }
    return render(request, "curation/notes.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@requires("propose")
def note(request: HttpRequest, slug: str, id: str = "") -> HttpResponse:
    """A new note, or one that there is."""
    opened = open_book(request, slug)
    found = next((one for one in notes_in(opened.files) if one.id == id), None)
    if id and found is None:
        raise Http404("This rulebook has no such note.")
    if request.method != "POST":
        fields = fields_of(found) if found else _fields_of_address(request)
        return _page(request, opened, found, fields)
    if request.POST.get("act") == "show":
        return _page(request, opened, found, request.POST.dict())
    return _save(request, opened, found)


def _fields_of_address(request: HttpRequest) -> dict[str, str]:
    """Fields of a new note that the address already gives."""
    given = {name: request.GET.get(name, "") for name in ("anchor", "quote", "kind", "certainty")}
    return given | {"anchor": request.GET.get("passage") or given["anchor"]}


def _save(request: HttpRequest, opened: OpenBook, found: Note | None) -> HttpResponse:
    fields, old = request.POST.dict(), found.id if found else ""
    listed = reverse("notes", args=[opened.slug])
    try:
        if request.POST.get("act") == "remove" and found:
            changed, name, address = without_note(opened.files, old), old, listed
        else:
            id = old or clean_line(request.POST.get("id", ""))
            written = note_from(fields, id, person_of(request).name, timezone.localdate())
            check_place(opened.files, written)
            changed, name = with_note(opened.files, written, old), written.id
            address = reverse("note", args=[opened.slug, name])
        return submit(request, opened, changed, f"Note {name}", address, f"{listed}?saved={{}}#note-{name}")
    except (NoteError, *NOT_SAVED) as fault:
        status, said = refusal(fault)
        return _page(request, opened, found, fields, status, **said)


def _page(
    request: HttpRequest,
    opened: OpenBook,
    found: Note | None,
    fields: dict[str, str],
    status: int = 200,
    **said: Any,
) -> HttpResponse:
    passages = read_text(opened.files[TEXT]).passages
    anchor = fields.get("anchor", "")
    passage = next((p for p in passages if anchor in (*p.anchors, *p.aliases)), None)
    leaves = list(Leaf.objects.filter(book=opened.book).with_images())
    stage, fields = region_page(leaves, fields, passage.leaves if passage else ())
    readings = max([i for i in range(MAX_READINGS) if fields.get(f"title-{i}")], default=-1) + 3
    waiting = waiting_for_repair(opened.book)
    context = editor_context(request, opened) | {
        "note": found,
        "fields": fields,
        "leaves": leaves,
        "stage": stage,
        "readings": [
            {"number": i} | {part: fields.get(f"{part}-{i}", "") for part in ("value", "title", "text")}
            for i in range(min(readings, MAX_READINGS))
        ],
        "passage": passage,
        "passages": [p.anchor for p in passages],
        "kinds": KIND_NAMES.items(),
        "authorities": AUTHORITIES,
        "certainties": CERTAINTIES,
        "options": options_of(opened.book.games),
        "html": to_html(fields.get("body", "")[:MAX_BODY]),
        "slip": next((slip for slip in waiting if found and slip.note == found.id), None),
    }
    return render(request, "curation/note.html", context | said, status=status)


@require_POST
@requires("propose")
def preview(request: HttpRequest) -> HttpResponse:
    """Markdown as it will be shown. Stores nothing."""
    html = to_html(request.POST.get("body", "")[:MAX_BODY])
    return render(request, "curation/_markdown.html", {"html": html})
