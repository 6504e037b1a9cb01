"""The ledger: the stored log of every pad. The only code that writes or reads entries.

- entries: the log as people read it, and the tally sheet of a pad
- writer: appends entries that were judged, each once
- judgement: the engine's word on each entry, and the rows to store
- together: entries that can only stand together, judged as a whole
- replays: the position of a pad now, from the cache and the newer rows
- cache: replays kept in this process
- sql: the queries of every tap
- seat_names: players' names to seat numbers and back
- seals: hashes over the log and over what entries scored
- validators: what a database can store
- retry: transactions repeated after a deadlock or a fail-over
- outcome_counts: stored, known and refused entries of this process, for ops/metrics
- pad_verification: checks of stored pads for the verify command
"""

from scorepad.ledger.cache import Replay
from scorepad.ledger.entries import (
    LogEntry,
    Who,
    answers_of,
    end_of_step,
    game_of,
    head,
    last_entry,
    log,
    sheet,
    sheet_head,
    tapped_at,
    who_of,
)
from scorepad.ledger.judgement import (
    KNOWN,
    REFUSED,
    STORED,
    Hold,
    Judged,
    Outcome,
    Told,
    check_open,
    check_room,
    judge_all,
    new_id,
    position_after,
    read_entry,
)
from scorepad.ledger.replays import (
    catch_up,
    position,
    position_at,
    replay,
    replay_cost,
    replay_of_whole,
)
from scorepad.ledger.sql import StoredEntry, read_entries, tapped_between
from scorepad.ledger.together import position_together
from scorepad.ledger.writer import (
    Appended,
    append,
    append_and_replay,
    append_locked,
    append_together,
    catch_up_locked,
    lock,
    with_lock,
)

__all__ = [
    "KNOWN",
    "REFUSED",
    "STORED",
    "Appended",
    "Hold",
    "Judged",
    "LogEntry",
    "Outcome",
    "Replay",
    "StoredEntry",
    "Told",
    "Who",
    "answers_of",
    "append",
    "append_and_replay",
    "append_locked",
    "append_together",
    "catch_up",
    "catch_up_locked",
    "check_open",
    "check_room",
    "end_of_step",
    "game_of",
    "head",
    "judge_all",
    "last_entry",
    "lock",
    "log",
    "new_id",
    "position",
    "position_after",
    "position_at",
    "position_together",
    "read_entries",
    "read_entry",
    "replay",
    "replay_cost",
    "replay_of_whole",
    "sheet",
    "sheet_head",
    "tapped_at",
    "tapped_between",
    "who_of",
    "with_lock",
]
