"""Form for something that scores, in one: what happens, what the pad asks then, and who gets how many points.

It is how most sentences of a rulebook begin; what it makes are pieces like all others, changed one by one.
"""

from __future__ import annotations

from django.core.exceptions import ValidationError

from archive.curation.forms.game_inputs import Choice, Flag, Line, Number, free_name, keys_in, plain, sign_of
from archive.curation.forms.game_piece import PieceForm, Table
from archive.curation.forms.game_rule import sum_of, why_of
from engine.declared.declaration import EVERYBODY, OTHERS_OF
from engine.declared.entry_tables import QUESTION_LENGTH
from engine.declared.sums import LENGTH_MOST

MOST_OFFERED = 100
RECEIVERS = [
    ("one", "one player, whom the pad asks for"),
    ("others", "every player but one, whom the pad asks for"),
    ("each", "each player, what the pad asks for each"),
    ("everybody", "everybody the same"),
]


class ScoringForm(PieceForm):
    title = "Something that scores points"
    asks = {"points": "always", "from": "least", "to": "most", "key": "question"}
    initial_values = {"player": "player", "counted": "How many points?", "least": 0, "most": MOST_OFFERED}
    question = Line("What happens at the table?", QUESTION_LENGTH, "As it is said there: A hand is won.")
    hand = Flag("A hand or round is over with it")
    who = Choice("Who gets points", RECEIVERS)
    player = Line("Call that player", 40, "Such as winner or dealer.", required=False)
    always = Line(
        "How many points",
        LENGTH_MOST,
        "If they are always the same: 25, or a sum such as 2 * players. Left empty, the pad asks for them.",
        required=False,
    )
    counted = Line(
        "What the pad asks", QUESTION_LENGTH, "If the points are not always the same.", required=False
    )
    least = Number("From", required=False)
    most = Number("To", required=False)

    def clean(self) -> Table:
        sent: Table = super().clean() or {}
        if sent.get("who") == "each" and sent.get("always"):
            says = "What each gets is asked for each. Leave this empty, or choose who else gets points."
            raise ValidationError({"always": says})
        return sent

    def citing(self, cites: list[str]) -> Table:
        sent = self.cleaned_data
        key = free_name(sent["question"], keys_in(self.whole), "entry")
        fields, to, points = self._asked()
        why = why_of(plain(sent["question"]))
        award: Table = {
            "to": to,
            "points": points,
            "symbol": sign_of(sent["question"]),
            "cites": cites,
            "why": why,
        }
        found: Table = {"key": key, "question": sent["question"]} | ({"hand": True} if sent["hand"] else {})
        # What is empty is not written, so that the engine says what is missing.
        return found | {
            "field": fields,
            "award": [{name: value for name, value in award.items() if value != []}],
        }

    def _asked(self) -> tuple[list[Table], str, int | str]:
        """The questions of the entry, who gets points, and how many."""
        sent, taken = self.cleaned_data, keys_in(self.whole, {})
        player = free_name(sent["player"], taken, "player")
        number = free_name(sent["counted"], taken | {player}, "counted")
        asked: Table = {
            "key": number,
            "kind": "number",
            "question": sent["counted"] or "How many points?",
            "from": sent["least"] or 0,
            "to": MOST_OFFERED if sent["most"] is None else sent["most"],
        }
        if sent["who"] == "each":
            each = free_name("each_player", taken, "each")
            return (
                [{"key": each, "kind": "each", "question": asked["question"], "share": [asked]}],
                each,
                number,
            )
        fields: list[Table] = []
        if sent["who"] != "everybody":
            words = sent["player"] or "player"
            fields.append({"key": player, "kind": "player", "question": f"Who is the {words}?"})
        if not sent["always"]:
            fields.append(asked)
        to = {"one": player, "others": OTHERS_OF + player, "everybody": EVERYBODY}[sent["who"]]
        return fields, to, sum_of(sent["always"]) if sent["always"] else number
