"""Forms for what happens in a declared game: entries, what must hold in them, what they award, the end."""

from __future__ import annotations

from typing import Any

from django import forms

from archive.curation.forms.game_inputs import Choice, Flag, Line, plain, sign_of
from archive.curation.forms.game_piece import PieceForm, Table, each_of, players_of
from archive.curation.game_text import rows_of
from engine.declared.declaration import EVERYBODY, OTHERS_OF
from engine.declared.entry_tables import QUESTION_LENGTH, SAYS_LENGTH, SYMBOL_LENGTH
from engine.declared.sums import LENGTH_MOST

SUM = "A number or a sum, such as 25, cards or 5 * cards."


class EntryForm(PieceForm):
    title, cited = "Something that happens", False
    question = Line("What happens at the table?", QUESTION_LENGTH, "As it is said there: A hand is won.")
    hand = Flag("A hand or round is over with it")
    once = forms.MultipleChoiceField(
        required=False,
        label="Only once with the same answer to",
        widget=forms.CheckboxSelectMultiple,
        help_text="Such an entry is refused the second time.",
    )

    def prepare(self) -> None:
        rows = rows_of(self.table or {}, "field")
        asked = [row for row in rows if row.get("kind") in ("player", "choice", "flag")]
        if not asked:
            del self.fields["once"]
        else:
            once: Any = self.fields["once"]
            once.choices = [(row.get("key"), row.get("question")) for row in asked]

    def written(self) -> Table:
        sent = self.cleaned_data
        found: Table = {"key": self.name("key", sent["question"], "entry"), "question": sent["question"]}
        if sent["hand"]:
            found["hand"] = True
        return found | ({"once": sent["once"]} if sent.get("once") else {})


class CheckForm(PieceForm):
    title = "Something that must hold"
    that = Line("What must be true", LENGTH_MOST, "A sum such as sum(hearts) == 13, or bid <= 300.")
    says = Line("What the pad says otherwise", SAYS_LENGTH)


class AwardForm(PieceForm):
    title = "Points"
    asks = {"from": "source"}
    to = Choice("Who gets them")
    points = Line("How many points", LENGTH_MOST, SUM)
    when = Line(
        "Only if", LENGTH_MOST, "Left empty: always. Else a sum such as taken >= bid.", required=False
    )
    source = Choice("Who gives them", required=False)
    symbol = Line(
        "Sign on the sheet",
        SYMBOL_LENGTH,
        "Short. Left empty, it is the name of what happens.",
        required=False,
    )
    why = Line(
        "Why, as the pad says it",
        SAYS_LENGTH,
        "{who} and {points} are filled in, and so is every answer by its name. Left empty, it is made.",
        required=False,
    )

    def prepare(self) -> None:
        players, each = players_of(self.around), each_of(self.around)
        to: Any = self.fields["to"]
        to.choices = [(key, f"the {key.replace('_', ' ')}") for key in players]
        to.choices += [(key, "each player who is asked") for key in each]
        to.choices += [(OTHERS_OF + key, f"every player but the {key.replace('_', ' ')}") for key in players]
        to.choices += [(EVERYBODY, "everybody")]
        source: Any = self.fields["source"]
        source.choices = [("", "no player"), *((key, f"the {key.replace('_', ' ')}") for key in players)]
        source.choices += [(key, "each player who is asked") for key in each]

    def shown(self, table: Table) -> Table:
        return {**table, "source": table.get("from", "")}

    def written(self) -> Table:
        sent = self.cleaned_data
        question = plain(str(self.around.get("question", "")))
        found = {"to": sent["to"], "points": sum_of(sent["points"])}
        if sent["when"]:
            found["when"] = sent["when"]
        if sent["source"]:
            found["from"] = sent["source"]
        found["symbol"] = sent["symbol"] or sign_of(question)
        return found | {"why": sent["why"] or why_of(question)}


class EndForm(PieceForm):
    title = "The end of the game"
    initial_values = {"wins": "highest"}
    reaches = Line("When a total reaches", LENGTH_MOST, "A number, or the name of an option.", required=False)
    falls = Line("When a total falls to", LENGTH_MOST, "Such as -100.", required=False)
    after = Line(
        "After so many hands", LENGTH_MOST, "A number, or a sum such as 2 * players.", required=False
    )
    at = Choice(
        "When a total is looked at",
        [("hand", "when a hand is over"), ("once", "at once, also in the middle of a hand")],
    )
    wins = Choice(
        "Who wins",
        [
            ("highest", "the highest total"),
            ("lowest", "the lowest total"),
            ("first", "the first to get there"),
        ],
    )
    ties = Choice("If two are equal", [("shared", "they share the game"), ("play on", "the game goes on")])
    why = Line(
        "Why, as the pad says it",
        SAYS_LENGTH,
        "{winners} becomes “Ada has”. Left empty, it is made.",
        required=False,
    )

    def written(self) -> Table:
        sent = self.cleaned_data
        found = {key: sum_of(sent[key]) for key in ("after", "reaches", "falls") if sent[key]}
        if sent["at"] == "once":
            found["at"] = "once"
        found["wins"] = sent["wins"]
        if sent["ties"] != "shared":
            found["ties"] = sent["ties"]
        made = (
            "{winners} reached it first."
            if sent["wins"] == "first"
            else f"{{winners}} the {sent['wins']} total."
        )
        return found | {"why": sent["why"] or made}


def sum_of(written: str) -> int | str:
    """A number as a number, and a sum as text."""
    return int(written) if written.removeprefix("-").isdecimal() and len(written) < 12 else written


def why_of(question: str) -> str:
    return f"{question}: {{who}} gets {{points}}" if question else "{who} gets {points}"
