"""The order of play: the log as if every forgotten entry had been written down in its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.rules import Entry

#: An entry's place in the log, and what stands there; None while it is void.
Step = tuple[int, Entry | None]

#: For each inserted entry the place it comes after; None where it comes before all others.
Parents = Mapping[int, int | None]

#: The parent of what was not inserted: no place.
NOT_INSERTED = -1


def order_of_play(kept: Mapping[int, Entry | None], parents: Parents) -> list[Step]:
    """Sort what stands at each place into the order in which it is played.

    Inserts before all others come first, then the rest of the log; each entry is followed by the inserts that
    name it, oldest first, each with its own inserts before the next.
    """
    if not parents:
        return [*kept.items()]
    inserted: dict[int | None, list[int]] = {}
    for place, parent in parents.items():
        inserted.setdefault(parent, []).append(place)
    roots = [*inserted.get(None, ()), *(place for place in kept if place not in parents)]
    steps: list[Step] = []
    waiting = roots[::-1]
    while waiting:
        place = waiting.pop()
        steps.append((place, kept[place]))
        waiting += inserted.get(place, ())[::-1]
    return steps


def end_of_inserts(steps: Sequence[Step], start: int, parents: Parents, parent: int | None) -> int:
    """The end of the inserts that follow `parent`, and of their own, which begin at `start`."""
    family = {parent}
    while start < len(steps) and parents.get(steps[start][0], NOT_INSERTED) in family:
        family.add(steps[start][0])
        start += 1
    return start
