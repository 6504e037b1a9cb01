"""The running product: one process or several on the same rows, killed and started again."""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

from tests.browser.site import ROOT, free_port, surroundings
from tests.postgres.private_server import ask, drop_database, make_database, named

PATIENCE_SECONDS = 120
SETTINGS = "tests.resilience.site_settings"
POSTGRES = os.environ.get("TEST_DATABASE_URL")


class Crew:
    """`python -m config.serve --prepared`, as systemd starts it, once for every worker, all in one group."""

    def __init__(self, var, workers=1, before=(), **environment):
        self.var = Path(var)
        self.before = list(before)
        self.ports = [free_port() for _ in range(workers)]
        self.processes = [None] * workers
        self.group = None
        self.environment = environment
        self.log = self.var.parent / f"{self.var.name}.log"

    def surroundings(self, port=0):
        own = {"HOST": "127.0.0.1", "PORT": str(port), "DJANGO_SETTINGS_MODULE": SETTINGS}
        own |= {"DATABASE_URL": database_of(self.var)} if POSTGRES else {}
        return surroundings(self.var, **own, **self.environment)

    def start(self):
        for worker in range(len(self.ports)):
            self.spawn(worker)
        for worker in range(len(self.ports)):
            self.wait(worker)
        return self

    def spawn(self, worker):
        alive = any(process is not None and process.poll() is None for process in self.processes)
        with self.log.open("a") as log:
            self.processes[worker] = subprocess.Popen(
                [*self.before, sys.executable, "-m", "config.serve", "--prepared"],
                cwd=ROOT,
                env=self.surroundings(self.ports[worker]),
                stdout=log,
                stderr=log,
                process_group=self.group if alive else 0,
            )
        self.group = self.group if alive else self.processes[worker].pid

    def wait(self, worker):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline and self.processes[worker].poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.ports[worker]}/health", timeout=5):
                    return
            except (OSError, urllib.error.URLError):
                time.sleep(0.03)
        raise RuntimeError(f"The site did not start:\n{self.log.read_text()[-4000:]}")

    def kill(self, worker):
        self.processes[worker].kill()
        self.processes[worker].wait()

    def kill_all(self):
        os.killpg(self.group, signal.SIGKILL)
        for process in self.processes:
            process.wait()

    def stop(self):
        """Whatever still runs, and whatever it was run by."""
        for process in self.processes:
            if process is not None and process.poll() is None:
                os.killpg(self.group, signal.SIGKILL)
                process.wait()

    def manage(self, *words):
        """A command of manage.py on the same rows."""
        command = [sys.executable, "manage.py", *words]
        return subprocess.run(
            command, cwd=ROOT, env=self.surroundings(), capture_output=True, text=True, check=False
        )


def database_of(var):
    """The database that belongs to this folder, on a server of PostgreSQL."""
    return named(POSTGRES, f"tallyroom_try_{hashlib.sha256(str(var).encode()).hexdigest()[:12]}")


def prepared(var):
    """A folder with an empty site, ready to be served."""
    if POSTGRES:
        make_database(database_of(var))
    command = [sys.executable, "-m", "config.serve", "--prepare"]
    subprocess.run(command, cwd=ROOT, env=Crew(var).surroundings(), check=True, capture_output=True)
    return var


def copied(kept, var):
    shutil.copytree(kept, var)
    if POSTGRES:
        old, new = (urlsplit(database_of(folder)).path.strip("/") for folder in (kept, var))
        drop_database(database_of(var))
        ask(named(POSTGRES, "postgres"), f'CREATE DATABASE "{new}" TEMPLATE "{old}"')
    return var
