"""A clumsy robot: four phones play the script of an evening, with all that fingers and networks do wrong.

The same entry is tapped on two phones, answers are lost and messages sent again, entries and answers are
undone and made once more. What counts at the end must be exactly the script.
"""

from random import Random

import engine
from scorepad import ledger
from tests.engine.random_games import PROPOSE
from tests.scorepad.conftest import NAMES, sit_down
from tests.scorepad.test_twins import refusal
from tests.scorepad.test_undo import Thumb, draft, standing

PHONES = ("Ann", "Bert", "Cleo", None)
TRIES_MOST = 60
RESENT_MOST = 3
HELD = ("twin", "counted-already", "differs")


class Robot:
    """One game of the evening on four phones."""

    def __init__(self, game, seed):
        self.rng, self.made = Random(f"{game} {seed}"), 0
        self.table = sit_down(game=game)
        self.phones = [Thumb(self.table, seat) for seat in PHONES]
        head = {"tally": 1, "game": game, "players": NAMES, "options": self.table.pad.options}
        self.position = engine.replay({**head, "entries": []})
        self.script, self.twins, self.undone = [], 0, 0

    def play(self, entries):
        for _ in range(entries):
            entry = self.next_entry()
            if entry is None:
                break
            self.enter(entry)
            assert standing(self.table) == self.script, self.script
        return self

    def next_entry(self):
        """One entry that stands, for the script."""
        for _ in range(TRIES_MOST):
            entry = PROPOSE[self.table.pad.game](self.rng, self.position)
            try:
                self.position = self.position.enter(entry)
            except engine.Refused:
                continue
            return entry
        return None

    def enter(self, entry):
        phone = self.rng.choice(self.phones)
        parts = answers_of(entry)
        if parts:
            self.answer(phone, parts)
        else:
            self.tap(phone, entry)
            if self.rng.random() < 0.3:
                self.undo(phone)
                self.tap(phone, entry)
        self.script.append(entry)
        if self.rng.random() < 0.5:
            self.tap_twin(phone, entry)

    def tap(self, phone, entry):
        """A whole entry, often with its answer lost; where it is asked about, it was another one."""
        tap = {"id": self.new_id(), **entry}
        answer = self.send(lambda: phone.enter(tap, age=self.rng.randint(0, 3000)))
        if answer.status_code == 422:
            assert refusal(answer)["code"] == "twin", refusal(answer)
            answer = self.send(lambda: phone.enter(tap, another=True))
        assert answer.status_code == 200

    def tap_twin(self, phone, entry):
        """A neighbour has recorded the same, and says so when he is asked."""
        other = self.rng.choice([one for one in self.phones if one is not phone])
        before = ledger.head(self.table.pad)
        tap = {"id": self.new_id(), **entry}
        answer = self.send(lambda: other.enter(tap, age=self.rng.randint(0, 9000)))
        assert refusal(answer)["code"] in HELD, refusal(answer)
        assert ledger.head(self.table.pad) == before
        self.twins += 1

    def answer(self, phone, parts):
        """An entry answered part by part; some are undone, and a whole hand is opened again."""
        for place, (at, value) in enumerate(parts):
            self.put(phone, at, value)
            is_last = place == len(parts) - 1
            if self.rng.random() < (0.5 if is_last else 0.2):
                self.undo(phone)
                assert is_last is False or draft(self.table) is not None
                self.put(phone, at, value)

    def put(self, phone, at, value):
        made = draft(self.table)
        seen = {"for": made["id"] if made else "", "seen": made["revision"] if made else 0}
        sent = {"at": at, "put": value, "head": ledger.head(self.table.pad), **seen}
        assert self.send(lambda: phone.post(part=sent)).status_code == 200

    def undo(self, phone):
        name, value, _ = phone.offered()
        tap = self.new_id()
        assert self.send(lambda: phone.send_undo(name, value, tap)).status_code in (200, 422)
        self.undone += 1

    def send(self, message):
        """The last answer to a message that is sent until one arrives."""
        for _ in range(self.rng.choice([0, 0, 0, 1, RESENT_MOST])):
            message()
        return message()

    def new_id(self):
        self.made += 1
        return f"tap-{self.made}"


def answers_of(entry):
    """The taps that answer a hand of counts; none for an entry that is made by one key, or by cards."""
    hands = entry.get("hands")
    if not hands or not all(list(hand) == ["count"] for hand in hands.values()) or "winner" not in entry:
        return []
    counts = [(["hands", name, "count"], hand["count"]) for name, hand in hands.items()]
    return [(["winner"], entry["winner"]), *counts]
