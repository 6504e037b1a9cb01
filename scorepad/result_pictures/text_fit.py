"""Text that fits its place in a picture: smaller first, then cut; and sentences in lines."""

from typing import Protocol

SMALLEST = 0.6
"""The share of its size to which a text may shrink before it is cut."""


class Faces(Protocol):
    """Who knows the letters of the faces: the fonts of the site, or on a phone their widths."""

    def can_write(self, face: str, text: str, /) -> bool: ...

    def width(self, face: str, size: int, text: str, /) -> float: ...


def fitted(faces: Faces, face: str, size: int, text: str, most: float) -> tuple[str, int]:
    """The text and the size at which it fits: smaller first, and cut where that is not enough."""
    least = int(size * SMALLEST)
    for smaller in range(size, least - 1, -2):
        if faces.width(face, smaller, text) <= most:
            return text, smaller
    while text and faces.width(face, least, f"{text}…") > most:
        text = text[:-1]
    return f"{text.rstrip()}…", least


def wrapped(faces: Faces, face: str, size: int, text: str, most: float, lines_most: int) -> list[str]:
    """The text in lines of so much width; what has no room ends in an ellipsis."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and faces.width(face, size, longer) <= most:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > lines_most:
        lines = [*lines[: lines_most - 1], f"{lines[lines_most - 1]} …"]
    return [
        line if faces.width(face, size, line) <= most else fitted(faces, face, size, line, most)[0]
        for line in lines
    ]
