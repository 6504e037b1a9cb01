"""Forms for what a declared game is and what its table can choose: players, options, tables of values."""

from __future__ import annotations

from django.core.exceptions import ValidationError

from archive.curation.forms.game_inputs import Choice, Line, Name, Number, Priced, Told
from archive.curation.forms.game_piece import NAMED, PieceForm, Table
from archive.curation.game_places import NEW
from engine.declared.entry_tables import QUESTION_LENGTH
from engine.declared.schema import SEATS_MOST
from engine.rules import AUTHORITIES


class HeadForm(PieceForm):
    title, cited = "The game and its players", False
    asks = {"title": "game", "seats": "most"}
    game = Line("Name of the game", 80)
    least = Number("Players, at least", min_value=1, max_value=SEATS_MOST)
    most = Number("Players, at most", min_value=1, max_value=SEATS_MOST)
    seat = Choice("Who sits in a seat", [("player", "a player"), ("side", "a side of several players")])
    by = Line("Declared by", 80, "Your name, as it stands on every pad of this game.")
    key = Line("Name in addresses", 40, "Small letters, digits and hyphens.")

    def shown(self, table: Table) -> Table:
        seats = table.get("seats")
        least, most = seats if isinstance(seats, list) and len(seats) == 2 else (2, 6)
        return {**table, "game": table.get("title"), "least": least, "most": most}

    def written(self) -> Table:
        sent = self.cleaned_data
        found = {"key": sent["key"], "title": sent["game"], "book": self.whole.get("book"), "by": sent["by"]}
        if sent["seat"] != "player":
            found["seat"] = sent["seat"]
        silent = {"silent": self.whole["silent"]} if "silent" in self.whole else {}
        return found | {"seats": [sent["least"], sent["most"]]} | silent


class OptionForm(PieceForm):
    question = Line("What can a table choose?", QUESTION_LENGTH, "A question: How many points win the game?")
    authority = Choice("How the rulebook answers it", [*AUTHORITIES.items()])
    key = Name(hint=NAMED)


class NumberOptionForm(OptionForm):
    title = "A number that a table can choose"
    default = Number("Usual number")
    least = Number("Smallest")
    most = Number("Largest")

    def written(self) -> Table:
        sent = self.cleaned_data
        key = self.name("key", sent["question"], "target")
        return {
            "key": key,
            **{name: sent[name] for name in ("question", "default", "least", "most", "authority")},
        }


class ReadingsForm(OptionForm):
    title = "A choice between readings"
    readings = Told(
        "The readings", "One in each line, the usual one first: a word, a colon, and what it means."
    )

    def shown(self, table: Table) -> Table:
        readings = table.get("readings")
        rows = readings if isinstance(readings, dict) else {}
        usual = table.get("default")
        words = sorted(rows, key=lambda word: word != usual)
        return {**table, "readings": "\n".join(f"{word}: {rows[word]}" for word in words)}

    def written(self) -> Table:
        sent = self.cleaned_data
        found = {"key": self.name("key", sent["question"], "reading"), "question": sent["question"]}
        default = next(iter(sent["readings"]), "")
        return {**found, "default": default, "readings": sent["readings"], "authority": sent["authority"]}


class PriceTableForm(PieceForm):
    title, cited = "A table of values", False
    key = Name("Name of the table", "Sums price a choice with it: values[card].")
    rows = Priced("Its rows", "One in each line: a word, a colon and a whole number, such as queen: 13.")

    def shown(self, table: Table) -> Table:
        return {"rows": "\n".join(f"{word}: {number}" for word, number in table.items())}

    def prepare(self) -> None:
        if self.table is not None:
            del self.fields["key"]

    def clean_key(self) -> str:
        key: str = self.cleaned_data["key"]
        tables = self.whole.get("table")
        if key == NEW or (isinstance(tables, dict) and key in tables):
            raise ValidationError(f"The name {key} is taken already. Choose another.")
        return key

    def written(self) -> Table:
        return dict(self.cleaned_data["rows"])
