"""Limits of accounts: numbers, and the rules they make for the rate limiter.

Each number is a setting, or a variable of the environment, of the same name.
"""

from __future__ import annotations

from ratelimit.configured_limits import configured_limit, in_minutes
from ratelimit.limiter import Rule

DEFAULTS = {
    "SIGN_IN_PAUSE_MINUTES": 15,
    "SIGN_IN_FAILURES_MOST": 5,
    "SIGN_IN_FAILURES_OF_A_NAME_MOST": 30,
    "SIGN_IN_FAILURES_OF_AN_ADDRESS_MOST": 60,
    "INVITATION_GUESSES_PER_ADDRESS_MOST": 30,
    "INVITATION_GUESSES_WINDOW_MINUTES": 10,
    "PASSKEY_QUESTIONS_PER_ADDRESS_MOST": 100,
    "PASSKEY_QUESTIONS_WINDOW_MINUTES": 10,
    "PASSKEYS_PER_PERSON_MOST": 20,
    "PASSWORD_LENGTH_MOST": 200,
    "SESSION_IDLE_DAYS": 3,
}


def limit(name: str) -> int:
    return configured_limit(name, DEFAULTS[name])


def _sign_in_rule(kind: str, most: str) -> Rule:
    """Counted by the minute, so that the pause lasts as long as its sentence says."""
    minutes = limit("SIGN_IN_PAUSE_MINUTES")
    says = f"That was too often in a short time. Wait {in_minutes(minutes)}, then try again."
    return Rule(kind, limit(most), minutes * 60, says, windows=minutes)


def sign_in_of_name_here() -> Rule:
    """Failures with one name from one address: both rest."""
    return _sign_in_rule("sign-in", "SIGN_IN_FAILURES_MOST")


def sign_in_of_name() -> Rule:
    """Failures with one name from all addresses: more often, so that a stranger cannot easily shut it out."""
    return _sign_in_rule("sign-in-name", "SIGN_IN_FAILURES_OF_A_NAME_MOST")


def sign_in_of_address() -> Rule:
    """Failures with all names from one address."""
    return _sign_in_rule("sign-in-address", "SIGN_IN_FAILURES_OF_AN_ADDRESS_MOST")


def invitation_guesses() -> Rule:
    """Links from one address that never were an invitation."""
    minutes = limit("INVITATION_GUESSES_WINDOW_MINUTES")
    says = "Too many invitations were tried from here. Wait {wait}, then open your link again."
    return Rule("invitation", limit("INVITATION_GUESSES_PER_ADDRESS_MOST"), minutes * 60, says)


def passkey_questions() -> Rule:
    """Questions to passkeys from one address, answered or not: each is a row for some minutes."""
    minutes = limit("PASSKEY_QUESTIONS_WINDOW_MINUTES")
    says = "Passkeys were asked for too often from here. Wait {wait}, then try again."
    return Rule("passkey-question", limit("PASSKEY_QUESTIONS_PER_ADDRESS_MOST"), minutes * 60, says)
