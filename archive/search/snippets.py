"""Marked text and snippets: a text cut into stretches, each with a flag that says if it was searched for."""

OPEN, CLOSE = "\x02", "\x03"
"""The marks that an index puts around what was found."""

Stretches = tuple[tuple[str, bool], ...]


def without_marks(marked: str) -> str:
    return marked.replace(OPEN, "").replace(CLOSE, "")


def stretches(marked: str) -> Stretches:
    """A text with marks as stretches.

    >>> stretches("a \\x02bonus\\x03 of 50")
    (('a ', False), ('bonus', True), (' of 50', False))
    """
    pieces = marked.replace(CLOSE, OPEN).split(OPEN)
    return tuple((piece, bool(place % 2)) for place, piece in enumerate(pieces) if piece)


def snippet(text: Stretches, around: int = 90, max_letters: int = 280) -> Stretches:
    """A short piece of a text, from a few words before the first mark on, with dots where it is cut."""
    whole = "".join(piece for piece, _ in text)
    first = 0
    for piece, marked in text:
        if marked:
            break
        first += len(piece)
    if first == len(whole):
        first = 0
    start = 0 if first <= around or len(whole) <= max_letters else whole.rfind(" ", 0, first - around) + 1
    end = len(whole) if len(whole) - start <= max_letters else whole.rfind(" ", start, start + max_letters)
    end = end if end > start else min(len(whole), start + max_letters)
    pieces: list[tuple[str, bool]] = [("… ", False)] if start else []
    at = 0
    for piece, marked in text:
        inside = piece[max(0, start - at) : max(0, end - at)]
        if inside:
            pieces.append((inside, marked))
        at += len(piece)
    if end < len(whole):
        pieces.append((" …", False))
    return tuple(pieces)
