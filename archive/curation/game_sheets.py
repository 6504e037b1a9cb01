"""Example sheets of a declared game as the form changes them: one more, one less, one confirmed anew."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from archive.publication.errors import EditError
from engine import Refused, replay
from engine.declared import Declaration, digest_of
from engine.declared.golden import ENTRIES_MOST, SHEETS_MOST, pinned_sheet
from engine.strict_json import read

NAME_LENGTH = 200
Row = dict[str, Any]


def rows_in(text: str) -> list[Row]:
    """The sheets of a file that can be read; EditError if it is none."""
    if not text.strip():
        return []
    try:
        rows = read(text.encode("utf-8", "surrogatepass"))
    except Refused as refused:
        raise EditError(f"sheets.json cannot be read: {refused.message} Edit it as text.") from None
    if not isinstance(rows, list) or not all(_is_row(row) for row in rows):
        raise EditError("sheets.json is not a list of example sheets. Edit it as text.")
    return rows


def _is_row(row: object) -> bool:
    return isinstance(row, dict) and isinstance(row.get("sheet"), dict)


def write(rows: list[Row]) -> str:
    """One sheet in a line, so that two curators' sheets can be merged."""
    if not rows:
        return ""
    return "[\n" + ",\n".join(f" {json.dumps(row, ensure_ascii=False)}" for row in rows) + "\n]\n"


def with_sheet(text: str, name: str, sheet: Mapping[str, Any], declaration: Declaration) -> str:
    """The file with one more sheet, and what it comes to now as what it must come to."""
    rows = rows_in(text)
    if not name or len(name) > NAME_LENGTH:
        raise EditError(f"Say in a sentence of at most {NAME_LENGTH} letters what it shows.", field="name")
    if any(row.get("name") == name for row in rows):
        raise EditError("There is an example sheet of this name already. Choose another.", field="name")
    if len(rows) >= SHEETS_MOST:
        raise EditError(f"There are {SHEETS_MOST} example sheets already. Take one out first.")
    if sum(map(_entries_in, rows)) + _entries_in({"sheet": sheet}) > ENTRIES_MOST:
        says = f"The example sheets would have more than {ENTRIES_MOST} entries together."
        raise EditError(f"{says} Keep a shorter log, or take one out first.")
    return write([*rows, {"name": name, "sheet": dict(sheet), "result": result_of(declaration, sheet)}])


def _entries_in(row: Row) -> int:
    log = row["sheet"].get("entries")
    return len(log) if isinstance(log, list) else 0


def mark_of(row: Mapping[str, Any]) -> str:
    """What a button says of the sheet it means: which place it has may change meanwhile."""
    return digest_of(json.dumps([row.get("name"), row.get("sheet"), row.get("result"), row.get("error")]))


def without_sheet(text: str, mark: str) -> str:
    """The file without the sheet of this mark; the same where it has none."""
    return write([row for row in rows_in(text) if mark_of(row) != mark])


def confirmed(text: str, mark: str, declaration: Declaration) -> str:
    """The file with what one sheet comes to now as what it must come to."""
    return write([_confirmed(row, declaration) if mark_of(row) == mark else row for row in rows_in(text)])


def _confirmed(row: Row, declaration: Declaration) -> Row:
    sheet = {**row["sheet"], "game": declaration.key}
    return {**_without_result(row), "sheet": sheet, "result": result_of(declaration, sheet)}


def of_game(text: str, key: str) -> str:
    """The file with every sheet of the game of this key, which was renamed; as it is if it cannot be read."""
    try:
        rows = rows_in(text)
    except EditError:
        return text
    renamed = [{**row, "sheet": {**row["sheet"], "game": key}} for row in rows]
    return write(renamed) if renamed != rows else text


def _without_result(row: Row) -> Row:
    return {key: value for key, value in row.items() if key not in ("result", "error")}


def result_of(declaration: Declaration, sheet: Mapping[str, Any], explained: bool = False) -> Row:
    """What a sheet comes to by this declaration, or EditError; `explained` with its lines whole."""
    try:
        result = replay(pinned_sheet(declaration, sheet)).result()
    except Refused as refused:
        raise EditError(f"This sheet is refused: {refused.message}") from None
    found = result.as_dict()
    more = {"explained": result.lines} if explained else {}
    return more | {
        "status": found["status"],
        "totals": found["totals"],
        "winners": found["winners"],
        "lines": [[line["entry"], line["player"], line["points"], line["symbol"]] for line in found["lines"]],
    }
