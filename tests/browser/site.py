"""The real product for browser tests: its own process, its own folder, started and stopped like any other.

`python -m tests.browser.site` makes the furnished folder beforehand.
"""

import contextlib
import fcntl
import hashlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from tests.browser.pace import SERVE
from tests.postgres.private_server import ask, drop_database, make_database, named

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 300
KEPT = ROOT / "var" / "browser-tests"
KEPT_MOST = 6
DATABASE = "database-url"
made_databases = []
"""One for each site of this run; the tests drop them at their end."""


class Site:
    """`python -m config.serve` on a free port; it can be stopped, killed and started again."""

    def __init__(self, var, **environment):
        self.var = Path(var)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = environment
        self.log = self.var.parent / f"{self.var.name}.log"
        self.process = None

    def start(self):
        own = {"HOST": "127.0.0.1", "PORT": str(self.port), **self.environment}
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                SERVE, cwd=ROOT, env=surroundings(self.var, **own), stdout=log, stderr=log
            )
        self.wait()
        return self

    def wait(self):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                break
            try:
                with urllib.request.urlopen(f"{self.url}/health", timeout=5):
                    return
            except (OSError, urllib.error.URLError):
                time.sleep(0.1)
        raise RuntimeError(f"The site did not start:\n{self.log.read_text()[-4000:]}")

    def stop(self, how=signal.SIGTERM):
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        on_postgres = (self.var / DATABASE).exists()
        assert not (on_postgres and (self.var / "db.sqlite3").exists()), "it kept its rows in a file"

    def kill(self):
        self.stop(signal.SIGKILL)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def surroundings(var, **own):
    """The environment of a fresh machine: none of our own settings, except those that are given.

    A folder that was furnished on PostgreSQL names its database."""
    database = Path(var) / DATABASE
    own = {"DATABASE_URL": database.read_text(), **own} if database.exists() else own
    hidden = {"DEBUG", "SECRET_KEY", "DATABASE_URL", "ALLOWED_HOSTS", "DJANGO_SETTINGS_MODULE", "SECURE"}
    clean = {name: value for name, value in os.environ.items() if name not in hidden}
    # What phones take along is the same for all, and built for those that ask for it.
    kit = {"PHONE_KIT": "0", "TALLYROOM_KIT": str(KEPT / "kit")}
    return clean | {"TALLYROOM_VAR": str(var)} | kit | own


def furnish(var):
    """Fill a new folder with loaded books and set pages, as `make run` does.

    Setting the pages takes a while and always gives the same, so a furnished folder is kept for the next run,
    under a name that changes with everything it is made from.
    """
    with kept_folder() as kept:
        database = _own_database(kept, var)
    shutil.copytree(kept, var)
    if database:
        (Path(var) / "db.sqlite3").unlink()
        (Path(var) / DATABASE).write_text(database)


@contextlib.contextmanager
def kept_folder():
    """The furnished folder that is kept, made by the first run; others at the same time wait for it."""
    kept = KEPT / fingerprint()
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            _make(kept)
        yield kept


def _own_database(kept, var):
    """On PostgreSQL: a database with the furnished rows, for this folder alone. On SQLite None."""
    url = os.environ.get("TEST_DATABASE_URL")
    if not url:
        return None
    rows = f"tallyroom_try_furnished_{kept.name}"
    server = named(url, "postgres")
    if not ask(server, f"SELECT 1 FROM pg_database WHERE datname = '{rows}'"):
        making = f"{rows}_making"
        make_database(named(url, making))
        with tempfile.TemporaryDirectory(dir=KEPT.parent) as folder:
            own = surroundings(folder, DATABASE_URL=named(url, making))
            subprocess.run([sys.executable, "-m", "config.serve", "--prepare"], cwd=ROOT, env=own, check=True)
        ask(server, f'ALTER DATABASE "{making}" RENAME TO "{rows}"')
    name = f"tallyroom_try_{hashlib.sha256(str(var).encode()).hexdigest()[:12]}"
    drop_database(named(url, name))
    ask(server, f'CREATE DATABASE "{name}" TEMPLATE "{rows}"')
    made_databases.append(named(url, name))
    return made_databases[-1]


def _make(kept):
    making = KEPT / "making"
    shutil.rmtree(making, ignore_errors=True)
    command = [sys.executable, "-m", "config.serve", "--prepare"]
    subprocess.run(command, cwd=ROOT, env=surroundings(making), check=True)
    (making / "secret-key").unlink()
    making.rename(kept)
    furnished = [folder for folder in KEPT.iterdir() if folder.is_dir()]
    for old in sorted(furnished, key=lambda folder: folder.stat().st_mtime)[:-KEPT_MOST]:
        shutil.rmtree(old, ignore_errors=True)


def fingerprint():
    """Of what pages and rows are made from. What else changes, the site brings up to date when it starts."""
    parts = ["archive/facsimile", "archive/images", "archive/edition", "fixtures/books"]
    folders = [*(ROOT / part for part in parts), *ROOT.glob("*/migrations")]
    digest = hashlib.sha256()
    for path in sorted(path for folder in folders for path in folder.rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    with kept_folder() as made:
        print(made.relative_to(ROOT))
