"""How a cost grows, on both databases: as bars, and as ratios to the first."""

from __future__ import annotations

from collections.abc import Callable

from tests.postgres.private_server import programs, server


def on_both(measure: Callable[[str, str], bool], **settings: str) -> int:
    """Measure with the name of a database and its address, which is "" for SQLite; the status to end with."""
    held = [measure("SQLite", "")]
    try:
        programs()
    except SystemExit as lacking:
        print(f"MISS PostgreSQL, on which nothing was measured. {lacking}", flush=True)
        held.append(False)
    else:
        with server(**settings) as url:
            held.append(measure("PostgreSQL", url))
    return 0 if all(held) else 1


def draw(title: str, what: str, shown: dict[int, float]) -> None:
    print(f"     {title}", flush=True)
    for count, figure in shown.items():
        bar = "█" * max(1, round(20 * figure / max(shown.values())))
        print(f"     {count:>9,} {what} {bar} {figure / next(iter(shown.values())):.2f} ({figure:.1f} ms)")
