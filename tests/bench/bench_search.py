"""Search against bare FTS5: a page of ours, with levels, ranking and filters, and one query by its own rank.

Both answer over the same index, in turns, with the marked text of thirty documents; processor time
counts. `BOOKS=200` sets how many generated books stand beside ours.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from tests.bench.bench_books import fill
from tests.bench.bench_pads import told

BOOKS = int(os.environ.get("BOOKS", "200"))
ROUNDS = 40
RATIO_MOST = 2.0
FIXED_MS = 0.6
"""What asking level by level costs where almost nothing is found; it does not grow, and is not compared."""
RAW = (
    "SELECT kind, book, key, anchor,"
    " highlight(archive_search, 5, '<', '>'), highlight(archive_search, 6, '<', '>')"
    " FROM archive_search WHERE archive_search MATCH %s ORDER BY rank LIMIT 30"
)
QUERIES = {
    "a phrase": ('"consecutive order"', '"consecutive order"'),
    "a word of every book": ("cards", "cards"),
    "two such words": ("the player", "the AND player"),
    "a rare word": ("gesture", "gesture"),
}


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="tallyroom-bench-") as folder:
        os.environ |= {"TALLYROOM_VAR": folder, "DJANGO_SETTINGS_MODULE": "tests.bench.scale_site"}
        Path(folder).mkdir(exist_ok=True)
        import django

        django.setup()
        fill(BOOKS)
        held = [compared(name, *asked) for name, asked in QUERIES.items()]
        return 0 if all(held) else 1


def compared(name: str, ours: str, raw: str) -> bool:
    from django.db import connection

    from archive import search

    def ask_raw() -> None:
        with connection.cursor() as cursor:
            cursor.execute(RAW, [raw])
            assert cursor.fetchall()

    def ask_ours() -> None:
        assert search.index().page(ours).hits

    sides: dict[Callable[[], None], list[float]] = {ask_ours: [], ask_raw: []}
    for _ in range(ROUNDS):
        for ask, taken in sides.items():
            began = time.process_time()
            ask()
            taken.append((time.process_time() - began) * 1000)
    own, bare = (median(taken) for taken in sides.values())
    words = f"{name} among {BOOKS + 5:,} books: {own:.2f} ms, bare FTS5 {bare:.2f} ms, {own / bare:.2f} times"
    return told(words, max(own - FIXED_MS, 0.0) / bare, RATIO_MOST)


if __name__ == "__main__":
    sys.exit(main())
