"""Example sheets beside a declaration: sheets with the result they must have, played by the declared game.

They are written as JSON, a list of objects of `name`, `sheet`, and `result` or `error`. A sheet names its
game by the key alone and brings no declaration, so that the sheets outlive a revision.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from engine.declared.declaration import Declaration
from engine.fields import quote
from engine.position import Position
from engine.rules import Refused
from engine.sheet import replay
from engine.strict_json import read

SHEETS_LEAST, SHEETS_MOST, NAME_LENGTH = 3, 60, 200
BYTES_MOST = 200_000
ENTRIES_MOST = 500
"""Of all golden sheets of one declaration together."""


class GoldenError(Exception):
    """A file of golden sheets that is none, in a sentence."""


class GoldenCase(NamedTuple):
    """One sheet by its name, what is wrong with it (empty if nothing is), and all that the file has of it."""

    name: str
    sheet: Mapping[str, Any]
    fault: str
    row: Mapping[str, Any]


def golden_cases(declaration: Declaration, text: str) -> Iterator[GoldenCase]:
    """Score every golden sheet of this text, or raise a GoldenError where it is no such file."""
    for row in _rows(text):
        yield GoldenCase(row["name"], row["sheet"], _fault(declaration, row), row)


def pinned_sheet(declaration: Declaration, sheet: Mapping[str, Any]) -> dict[str, Any]:
    """A sheet that names the game by its key alone, as a sheet that any engine can score."""
    return {**sheet, "game": declaration.name, "declaration": declaration.text}


def _rows(text: str) -> list[dict[str, Any]]:
    try:
        rows = read(text.encode("utf-8", "surrogatepass")) if len(text) <= BYTES_MOST else None
    except Refused as refused:
        raise GoldenError(refused.message) from None
    if type(rows) is not list or len(rows) > SHEETS_MOST:
        raise GoldenError(f"Example sheets are a JSON list of at most {SHEETS_MOST}.")
    entries = 0
    for number, row in enumerate(rows, 1):
        wanted = row.keys() - {"name", "sheet"} if type(row) is dict else set()
        if wanted not in ({"result"}, {"error"}) or type(row.get("sheet")) is not dict:
            raise GoldenError(f"Example sheet {number} is an object of name, sheet, and result or error.")
        if type(row.get("name")) is not str or not 1 <= len(row["name"]) <= NAME_LENGTH:
            raise GoldenError(f"Example sheet {number} needs a name: a sentence that says what it shows.")
        if type(row[next(iter(wanted))]) is not dict:
            raise GoldenError(f"What example sheet {number} must come to is an object.")
        log = row["sheet"].get("entries")
        entries += len(log) if type(log) is list else 0
    if entries > ENTRIES_MOST:
        raise GoldenError(f"The example sheets have more than {ENTRIES_MOST} entries together.")
    return rows


def _fault(declaration: Declaration, row: Mapping[str, Any]) -> str:
    sheet = row["sheet"]
    if sheet.get("game") != declaration.key or "declaration" in sheet:
        return f"Its game must be {declaration.key}, without a declaration."
    try:
        position = replay(pinned_sheet(declaration, sheet))
    except Refused as refused:
        error = row.get("error")
        if error is None:
            return f"It is refused: {refused.message}"
        found = {"code": refused.code, "entry": refused.entry}
        return _difference(found, {key: error[key] for key in error if key in found} or {"code": None})
    if "result" not in row:
        return "It is scored, and should have been refused."
    return _difference(_result(position), row["result"])


def _result(position: Position) -> dict[str, Any]:
    found = position.result().as_dict()
    lines = [[line["entry"], line["player"], line["points"], line["symbol"]] for line in found["lines"]]
    return {**found, "lines": lines}


def _difference(found: Mapping[str, Any], wanted: Mapping[str, Any]) -> str:
    for key, value in wanted.items():
        if key not in found:
            return f"A result has no {quote(key)}."
        if found[key] != value:
            return f"{key} is {_shown(found[key])}, and should be {_shown(value)}."
    return "" if wanted else "It says nothing of the result."


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return (
            ", ".join(f"{str(key)[:40]} {_shown(part)}" for key, part in [*value.items()][:12]) or "nothing"
        )
    if isinstance(value, list):
        return f"[{', '.join(_shown(part) for part in value[:20])}]"
    return quote(value)
