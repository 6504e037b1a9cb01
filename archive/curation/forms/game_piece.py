"""Form of one piece of a declared game: its table read into fields, and back.

Forms check what a browser may send wrongly. Whether a piece makes sense the engine says, at the same fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from archive.curation.forms.game_inputs import free_name, keys_in
from archive.curation.game_text import rows_of

Table = dict[str, Any]
NAMED = "Sums and sentences call it so. Left empty, it is made from the question."


class PieceForm(forms.Form):
    """A form of one piece. `whole` is the declaration, `around` the piece in which this one stands."""

    title = ""
    cited = True
    """Whether sentences of the rulebook are ticked for it."""
    initial_values: Table = {}
    asks: Mapping[str, str] = {}
    """Keys of the piece that another field of the form asks for: a fault of the one is shown at the other."""

    def __init__(
        self,
        sent: Mapping[str, Any] | None,
        table: Table | None,
        whole: Mapping[str, Any],
        around: Table | None = None,
    ) -> None:
        super().__init__(sent, initial=self.shown(table) if table is not None else self.initial_values)
        self.table, self.whole, self.around = table, whole, around or {}
        self.prepare()
        for field in self.fields.values():
            if not isinstance(field.widget, forms.CheckboxInput | forms.CheckboxSelectMultiple):
                field.widget.attrs |= {"class": "entry", "autocomplete": "off"}

    def prepare(self) -> None:
        """Fill in the choices that depend on the rest of the game."""

    def shown(self, table: Table) -> Table:
        return table

    def written(self) -> Table:
        """The keys of the piece, but for its passages; empty answers are left out."""
        return {key: value for key, value in self.cleaned_data.items() if value not in ("", None)}

    def citing(self, cites: list[str]) -> Table:
        """The keys of the piece with its passages."""
        return self.written() | ({"cites": cites} if self.cited and cites else {})

    def name(self, key: str, words: str, otherwise: str) -> str:
        """The name that was written, that the piece has, or a new one."""
        given = self.cleaned_data.get(key) or (self.table or {}).get(key)
        return given or free_name(words, keys_in(self.whole, self.around or None), otherwise)


def players_of(entry: Table) -> list[str]:
    return _keys_of(entry, "player")


def each_of(entry: Table) -> list[str]:
    return _keys_of(entry, "each")


def _keys_of(entry: Table, kind: str) -> list[str]:
    return [str(row.get("key")) for row in rows_of(entry, "field") if row.get("kind") == kind]
