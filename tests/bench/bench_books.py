"""How books scale on both databases: what pages and searches cost among ten thousand of them.

Few and many stand side by side in databases of their own and are asked in turns, so that a busy moment hits
all alike. `BOOKS=500` is quicker.
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
from tests.bench.scale import draw, on_both
from tests.postgres.private_server import make_database, named
from tests.scorepad.live_server import ROOT

BOOKS = int(os.environ.get("BOOKS", "10000"))
GENERATED = (0, BOOKS // 100, BOOKS // 10, BOOKS)
OURS = 5
ROUNDS = 15
RATIO_MOST = 2.0
BOOK = "/books/victory-rummy-1942/"
PAGES = {
    "shelf": "/",
    "book": BOOK,
    "book, rendered anew": BOOK,
    "book, with marks": f"{BOOK}?q=consecutive",
    "search, a phrase": "/search/?q=%22consecutive+order%22",
    "search, a word of every book": "/search/?q=cards",
    "search, two such words": "/search/?q=the+player",
}


def main() -> int:
    return on_both(on)


def on(database: str, url: str) -> bool:
    with tempfile.TemporaryDirectory(prefix="tallyroom-bench-") as folder:
        sides = {count + OURS: side(folder, url, count) for count in GENERATED}
        try:
            held = [grows_little(database, page, sides) for page in PAGES]
            return all(held)
        finally:
            for asked in sides.values():
                asked.close()


def side(folder: str, url: str, count: int) -> Asked:
    """A process over a database with so many books more than ours."""
    env = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    env |= {"TALLYROOM_VAR": f"{folder}/{count}", "DJANGO_SETTINGS_MODULE": "tests.bench.scale_site"}
    if url:
        env["DATABASE_URL"] = named(url, f"books_{count}")
        make_database(env["DATABASE_URL"])
    began = time.monotonic()
    run([sys.executable, "-m", "tests.bench.bench_books", "--grow", str(count)], env)
    print(f"     {count + OURS:,} books in {time.monotonic() - began:.0f} s", flush=True)
    return Asked("tests.bench.bench_books", env)


def grows_little(database: str, page: str, sides: dict[int, Asked]) -> bool:
    taken: dict[int, list[float]] = {count: [] for count in sides}
    for turn in range(ROUNDS + 2):
        for count, asked in sides.items():
            milliseconds = asked.time(page)
            if turn > 1:
                taken[count].append(milliseconds)
    shown = {count: median(each) for count, each in taken.items()}
    draw(f"{database}: {page}", "books", shown)
    few, many = min(shown), max(shown)
    ratio = shown[many] / shown[few]
    words = f"{database}: {page} among {many:,} books costs {ratio:.2f} times one among {few}"
    return told(words, ratio, RATIO_MOST)


def run(command: list[str], env: dict[str, str]) -> None:
    subprocess.run(command, cwd=ROOT, env=env, check=True)


def fill(count: int) -> None:
    from django.conf import settings
    from django.core.management import call_command

    (settings.VAR / "static").mkdir(parents=True)
    call_command("migrate", interactive=False, verbosity=0)
    from archive.publication import publish as books
    from tests.bench.many_books import grow

    books.load(sorted((settings.FIXTURES / "books").iterdir()))
    if count:
        grow(count)


def answer() -> None:
    from django.test import Client

    from archive.reader import book_page as rendered

    client = Client()
    for line in sys.stdin:
        page = line.strip()
        if "anew" in page:
            rendered._kept.clear()
        elif page == "book":
            client.get(PAGES[page])
        began = time.perf_counter()
        assert client.get(PAGES[page]).status_code == 200
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
