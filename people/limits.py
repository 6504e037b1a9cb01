"""How often one may try to come in. Each is a setting, or a variable of the environment, of the same name."""

from __future__ import annotations

from ratelimit.limits import named

DEFAULTS = {
    "SIGN_IN_PAUSE_MINUTES": 15,
    "SIGN_IN_FAILURES_MOST": 5,
    "SIGN_IN_FAILURES_OF_A_NAME_MOST": 30,
    "SIGN_IN_FAILURES_OF_AN_ADDRESS_MOST": 60,
    "INVITATION_GUESSES_PER_ADDRESS_MOST": 30,
    "INVITATION_GUESSES_WINDOW_MINUTES": 10,
    "PASSWORD_LENGTH_MOST": 200,
    "SESSION_IDLE_DAYS": 3,
}


def limit(name: str) -> int:
    return named(name, DEFAULTS[name])
