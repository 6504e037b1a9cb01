"""Notes: the list of a book's notes with those that slipped, and the form for one."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from archive.curation import note_repair, proposals
from archive.curation.forms import fields as words
from archive.curation.forms import note as annotating
from archive.curation.forms import staging
from archive.curation.opening import Opened, open_book
from archive.curation.views.errors import NOT_TAKEN, answer_to
from archive.edition import AUTHORITIES, CERTAINTIES, Note
from archive.edition.transcript import read_text
from archive.models import Leaf
from archive.models.history import Proposal
from archive.reader.markdown import to_html
from archive.reader.notes import KIND_NAMES
from people.permissions import person_of, requires

REASON_MOST = 500
BODY_MOST = 20_000


@require_safe
@requires("propose")
def notes(request: HttpRequest, slug: str) -> HttpResponse:
    opened = open_book(request, slug)
    context = {
        "book": opened.book,
        "notes": [(note, KIND_NAMES[note.kind]) for note in note_repair.notes_in(opened.files)],
        "slips": note_repair.waiting(opened.book),
        "saved": request.GET.get("saved", ""),
    }
    return render(request, "curation/notes.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@requires("propose")
def note(request: HttpRequest, slug: str, id: str = "") -> HttpResponse:
    """A new note, or one that there is."""
    opened = open_book(request, slug)
    found = next((one for one in note_repair.notes_in(opened.files) if one.id == id), None)
    if id and found is None:
        raise Http404("This book has no such note.")
    if request.method != "POST":
        fields = annotating.fields_of(found) if found else _asked(request)
        return _page(request, opened, found, fields)
    if request.POST.get("act") == "show":
        return _page(request, opened, found, request.POST.dict())
    return _take(request, opened, found)


def _asked(request: HttpRequest) -> dict[str, str]:
    """What an address that leads to a new note already says of it."""
    given = {name: request.GET.get(name, "") for name in ("anchor", "quote", "kind", "certainty")}
    return given | {"anchor": request.GET.get("passage") or given["anchor"]}


def _take(request: HttpRequest, opened: Opened, found: Note | None) -> HttpResponse:
    person, fields = person_of(request), request.POST.dict()
    reason = words.line(request.POST.get("reason", ""))[:REASON_MOST]
    old = found.id if found else ""
    try:
        if request.POST.get("act") == "remove" and found:
            changed, name = annotating.without_note(opened.files, old), old
            address = reverse("notes", args=[opened.slug])
        else:
            id = old or words.line(request.POST.get("id", ""))
            written = annotating.note_from(fields, id, person.name, timezone.localdate())
            annotating.check_place(opened.files, written)
            changed, name = annotating.with_note(opened.files, written, old), written.id
            address = reverse("note", args=[opened.slug, name])
        done = proposals.submit(person, opened, changed, reason, f"Note {name}", address)
    except (annotating.NoteError, *NOT_TAKEN) as fault:
        status, said = answer_to(fault)
        return _page(request, opened, found, fields, status, **said)
    if isinstance(done, Proposal):
        return redirect("proposal", done.pk)
    return redirect(f"{reverse('notes', args=[opened.slug])}?saved={done.revision.number}#note-{name}")


def _page(
    request: HttpRequest,
    opened: Opened,
    found: Note | None,
    fields: dict[str, str],
    status: int = 200,
    **context: Any,
) -> HttpResponse:
    passages = read_text(opened.files["text.txt"]).passages
    anchor = fields.get("anchor", "")
    passage = next((p for p in passages if anchor in (*p.anchors, *p.aliases)), None)
    leaves = list(Leaf.objects.filter(book=opened.book).with_images())
    stage, fields = staging.stage(leaves, fields, passage.leaves if passage else ())
    readings = max([i for i in range(annotating.READINGS_MOST) if fields.get(f"title-{i}")], default=-1) + 3
    context |= {
        "book": opened.book,
        "opened": opened,
        "parent": context.get("parent", opened.parent),
        "note": found,
        "fields": fields,
        "leaves": leaves,
        "stage": stage,
        "readings": [
            {"number": i} | {part: fields.get(f"{part}-{i}", "") for part in ("value", "title", "text")}
            for i in range(min(readings, annotating.READINGS_MOST))
        ],
        "passage": passage,
        "passages": [p.anchor for p in passages],
        "kinds": KIND_NAMES.items(),
        "authorities": AUTHORITIES,
        "certainties": CERTAINTIES,
        "options": annotating.options_of(opened.book.games),
        "html": to_html(fields.get("body", "")[:BODY_MOST]),
        "slip": next((s for s in note_repair.waiting(opened.book) if found and s.note == found.id), None),
        "publishes": person_of(request).may("publish"),
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "curation/note.html", context, status=status)


@require_POST
@requires("propose")
def preview(request: HttpRequest) -> HttpResponse:
    """Markdown as it will be shown. Stores nothing."""
    html = to_html(request.POST.get("body", "")[:BODY_MOST])
    return render(request, "curation/_markdown.html", {"html": html})
