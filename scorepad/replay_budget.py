"""Budget of replays: how much of the processor may be used for replaying long logs, by address and for all.

A tap plays one entry, and a log as tables write it is replayed in milliseconds: both are free. What is longer
is paid for, and done by one request at a time.
"""

from contextlib import AbstractContextManager, nullcontext

from ratelimit.work_budget import BusyError, WorkBudget, WorkRule, WorkRules
from scorepad.limits import limit

SAYS_SPENT = "Long logs were worked through too often from here. Wait a little, then try again."
SAYS_BUSY = "The server is busy with long logs. Nothing was stored; try again in a moment."


def rules() -> WorkRules:
    """How much of the processor dear work on pads may have, by address and in all."""
    return WorkRules(
        WorkRule(
            limit("REPLAY_SECONDS_PER_ADDRESS_MOST"),
            limit("REPLAY_PERCENT_PER_ADDRESS_MOST") / 100,
            limit("REPLAYS_WAITING_PER_ADDRESS_MOST"),
        ),
        WorkRule(
            limit("REPLAY_SECONDS_IN_ALL_MOST"),
            limit("REPLAY_PERCENT_IN_ALL_MOST") / 100,
            limit("REPLAYS_WAITING_MOST"),
        ),
        limit("REPLAY_WAIT_SECONDS"),
        SAYS_SPENT,
        SAYS_BUSY,
    )


budget = WorkBudget(rules)


def spend(entries: int) -> AbstractContextManager[None]:
    """Replay so many entries in here. Raises RateLimitError or BusyError if it is too much just now."""
    return budget.spend() if entries > limit("ENTRIES_REPLAYED_FREE_MOST") else nullcontext()


def busy() -> BusyError:
    """Others were quicker each time: nothing was stored."""
    return BusyError(SAYS_BUSY, 1)
