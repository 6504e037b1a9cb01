"""Processes of the site as a machine starts them, and phones that play through what stands before them."""

import os
import signal
import statistics
import subprocess
import sys
import threading
import time
from http.client import HTTPException

from tests.scorepad.live_server import ROOT, Listener, Server

DEPLOY = ROOT / "deploy"
SOAK = bool(os.environ.get("SOAK"))
SECOND = 1.0
PATIENCE_SECONDS = 60
PLAYERS = ["Ann", "Bert", "Cleo", "Dora", "Egon", "Fay"]
WISH = {"game": "rummy-1916", "players": PLAYERS, "options": {"rounds": 100}}
WRITERS, HANDS_EACH = 4, 148
"""A pad of six players and a hundred rounds ends after 600 hands."""


def deployed(example="environment.example"):
    """The settings of an example of deploy/."""
    lines = (DEPLOY / example).read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def is_crowded():
    """More than four at once for each core: then a second on the clock says nothing about the site."""
    return os.getloadavg()[0] > 4 * (os.cpu_count() or 1)


def in_time(took, every_one=SOAK, crowded=None):
    """Each entry was heard within a second. In the short run the most of them: it shares its cores with the
    rest of the suite, which may hold up one. Where the machine does much else, one is enough."""
    crowded = is_crowded() if crowded is None else crowded
    judge = min if crowded else max if every_one else statistics.median_high
    assert judge(took) < SECOND, took


class Process(Server):
    """`python -m config.serve --prepared`, as systemd starts it."""

    def start(self):
        own = {"HOST": "127.0.0.1", "PORT": str(self.port)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "config.serve", "--prepared"], cwd=ROOT, env={**self.environment, **own},
            stdout=subprocess.DEVNULL, stderr=self.log.open("a"),
        )  # fmt: skip
        self.wait()
        return self

    @property
    def log(self):
        return self.var.parent / f"{self.var.name}-{self.port}.log"

    def wait(self):
        deadline, said = time.monotonic() + PATIENCE_SECONDS, "nothing"
        while time.monotonic() < deadline:
            assert self.process.poll() is None, self.log.read_text()[-2000:]
            try:
                status, said = self.call("GET", "/ready")
            except (OSError, HTTPException):
                time.sleep(0.05)
                continue
            if status == 200:
                return
            time.sleep(0.05)
        raise AssertionError(f"the process is not ready, it says {said}")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)

    def figure(self, name):
        """One figure of /metrics."""
        connection = self.connect(10)
        connection.request("GET", "/metrics")
        lines = connection.getresponse().read().decode().splitlines()
        connection.close()
        return next(float(line.split()[-1]) for line in lines if line.startswith(f"{name} "))


class Writer(threading.Thread):
    """A phone that enters hand after hand, and sends what was not answered again, as phones do."""

    def __init__(self, site, pad, name):
        super().__init__(daemon=True)
        self.site, self.pad, self.name = site, pad, name
        self.acknowledged, self.failed = [], []
        self.ended = threading.Event()

    def run(self):
        for count in range(HANDS_EACH):
            if self.ended.wait(0.05):
                return
            hands = {name: {"count": count % 60 + 1} for name in PLAYERS[1:]}
            self.send({"id": f"{self.name}-{count}", "type": "hand", "winner": PLAYERS[0], "hands": hands})

    def send(self, entry):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            try:
                path = f"/pads/{self.pad['code']}/entries/"
                status, answer = self.site.call("POST", path, {"entries": [entry]}, self.pad["play"])
            except (OSError, HTTPException, ValueError) as fault:
                self.failed.append(repr(fault))
            else:
                if status == 200:
                    [result] = answer["results"]
                    assert result["status"] in ("stored", "known"), result
                    self.acknowledged.append((result["number"], entry["id"]))
                    return
                self.failed.append(str(status))
            time.sleep(0.1)


class Reader(threading.Thread):
    """Somebody who reads pages all the time; every answer that is not the page is kept."""

    def __init__(self, site, path):
        super().__init__(daemon=True)
        self.site, self.path = site, path
        self.served, self.failed = 0, []
        self.ended = threading.Event()

    def run(self):
        while not self.ended.wait(0.02):
            try:
                self.look(self.path)
            except (OSError, HTTPException) as fault:
                self.failed.append(repr(fault))
            else:
                self.served += 1

    def look(self, path):
        connection = self.site.connect(20)
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        if answer.status != 200:
            self.failed.append(f"{answer.status} {path}")
        return body


class Ear(threading.Thread):
    """A phone that listens, and comes back from where it was when its stream ends."""

    def __init__(self, site, pad):
        super().__init__(daemon=True)
        self.site, self.pad = site, pad
        self.heard, self.came_back = [], -1
        self.ended = threading.Event()

    def run(self):
        while not self.ended.is_set():
            try:
                last = self.heard[-1] if self.heard else 0
                phone = Listener(self.site, self.pad["code"], self.pad["watch"], last=last)
            except (OSError, HTTPException):
                time.sleep(0.1)
                continue
            if phone.status == 200:
                self.came_back += 1
                self.listen(phone)
            phone.close()
            time.sleep(0.1)

    def listen(self, phone):
        while not self.ended.is_set() and not (phone.ended.is_set() and phone.events.empty()):
            try:
                kind, number, _ = phone.events.get(timeout=0.2)
            except Exception:  # Nothing came; look again.
                continue
            if kind == "entry":
                self.heard.append(number)
            elif kind == "reset":
                self.heard = list(range(1, number + 1))


def sheet(site, pad):
    status, answer = site.call("GET", f"/pads/{pad['code']}/log.json", token=pad["watch"])
    assert status == 200, answer
    return answer["log"]


def settings_of_tests(**more):
    """deploy's settings; the database and the folder are the test's own."""
    return {key: value for key, value in deployed().items() if key != "TALLYROOM_VAR"} | more
