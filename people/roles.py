"""Roles and what they may do. A reader has no account; every role may do all that the one before it may."""

from __future__ import annotations

from typing import Literal

Role = Literal["contributor", "curator", "keeper"]
Act = Literal["propose", "publish", "keep"]

CONTRIBUTOR, CURATOR, KEEPER = "contributor", "curator", "keeper"

# In rising order, each with what it may do, in words for the pages.
ROLES: dict[str, str] = {
    CONTRIBUTOR: "may propose changes, which wait for a curator",
    CURATOR: "may publish, and decide about proposals",
    KEEPER: "may also invite people, assign roles and bring accounts back",
}
TITLES: dict[str, str] = {CONTRIBUTOR: "contributor", CURATOR: "curator", KEEPER: "administrator"}
"""What people read for a role."""
LEAST: dict[Act, str] = {"propose": CONTRIBUTOR, "publish": CURATOR, "keep": KEEPER}

_ORDER = list(ROLES)


def may(role: str, act: Act) -> bool:
    return role in ROLES and _ORDER.index(role) >= _ORDER.index(LEAST[act])
