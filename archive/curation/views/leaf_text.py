"""Page for the text of a leaf: its page beside its lines, both layers shown, saved over what was seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from archive.curation import merge, page_list, proofreading, proposals
from archive.curation.book_files import NOTES, TEXT, notes_in, passage_names
from archive.curation.edits import OpenBook, open_book
from archive.curation.errors import AlreadyDecidedError, MergeConflictError, SecondPersonError
from archive.curation.forms import leaf_text
from archive.curation.forms.fields import page_number, reason_from
from archive.curation.forms.leaf_text import LeafRow
from archive.curation.forms.note import MAX_TITLE
from archive.curation.page_lines import page_lines
from archive.curation.views.editor import editor_context, refusal
from archive.edition import CERTAINTIES, EditionError
from archive.edition.line_styles import STYLES
from archive.images.pictures import page_image
from archive.models import Leaf, PageImage
from archive.models.books import NO_LINES
from archive.models.history import Proposal
from archive.ocr import tesseract
from archive.publication.errors import EditError
from archive.text_input import clean_line, clean_text
from people.models import Person
from people.permissions import person_of, requires


@require_http_methods(["GET", "HEAD", "POST"])
@requires("propose")
def edit_leaf(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    opened = open_book(request, slug)
    rows = leaf_text.rows_of(opened.files[TEXT], number)
    if rows is None:
        raise Http404("This rulebook has no such page.")
    if request.method != "POST":
        return _page(request, opened, number, rows)
    sent = leaf_text.rows_from(request.POST.getlist("line"))
    try:
        leaf_text.check_size(sent)
    except EditError as refused:
        return _page(request, opened, number, rows, 422, faults=refused.faults)
    return _save(request, opened, number, leaf_text.with_anchors(opened.files[TEXT], number, sent))


def _save(request: HttpRequest, opened: OpenBook, number: int, rows: list[LeafRow]) -> HttpResponse:
    person = person_of(request)
    text = leaf_text.with_leaf(opened.files[TEXT], number, rows)
    address = reverse("mend", args=[opened.slug, number])
    try:
        files = _with_new_notes(request, opened.files | {TEXT: text}, number)
        changed = {name: files[name] for name in (TEXT, NOTES) if files[name] != opened.files[name]}
        if not changed and not opened.proposal:
            return _record_state(request, opened, number, rows)
        done = proposals.submit(person, opened, changed, reason_from(request), f"Page {number}", address)
    except MergeConflictError as conflict:
        return _show_conflict(request, opened, number, conflict)
    except EditionError as fault:
        row = leaf_text.row_of_fault(text, number, fault)
        sentence = f"Line {row}: {fault.message}" if row else str(fault)
        said = {"wrong": {"line": sentence}, "bad_row": row} if row else {"faults": [sentence]}
        return _page(request, opened, number, rows, 422, **said)
    except (EditError, AlreadyDecidedError) as fault:
        status, said = refusal(fault)
        return _page(request, opened, number, rows, status, **said)
    if isinstance(done, Proposal):
        return redirect(f"{address}?proposed={done.pk}")
    state = request.POST.get("state", "")
    if state in (proofreading.NOT_PROOFREAD, proofreading.PROBLEMATIC, proofreading.PROOFREAD) and number:
        proofreading.record(opened.book, number, state, person)
    return redirect(f"{address}?saved={done.revision.number}")


def _with_new_notes(request: HttpRequest, files: dict[str, str], number: int) -> dict[str, str]:
    """With the notes that new marks call for, as the form gives them; EditError while one is missing."""
    notes, wanting = [], False
    for missing in leaf_text.missing_notes(files, number):
        title = clean_line(request.POST.get(f"title-{missing.id}", ""))[:MAX_TITLE]
        body = clean_text(request.POST.get(f"body-{missing.id}", "")).strip()
        certainty = request.POST.get(f"certainty-{missing.id}", "")
        if title and certainty in CERTAINTIES:
            signed, today = person_of(request).name, timezone.localdate()
            notes.append(leaf_text.new_note(missing, title, body, certainty, signed, today))
        else:
            wanting = True
    if wanting:
        raise EditError("Say why in one line, and how sure you are.", field="note")
    return files | ({NOTES: leaf_text.with_notes(files, notes)} if notes else {})


def _record_state(request: HttpRequest, opened: OpenBook, number: int, rows: list[LeafRow]) -> HttpResponse:
    """Record the state of a leaf whose text stays as it is."""
    try:
        if not person_of(request).may("publish"):
            raise EditError("Nothing has changed, so there is nothing to propose.")
        if number:
            proofreading.record(opened.book, number, request.POST.get("state", ""), person_of(request))
    except SecondPersonError:
        fault = "A page is validated by a second person, after somebody else has proofread it."
        return _page(request, opened, number, rows, 422, wrong={"state": fault})
    except EditError as refused:
        return _page(request, opened, number, rows, 422, faults=refused.faults)
    return redirect(f"{reverse('mend', args=[opened.slug, number])}?said=1")


def _show_conflict(
    request: HttpRequest, opened: OpenBook, number: int, conflict: MergeConflictError
) -> HttpResponse:
    """412: both texts are shown and kept. The form now rests on the latest revision, so that saving again is
    a choice made with open eyes."""
    chunks = conflict.chunks.get(TEXT) or next(iter(conflict.chunks.values()))
    mine = leaf_text.rows_of(merge.text_of(chunks), number) if TEXT in conflict.chunks else None
    rows = mine or leaf_text.rows_from(request.POST.getlist("line"))
    context = {"clashes": [c for c in chunks if c.kind == "clash"], "head": conflict.head}
    return _page(request, opened, number, rows, 412, parent=conflict.head.number, **context)


def _page(
    request: HttpRequest, opened: OpenBook, number: int, rows: list[LeafRow], status: int = 200, **said: Any
) -> HttpResponse:
    leaf = Leaf.objects.filter(book=opened.book, number=number).with_images().first()
    image = leaf.image if leaf else None
    person = person_of(request)
    waiting = {} if opened.proposal else proposals.first_texts(opened.book, person)
    current = proofreading.state_of(opened.book, number) if leaf else None
    validates = current is not None and proofreading.may_validate(current, person)
    text = leaf_text.with_leaf(opened.files[TEXT], number, rows)
    context = editor_context(request, opened) | {
        "number": number,
        "leaf": leaf,
        "rows": rows,
        "picture": page_image(leaf, opened.book.short_title) if leaf else None,
        "image": image,
        "page_lines": page_lines(image) if image else [],
        "preview": _preview(text, number),
        "passage": _passage_before(opened.files[TEXT], number),
        "marks": leaf_text.MARKS_EXPLAINED,
        "missing": _missing_notes(request, opened.files | {TEXT: text}, number),
        "certainties": CERTAINTIES,
        "state": current,
        "states": [
            (key, proofreading.STATES[key])
            for key in proofreading.RECORDED
            if key != "validated" or validates
        ],
        "count": Leaf.objects.filter(book=opened.book).count(),
        "is_stored": text == opened.files[TEXT],
        "names": [*passage_names(opened.files), *(note.id for note in notes_in(opened.files))],
        "styles": STYLES.values(),
        "saved": page_number(request, "saved"),
        "said": page_number(request, "said"),
        "proposed": page_number(request, "proposed"),
        "first_text": waiting.get(number),
        "next_text": _next_text(waiting, number),
        "proposals_here": proposals.proposals_at(
            opened.book,
            person,
            address__in=[reverse(name, args=[opened.slug, number]) for name in ("mend", "propose-scan")],
        ),
        "gap": leaf_text.GAP,
        "next_doubt": leaf_text.next_doubt(opened.files[TEXT], number),
    }
    context |= _reading(image, person)
    return render(request, "curation/leaf_text.html", context | said, status=status)


def _next_text(waiting: Mapping[int, Proposal], number: int) -> dict[str, Any] | None:
    """The first text that waits for the next page that has one; from the last page on, for the first."""
    order = sorted(waiting, key=lambda other: (other < number, other))
    return {"number": order[0], "proposal": waiting[order[0]]} if order else None


def _reading(image: PageImage | None, person: Person) -> dict[str, Any]:
    """The scan of a leaf without a text, for those who may have it read."""
    if image is None or image.is_facsimile or image.leaf.fingerprint != NO_LINES:
        return {}
    scan = image.scans.first() if person.may("publish") else None
    return {"scan": scan, "languages": tesseract.installed_languages()} if scan else {}


def _missing_notes(request: HttpRequest, files: dict[str, str], number: int) -> list[dict[str, Any]]:
    try:
        found = leaf_text.missing_notes(files, number)
    except EditionError:
        return []
    rows = []
    for one in found:
        given = {part: request.POST.get(f"{part}-{one.id}", "") for part in ("title", "body", "certainty")}
        wanting = request.method == "POST" and not (given["title"].strip() and given["certainty"])
        rows.append({"id": one.id, "kind": one.kind, "words": one.words, "wanting": wanting, **given})
    return rows


def _passage_before(text: str, number: int) -> str:
    """The passage that the leaf begins with, or goes on with."""
    lines = leaf_text.lines_of(text, number)
    return next((passage for line in lines for passage in line.passages), "")


def _preview(text: str, number: int) -> dict[str, Any]:
    try:
        return {"lines": leaf_text.lines_of(text, number)}
    except EditionError as fault:
        row = leaf_text.row_of_fault(text, number, fault)
        return {"fault": fault.message, "row": row}


@require_POST
@requires("propose")
def preview(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Both layers of what is in the form, or what is wrong with it. Stores nothing."""
    opened = open_book(request, slug)
    if leaf_text.rows_of(opened.files[TEXT], number) is None:
        raise Http404("This rulebook has no such page.")
    rows = leaf_text.rows_from(request.POST.getlist("line"))
    try:
        leaf_text.check_size(rows)
    except EditError as refused:
        return render(request, "curation/_leaf_preview.html", {"preview": {"fault": str(refused)}})
    rows = leaf_text.with_anchors(opened.files[TEXT], number, rows)
    text = leaf_text.with_leaf(opened.files[TEXT], number, rows)
    return render(request, "curation/_leaf_preview.html", {"preview": _preview(text, number)})


@require_safe
@requires("propose")
def leaves(request: HttpRequest, slug: str) -> HttpResponse:
    opened = open_book(request, slug)
    waiting = proposals.first_texts(opened.book, person_of(request))
    pages = page_list.pages_of(opened.book, opened.files[TEXT], waiting)
    context = {
        "book": opened.book,
        "pages": pages,
        "progress": page_list.progress_of(pages),
        "has_loose": leaf_text.rows_of(opened.files[TEXT], 0) is not None,
        "publishes": person_of(request).may("publish"),
    }
    return render(request, "curation/leaves.html", context)
