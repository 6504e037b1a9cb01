"""A real server for the tests of streams: started, killed and started again on the same database."""

import contextlib
import functools
import hashlib
import json
import os
import queue
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path

from tests.postgres.private_server import make_database, named

ROOT = Path(__file__).resolve().parents[2]
DATABASE = "db.sqlite3"


@functools.cache
def empty_site():
    """A folder with tables and no rows, on SQLite; made once, it goes with this process."""
    folder = tempfile.TemporaryDirectory(prefix="tallyroom-empty-")
    Server(Path(folder.name), 0).migrate()
    return folder


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@dataclass
class Server:
    """Our server in a process of its own, with a folder of its own for everything made at run time."""

    var: Path
    port: int
    settings: str = "config.settings"
    process: subprocess.Popen | None = None
    more: dict = field(default_factory=dict)
    application: str = "config.asgi:application"

    @property
    def database(self):
        """A PostgreSQL database of its own for this folder, when the tests run on PostgreSQL; else None."""
        url = os.environ.get("TEST_DATABASE_URL")
        name = hashlib.sha256(str(self.var).encode()).hexdigest()[:12]
        return named(url, f"tallyroom_try_{name}") if url else None

    @property
    def environment(self):
        kept = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "DEBUG"}}
        return {
            **kept,
            **({"DATABASE_URL": self.database} if self.database else {}),
            "TALLYROOM_VAR": str(self.var),
            "DJANGO_SETTINGS_MODULE": self.settings,
            **self.more,
        }

    def prepare(self):
        """Bring the tables up to date. A new file is a copy: making tables takes longer than most tests."""
        if self.database:
            make_database(self.database)
        elif not (self.var / DATABASE).exists():
            self.var.mkdir(parents=True, exist_ok=True)
            shutil.copy2(Path(empty_site().name) / DATABASE, self.var)
            return
        self.migrate()

    def migrate(self):
        command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(command, cwd=ROOT, env=self.environment, check=True)

    def start(self):
        command = [
            sys.executable, "-m", "uvicorn", self.application, "--port", str(self.port),
            "--log-level", "warning", "--timeout-graceful-shutdown", "1",
        ]  # fmt: skip
        self.process = subprocess.Popen(command, cwd=ROOT, env=self.environment)
        self.wait()
        return self

    def wait(self):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            assert self.process.poll() is None, "the server did not start"
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/pads/none/result.json", timeout=5)
            except urllib.error.HTTPError:
                return
            except OSError:
                time.sleep(0.05)
        raise AssertionError("the server did not answer")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def connect(self, timeout):
        return HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def call(self, method, path, body=None, token=None):
        connection = self.connect(20)
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        connection.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, json.loads(text) if text else None

    def make_pad(self, players=("Ann", "Bert", "Cleo"), game="victory-rummy", **wish):
        status, opened = self.call("POST", "/pads/", {"game": game, "players": list(players), **wish})
        assert status == 201, opened
        return {role: address.rsplit("/", 1)[-1] for role, address in opened.items() if role != "pad"} | {
            "code": opened["pad"].split("/")[2]
        }

    def enter(self, pad, *entries, role="play"):
        status, answer = self.call("POST", f"/pads/{pad['code']}/entries/", {"entries": entries}, pad[role])
        assert status == 200, answer
        return answer["results"]


class Listener:
    """A phone that listens: every event of a stream, as it comes."""

    def __init__(self, server, code, token, last=None, after=None, keep=False):
        self.lines = [] if keep else None
        self.connection = server.connect(40)
        headers = {"Authorization": f"Bearer {token}"}
        if last is not None:
            headers["Last-Event-ID"] = str(last)
        query = f"?after={after}" if after is not None else ""
        self.connection.request("GET", f"/pads/{code}/events{query}", headers=headers)
        self.socket = self.connection.sock
        self.answer = self.connection.getresponse()
        self.status = self.answer.status
        self.events = queue.Queue()
        self.ended = threading.Event()
        if self.status == 200:
            threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        kind, number, shown = "", None, None
        try:
            while line := self.answer.readline():
                if self.lines is not None:
                    self.lines.append(line.decode().rstrip("\n"))
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name == "event":
                    kind = value
                elif name == "id":
                    number = int(value)
                elif name == "data":
                    shown = json.loads(value)
                elif not name and kind:
                    self.events.put((kind, number, shown))
                    kind, number, shown = "", None, None
        except (OSError, ValueError, AttributeError):
            pass
        self.ended.set()

    def next(self, kind, seconds=5):
        """The next event of this kind; others are passed over."""
        deadline = time.monotonic() + seconds
        while True:
            found = self.events.get(timeout=max(0.01, deadline - time.monotonic()))
            if found[0] == kind:
                return found

    def numbers(self, count, seconds=5):
        return [self.next("entry", seconds)[1] for _ in range(count)]

    def close(self):
        # The reading thread holds the response; shutting the socket frees it.
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
