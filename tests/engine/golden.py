"""The golden sheets: plain files of cases, each named by a sentence."""

import json
from pathlib import Path
from typing import Any, NamedTuple

SHEETS = Path(__file__).parents[2] / "fixtures" / "sheets"


class Case(NamedTuple):
    game: str
    name: str
    sheet: dict[str, Any]
    result: dict[str, Any] | None
    error: dict[str, Any] | None

    def __str__(self) -> str:
        return f"{self.game}: {self.name}"


def cases() -> list[Case]:
    return [
        Case(file.stem, case["name"], case["sheet"], case.get("result"), case.get("error"))
        for file in sorted(SHEETS.glob("*.json"))
        for case in json.loads(file.read_text(encoding="utf-8"))
    ]
