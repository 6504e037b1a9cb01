"""The form for each kind of piece of a declared game."""

from __future__ import annotations

from archive.curation.forms.game_piece import PieceForm, Table
from archive.curation.forms.game_question import FIELDS
from archive.curation.forms.game_rule import AwardForm, CheckForm, EndForm, EntryForm
from archive.curation.forms.game_scoring import ScoringForm
from archive.curation.forms.game_table import HeadForm, NumberOptionForm, PriceTableForm, ReadingsForm

OPTIONS: dict[str, type[PieceForm]] = {"number": NumberOptionForm, "readings": ReadingsForm}
FORMS: dict[str, type[PieceForm]] = {
    "": HeadForm,
    "table": PriceTableForm,
    "check": CheckForm,
    "award": AwardForm,
    "end": EndForm,
}


def form_class(kind: str, table: Table | None, asked: str) -> type[PieceForm] | None:
    """The form of a piece: by what it is, or of a new one by what is asked for."""
    if kind == "option":
        return OPTIONS.get(asked if table is None else "readings" if "readings" in table else "number")
    if kind in ("field", "share"):
        return FIELDS.get(asked if table is None else str(table.get("kind")))
    if kind == "entry":
        return ScoringForm if table is None and asked == "scoring" else EntryForm
    return FORMS.get(kind)
