"""The site that is attacked: its own process on a free port and a folder of its own, or one that runs."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

from tests.postgres.private_server import make_database
from tests.scorepad.live_server import ROOT, free_port
from tests.security.attacks.caller import Caller

HERE = Path(__file__).resolve().parent
BOOK = "victory-rummy-1942"
PASSWORD = "four plain words here"
START_SECONDS = 180
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
HIDDEN = {"DEBUG", "SECRET_KEY", "DATABASE_URL", "ALLOWED_HOSTS", "SECURE", "PYTHONPATH", "BEHIND_PROXY"}
FRONT_PAGES = 40


class Target:
    """A site, and what its machine tells: processor time, memory. A foreign one has no `var`."""

    def __init__(self, host, var=None, root=ROOT, database="", **limits):
        self.host = host
        self.var = Path(var) if var else None
        self.root = Path(root)
        self.database = database
        self.limits = {name: str(value) for name, value in limits.items()}
        self.process = None
        self._front_page = None
        self._administrator = None

    def caller(self, address=None, **options):
        return Caller(self.host, address, **options)

    @property
    def is_ours(self):
        return self.var is not None

    # The rest is for a site of our own.

    @property
    def environment(self):
        kept = {name: value for name, value in os.environ.items() if name not in HIDDEN}
        own = {
            "HOST": "127.0.0.1",
            "PORT": self.host.rsplit(":", 1)[1],
            "TALLYROOM_VAR": str(self.var),
            "DJANGO_SETTINGS_MODULE": "attacked_site",
            "PYTHONPATH": str(HERE),
            "TRUSTED_PROXIES": "127.0.0.0/8",
        }
        return kept | own | ({"DATABASE_URL": self.database} if self.database else {}) | self.limits

    def manage(self, *words, **options):
        command = [sys.executable, "manage.py", *map(str, words)]
        return subprocess.run(
            command,
            cwd=self.root,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            **options,
        )

    def prepare(self, with_book=True):
        if self.database:
            make_database(self.database)
        (self.var / "images").mkdir()
        for words in [("migrate", "--verbosity", "0"), *([("load_books", BOOK)] if with_book else [])]:
            done = self.manage(*words)
            assert done.returncode == 0, done.stderr
        return self

    def start(self):
        log = self.var.parent / f"{self.var.name}.log"
        with log.open("a") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "config.serve", "--prepared"],
                cwd=self.root,
                env=self.environment,
                stdout=out,
                stderr=out,
                # What the site leaves open for others must be the site's own doing.
                umask=0o022,
            )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://{self.host}/health", timeout=5):
                    return self
            except (OSError, urllib.error.URLError):
                time.sleep(0.03)
        raise RuntimeError(f"The site did not start:\n{log.read_text()[-4000:]}")

    def stop(self):
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def restart(self):
        self.stop()
        return self.start()

    def processor_seconds(self):
        """Of the process, all its threads and the children it has waited for."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return sum(map(int, fields[11:15])) / TICKS_PER_SECOND

    def memory_bytes(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) * 1024

    def cost(self, work, times=1):
        """Processor seconds of the site for one turn of this work, as many front pages, and what it gave."""
        before = self.processor_seconds()
        for _ in range(times):
            answer = work()
        seconds = (self.processor_seconds() - before) / times
        return seconds, seconds / self.front_page(), answer

    def front_page(self):
        """Processor seconds of the front page, the measure of all other costs."""
        if self._front_page is None:
            caller = self.caller()
            for _ in range(5):
                caller.get("/")
            before = self.processor_seconds()
            for _ in range(FRONT_PAGES):
                assert caller.get("/").status == 200
            self._front_page = max(self.processor_seconds() - before, 0.01) / FRONT_PAGES
        return self._front_page

    def administrator(self):
        """The first account, made by the command line as on any new site; signed in."""
        if self._administrator is None:
            link = self.manage("invite", "--guest", "Kim Lee").stdout.strip()
            self._administrator = self.account(link, "Kim Lee")
        return self._administrator

    def account(self, link, name, password=PASSWORD):
        """Somebody who has used this invitation and is signed in."""
        caller = self.caller()
        answer = caller.form(
            "/people/invitation/" + link.rsplit("/", 1)[1], {"name": name, "password": password}
        )
        assert answer.status == 302, (answer.status, answer.text[:2000])
        return caller


@contextlib.contextmanager
def own_site(var, root=ROOT, with_book=True, database="", **limits):
    """A site of our own that runs meanwhile."""
    site = Target(f"127.0.0.1:{free_port()}", var, root, database, **limits)
    site.var.mkdir(parents=True, exist_ok=True)
    try:
        yield site.prepare(with_book).start()
    finally:
        site.stop()
        shutil.rmtree(site.var, ignore_errors=True)


def invited(administrator, role, guest=""):
    """The link of a new invitation, as the page of an administrator shows it."""
    return link_in(administrator.form("/people/", {"role": role, "guest": guest}))


def link_in(answer):
    found = re.search(r'value="([^"]*/people/invitation/[^"]+)"', answer.text)
    assert found, (answer.status, answer.text[:3000])
    return found[1]
