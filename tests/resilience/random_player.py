"""A seeded player of all six games over HTTP, with the pure engine beside it as its model.

A step is one thing a phone does: an entry, a correction, a draft, a name. Some pads are played step by step;
on others a phone was away and sends many entries in one message. The site must say of each entry what the
engine says, and after every message its result must be the engine's, replayed from the beginning. The model
keeps the log by the names the seats had at first; names are put on where something is sent or compared, as
the site does it with seats.
"""

import json
import time
from dataclasses import dataclass
from random import Random
from typing import Any

import engine
from tests.engine.random_games import PROPOSE, random_correction, random_options
from tests.resilience.writers import Line, make_table

NAMES = ["Ada", "Ben", "Cyd", "Dot", "Eli", "Fay"]
ENTRIES_MOST = {1: 40, 200: 300}
"""How many entries a pad may come to, by how many a message may have."""
LENGTHENS = {"target", "hands", "rounds"}
MESSAGES_MOST = 90
BUSY_MOST = 20
"""So often in a row a site may say that it is busy, on a machine that does much else."""
STEPS = {
    "enter": 40, "twin": 4, "undo": 4, "enter_many": 7, "void": 6, "amend": 6, "revise": 6, "insert": 6,
    "send_again": 8, "reuse_an_id": 3, "send_nonsense": 3, "preview": 4, "draft": 5,
    "stop_or_reopen": 3, "rename": 3, "together": 8,
}  # fmt: skip
AWAY = {
    "proposed": 80, "voiding": 2, "amending": 2, "revising": 3, "inserting": 3, "again": 6, "nonsense": 4
}  # fmt: skip
NONSENSE = [{"type": "nonsense"}, {"type": "hand"}, {"type": "void"}, {"type": "amend", "of": "nobody"}, {}]
NONSENSE += [{"type": "revise", "changes": [{"of": 7}]}, {"type": "insert", "entry": {"type": "insert"}}]


@dataclass(frozen=True)
class Violation(Exception):
    """The site and the pure engine do not agree."""

    seed: str
    step: str
    says: Any
    should: Any

    def __str__(self):
        return f"{self.seed}: {self.step} gave {self.says!r} and should give {self.should!r}"


class Machine:
    """One pad and its model, played from a seed."""

    def __init__(self, lines, seed):
        self.lines, self.seed, self.rng = lines, seed, Random(seed)
        self.game = engine.GAMES[self.rng.choice(sorted(PROPOSE))]
        least, most = self.game.seats
        self.first_names = NAMES[: self.rng.randint(least, most)]
        self.names = list(self.first_names)
        self.once_named = [[name] for name in self.names]
        self.at_once_most = self.rng.choices(sorted(ENTRIES_MOST), (1, 5))[0]
        self.options = random_options(self.rng, self.game)
        if self.at_once_most > 1:
            self.options |= {one.key: one.most for one in self.game.options if one.key in LENGTHENS}
        self.dealer = self.rng.randrange(len(self.names))
        self.log, self.stopped, self.made, self.done, self.busy = [], False, 0, 0, 0
        self.step = "begin"
        wish = {"game": self.game.key, "players": self.names, "options": self.options}
        self.table = make_table(self.line, **wish, dealer=self.names[self.dealer])
        self.position = engine.replay(self.sheet([]))

    @property
    def line(self):
        return self.rng.choice(self.lines)

    def play(self):
        """All steps of this pad; says how many there were."""
        for _ in range(MESSAGES_MOST):
            self.step = self.rng.choices(list(STEPS), list(STEPS.values()))[0]
            if self.at_once_most > 1 and self.step == "enter":
                self.step = "enter_many"
            if self.stopped and self.rng.random() < 0.3:
                self.step = "stop_or_reopen"  # A stopped pad refuses everything; that is soon seen.
            self.done += 1
            getattr(self, self.step)()
            self.compare()
            is_full = len(self.log) >= ENTRIES_MOST[self.at_once_most]
            if is_full or (self.position.ended and self.rng.random() < 0.2):
                break
        self.compare_sheets()
        return self.done

    def sheet(self, log):
        names = dict(zip(self.first_names, self.names, strict=True))
        head = {"tally": 1, "game": self.game.key, "options": self.options, "players": self.names}
        return {**head, "dealer": self.names[self.dealer], "entries": [translated(e, names) for e in log]}

    def named(self, entry, any_name=False):
        """An entry of the model as a phone sends it; a phone that was away may still use a former name."""
        pick = self.rng.choice if any_name else (lambda names: names[-1])
        return translated(entry, {names[0]: pick(names) for names in self.once_named})

    def proposed(self):
        """An entry in the names of the model, legal more often than not."""
        entry = PROPOSE[self.game.key](self.rng, self.position)
        return translated(entry, dict(zip(self.names, self.first_names, strict=True)))

    def new_id(self):
        self.made += 1
        return f"{self.made}-{self.rng.getrandbits(64):x}"

    def some_id(self):
        return self.rng.choice([*(entry["id"] for entry in self.log), "nobody"])

    def ask(self, path, body=None, role="play"):
        """POST, or GET without a body. Busy means that nothing was stored: it is sent again as it is."""
        method = "GET" if body is None else "POST"
        for _ in range(BUSY_MOST):
            status, answer = self.line.json(method, self.table.address(path), body, getattr(self.table, role))
            if status != 503:
                break
            self.busy += 1
            time.sleep(0.5)
        return status, answer

    def expect(self, says, should):
        if says != should:
            raise Violation(str(self.seed), self.step, says, should)

    def judged(self, entry):
        """What the model says of one entry more: its number, and it is kept; or the code of the refusal."""
        if self.stopped:
            return "stopped"
        try:
            self.position = self.position.enter(self.sheet([entry])["entries"][0])
        except engine.Refused as refused:
            if self.at_once_most == 1 or self.rng.random() < 0.03:
                self.expect(refused.code, self.refusal(entry))
            return refused.code
        self.log.append(entry)
        return len(self.log)

    def refusal(self, entry):
        """Why the engine refuses the whole log with this entry."""
        try:
            engine.replay(self.sheet([*self.log, entry]))
        except engine.Refused as refused:
            return refused.code
        return None

    def send(self, *entries):
        """One message; what the engine said of each entry, in turn, the site must say too."""
        judged = [self.judged(entry) for entry in entries]
        self.post([self.named(entry) for entry in entries], judged)

    def post(self, sent, judged):
        status, answer = self.ask("entries/", {"entries": sent})
        self.expect(status, 200)
        for number_or_code, told in zip(judged, answer["results"], strict=True):
            self.weigh(number_or_code, told)
        self.expect(answer["head"], len(self.log))

    def weigh(self, judged, told):
        if isinstance(judged, int):
            self.expect((told["status"], told["number"]), ("stored", judged))
        elif isinstance(judged, tuple):
            self.expect((told["status"], told["number"]), judged)
        else:
            self.expect((told["status"], (told["error"] or {}).get("code")), ("refused", judged))

    def enter(self):
        self.send({"id": self.new_id(), **self.proposed()})

    def enter_many(self):
        """A phone that was away: each entry is made after the one before it, and all are sent at once."""
        sent, judged = [], []
        for _ in range(self.rng.randint(2, max(self.at_once_most, 5))):
            kind = self.rng.choices(list(AWAY), list(AWAY.values()))[0]
            if kind == "again":
                if self.log:
                    place = self.rng.randrange(len(self.log))
                    sent.append(self.named(self.log[place], any_name=True))
                    judged.append(("known", place + 1))
                continue
            entry = {"id": self.new_id(), **getattr(self, kind)()}
            judged.append(self.judged(entry))
            sent.append(self.named(entry))
            if (self.position.ended or self.stopped) and self.rng.random() < 0.3:
                break  # From here on nearly everything is refused for the same reason.
        self.done += max(0, len(sent) - 1)
        self.post(sent, judged)

    def voiding(self):
        return {"type": "void", "of": self.some_id()}

    def amending(self):
        return {"type": "amend", "of": self.some_id(), "entry": self.proposed()}

    def revising(self):
        return self.correction("revise")

    def inserting(self):
        return self.correction("insert")

    def correction(self, kind):
        """A correction in the names of the model, of entries that are in the log."""
        entry = random_correction(self.rng, self.position, (kind,))
        return translated(entry, dict(zip(self.names, self.first_names, strict=True)))

    def nonsense(self):
        return self.rng.choice(NONSENSE)

    def void(self):
        self.send({"id": self.new_id(), **self.voiding()})

    def amend(self):
        self.send({"id": self.new_id(), **self.amending()})

    def revise(self):
        self.send({"id": self.new_id(), **self.revising()})

    def insert(self):
        self.send({"id": self.new_id(), **self.inserting()})

    def together(self):
        """Two or three entries that stand as a whole or not at all; sent again they are known."""
        kinds = self.rng.choices(("proposed", "revising", "inserting", "nonsense"), (8, 3, 6, 1), k=3)
        kinds = kinds[: self.rng.randint(2, 3)]
        entries = [{"id": self.new_id(), **getattr(self, kind)()} for kind in kinds]
        if self.rng.random() < 0.5:
            # Something forgotten, and what follows from it at once.
            first = {"id": self.new_id(), **self.inserting()}
            entries = [first, {"id": self.new_id(), **self.inserting(), "after": first["id"]}]
        sent, judged = [self.named(entry) for entry in entries], self.judged_together(entries)
        times = 2 if isinstance(judged[0], int) and self.rng.random() < 0.5 else 1
        for _ in range(times):
            status, answer = self.ask("entries/", {"entries": sent, "together": True})
            self.expect(status, 200)
            for said, told in zip(judged, answer["results"], strict=True):
                self.weigh(said, told)
            self.expect(answer["head"], len(self.log))
            judged = [("known", number) for number in judged]

    def judged_together(self, entries):
        """What the engine says of the log with all of them: their numbers, or why each is not stored."""
        if self.stopped:
            return ["stopped"] * len(entries)
        try:
            self.position = engine.replay(self.sheet([*self.log, *entries]))
        except engine.Refused as refused:
            at = -1 if refused.entry is None else refused.entry - len(self.log)
            return [refused.code if at < 0 or at == place else "together" for place in range(len(entries))]
        self.log += entries
        return [*range(len(self.log) - len(entries) + 1, len(self.log) + 1)]

    def twin(self):
        """Another phone has seen the same, and wishes to be asked: nothing is stored."""
        before = len(self.log)
        self.enter()
        if len(self.log) == before:
            return
        entry = {**self.log[-1], "id": self.new_id()}
        should = "twin" if self.refusal(entry) is None else "counted-already"
        sent = {"entries": [self.named(entry)], "ask_twins": True, "who": "another phone"}
        _, answer = self.ask("entries/", sent)
        self.weigh(should, answer["results"][0])
        self.expect(answer["head"], len(self.log))

    def undo(self):
        """An entry that is struck out at once, as Undo does."""
        before = len(self.log)
        self.enter()
        if len(self.log) > before:
            self.send({"id": self.new_id(), "type": "void", "of": self.log[-1]["id"]})

    def send_nonsense(self):
        self.send({"id": self.new_id(), **self.nonsense()})

    def send_again(self):
        if not self.log:
            return
        place = self.rng.randrange(len(self.log))
        again = self.named(self.log[place], any_name=True)
        times = self.rng.randint(1, 3)
        self.post([again] * times, [("known", place + 1)] * times)

    def reuse_an_id(self):
        if not self.log:
            return
        used, other = self.rng.choice(self.log), self.proposed()
        if {"id": used["id"], **other} == used:
            return
        _, answer = self.ask("entries/", {"entries": [self.named({"id": used["id"], **other})]})
        self.expect(answer["results"][0]["error"]["code"], "id-reused")

    def preview(self):
        if self.stopped:
            return
        before = self.position, list(self.log)
        entry = {"id": self.new_id(), **self.proposed()}
        judged = self.judged(entry)
        should = self.position.result().as_dict()["totals"]
        self.position, self.log = before
        _, answer = self.ask("preview/", {"entry": self.named(entry)}, "watch")
        if isinstance(judged, int):
            self.expect((answer["error"], answer["totals"]), (None, should))
        else:
            self.expect((answer["error"] or {}).get("code"), judged)

    def draft(self):
        """The same entry, filled in part by part and completed twice."""
        entry = self.proposed()
        declared = next(kind for kind in self.game.entries if kind.key == entry["type"])
        puts = [
            put for field in declared.fields if field.key in entry for put in parts(field, entry[field.key])
        ]
        self.rng.shuffle(puts)
        status, answer = self.ask("draft/", {"type": entry["type"], "put": [self.named(put) for put in puts]})
        if self.stopped:
            self.expect((status, answer["error"]["code"]), (422, "stopped"))
            return
        self.expect(status, 200)
        name = answer["draft"]["id"]
        _, answer = self.ask("draft/complete/", {"draft": name})
        [told] = answer["results"]
        self.weigh(self.judged({"id": name, **entry}), told)
        if told["status"] == "stored":
            _, answer = self.ask("draft/complete/", {"draft": name})
            self.expect(
                (answer["results"][0]["status"], answer["results"][0]["number"]), ("known", len(self.log))
            )
        else:
            self.ask("draft/drop/", {})

    def stop_or_reopen(self):
        self.stopped = not self.stopped
        status, _ = self.ask("stop/" if self.stopped else "reopen/", {}, "keep")
        self.expect(status, 200)

    def rename(self):
        self.names = [f"{name} {self.new_id()}" for name in NAMES[: len(self.names)]]
        status, _ = self.ask("names/", {"players": self.names}, "keep")
        self.expect(status, 200)
        for names, name in zip(self.once_named, self.names, strict=True):
            # Before the first entry a name that is given up is free for another seat.
            names[:] = [names[0], name] if not self.log else [*names, name]
        if not self.log:
            self.log_was_empty()
        self.position = engine.replay(self.sheet(self.log))

    def log_was_empty(self):
        """Nobody has entered under the first names: the model goes on with the new ones."""
        self.first_names = list(self.names)
        self.once_named = [[name] for name in self.names]

    def compare(self):
        status, answer = self.ask("result.json", role="watch")
        self.expect(status, 200)
        self.position = engine.replay(self.sheet(self.log))
        should = json.loads(json.dumps(self.position.result().as_dict()))
        self.expect({key: answer.get(key) for key in should}, should)
        self.expect(answer["head"], len(self.log))
        if self.game.key == "thumbs-up":
            self.expect(sum(answer["totals"].values()), answer["options"]["stake"] * len(self.names))

    def compare_sheets(self):
        """At the end: the whole log, and the engine's own judgement of it from the beginning."""
        self.step = "end"
        _, answer = self.ask("sheet.json", role="watch")
        self.expect(answer["entries"], self.sheet(self.log)["entries"])
        self.expect(engine.score(answer).as_dict(), self.position.result().as_dict())


def played(seed, ports, steps, player):
    """Pad after pad until there were so many steps or a violation: steps, pads, how often the site was
    busy, the violation."""
    lines = [Line(port) for port in ports]
    done = pads = busy = 0
    try:
        while done < steps:
            pads += 1
            machine = Machine(lines, f"{seed}.{player}.{pads}")
            done += machine.play()
            busy += machine.busy
    except Violation as violation:
        return done, pads, busy, str(violation)
    finally:
        for line in lines:
            line.close()
    return done, pads, busy, None


def parts(field, value):
    """The parts by which a draft is filled with this value."""
    if field.kind == "each":
        return [{"field": field.key, "player": name, "value": share} for name, share in value.items()]
    return [{"field": field.key, "value": value} | ({"none": True} if value is None else {})]


def translated(value, names):
    """The same with other names, wherever a name stands."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [translated(item, names) for item in value]
    if isinstance(value, dict):
        return {names.get(key, key): translated(item, names) for key, item in value.items()}
    return value
