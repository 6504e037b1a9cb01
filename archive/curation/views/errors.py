"""What a form shows again when its edit was not taken: the status of the answer, and why."""

from __future__ import annotations

from typing import Any

from archive.curation.edits import MergeConflictError
from archive.curation.proposals import AlreadyDecidedError
from archive.publication.errors import EditError

NOT_TAKEN = (EditError, AlreadyDecidedError, MergeConflictError)


def answer_to(fault: Exception) -> tuple[int, dict[str, Any]]:
    """Of any other fault the sentence itself says what to write: at its field, if it speaks of one."""
    if isinstance(fault, MergeConflictError):
        chunks = [chunk for found in fault.chunks.values() for chunk in found if chunk.kind == "clash"]
        return 412, {"clashes": chunks, "head": fault.head, "parent": fault.head.number}
    if isinstance(fault, AlreadyDecidedError):
        return 409, {"faults": ["This proposal has been decided already."]}
    return 422, fault.context if isinstance(fault, EditError) else {"faults": [str(fault)]}
