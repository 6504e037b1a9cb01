"""Moments of a game worth telling afterwards, from its lines alone; so for any game."""

from __future__ import annotations

from scorepad.pad_state import PadState

FEWEST_WIN = ("rummy-1916", "rummy-1926")


def moments(moment: PadState) -> list[str]:
    result = moment.result
    if not result.lines:
        return []
    told = [_greatest(moment), _lead_changes(moment), *_special(moment)]
    return [words for words in told if words]


def _greatest(moment: PadState) -> str:
    line = max(moment.result.lines, key=lambda line: line.points)
    return (
        f"The greatest number: {line.points} for {line.player}. {line.why.rstrip('.')}."
        if line.points > 0
        else ""
    )


def _lead_changes(moment: PadState) -> str:
    """How often the lead passed to somebody else, and from where the winner came."""
    best = min if moment.position.game.key in FEWEST_WIN else max
    totals = dict.fromkeys(moment.players, 0)
    leader, changes = "", 0
    for place in sorted(moment.lines_of):
        for _, line in moment.lines_of[place]:
            totals[line.player] += line.points
        goal = best(totals.values())
        ahead = [name for name, total in totals.items() if total == goal]
        if len(ahead) == 1 and ahead[0] != leader:
            changes += bool(leader)
            leader = ahead[0]
    if not leader:
        return ""
    if not changes:
        return f"{leader} led from the first number to the last."
    return f"The lead changed {changes} time{'' if changes == 1 else 's'}."


def _special(moment: PadState) -> list[str]:
    """Numbers with a sign that few others have: GRAND VICTORIES, failed raps, the last to notice."""
    names = {
        "G": "GRAND VICTORIES",
        "RWB": "bonuses for red, white and blue in order",
        "C": "CAPTURES",
        "last": "times last to notice",
        "VICTIM": "victims",
    }
    told = []
    for symbol, words in names.items():
        by = [line.player for line in moment.result.lines if line.symbol == symbol and line.points >= 0]
        if symbol == "last":
            by = [line.player for line in moment.result.lines if line.symbol == symbol and line.points < 0]
        if by:
            counted = ", ".join(f"{name} {by.count(name)}" for name in moment.players if name in by)
            told.append(f"{words[0].upper()}{words[1:]}: {counted}.")
    return told
