"""Phones that enter at once, each entry under an id of its own, sent again until there is an answer."""

import itertools
import json
import random
import threading
import time
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException

PLAYERS = ["Ann", "Bert", "Cleo", "Dora", "Egon", "Fay"]
WISH = {"game": "rummy-1916", "players": PLAYERS, "options": {"rounds": 100}}
PAUSE_SECONDS = 0.02
"""Between two entries of one phone: without it the writers starve the very site that is to come back."""
IDLE_SECONDS_MOST = 2
"""The server closes a connection that rests for five seconds; a phone does not wait until it is told."""
HANDS_PER_PAD_MOST = 590
"""A pad of six players and a hundred rounds ends after 600 hands."""


class Line:
    """One kept connection to a port."""

    def __init__(self, port, seconds=20):
        self.connection = HTTPConnection("127.0.0.1", port, timeout=seconds)
        self.used_at = time.monotonic()

    def ask(self, method, path, body=None, token=None, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if time.monotonic() - self.used_at > IDLE_SECONDS_MOST:
            self.connection.close()
        self.used_at = time.monotonic()
        try:
            text = None if body is None else json.dumps(body)
            self.connection.request(method, path, text, headers)
            answer = self.connection.getresponse()
            said = answer.read()
        except (OSError, HTTPException):
            self.connection.close()
            raise
        return answer, said

    def json(self, method, path, body=None, token=None):
        answer, said = self.ask(method, path, body, token)
        return answer.status, json.loads(said) if said else None

    def close(self):
        self.connection.close()


@dataclass(frozen=True)
class Table:
    """A pad that was made over HTTP, with its tokens."""

    code: str
    keep: str
    play: str
    watch: str

    def address(self, rest):
        return f"/pads/{self.code}/{rest}"


class ServiceError(Exception):
    """The site said that it cannot just now."""


def make_table(line, **wish):
    status, opened = line.json("POST", "/pads/", {**WISH, **wish})
    if status >= 500:
        raise ServiceError
    assert status == 201, opened
    tokens = {role: opened[role].rsplit("/", 1)[-1] for role in ("keep", "play", "watch")}
    return Table(opened["pad"].split("/")[2], **tokens)


class Tables:
    """The pads in play: each writer may come to any of them, and a pad that is nearly full is replaced."""

    def __init__(self, count, ports, chance):
        self.count, self.ports, self.chance = count, ports, chance
        self.open, self.all, self.used = [], [], {}
        self.lock = threading.Lock()

    def take(self):
        with self.lock:
            while len(self.open) < self.count:
                self._open()
            table = self.chance.choice(self.open)
            self.used[table.code] += 1
            if self.used[table.code] >= HANDS_PER_PAD_MOST:
                self.open.remove(table)
            return table

    def _open(self):
        for port in itertools.cycle(self.ports):
            try:
                table = make_table(Line(port))
            except (OSError, HTTPException, ServiceError):
                time.sleep(0.05)
                continue
            self.open.append(table)
            self.all.append(table)
            self.used[table.code] = 0
            return


@dataclass
class Sent:
    """One entry a writer made, and what it was told of it."""

    id: str
    label: str
    table: Table
    entry: dict
    number: int | None = None
    is_answered: bool = False
    tries: int = 0


class Writer(threading.Thread):
    """Writes hands until it is stopped, then brings the last one home.

    The controls are writers that do not as our phones do: one that never sends again, and one that gives an
    entry a new id when it does.
    """

    def __init__(self, name, ports, tables, seed, sends_again=True, same_id=True):
        super().__init__(name=name, daemon=True)
        self.chance = random.Random(f"{seed} {name}")
        self.ports, self.tables = ports, tables
        self.sends_again, self.same_id = sends_again, same_id
        self.lines = {port: Line(port) for port in ports}
        self.sent = []
        self.answered = 0
        self.refusals = []
        self.fault = None
        self.over = threading.Event()

    def run(self):
        try:
            while not self.over.wait(PAUSE_SECONDS):
                self.write()
        except Exception as fault:
            self.fault = fault
        finally:
            for line in self.lines.values():
                line.close()

    def write(self):
        label = f"{self.name} {len(self.sent)}"
        made = Sent(f"{self.chance.getrandbits(128):032x}", label, self.tables.take(), self.hand())
        self.sent.append(made)
        while not self.send(made):
            time.sleep(0.02)
            if not self.sends_again:
                return
            if not self.same_id:
                made.id = f"{self.chance.getrandbits(128):032x}"

    def hand(self):
        winner = self.chance.choice(PLAYERS)
        counts = {name: {"count": self.chance.randint(1, 64)} for name in PLAYERS if name != winner}
        return {"type": "hand", "winner": winner, "hands": counts}

    def send(self, made):
        made.tries += 1
        body = {"entries": [{"id": made.id, **made.entry}], "who": made.label}
        line = self.lines[self.chance.choice(self.ports)]
        try:
            status, answer = line.json("POST", made.table.address("entries/"), body, made.table.play)
        except (OSError, HTTPException):
            return False
        if status >= 500:
            self.refusals.append(status)
            return False
        [result] = answer["results"]
        assert status == 200 and result["status"] in {"stored", "known"}, answer
        made.number, made.is_answered = result["number"], True
        self.answered += 1
        return True


class Load:
    """Eight writers on several pads. Used as a context: at its end everything sent has been answered."""

    def __init__(self, ports, seed, writers=8, tables=4, **how):
        self.tables = Tables(tables, ports, random.Random(f"{seed} tables"))
        self.writers = [Writer(f"w{n}", ports, self.tables, seed, **how) for n in range(writers)]

    def __enter__(self):
        for writer in self.writers:
            writer.start()
        return self

    def __exit__(self, kind, fault, trace):
        for writer in self.writers:
            writer.over.set()
        for writer in self.writers:
            writer.join(60)
        assert kind is not None or not [w.fault for w in self.writers if w.fault or w.is_alive()]

    @property
    def answered(self):
        return sum(writer.answered for writer in self.writers)

    @property
    def sent(self):
        return [made for writer in self.writers for made in writer.sent]

    @property
    def refusals(self):
        return [status for writer in self.writers for status in writer.refusals]

    def wait_for(self, more):
        """Until so many more entries were answered: only then is a kill one under load."""
        goal = self.answered + more
        self._wait_until(lambda: self.answered >= goal)

    def wait_for_refusals(self, more):
        """Until the site said so many more times that it cannot; what it said."""
        already = len(self.refusals)
        self._wait_until(lambda: len(self.refusals) >= already + more)
        return set(self.refusals[already:])

    def _wait_until(self, is_so, seconds=60):
        deadline = time.monotonic() + seconds
        while not is_so():
            faults = [writer.fault for writer in self.writers if writer.fault]
            assert not faults, faults
            assert time.monotonic() < deadline, "the writers came to a stand"
            time.sleep(0.005)
