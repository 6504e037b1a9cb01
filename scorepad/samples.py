"""Samples: the rulebooks' own examples, each a golden sheet with its story, openable as a pad."""

import json
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.conf import settings

import engine


@dataclass(frozen=True)
class Sample:
    """One example. `value` names its sheet: the game, and its place in the game's file."""

    game: str
    value: str
    title: str
    story: str
    cite: str


@lru_cache(maxsize=1)
def samples() -> tuple[Sample, ...]:
    told = tomllib.loads((settings.FIXTURES / "samples.toml").read_text(encoding="utf-8"))["sample"]
    return tuple(
        Sample(one["game"], _value(one["game"], one["case"]), one["title"], one["story"].strip(), one["cite"])
        for one in told
    )


def _value(game: str, name: str) -> str:
    places = [place for place, case in enumerate(cases(game)) if case["name"] == name]
    return f"{game}/{places[0]}"


def cases(game: str) -> list[dict[str, Any]]:
    """The golden sheets of a game; none for a game we do not know."""
    path = settings.FIXTURES / "sheets" / f"{game}.json"
    if game not in engine.GAMES or not path.exists():
        return []
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found
