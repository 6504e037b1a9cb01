"""Prospects of a GRAND VICTORY: how far a run of VICTORIES is from it, and from its bonus by each reading."""

from __future__ import annotations

from functools import cache
from itertools import product

from engine.games.victory_rummy import CAPTURE, IN_ORDER, ORDER

MAX_AHEAD = 4


def _is_complete(run: str) -> bool:
    return all(letter in run for letter in ORDER)


@cache
def _ways() -> tuple[str, ...]:
    """Every order of further VICTORIES, the shortest first."""
    return tuple("".join(more) for ahead in range(MAX_AHEAD + 1) for more in product(ORDER, repeat=ahead))


@cache
def distances(run: str, reading: str) -> tuple[int, int | None]:
    """The fewest further VICTORIES to a GRAND VICTORY, and to one with the bonus if it can be reached."""
    plain: int | None = None
    for more in _ways():
        whole = run + more
        if not _is_complete(whole) or (more and _is_complete(whole[:-1])):
            continue
        plain = len(more) if plain is None else plain
        if IN_ORDER[reading](whole):
            return plain, len(more)
    assert plain is not None  # three further VICTORIES always do
    return plain, None


def worth(run: str, reading: str) -> float:
    """The points a run promises after its last VICTORY: 10, and 25 and 50 divided by how far they are."""
    # Only whether a CAPTURE lies between matters, and only a few runs need to be remembered so.
    plain, bonus = distances(run if reading == "unbroken" else run.replace(CAPTURE, ""), reading)
    return 10 + 25 / (plain + 1) + (50 / (bonus + 1) if bonus is not None else 0)
