"""Faults of a declaration: one sentence, the place in its tables, and the line of the text."""

from __future__ import annotations

Path = tuple[str | int, ...]


class DeclarationError(Exception):
    """A declaration that declares no game. `path` leads to the fault in its tables: `("entry", 0, "key")`."""

    def __init__(self, sentence: str, path: Path = (), line: int | None = None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.path = path
        self.line = line

    def __str__(self) -> str:
        return f"Line {self.line}: {self.sentence}" if self.line else self.sentence
