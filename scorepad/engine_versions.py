"""Changes of scoring between engine versions: which entries of an old pad, and why in the changelog's words.

With each entry the ledger keeps a digest of the lines as they were acknowledged. A pad begun with another
version is replayed entry by entry, and where the digest differs the scoring has changed.
"""

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings

import engine
from scorepad import ledger, replay_budget
from scorepad.ledger import seals
from scorepad.models import Pad

_VERSION = re.compile(r"^## \[?v?(?P<version>\d+(?:\.\d+)*)")
_HEADING = re.compile(r"^### (?P<title>.+?)\s*$")


def changed_entries(pad: Pad, head: int | None = None) -> list[dict[str, Any]]:
    """The entries that this engine scores otherwise than it was said when they were entered."""
    if pad.engine == engine.__version__:
        return []
    head = ledger.head(pad) if head is None else head
    return _changed_entries(pad.code, head, tuple(pad.players), engine.__version__)


@lru_cache(maxsize=500)
def _changed_entries(code: str, head: int, players: tuple[str, ...], version: str) -> list[dict[str, Any]]:
    """The long way, once for every head: replay entry by entry and compare."""
    pad = Pad.objects.get(code=code)
    log = ledger.log(pad, most=head)
    if seals.is_too_long_to_compare([logged.entry for logged in log], [logged.step for logged in log]):
        return []
    with replay_budget.spend(len(log)):
        return _compare(pad, log)


def _compare(pad: Pad, log: list[ledger.LogEntry]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    before: engine.Position | None = engine.replay({**ledger.sheet_head(pad), "entries": []})
    steps = [logged.step for logged in log]
    for index, logged in enumerate(log):
        kind, is_alone = logged.entry["type"], logged.step is None
        if not seals.is_last_of_step(steps, index):
            continue  # It was judged with those it was stored together with.
        if before is None and is_alone and kind not in seals.CORRECTIONS:
            continue  # Only a correction can repair a log that does not stand.
        try:
            if before is not None and is_alone:
                now = before.enter(logged.entry)
            else:
                now = engine.replay(_sheet(pad, log[: index + 1]))
        except engine.Refused as refused:
            error = refused.as_dict()["error"]
            if logged.scored:
                found.append({"entry": index, "id": logged.id, "lines": [], "error": error})
            before = None
            continue
        # Without a digest nothing was promised: it is part of a sheet that came in whole.
        if logged.scored and seals.scored_digest(before if is_alone else None, now, kind) != logged.scored:
            lines = [line.as_dict() for line in now.lines if line.entry == index]
            found.append({"entry": index, "id": logged.id, "lines": lines, "error": None})
        before = now
    return found


def _sheet(pad: Pad, log: list[ledger.LogEntry]) -> dict[str, Any]:
    return {**ledger.sheet_head(pad), "entries": [logged.entry for logged in log]}


def scoring_changes(since: str) -> list[dict[str, str]]:
    """The changelog's "Scoring changes" of every version after this one."""
    return [
        {"version": version, "says": says}
        for version, says in _changelog(Path(settings.BASE_DIR) / "CHANGELOG.md")
        if _order(version) > _order(since)
    ]


def report(pad: Pad, head: int | None = None) -> dict[str, Any] | None:
    """The report on a pad whose scoring has changed since it was begun; None when it has not."""
    entries = changed_entries(pad, head)
    if not entries:
        return None
    return {
        "from": pad.engine,
        "to": engine.__version__,
        "entries": entries,
        "changelog": scoring_changes(pad.engine),
    }


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


@cache
def _changelog(path: Path) -> tuple[tuple[str, str], ...]:
    if not path.exists():
        return ()
    version, heading = "", ""
    words: list[tuple[str, str]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if match := _VERSION.match(line):
            version, heading = match["version"], ""
        elif match := _HEADING.match(line):
            heading = match["title"].lower()
        elif heading == "scoring changes" and version and line.strip():
            if line.startswith(("- ", "* ")):
                words.append((version, line[2:].strip()))
            elif words and words[-1][0] == version:
                words[-1] = (version, f"{words[-1][1]} {line.strip()}")
    return tuple(words)
