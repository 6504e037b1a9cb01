"""Statistics of clubs, remembered in this process while no pad and no name of the club changes.

What is remembered is found by a fingerprint of the club: for every pad the seal of its last entry and the
revision of its row. That is one query however long the logs are, and nothing is replayed for it.
"""

import hashlib
import json
from functools import cache

from django.core.cache.backends.locmem import LocMemCache

import engine
from scorepad.clubs import club_games, statistics
from scorepad.clubs.club_games import Season
from scorepad.clubs.statistics import Statistics
from scorepad.limits import limit
from scorepad.models import Club


@cache
def _remembered() -> LocMemCache:
    params = {"MAX_ENTRIES": limit("CLUB_FIGURES_IN_MEMORY_MOST"), "TIMEOUT": None}
    return LocMemCache("scorepad-clubs", {"OPTIONS": params})


def statistics_of(club: Club, season: Season) -> Statistics:
    key = _fingerprint(club, season)
    found: Statistics | None = _remembered().get(key)
    if found is None:
        found = statistics.fold(club_games.games(club, season))
        if not found.pending:
            _remembered().set(key, found)
    return found


def _fingerprint(club: Club, season: Season) -> str:
    """A name for the club as it is now: every pad's log and table, the joined names, the engine."""
    rows = club.club_pads.order_by("pad_id").values_list("pad_id", "pad__revision", "pad__last_seal")
    seen = [club.pk, club.revision, season.query, engine.__version__, list(rows)]
    return hashlib.sha256(json.dumps(seen).encode()).hexdigest()


def clear() -> None:
    """Forget all, as a restart would."""
    _remembered().clear()
