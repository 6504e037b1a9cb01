"""Shared parts of the pages that edit a book: submit a change, show its form again, common context."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from archive.curation import proposals
from archive.curation.edits import OpenBook
from archive.curation.errors import AlreadyDecidedError, MergeConflictError
from archive.curation.forms.fields import reason_from
from archive.models.history import Proposal
from archive.publication.errors import EditError
from people.permissions import person_of

NOT_SAVED = (EditError, AlreadyDecidedError, MergeConflictError)


def submit(
    request: HttpRequest,
    opened: OpenBook,
    changed: Mapping[str, str],
    place: str,
    address: str,
    saved_at: str,
) -> HttpResponse:
    """Publish or propose a change; `saved_at` is the address of the answer, with {} for the new revision."""
    done = proposals.submit(person_of(request), opened, changed, reason_from(request), place, address)
    if isinstance(done, Proposal):
        return redirect("proposal", done.pk)
    return redirect(saved_at.format(done.revision.number))


def refusal(fault: Exception) -> tuple[int, dict[str, Any]]:
    """Status and context of a form that is shown again because its edit was not saved. Of any other fault the
    sentence itself says what to write: at its field, if it speaks of one."""
    if isinstance(fault, MergeConflictError):
        chunks = [chunk for found in fault.chunks.values() for chunk in found if chunk.kind == "clash"]
        return 412, {"clashes": chunks, "head": fault.head, "parent": fault.head.number}
    if isinstance(fault, AlreadyDecidedError):
        return 409, {"faults": ["This proposal has been decided already."]}
    return 422, fault.context if isinstance(fault, EditError) else {"faults": [str(fault)]}


def editor_context(request: HttpRequest, opened: OpenBook) -> dict[str, Any]:
    """Context that the template of every editor needs; after a conflict `parent` comes from refusal()."""
    return {
        "book": opened.book,
        "opened": opened,
        "parent": opened.parent,
        "publishes": person_of(request).may("publish"),
        "reason": request.POST.get("reason", ""),
    }
