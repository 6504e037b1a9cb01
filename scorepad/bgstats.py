"""A finished game as a link that BG Stats opens: its push format is one JSON object in the address."""

import hashlib
import json
from typing import Any
from urllib.parse import quote

from scorepad.ledger import entries as ledger
from scorepad.models import Pad

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Tallyroom"


def play(pad: Pad) -> dict[str, Any] | None:
    """The game as BG Stats reads it; None until it is finished."""
    now = ledger.position(pad)
    result = now.result()
    if result.ended is None:
        return None
    log = ledger.log(pad)
    ended_at = log[-1].made_at
    winning = [result.totals[name] for name in result.winners]
    return {
        "sourceName": SOURCE,
        # The pad's code stays here: a hash of it is enough to know the same game again.
        "sourcePlayId": hashlib.sha256(pad.code.encode()).hexdigest()[:24],
        "playDate": f"{ended_at:%Y-%m-%d %H:%M:%S}",
        "durationMin": max(1, round((ended_at - log[0].made_at).total_seconds() / 60)),
        "game": {
            "name": now.game.title,
            "sourceGameId": now.game.key,
            "highestWins": max(winning) == max(result.totals.values()),
            "noPoints": not any(line.points for line in result.lines),
        },
        # Its Android application needs "winner" for everyone, though it calls the field optional.
        "players": [
            {
                "name": name,
                "sourcePlayerId": name.casefold(),
                "startPlayer": seat == pad.dealer,
                "score": str(total),
                "winner": name in result.winners,
            }
            for seat, (name, total) in enumerate(result.totals.items())
        ],
    }


def link(pad: Pad) -> str | None:
    found = play(pad)
    return ADDRESS + quote(json.dumps(found, separators=(",", ":")), safe="") if found else None
