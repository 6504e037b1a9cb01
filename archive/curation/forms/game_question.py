"""Forms for the questions of an entry: a player, a number, yes or no, a choice, cards, each player."""

from __future__ import annotations

from typing import Any

from archive.curation.forms.fields import number_from
from archive.curation.forms.game_inputs import Choice, Flag, Line, Name, Number, Rows, free_name, keys_in
from archive.curation.forms.game_piece import NAMED, PieceForm, Table, players_of
from engine.declared.entry_tables import PIECES_MOST, QUESTION_LENGTH
from engine.declared.sums import NUMBER_MOST


class FieldForm(PieceForm):
    """A question of an entry, or of what is asked of each player."""

    cited = False
    kind = ""
    asks = {"from": "least", "to": "most", "required": "optional", "share": "counted"}
    question = Line("The question", QUESTION_LENGTH)
    key = Name("Call the answer", NAMED)
    optional = Flag("It may be left unanswered")

    def shown(self, table: Table) -> Table:
        return {
            **table,
            "least": table.get("from"),
            "most": table.get("to"),
            "optional": not table.get("required", True),
        }

    def written(self) -> Table:
        sent = self.cleaned_data
        key = self.name("key", sent["question"], self.kind)
        found = {"key": key, "kind": self.kind, "question": sent["question"]}
        return found | self.bounds(sent) | ({"required": False} if sent.get("optional") else {})

    def bounds(self, sent: Table) -> Table:
        return {}


class PlayerFieldForm(FieldForm):
    title, kind = "A question: which player?", "player"
    initial_values = {"question": "Who is it?", "key": "player"}


class NumberFieldForm(FieldForm):
    title, kind = "A question: how many?", "number"
    initial_values = {"least": 0, "most": 100, "step": 1}
    least = Number("From")
    most = Number("To")
    step = Number("In steps of", min_value=1)

    def shown(self, table: Table) -> Table:
        return {"step": 1, **super().shown(table)}

    def bounds(self, sent: Table) -> Table:
        step = {"step": sent["step"]} if sent["step"] != 1 else {}
        return {"from": sent["least"], "to": sent["most"]} | step


class FlagFieldForm(FieldForm):
    title, kind = "A question: yes or no?", "flag"


class ChoiceFieldForm(FieldForm):
    title, kind = "A question: which of these?", "choice"
    values = Rows("What can be chosen", "One in each line.")

    def shown(self, table: Table) -> Table:
        return {**super().shown(table), "values": _lines(table.get("values"))}

    def bounds(self, sent: Table) -> Table:
        return {"values": sent["values"]}


class PiecesFieldForm(ChoiceFieldForm):
    title, kind = "A question: which cards or pieces?", "pieces"
    initial_values = {"least": 0, "most": 10}
    least = Number("How many, at least", min_value=0, max_value=PIECES_MOST)
    most = Number("How many, at most", min_value=1, max_value=PIECES_MOST)

    def bounds(self, sent: Table) -> Table:
        old = (self.table or {}).get("values")
        numbers = isinstance(old, list) and all(type(value) is int for value in old)
        values = [_number_in(value) if numbers else value for value in sent["values"]]
        return {"values": values, "from": sent["least"], "to": sent["most"]}


class EachFieldForm(FieldForm):
    title, kind = "A question to each player", "each"
    initial_values = {"question": "What is each left with?", "key": "hands", "least": 0, "most": 100}
    but = Choice(
        "Each player", hint="That player must be asked for before this: move the question up.", required=False
    )
    counted = Line("What is counted of each", QUESTION_LENGTH, required=False, initial="Points left")
    least = Number("From", required=False)
    most = Number("To", required=False)

    def prepare(self) -> None:
        del self.fields["optional"]
        but: Any = self.fields["but"]
        named = [(key, f"but the {key.replace('_', ' ')}") for key in players_of(self.around)]
        but.choices = [("", "without exception"), *named]
        if self.table is not None:
            for name in ("counted", "least", "most"):
                del self.fields[name]

    def bounds(self, sent: Table) -> Table:
        found: Table = {"but": sent["but"]} if sent["but"] else {}
        if self.table is None:
            question = sent["counted"] or "How many?"
            key = free_name(question, {*keys_in(self.whole), sent.get("key", "")}, "count")
            least, most = sent["least"] or 0, 100 if sent["most"] is None else sent["most"]
            found["share"] = [{"key": key, "kind": "number", "question": question, "from": least, "to": most}]
        return found


FIELDS = {
    form.kind: form
    for form in (
        PlayerFieldForm,
        NumberFieldForm,
        FlagFieldForm,
        ChoiceFieldForm,
        PiecesFieldForm,
        EachFieldForm,
    )
}


def _number_in(word: str) -> str | int:
    """The number that this word is; the word itself if it is none."""
    number = number_from(word, -NUMBER_MOST, NUMBER_MOST)
    return word if number is None else number


def _lines(values: object) -> str:
    return "\n".join(str(value) for value in values) if isinstance(values, list) else ""
