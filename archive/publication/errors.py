"""Refusals of a change to a book, in sentences for those who made it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class PublishError(Exception):
    """Nothing was loaded; `faults` are sentences that name file and line."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


class EditError(Exception):
    """Nothing was published; `faults` are sentences that name file and line. `field` is the field of the form
    that they speak of, if it is one."""

    def __init__(self, *faults: str, field: str = "") -> None:
        super().__init__("\n".join(faults))
        self.faults = faults
        self.field = field

    @property
    def context(self) -> dict[str, Any]:
        """For the template that shows the form again: the sentence at its field, or all of them above it."""
        return {"wrong": {self.field: str(self)}} if self.field else {"faults": self.faults}


def check_reason(reason: str) -> None:
    if not reason.strip():
        raise EditError("Say briefly why, for readers of the history.", field="reason")
