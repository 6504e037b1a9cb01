"""Card of a result: who won and why, and everyone's total, as a PNG in the look of the pad by day."""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from PIL import Image, ImageDraw

from scorepad.layouts import PadState, layout_of
from scorepad.presentation.summary import standings
from scorepad.result_pictures.typefaces import can_write, fitted, wrapped, write

SHAPES = {"wide": (1200, 630), "square": (1080, 1080)}
"""What messengers and social networks show uncut."""
MARGIN = 64
ROWS_MOST = 4
"""More seats stand in two columns, where the card is wide."""
COLORS_MOST = 48

# The tokens of the style sheet, by day.
PAPER, INK, SOFT, RULE = "#f7f1e3", "#221c16", "#5d5144", "#d3c6a8"
MARK, MARK_EDGE, RED, BLUE, GREY = "#f6e3a9", "#7d5700", "#a9271f", "#1f4180", "#85765b"


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


def result_card(state: PadState) -> ResultCard:
    """What the card says. A name our fonts cannot write is told by its seat."""
    layout, ended = layout_of(state.game), state.result.ended
    written = {
        name: name if can_write("head", name) else f"Seat {seat}"
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


def draw_card(card: ResultCard, shape: str) -> bytes:
    """The card as a PNG of this shape."""
    size = SHAPES[shape]
    image = Image.new("RGB", size, PAPER)
    draw = ImageDraw.Draw(image)
    below = _draw_heading(draw, card, size)
    _draw_places(draw, card.places, below, size, columns=2 if _in_two(card, shape) else 1)
    write(draw, (MARGIN, size[1] - 36), "Tallyroom", "head", 26, SOFT)
    says = "every number cites its rule"
    write(draw, (size[0] - MARGIN, size[1] - 36), says, "text", 24, SOFT, right=True)
    # Few colours are a quarter of the bytes, and letters keep their soft edges.
    png = BytesIO()
    image.quantize(COLORS_MOST, method=Image.Quantize.FASTOCTREE).save(png, "PNG")
    return png.getvalue()


def _in_two(card: ResultCard, shape: str) -> bool:
    return shape == "wide" and len(card.places) > ROWS_MOST


def _draw_heading(draw: ImageDraw.ImageDraw, card: ResultCard, size: tuple[int, int]) -> int:
    """Title, flags, the winner and the reason; returns where they end."""
    room = size[0] - 2 * MARGIN
    write(draw, (MARGIN, 84), card.title.upper(), "head", 38, INK)
    draw.rectangle((MARGIN, 104, size[0] - MARGIN, 109), fill=INK)
    if card.is_over:
        _draw_flags(draw, size[0])
    heading, letters = fitted("text", 68, card.heading, room)
    write(draw, (MARGIN, 208), heading, "text", letters, INK)
    below = 252
    for line in wrapped("text", 28, card.reason, room, lines_most=2):
        write(draw, (MARGIN, below), line, "text", 28, SOFT)
        below += 38
    return below - 10


def _draw_flags(draw: ImageDraw.ImageDraw, width: int) -> None:
    """The string of pennants that hangs over the end of a game."""
    for number, left in enumerate(range(MARGIN, width - MARGIN - 20, 34)):
        fill = (RED, GREY, BLUE)[number % 3]
        draw.polygon([(left, 110), (left + 24, 110), (left + 12, 138)], fill=fill)


def _draw_places(
    draw: ImageDraw.ImageDraw, places: Sequence[Place], top: int, size: tuple[int, int], columns: int
) -> None:
    """The places in their order, first column first; rows share the height that is left."""
    rows = -(-len(places) // columns)
    height = min(120, (size[1] - top - 84) // rows)
    gap = 40
    width = (size[0] - 2 * MARGIN - gap * (columns - 1)) // columns
    for number, place in enumerate(places):
        left = MARGIN + (number // rows) * (width + gap)
        _draw_place(draw, place, (left, top + (number % rows) * height), width, height)


def _draw_place(
    draw: ImageDraw.ImageDraw, place: Place, corner: tuple[int, int], width: int, height: int
) -> None:
    left, top = corner
    right, baseline = left + width, top + int(height * 0.7)
    if place.has_won:
        draw.rectangle((left, top, right, top + height - 2), fill=MARK)
        draw.rectangle((left, top, left + 6, top + height - 2), fill=MARK_EDGE)
    draw.line((left, top + height - 1, right, top + height - 1), fill=RULE, width=2)
    face = "bold" if place.is_number else "head"
    figure, letters = fitted(face, int(height * 0.6), place.figure, width * 0.5)
    write(draw, (right - 16, baseline), figure, face, letters, INK, right=True)
    name, letters = fitted("head", int(height * 0.5), place.name, width * (0.62 if place.is_number else 0.42))
    write(draw, (left + 24, baseline), name, "head", letters, INK)
