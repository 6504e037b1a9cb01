"""Limits of pictures that are proposed as scans: numbers, and the rule they make for the rate limiter.

Each number is a setting, or a variable of the environment, of the same name.
"""

from __future__ import annotations

from ratelimit.configured_limits import configured_limit
from ratelimit.limiter import Rule

DEFAULTS = {
    "PROPOSED_SCANS_WAITING_MOST": 20,
    "PROPOSED_SCANS_PER_PERSON_MOST": 40,
    "PROPOSED_SCANS_WINDOW_MINUTES": 60,
}


def limit(name: str) -> int:
    return configured_limit(name, DEFAULTS[name])


def sent_by_person() -> Rule:
    says = "You have sent many pictures in a short time. Wait {wait}, then send the next."
    window = limit("PROPOSED_SCANS_WINDOW_MINUTES") * 60
    return Rule("proposed-scan", limit("PROPOSED_SCANS_PER_PERSON_MOST"), window, says)
