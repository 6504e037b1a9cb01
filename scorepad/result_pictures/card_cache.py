"""Cards that were drawn lately, by pad and head, and the budget for drawing others."""

import threading
from collections import OrderedDict
from dataclasses import replace

from ratelimit.work_budget import WorkBudget, WorkRules
from scorepad import replay_budget
from scorepad.limits import limit
from scorepad.result_pictures import typefaces
from scorepad.result_pictures.result_card import result_card
from scorepad.result_pictures.result_png import draw_png
from scorepad.snapshots import Snapshot

SAYS_SPENT = "Too many pictures were drawn from here. Wait a little, then try again."
SAYS_BUSY = "The server is busy drawing pictures. Try again in a moment."

_cards: OrderedDict[tuple[object, ...], bytes] = OrderedDict()
_lock = threading.Lock()


def _rules() -> WorkRules:
    return replace(replay_budget.rules(), says_spent=SAYS_SPENT, says_busy=SAYS_BUSY)


budget = WorkBudget(_rules)


def card(snapshot: Snapshot, shape: str) -> bytes:
    """The card of a pad as it stands: drawn once for each head of the log and each change of names.

    Raises RateLimitError when too many were drawn from here.
    """
    # By its code: a row's number may be given again to another pad.
    key = (snapshot.pad.code, snapshot.replay.head, snapshot.pad.revision, shape)
    with _lock:
        if key in _cards:
            _cards.move_to_end(key)
            return _cards[key]
    with budget.spend():
        drawn = draw_png(result_card(snapshot.state(), typefaces), shape)
    with _lock:
        _cards[key] = drawn
        while len(_cards) > limit("PICTURES_IN_MEMORY_MOST"):
            _cards.popitem(last=False)
    return drawn
