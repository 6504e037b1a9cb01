"""`make test-postgres`: what matters of the suite on PostgreSQL, on a private server or on TEST_DATABASE_URL.

Paths and options given are handed to pytest instead of the usual ones; `make soak-postgres` gives all of it.
"""

import os
import subprocess
import sys
from contextlib import nullcontext

from tests.postgres.private_server import ask, drop_database, named, server

SUITES = [
    "tests/postgres",
    "tests/scorepad",
    "tests/resilience/test_random_games.py",
    "tests/resilience/test_service_errors_postgres.py",
    "tests/ops",
    "tests/archive/test_search.py",
    "tests/archive/test_load_books.py",
    "tests/archive/test_curation_history.py",
]


def main() -> int:
    given = os.environ.get("TEST_DATABASE_URL")
    # By file, for a file shares its servers.
    wanted = sys.argv[1:] or ["-n", "auto", "--dist", "loadfile", *SUITES]
    with nullcontext(given) if given else server() as url:
        assert url is not None
        command = [sys.executable, "-m", "pytest", "-q", *wanted]
        run = subprocess.run(command, env={**os.environ, "TEST_DATABASE_URL": url}, check=False)
        if given:
            tidy(given)
    return run.returncode


def tidy(url: str) -> None:
    """Leave a server that is not ours as it was."""
    names = ask(
        named(url, "postgres"), "SELECT datname FROM pg_database WHERE datname LIKE 'tallyroom_try_%'"
    )
    for (name,) in names:
        drop_database(named(url, name))


if __name__ == "__main__":
    sys.exit(main())
