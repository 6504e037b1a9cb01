"""Limits of the pads, and the rate limits by address.

Each limit is a setting, or a variable of the environment, of the same name; these are the defaults.
docs/limits.md tells what each is for.
"""

import math

from ratelimit.configured_limits import configured_limit
from ratelimit.limiter import Rule

DEFAULTS = {
    "ENTRIES_BODY_BYTES_MOST": 512 * 1024,
    "ENTRIES_PER_POST_MOST": 500,
    "ENTRIES_PER_PAD_MOST": 2_000,
    "ENTRIES_REPLAYED_PER_POST_MOST": 5_000,
    "ENTRIES_REPLAYED_FREE_MOST": 500,
    "ENTRIES_REPLAYED_LOCKED_MOST": 100,
    "REPLAY_SECONDS_PER_ADDRESS_MOST": 30,
    "REPLAY_PERCENT_PER_ADDRESS_MOST": 10,
    "REPLAYS_WAITING_PER_ADDRESS_MOST": 2,
    "REPLAY_SECONDS_IN_ALL_MOST": 120,
    "REPLAY_PERCENT_IN_ALL_MOST": 30,
    "REPLAYS_WAITING_MOST": 4,
    "REPLAY_WAIT_SECONDS": 3,
    "ENTRIES_RESCORED_MOST": 4_000,
    "ENTRIES_BESIDE_MOST": 60,
    "ENTRIES_PER_HISTORY_PAGE_MOST": 100,
    "PICTURES_IN_MEMORY_MOST": 64,
    "ENTRY_ID_LENGTH_MOST": 100,
    "LEDGER_TRIES_MOST": 4,
    "IMPORT_BYTES_MOST": 2 * 1024 * 1024,
    "PAD_SETTINGS_BYTES_MOST": 8 * 1024,
    "DRAFT_BYTES_MOST": 16 * 1024,
    "DRAFT_PUTS_MOST": 50,
    "HEADING_LENGTH_MOST": 2_000,
    "COUNT_CHECKS_PER_PAD_MOST": 500,
    "GAMES_PER_EVENING_MOST": 40,
    "FORMER_NAMES_PER_PAD_MOST": 200,
    "LINKS_PER_PAD_MOST": 200,
    "LINKS_EVER_PER_PAD_MOST": 2_000,
    "PADS_KNOWN_BY_A_PHONE_MOST": 24,
    "CLUBS_KNOWN_BY_A_PHONE_MOST": 8,
    "PADS_PER_CLUB_MOST": 2_000,
    "CLUBS_PER_PAD_MOST": 5,
    "NAMES_JOINED_PER_CLUB_MOST": 500,
    "CLUB_FIGURES_IN_MEMORY_MOST": 100,
    "REPLAYS_IN_MEMORY_BYTES_MOST": 128 * 1024 * 1024,
    "RESULTS_IN_MEMORY_MOST": 5_000,
    "REPLAYS_BEGUN_IN_MEMORY_MOST": 4,
    "HANDOVER_HOURS": 12,
    "CLUB_HANDOVER_DAYS": 14,
    "HANDOVER_AGAIN_MINUTES": 60,
    "NEW_OWNER_DAYS": 7,
    "JOIN_CODE_MINUTES": 10,
    "JOIN_CODES_PER_ROLE_MOST": 20,
    "JOIN_GUESSES_PER_ADDRESS_MOST": 30,
    "JOIN_GUESSES_WINDOW_MINUTES": 10,
    "TOKEN_GUESSES_PER_ADDRESS_MOST": 100,
    "TOKEN_GUESSES_WINDOW_MINUTES": 10,
    "PADS_MADE_PER_MINUTE_MOST": 100,
    "PADS_MADE_PER_ADDRESS_MOST": 400,
    "PADS_MADE_IN_ALL_MOST": 2_000,
    "PADS_MADE_WINDOW_MINUTES": 60,
    "PAD_IDLE_DAYS": 400,
    "PAD_EMPTY_IDLE_DAYS": 60,
    "PAD_NOTICE_DAYS": 30,
    "TRIAL_TABLE_HOURS": 48,
    "PADS_EXPIRED_AT_ONCE_MOST": 50,
    "STREAMS_PER_PAD_MOST": 60,
    "STREAMS_PER_ADDRESS_MOST": 400,
    "STREAMS_PER_PROCESS_MOST": 4_000,
    "STREAM_QUEUE_MOST": 200,
    "STREAM_REPLAY_MOST": 100,
}


def limit(name: str) -> int:
    return configured_limit(name, DEFAULTS[name])


EVERY_ADDRESS = ""
"""The address under which all are counted together."""


def join_code_guesses() -> Rule:
    minutes = limit("JOIN_GUESSES_WINDOW_MINUTES")
    says = "Too many codes were tried from here. Wait {wait}, or use the link."
    return Rule("join-code", limit("JOIN_GUESSES_PER_ADDRESS_MOST"), minutes * 60, says)


def token_guesses() -> Rule:
    """Tokens are too long to guess; this keeps the noise away. A link that once worked does not count."""
    minutes = limit("TOKEN_GUESSES_WINDOW_MINUTES")
    says = "Too many wrong links were tried from here. Wait {wait}, or ask for a new link."
    return Rule("token", limit("TOKEN_GUESSES_PER_ADDRESS_MOST"), minutes * 60, says)


FEW_PADS, MANY_PADS = 1 / 20, 1 / 2
"""Of what one address may begin: up to the first part are few, above the second are many."""
TOO_MANY_PADS = "Very many pads were begun from here in a short time. Use one of them, or wait a little."


def pads_per_minute() -> Rule:
    return Rule("pad-minute", limit("PADS_MADE_PER_MINUTE_MOST"), 60, TOO_MANY_PADS)


def pads_per_address() -> Rule:
    minutes = limit("PADS_MADE_WINDOW_MINUTES")
    return Rule("pad", limit("PADS_MADE_PER_ADDRESS_MOST"), minutes * 60, TOO_MANY_PADS)


def pads_per_site(made: float = 0) -> Rule:
    """The limit of the whole site, for an address that has made so many: the more, the sooner it is reached.

    What is left when it runs short is for those who have made few."""
    most, minutes = limit("PADS_MADE_IN_ALL_MOST"), limit("PADS_MADE_WINDOW_MINUTES")
    per_address = limit("PADS_MADE_PER_ADDRESS_MOST")
    if made > max(1, per_address * MANY_PADS):
        most = math.ceil(most / 2)
    elif made > max(1, per_address * FEW_PADS):
        most = math.ceil(most * 3 / 4)
    says = "Very many pads are being begun on this site just now. Try again in a little while."
    return Rule("pad", most, minutes * 60, says)
