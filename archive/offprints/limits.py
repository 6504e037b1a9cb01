"""Limits of offprints. Each is a setting, or a variable of the environment, of the same name."""

from __future__ import annotations

from ratelimit.configured_limits import configured_limit
from ratelimit.limiter import Rule

DEFAULTS = {
    "OFFPRINTS_PER_ADDRESS_MOST": 30,
    "OFFPRINTS_WINDOW_MINUTES": 60,
    "OFFPRINT_SECONDS_MAX": 20,
}


def limit(name: str) -> int:
    return configured_limit(name, DEFAULTS[name])


def offprints_begun() -> Rule:
    """Offprints that an address has made; those that are there cost nothing."""
    return Rule(
        "offprint",
        limit("OFFPRINTS_PER_ADDRESS_MOST"),
        limit("OFFPRINTS_WINDOW_MINUTES") * 60,
        "Many files were asked for from your network. Wait {wait}, then try again.",
    )
