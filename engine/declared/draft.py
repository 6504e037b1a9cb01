"""A declaration while it is written: each piece by its place, told in a sentence or refused with one.

What stands already is read even if its end is missing, or a piece beside it is wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from engine.declared.declaration import AwardRule, Check, Declaration, EndRule, EntryRule
from engine.declared.errors import DeclarationError, Path
from engine.declared.schema import gather, read_declaration
from engine.declared.statements import Statement, told
from engine.rules import Option


class Draft(NamedTuple):
    """What can be read of a declaration, and every fault in it. `declaration` is there once there is none."""

    data: Mapping[str, Any]
    read: Mapping[Path, Any]
    faults: tuple[DeclarationError, ...]
    declaration: Declaration | None

    def statement(self, path: Path) -> Statement | None:
        """The piece at this place in a sentence; none of what is faulty or says nothing by itself."""
        record = self.read.get(path)
        if not isinstance(record, (Option, Check, AwardRule, EndRule)):
            return None
        rule = self.read.get(path[:2])
        return told(record, path, rule if isinstance(rule, EntryRule) else None)


def read_draft(text: str, anchors: Collection[str] | None = None) -> Draft:
    """The pieces of this text; a DeclarationError only if it is not TOML at all."""
    data, gathering = gather(text, anchors)
    whole = None if gathering.faults else read_declaration(text, anchors)
    return Draft(data, gathering.read, tuple(gathering.faults), whole)
