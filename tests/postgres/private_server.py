"""A PostgreSQL server of our own: made in a temporary folder, reached by a socket there, gone afterwards."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

PLACES = "/usr/lib/postgresql"
SAYS_HOW = "The tests need PostgreSQL: sudo apt-get install postgresql-15, or set TEST_DATABASE_URL."
# Nothing here outlives the tests, so nothing waits for a disk.
QUICK = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "200"}


def programs():
    """The folder of initdb and postgres, the newest version there is."""
    found = sorted(Path(PLACES).glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    beside = shutil.which("initdb")
    if beside:
        return Path(beside).resolve().parent
    raise SystemExit(SAYS_HOW)


@contextmanager
def server(**settings):
    """A running server; yields the DATABASE_URL of an empty database on it."""
    # The path of a socket may be no longer than about a hundred letters.
    folder = Path(tempfile.mkdtemp(prefix="tallyroom-pg-", dir="/tmp"))
    as_whom = {}
    if os.geteuid() == 0:
        # PostgreSQL refuses to run as root.
        whom = pwd.getpwnam("postgres")
        os.chown(folder, whom.pw_uid, whom.pw_gid)
        as_whom = {"user": whom.pw_uid, "group": whom.pw_gid, "extra_groups": []}
    command = [programs() / "initdb", "-D", folder / "rows", "-U", "postgres", "-A", "trust", "-E", "UTF8"]
    subprocess.run(
        [*command, "--locale=C.UTF-8", "--no-sync"], check=True, stdout=subprocess.DEVNULL, cwd="/", **as_whom
    )
    given = {
        **QUICK,
        "listen_addresses": "",
        "unix_socket_directories": str(folder),
        "port": "5432",
        **settings,
    }
    options = [word for key, value in given.items() for word in ("-c", f"{key}={value}")]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [programs() / "postgres", "-D", folder / "rows", *options],
            stdout=log, stderr=log, cwd="/", **as_whom,
        )  # fmt: skip
    try:
        url = f"postgres://postgres@/tallyroom?host={quote(str(folder), safe='')}"
        wait(url, process, folder / "log")
        make_database(url)
        yield url
    finally:
        # At once: whoever is still connected is sent away.
        process.send_signal(signal.SIGINT)
        process.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


def wait(url, process, log):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        if (Path(dict(parse_qsl(urlsplit(url).query))["host"]) / ".s.PGSQL.5432").exists():
            try:
                ask(named(url, "postgres"), "SELECT 1")
            except Exception:
                time.sleep(0.1)
            else:
                return
        time.sleep(0.05)
    raise RuntimeError(f"PostgreSQL did not start:\n{log.read_text()[-2000:]}")


def named(url, name):
    """The same server, another database."""
    return urlsplit(url)._replace(path=f"/{name}").geturl()


def ask(url, words):
    import psycopg

    parts = urlsplit(url)
    query = {key: value for key, value in parse_qsl(parts.query) if key != "pool"}
    plain = parts._replace(query=urlencode(query)).geturl()
    with psycopg.connect(plain, autocommit=True) as connection:
        found = connection.execute(words)
        return found.fetchall() if found.description else None


def make_database(url):
    """An empty database under the name this URL has, instead of any that had it."""
    name = urlsplit(url).path.strip("/")
    drop_database(url)
    ask(named(url, "postgres"), f'CREATE DATABASE "{name}"')


def drop_database(url):
    name = urlsplit(url).path.strip("/")
    ask(named(url, "postgres"), f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
