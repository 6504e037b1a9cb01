"""Computation of a study: blocks of evenings shared out to the cores and summed in their order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from multiprocessing import get_context
from typing import Any, NamedTuple

import engine
from lab.comparison import Tree, add, compared, fought, on_its_own
from lab.grid import FIRST, FIRST_OF_OTHERS, SEED, STUDIES, Study
from lab.simulators import SIMULATORS

BLOCK = 100
"""Evenings handed to a core at a time."""

Progress = Callable[[int, int], None]


class Task(NamedTuple):
    """One block: the part of the study it belongs to, that part's place, and its evenings."""

    game: str
    part: str
    place: int
    evenings: range


MAKERS: dict[str, Callable[..., Tree]] = {"cells": compared, "duels": fought, "apart": on_its_own}


def first_of(part: str, place: int) -> int:
    """The evenings in the first block of a part, which the tests play again."""
    return FIRST if (part, place) == ("cells", 0) else FIRST_OF_OTHERS


def tasks(study: Study, only_first: bool = False) -> list[Task]:
    """The blocks of a study, the first one of each part as long as the tests need it."""
    found = []
    for part in MAKERS:
        for place, item in enumerate(getattr(study, part)):
            first = first_of(part, place)
            found.append(Task(study.game, part, place, range(first)))
            if not only_first:
                starts = range(first, item.evenings, BLOCK)
                blocks = [range(start, min(start + BLOCK, item.evenings)) for start in starts]
                found += [Task(study.game, part, place, block) for block in blocks]
    return found


def perform(task: Task, seed: str = SEED) -> Tree:
    """The whole numbers of one block."""
    study = STUDIES[task.game]
    return MAKERS[task.part](study, getattr(study, task.part)[task.place], task.evenings, seed)


def compute(
    study: Study, workers: int = 1, only_first: bool = False, progress: Progress | None = None
) -> dict[str, list[dict[str, Tree]]]:
    """The figures of each part of a study: of its first block, and of all of them. Cores change nothing."""
    todo = tasks(study, only_first)
    figures: dict[str, list[dict[str, Tree]]] = {
        part: [{"first": {}, "all": {}} for _ in getattr(study, part)] for part in MAKERS
    }
    for done, (task, tree) in enumerate(zip(todo, _performed(todo, workers), strict=True), start=1):
        of_part = figures[task.part][task.place]
        if not task.evenings.start:
            add(of_part["first"], tree)
        add(of_part["all"], tree)
        if progress:
            progress(done, len(todo))
    return figures


def _performed(todo: list[Task], workers: int) -> Iterator[Tree]:
    if workers == 1:
        yield from map(perform, todo)
        return
    with get_context("spawn").Pool(workers) as pool:
        yield from pool.imap(perform, todo)


def document(study: Study, figures: dict[str, list[dict[str, Tree]]]) -> dict[str, Any]:
    """The results as they are kept: how they came about, in words, and the whole numbers."""
    simulator = SIMULATORS[study.game]
    return {
        "game": study.game,
        "engine": engine.__version__,
        "seed": SEED,
        "policies": dict(simulator.policies),
        "packs": dict(simulator.packs),
        "tables": [_table(cell) | tree for cell, tree in zip(study.cells, figures["cells"], strict=True)],
        "duels": [duel._asdict() | tree for duel, tree in zip(study.duels, figures["duels"], strict=True)],
        "apart": [
            {"title": apart.title, "options": apart.options} | _table(apart) | tree
            for apart, tree in zip(study.apart, figures["apart"], strict=True)
        ],
    }


def _table(item: Any) -> dict[str, Any]:
    kind = item.kind
    return {"players": len(kind.policies), "policy": kind.policies[0], "pack": kind.pack}
