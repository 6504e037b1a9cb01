"""Scoring by a passage: options that read it, lines it awards, ends and refusals that cite it.

Options say so themselves. Lines, ends and refusals are gathered by scoring the golden sheets, so that what a
page shows is what the engine says, in its own words.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from django.conf import settings

import engine


@dataclass(frozen=True)
class PassageAward:
    """A kind of line: its sign, and an example with its points and words."""

    game: str
    symbol: str
    points: int
    why: str


@dataclass(frozen=True)
class EngineSentence:
    """The end of a game or a refusal, in the engine's words."""

    game: str
    code: str
    why: str


@dataclass
class PassageScoring:
    """All that the engine does by one passage."""

    options: list[tuple[engine.Game, engine.Option]] = field(default_factory=list)
    lines: dict[tuple[str, str], PassageAward] = field(default_factory=dict)
    ends: dict[str, EngineSentence] = field(default_factory=dict)
    refusals: dict[tuple[str, str], EngineSentence] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.options or self.lines or self.ends or self.refusals)


@lru_cache(maxsize=1)
def by_passage() -> dict[str, PassageScoring]:
    """Everything the engine cites, by `book/anchor`. Made once: the engine does not change while we run."""
    found: dict[str, PassageScoring] = {}
    for game in engine.GAMES.values():
        for option in game.options:
            for cite in option.cites:
                found.setdefault(cite, PassageScoring()).options.append((game, option))
    for sheet in _sheets():
        _gather(found, sheet)
    return found


def _sheets() -> list[dict[str, object]]:
    """The golden sheets. Those played by the defaults come first: their lines are the better examples."""
    paths = sorted(Path(settings.FIXTURES, "sheets").glob("*.json"))
    sheets = [case["sheet"] for path in paths for case in json.loads(path.read_text(encoding="utf-8"))]
    return sorted(sheets, key=lambda sheet: bool(sheet.get("options")))


def _gather(found: dict[str, PassageScoring], sheet: dict[str, object]) -> None:
    game = str(sheet.get("game"))
    try:
        result = engine.score(sheet)
    except engine.Refused as refused:
        # That an option has no such value is no rule of the book, though it names the passage.
        for cite in refused.cites if refused.code != "bad-option" else ():
            saying = EngineSentence(game, refused.code, refused.message)
            found.setdefault(cite, PassageScoring()).refusals.setdefault((game, refused.code), saying)
        return
    for line in result.lines:
        for cite in line.cites:
            award = PassageAward(game, line.symbol, line.points, line.why)
            found.setdefault(cite, PassageScoring()).lines.setdefault((game, line.symbol), award)
    if result.ended:
        for cite in result.ended.cites:
            saying = EngineSentence(game, "", result.ended.why)
            found.setdefault(cite, PassageScoring()).ends.setdefault(game, saying)


def scored_by(book: str, anchors: list[str]) -> PassageScoring:
    """The scoring of a passage under any of its names."""
    whole = PassageScoring()
    for anchor in anchors:
        part = by_passage().get(f"{book}/{anchor}")
        if part is None:
            continue
        whole.options += [pair for pair in part.options if pair not in whole.options]
        whole.lines |= part.lines
        whole.ends |= part.ends
        whole.refusals |= part.refusals
    return whole
