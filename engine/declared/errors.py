"""Faults of a declaration: one sentence, the place in its tables, and the line of the text."""

from __future__ import annotations

Path = tuple[str | int, ...]


class DeclarationError(Exception):
    """A declaration that declares no game. `path` leads to the fault in its tables: `("entry", 0, "key")`;
    `missing` is the key that should be there and is not."""

    def __init__(self, sentence: str, path: Path = (), line: int | None = None, missing: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.path = path
        self.line = line
        self.missing = missing

    def __str__(self) -> str:
        return f"Line {self.line}: {self.sentence}" if self.line else self.sentence
