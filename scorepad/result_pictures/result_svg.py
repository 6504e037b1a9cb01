"""The card as an SVG, which the browser of a phone without network draws."""

from collections.abc import Mapping
from html import escape

from scorepad.result_pictures.result_card import SHAPES, Box, Pennant, ResultCard, Shape, shapes
from scorepad.result_pictures.text_fit import Faces

LOOKS = {
    "head": ("Tally Head", 500, "sans-serif"),
    "text": ("Tally Text", 400, "serif"),
    "bold": ("Tally Text", 700, "serif"),
}
"""The family of a face, its weight, and what stands in for letters that it lacks."""


def draw_svg(card: ResultCard, shape: str, faces: Faces, fonts: Mapping[str, str]) -> str:
    """`fonts` are the addresses of the faces; who shows the picture alone puts the fonts themselves there."""
    width, height = SHAPES[shape]
    drawn = "".join(_drawn(one) for one in shapes(card, shape, faces))
    style = "".join(
        f'@font-face{{font-family:"{LOOKS[face][0]}";font-weight:{LOOKS[face][1]};src:url("{address}")}}'
        for face, address in fonts.items()
    )
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{style}</style>{drawn}</svg>'


def _drawn(one: Shape) -> str:
    if isinstance(one, Box):
        size = f'width="{one.right - one.left}" height="{one.bottom - one.top}"'
        return f'<rect x="{one.left}" y="{one.top}" {size} fill="{one.fill}"/>'
    if isinstance(one, Pennant):
        middle = f"{one.left + one.width / 2},{one.top + one.length}"
        points = f"{one.left},{one.top} {one.left + one.width},{one.top} {middle}"
        return f'<polygon points="{points}" fill="{one.fill}"/>'
    family, weight, other = LOOKS[one.face]
    look = f'font-family="{family}, {other}" font-weight="{weight}" font-size="{one.size}" fill="{one.fill}"'
    place = f'x="{one.x}" y="{one.y}" text-anchor="{"end" if one.right else "start"}"'
    return f"<text {place} {look}>{escape(one.text)}</text>"
