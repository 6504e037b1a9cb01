"""Examples for a variant: the golden sheets of its game, scored without it and with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings

import engine


@dataclass(frozen=True)
class ChangedExample:
    """An example that the variant scores otherwise, in words."""

    name: str
    usually: str
    here: str


@lru_cache(maxsize=16)
def _cases(path: Path) -> tuple[tuple[str, dict[str, Any], str], ...]:
    """The sheets that leave every option alone and can be scored, each with its usual result in words."""
    found = []
    for case in json.loads(path.read_text(encoding="utf-8")) if path.exists() else []:
        sheet = case.get("sheet")
        if isinstance(sheet, dict) and not sheet.get("options"):
            words = _result(sheet)
            if words is not None:
                found.append((case["name"], sheet, words))
    return tuple(found)


def _result(sheet: dict[str, Any]) -> str | None:
    try:
        result = engine.score(sheet).as_dict()
    except engine.Refused:
        return None
    totals = ", ".join(f"{name} {points}" for name, points in result["totals"].items())
    won = f"; {' and '.join(result['winners'])} wins" if result["winners"] else ""
    return f"{totals}{won}"


def changed_examples(game: str, options: Mapping[str, str | int]) -> tuple[list[ChangedExample], int]:
    """The examples that these options score otherwise, and how many there are in all."""
    cases = _cases(settings.FIXTURES / "sheets" / f"{game}.json")
    found = []
    for name, sheet, usually in cases:
        here = _result({**sheet, "options": dict(options)})
        if here != usually:
            found.append(ChangedExample(name, usually, here or "could not be entered this way"))
    return found, len(cases)
