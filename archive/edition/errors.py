from __future__ import annotations


class EditionError(Exception):
    """A book's files cannot be read; the sentence says where and what to do."""

    def __init__(self, file: str, line: int, message: str) -> None:
        super().__init__(f"{file}, line {line}: {message}")
        self.file = file
        self.line = line
        self.message = message
