"""How books scale on PostgreSQL: what pages and searches cost with ten thousand (SQLite: bench_archive).

Few and many stand side by side in two databases and are asked in turns: a busy moment hits both alike.
`BOOKS=500` is quicker.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median

from tests.bench.asked import Asked
from tests.bench.bench_pads import told
from tests.postgres.private import make_database, named, server
from tests.scorepad.serving import ROOT

BOOKS = int(os.environ.get("BOOKS", "10000"))
ROUNDS = 15
RATIO_MOST = 2.0
PAGES = {
    "shelf": "/",
    "book": "/books/victory-rummy-1942/",
    "search, a phrase": "/search/?q=%22consecutive+order%22",
    "search, a word of every book": "/search/?q=cards",
    "search, two such words": "/search/?q=the+player",
}


def main() -> int:
    with server() as url:
        return 0 if books(url) else 1


def books(url: str) -> bool:
    with tempfile.TemporaryDirectory(prefix="tallyroom-bench-") as var:
        sides = []
        for name, count in (("few_books", 0), ("many_books", BOOKS)):
            make_database(named(url, name))
            settings = {"DATABASE_URL": named(url, name), "TALLYROOM_VAR": var}
            env = {**os.environ, **settings, "DJANGO_SETTINGS_MODULE": "tests.bench.scale_site"}
            began = time.monotonic()
            run([sys.executable, "-m", "tests.bench.bench_books_postgres", "--grow", str(count)], env)
            print(f"     {count + 5:,} books in {time.monotonic() - began:.0f} s", flush=True)
            sides.append(Asked("tests.bench.bench_books_postgres", env))
        held = []
        for name in PAGES:
            taken: list[list[float]] = [[], []]
            for turn in range(ROUNDS + 2):
                for side, asked in enumerate(sides):
                    milliseconds = asked.time(name)
                    if turn > 1:
                        taken[side].append(milliseconds)
            least, most = median(taken[0]), median(taken[1])
            words = f"{name} with {BOOKS + 5:,} books costs {most / least:.2f} times one with 5"
            held.append(told(f"{words} ({most:.1f} ms to {least:.1f} ms)", most / least, RATIO_MOST))
        for asked in sides:
            asked.close()
    return all(held)


def run(command: list[str], env: dict[str, str]) -> None:
    subprocess.run(command, cwd=ROOT, env=env, check=True)


def fill(count: int) -> None:
    from django.conf import settings
    from django.core.management import call_command

    call_command("migrate", interactive=False, verbosity=0)
    from archive import books as shelf
    from tests.bench.many_books import grow

    shelf.load(sorted((settings.FIXTURES / "books").iterdir()))
    if count:
        grow(count)


def answer() -> None:
    from django.test import Client

    client = Client()
    for line in sys.stdin:
        began = time.perf_counter()
        assert client.get(PAGES[line.strip()]).status_code == 200
        print((time.perf_counter() - began) * 1000, flush=True)


def inside(work: Callable[[], None]) -> int:
    import django

    django.setup()
    work()
    return 0


if __name__ == "__main__":
    if "--answer" in sys.argv:
        sys.exit(inside(answer))
    if "--grow" in sys.argv:
        sys.exit(inside(lambda: fill(int(sys.argv[-1]))))
    sys.exit(main())
