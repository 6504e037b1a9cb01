"""A panel of keys as its fragment lays it out: rows of colours, of letters, of seats."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scorepad.layouts import thumbs_up
from scorepad.layouts.keys import Key, Panel


@dataclass(frozen=True)
class DrawnPanel:
    """A panel with what its fragment needs to lay out its keys."""

    panel: Panel

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "panel"), name)

    @property
    def fragment(self) -> str:
        return f"scorepad/panels/_{self.panel.look}.html"

    @property
    def about(self) -> str:
        steps = self.panel.place.split("/")
        return "/".join(steps[:2]) if self.panel.seat else steps[0]

    @property
    def path_json(self) -> str:
        return json.dumps(self.panel.place.split("/"))

    @property
    def units(self) -> range:
        return range(10)

    @property
    def letter_keys(self) -> list[dict[str, Any]]:
        return [
            {"key": key, "color": key.words.split()[0], "letter": key.words.split()[1]}
            for key in _letters_in_rows(self.panel.keys)
        ]

    @property
    def special_keys(self) -> list[Key]:
        return [key for key in self.panel.keys if not _is_letter(key)]

    @property
    def by_seat(self) -> list[tuple[str, Sequence[Key]]]:
        """The keys under each name."""
        names = self.panel.columns
        each = len(self.panel.keys) // len(names)
        return [(name, self.panel.keys[seat * each : (seat + 1) * each]) for seat, name in enumerate(names)]

    @property
    def by_symbol(self) -> list[dict[str, Any]]:
        """The keys row by row: all colours of one symbol, then the next symbol."""
        rows: dict[str, list[dict[str, Any]]] = {}
        for key in self.panel.keys:
            color, symbol = key.words.split()
            letter = thumbs_up.COLOR_LETTERS[color]
            rows.setdefault(symbol, []).append(
                {"key": key, "color": color, "symbol": symbol, "letter": letter}
            )
        return [one for row in rows.values() for one in row]


def _is_letter(key: Key) -> bool:
    words = key.words.split()
    return len(words) == 2 and len(words[1]) == 1


def _letters_in_rows(keys: Sequence[Key]) -> list[Key]:
    """Each colour's VICTOR in one row of six, then the three Ms together."""
    letters = [key for key in keys if _is_letter(key)]
    if len(letters) < 21:
        return letters
    return [key for key in letters if key.words[-1] != "M"] + [key for key in letters if key.words[-1] == "M"]
