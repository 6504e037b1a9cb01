"""Limits of readers' messages: numbers, and the rules they make for the rate limiter.

Each number is a setting, or a variable of the environment, of the same name.
"""

from __future__ import annotations

from ratelimit.configured_limits import configured_limit
from ratelimit.limiter import Rule

DEFAULTS = {
    "MESSAGES_PER_ADDRESS_MOST": 10,
    "MESSAGES_IN_ALL_MOST": 200,
    "MESSAGES_WINDOW_MINUTES": 60,
    "MESSAGES_WAITING_MOST": 2_000,
    "MESSAGE_LETTERS_MOST": 4_000,
    "MESSAGE_PHOTOGRAPHS_PER_ADDRESS_MOST": 5,
    "MESSAGE_PHOTOGRAPHS_IN_ALL_MOST": 40,
    "MESSAGE_PHOTOGRAPHS_KEPT_MOST": 400,
    "MESSAGE_ADDRESS_DAYS": 90,
    "MESSAGE_GUESSES_PER_ADDRESS_MOST": 30,
}
EVERYONE = ""
"""The address under which all are counted together."""


def limit(name: str) -> int:
    return configured_limit(name, DEFAULTS[name])


def _rule(kind: str, most: str, says: str) -> Rule:
    return Rule(kind, limit(most), limit("MESSAGES_WINDOW_MINUTES") * 60, says)


def sent_from_address() -> Rule:
    says = "Many messages have come from here in a short time. Wait {wait}, then send yours."
    return _rule("message", "MESSAGES_PER_ADDRESS_MOST", says)


def sent_by_all() -> Rule:
    says = "Very many messages are coming in just now. Wait {wait}, then send yours."
    return _rule("message-all", "MESSAGES_IN_ALL_MOST", says)


def photographs_from_address() -> Rule:
    says = (
        "Many photographs have come from here in a short time. Send your message without one, or wait {wait}."
    )
    return _rule("message-photo", "MESSAGE_PHOTOGRAPHS_PER_ADDRESS_MOST", says)


def photographs_by_all() -> Rule:
    says = "Very many photographs are coming in just now. Send your message without one, or wait {wait}."
    return _rule("message-photo-all", "MESSAGE_PHOTOGRAPHS_IN_ALL_MOST", says)


def guesses() -> Rule:
    """Links from one address that never led to a message."""
    says = "Too many links were tried from here. Wait {wait}, then open your link again."
    return _rule("message-link", "MESSAGE_GUESSES_PER_ADDRESS_MOST", says)
