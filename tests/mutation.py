"""Changes the engine in small ways, one at a time, and sees whether the golden sheets notice, each scored as
a whole and entered entry by entry.

`python -m tests.mutation` takes some minutes and lists what nothing noticed. Each change is made in a child
process before the engine is imported, so that also what runs at import is changed. Only what decides a score
is changed: comparisons, arithmetic, conditions and numbers; the words of a sentence are not.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.util
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
ENGINE = ROOT / "engine"
LEFT_OUT = {"__main__.py", "__init__.py", "melds.py", "meld_tables.py"}  # melds: by brute force
SECONDS_MOST = 20
SHORT_STRETCH = 3
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
RECKONED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Mod: ast.Mult,
    ast.FloorDiv: ast.Mult,
}


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Every small change of one node."""
    if isinstance(node, ast.Compare):
        for place, sign in enumerate(node.ops):
            if type(sign) in COMPARED:
                signs = [*node.ops[:place], COMPARED[type(sign)](), *node.ops[place + 1 :]]
                yield ast.Compare(node.left, signs, node.comparators)
    elif isinstance(node, ast.BinOp) and type(node.op) in RECKONED:
        yield ast.BinOp(node.left, RECKONED[type(node.op)](), node.right)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(node.test, node.orelse, node.body)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value + 1)


class Swap(ast.NodeTransformer):
    def __init__(self, number: int) -> None:
        self.left = number
        self.line = 0

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for changed in changes(node):
            self.left -= 1
            if self.left == -1:
                self.line = getattr(node, "lineno", 0)
                return ast.copy_location(changed, node)
        return node


def changed_source(path: Path, number: int) -> tuple[ast.Module, int] | None:
    swap = Swap(number)
    tree = swap.visit(ast.parse(path.read_text(encoding="utf-8")))
    return (ast.fix_missing_locations(tree), swap.line) if swap.left < 0 else None


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module of the engine in its changed form."""

    def __init__(self, path: Path, tree: ast.Module) -> None:
        self.name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        self.code = compile(tree, str(path), "exec")

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        return importlib.util.spec_from_loader(name, self) if name == self.name else None

    def exec_module(self, module: Any) -> None:
        exec(self.code, module.__dict__)


def answers() -> str:
    """What the engine makes of every golden sheet, and what it tells of its games, as one text."""
    import engine
    from tests.engine.golden import cases

    said: list[Any] = []
    for case in cases():
        try:
            result = engine.score(case.sheet).as_dict()
            said.append([result[key] for key in ("totals", "winners", "status", "state", "lines")])
        except engine.Refused as refused:
            said.append([refused.code, refused.entry, list(refused.cites)])
        said += one_by_one(case.sheet)
    said += [game.as_dict() for game in engine.GAMES.values()]
    return json.dumps(said)


def one_by_one(sheet: dict[str, Any]) -> Iterator[Any]:
    """What the engine says while the same sheet is entered, entry by entry, in short stretches."""
    import engine
    from engine import position as positions

    positions.STRETCH_LENGTH = SHORT_STRETCH
    entries = sheet.get("entries")
    try:
        now = engine.replay({**sheet, "entries": []})
        for entry in entries if isinstance(entries, list) else ():
            yield now.replay_cost(entry)
            now = now.enter(entry)
            yield [line.points for line in now.last_lines], now.lines, now.totals, [*now.standing]
        for place, _ in now.steps:
            yield now.before(place).totals, now.states_before({place})
    except engine.Refused as refused:
        yield refused.code, refused.entry


def notices(path: Path, tree: ast.Module, wanted: str) -> bool:
    """Whether the answers differ in a child that runs the changed engine; so does a crash or a hang."""
    child = os.fork()
    if child == 0:
        import signal

        signal.alarm(SECONDS_MOST)
        sys.meta_path.insert(0, Changed(path, tree))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            same = answers() == wanted
        except BaseException:
            same = False
        os._exit(0 if same else 1)
    return os.waitpid(child, 0)[1] != 0


def wanted_answers() -> str:
    reading, writing = os.pipe()
    if os.fork() == 0:
        with os.fdopen(writing, "w") as out:
            out.write(answers())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as came:
        text = came.read()
    os.wait()
    return text


def main() -> int:
    wanted = wanted_answers()
    tried = 0
    unnoticed: list[int] = []
    for path in sorted(ENGINE.rglob("*.py")):
        number = 0
        while path.name not in LEFT_OUT and (change := changed_source(path, number)) is not None:
            tree, line = change
            tried += 1
            number += 1
            if not notices(path, tree, wanted):
                unnoticed.append(line)
                print(f"{path.relative_to(ROOT)}:{line}", flush=True)
    print(f"{tried - len(unnoticed)} of {tried} changes were noticed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
