"""Card of a result: who won and why, and everyone's total, in the look of the pad by day, as shapes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scorepad.layouts import PadState, layout_of
from scorepad.presentation.summary import standings
from scorepad.result_pictures.text_fit import Faces, fitted, wrapped

SHAPES = {"wide": (1200, 630), "square": (1080, 1080)}
"""What messengers and social networks show uncut."""
MARGIN = 64
ROWS_MOST = 4
"""More seats stand in two columns, where the card is wide."""

# The tokens of the style sheet, by day.
PAPER, INK, SOFT, RULE = "#f7f1e3", "#221c16", "#5d5144", "#d3c6a8"
MARK, MARK_EDGE, RED, BLUE, GREY = "#f6e3a9", "#7d5700", "#a9271f", "#1f4180", "#85765b"


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float
    fill: str


class Pennant(NamedTuple):
    """A triangle that hangs from a line."""

    left: float
    top: float
    fill: str
    width: float = 24
    length: float = 28


class Words(NamedTuple):
    """A text that fits: on a baseline, to the right of a place or up to it."""

    text: str
    x: float
    y: float
    face: str
    size: int
    fill: str
    right: bool = False


Shape = Box | Pennant | Words


@dataclass(frozen=True)
class Place:
    """One row of the card."""

    name: str
    figure: str
    is_number: bool
    has_won: bool


@dataclass(frozen=True)
class ResultCard:
    title: str
    heading: str
    reason: str
    places: tuple[Place, ...]
    is_over: bool


def result_card(state: PadState, faces: Faces) -> ResultCard:
    """What the card says. A name our fonts cannot write is told by its seat."""
    layout, ended = layout_of(state.game), state.result.ended
    written = {
        name: name if faces.can_write("head", name) else f"Seat {seat}"
        for seat, name in enumerate(state.players, start=1)
    }
    places = tuple(
        Place(
            written[name],
            layout.standing_words(state, name) or f"{total}".replace("-", "−"),
            not layout.standing_words(state, name),
            has_won,
        )
        for name, total, has_won in standings(state)
    )
    heading, reason = layout.ended_words(state) or "So far", ended.why if ended else layout.status(state)
    for name, instead in written.items():
        if name != instead:
            heading, reason = heading.replace(name, instead), reason.replace(name, instead)
    return ResultCard(state.position.game.title, heading, reason, places, ended is not None)


def shapes(card: ResultCard, shape: str, faces: Faces) -> Iterator[Shape]:
    """Everything on the card, in the order in which it is drawn."""
    width, height = SHAPES[shape]
    yield Box(0, 0, width, height, PAPER)
    heading, below = _heading(card, width, faces)
    yield from heading
    yield from _places(card.places, below, (width, height), 2 if _in_two(card, shape) else 1, faces)
    yield Words("Tallyroom", MARGIN, height - 36, "head", 26, SOFT)
    yield Words("every number cites its rule", width - MARGIN, height - 36, "text", 24, SOFT, right=True)


def _in_two(card: ResultCard, shape: str) -> bool:
    return shape == "wide" and len(card.places) > ROWS_MOST


def _heading(card: ResultCard, width: int, faces: Faces) -> tuple[list[Shape], int]:
    """Title, pennants, the winner and the reason; and where they end."""
    room = width - 2 * MARGIN
    heading, letters = fitted(faces, "text", 68, card.heading, room)
    found: list[Shape] = [
        Words(card.title.upper(), MARGIN, 84, "head", 38, INK),
        Box(MARGIN, 104, width - MARGIN, 110, INK),
        *(_pennants(width) if card.is_over else ()),
        Words(heading, MARGIN, 208, "text", letters, INK),
    ]
    below = 252
    for line in wrapped(faces, "text", 28, card.reason, room, lines_most=2):
        found.append(Words(line, MARGIN, below, "text", 28, SOFT))
        below += 38
    return found, below - 10


def _pennants(width: int) -> Iterator[Pennant]:
    """The string of pennants that hangs over the end of a game."""
    for number, left in enumerate(range(MARGIN, width - MARGIN - 20, 34)):
        yield Pennant(left, 110, (RED, GREY, BLUE)[number % 3])


def _places(
    places: Sequence[Place], top: int, size: tuple[int, int], columns: int, faces: Faces
) -> Iterator[Shape]:
    """The places in their order, first column first; rows share the height that is left."""
    rows = -(-len(places) // columns)
    height = min(120, (size[1] - top - 84) // rows)
    gap = 40
    width = (size[0] - 2 * MARGIN - gap * (columns - 1)) // columns
    for number, place in enumerate(places):
        left = MARGIN + (number // rows) * (width + gap)
        yield from _place(place, (left, top + (number % rows) * height), width, height, faces)


def _place(place: Place, corner: tuple[int, int], width: int, height: int, faces: Faces) -> Iterator[Shape]:
    left, top = corner
    right, baseline = left + width, top + int(height * 0.7)
    if place.has_won:
        yield Box(left, top, right, top + height - 1, MARK)
        yield Box(left, top, left + 7, top + height - 1, MARK_EDGE)
    yield Box(left, top + height - 2, right, top + height, RULE)
    face = "bold" if place.is_number else "head"
    figure, letters = fitted(faces, face, int(height * 0.6), place.figure, width * 0.5)
    yield Words(figure, right - 16, baseline, face, letters, INK, right=True)
    room = width * (0.62 if place.is_number else 0.42)
    name, letters = fitted(faces, "head", int(height * 0.5), place.name, room)
    yield Words(name, left + 24, baseline, "head", letters, INK)
