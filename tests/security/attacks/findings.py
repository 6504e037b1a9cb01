"""The list of all attacks, in the order of the findings, and what each one came to."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass

MODULES = ("cost", "archives", "keys", "accounts", "phones", "faults")


@dataclass(frozen=True)
class Verdict:
    """Whether the site held, and the figures in a few words; None if it could not be tried here."""

    held: bool | None
    figures: str


@dataclass(frozen=True)
class Size:
    """How large an attack is. The short one fits into `make test`, beside other tests."""

    hands: int
    """Entries of a long pad."""
    games: int
    games_entries: int
    """Games of a long evening, and the entries of each."""
    voids: int
    """Corrections among the hands of an import."""
    page_bytes: int
    """What is proposed to a page."""
    bomb_bytes: int
    """What an archive grows to."""
    taps: int
    taps_seconds: int
    """Taps that are timed before an attack, and beside it; and for how long at most."""
    sheets: int
    """Malformed sheets for each game."""
    guesses: int
    waits: bool
    """True if an attack that needs a minute is waited for."""
    tap_ratio_most: float
    """A tap beside an attack, at most so many quiet ones."""


SHORT = Size(250, 40, 60, 25, 150_000, 200_000_000, 15, 5, 6, 120, False, 10.0)
FULL = Size(1_990, 40, 2_000, 100, 300_000, 1_500_000_000, 100, 60, 45, 300, True, 3.0)

CLUB, SMALL = "club", "small"
"""The site with its own limits, or with small ones where using up a place takes long."""
SMALL_LIMITS = {
    "LINKS_PER_PAD_MOST": 24,
    "STREAMS_PER_PAD_MOST": 12,
    "PADS_MADE_PER_ADDRESS_MOST": 20,
    "PADS_MADE_IN_ALL_MOST": 80,
}


@dataclass(frozen=True)
class Finding:
    """One attack: the number of the finding it tries, what would be wrong, and how to try it."""

    item: int
    says: str
    attack: Callable
    site: str
    on_machine: bool
    needs_account: bool
    is_long: bool
    """True for what is judged by ratios of time, or takes long: `make attack` and `make soak` try it."""

    @property
    def needs_own_site(self):
        return self.on_machine or self.needs_account or self.site == SMALL

    @property
    def name(self):
        return f"{self.item}-{self.attack.__name__}"


EVERY: list[Finding] = []


def finding(item, says, site=CLUB, on_machine=False, needs_account=False, is_long=False):
    """Put an attack on the list; with `on_machine` it needs commands, memory, files or restarts too."""

    def listed(attack):
        EVERY.append(Finding(item, says, attack, site, on_machine, needs_account, is_long))
        return attack

    return listed


def every():
    """All findings in order. Each module puts its own on the list when it is read."""
    for name in MODULES:
        importlib.import_module(f"tests.security.attacks.{name}")
    return sorted(EVERY, key=lambda one: one.item)
