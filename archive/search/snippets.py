"""A text in stretches, each with whether it was looked for; and the piece of it that a list of hits shows."""

OPEN, SHUT = "\x02", "\x03"

Stretches = tuple[tuple[str, bool], ...]


def plain(marked: str) -> str:
    return marked.replace(OPEN, "").replace(SHUT, "")


def stretches(marked: str) -> Stretches:
    """A text with marks as stretches.

    >>> stretches("a \\x02bonus\\x03 of 50")
    (('a ', False), ('bonus', True), (' of 50', False))
    """
    pieces = marked.replace(SHUT, OPEN).split(OPEN)
    return tuple((piece, bool(place % 2)) for place, piece in enumerate(pieces) if piece)


def cut(text: Stretches, around: int = 90, most: int = 280) -> Stretches:
    """A snippet: from a few words before the first mark on, with dots where something is left out."""
    whole = "".join(piece for piece, _ in text)
    first = 0
    for piece, marked in text:
        if marked:
            break
        first += len(piece)
    if first == len(whole):
        first = 0
    start = 0 if first <= around or len(whole) <= most else whole.rfind(" ", 0, first - around) + 1
    end = len(whole) if len(whole) - start <= most else whole.rfind(" ", start, start + most)
    end = end if end > start else min(len(whole), start + most)
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
