"""Summary of a game: the final order, and the moments worth telling, from its lines alone."""

from __future__ import annotations

from scorepad.layouts import layout_of
from scorepad.pad_state import PadState


def standings(state: PadState) -> list[tuple[str, int, bool]]:
    """Every name with its total, the best first, and if it has won."""
    fewest = state.position.game.lowest_wins
    totals = sorted(state.result.totals.items(), key=lambda pair: pair[1] if fewest else -pair[1])
    return [(name, total, name in state.result.winners) for name, total in totals]


def notable_moments(state: PadState) -> list[str]:
    """Sentences about the greatest number, the lead and the symbols that few numbers have."""
    if not state.result.lines:
        return []
    told = [_greatest_number(state), _lead_changes(state), *_notable_symbols(state)]
    return [words for words in told if words]


def _greatest_number(state: PadState) -> str:
    line = max(state.result.lines, key=lambda line: line.points)
    if line.points <= 0:
        return ""
    return f"The greatest number: {line.points} for {line.player}. {line.why.rstrip('.')}."


def _lead_changes(state: PadState) -> str:
    """The number of times the lead passed to another player; ties change nothing."""
    best = min if state.position.game.lowest_wins else max
    totals = dict.fromkeys(state.players, 0)
    leader, changes = "", 0
    for lines in state.lines_of.values():
        for _, line in lines:
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


def _notable_symbols(state: PadState) -> list[str]:
    """Each player's count of the symbols that the game's layout counts: GRAND VICTORIES, captures."""
    layout, told = layout_of(state.game), []
    for symbol, words in layout.notable_symbols.items():
        lines = [line for line in state.result.lines if line.symbol == symbol and layout.is_notable(line)]
        by = [line.player for line in lines]
        if by:
            counted = ", ".join(f"{name} {by.count(name)}" for name in state.players if name in by)
            told.append(f"{words[0].upper()}{words[1:]}: {counted}.")
    return told
