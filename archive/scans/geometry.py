"""The steps that cut a page from a picture, as numbers: turn, angle, half, frame, tone. No pixels here.

A picture is first turned by quarters, then laid straight on a canvas that is just large enough for it. Frame
and fold are given in per cent of that canvas, so they hold for a preview and for the whole picture alike.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

TONES = {"colour": "Colour", "grey": "Grey", "bw": "Black and white"}
MAX_ANGLE = 15.0
MIN_PAGE = 2.0
"""A frame is at least so many per cent wide and high."""
NUMBERS = ("angle", "split", "left", "top", "right", "bottom")
FIELD_NAMES = {
    "angle": "The angle",
    "split": "The fold",
    "left": "The left edge",
    "top": "The upper edge",
    "right": "The right edge",
    "bottom": "The lower edge",
}

Affine = tuple[float, float, float, float, float, float]


class StepsError(ValueError):
    """Steps out of range; the sentence says what to write."""


@dataclass(frozen=True)
class Steps:
    """`turns` are quarters clockwise, `angle` degrees clockwise; frame and fold in per cent of the canvas."""

    turns: int = 0
    angle: float = 0.0
    part: str = "whole"
    split: float = 50.0
    left: float = 0.0
    top: float = 0.0
    right: float = 100.0
    bottom: float = 100.0
    tone: str = "colour"

    @property
    def frame(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of what is kept, on its own side of the fold."""
        left = max(self.left, self.split) if self.part == "right" else self.left
        right = min(self.right, self.split) if self.part == "left" else self.right
        return left, self.top, right, self.bottom

    @property
    def words(self) -> str:
        """A description for the log, in one line."""
        left, top, right, bottom = self.frame
        said = [f"turned by {self.turns * 90}°"] if self.turns else []
        said += [f"straightened by {self.angle:g}°"] if self.angle else []
        said += [f"{self.part} of the fold at {self.split:g} %"] if self.part != "whole" else []
        whole = (left, top, right, bottom) == (0, 0, 100, 100)
        said += [] if whole else [f"cut to {left:g}–{right:g} % × {top:g}–{bottom:g} %"]
        return ", ".join([*said, TONES[self.tone].lower()])


def steps_from(record: Mapping[str, Any]) -> Steps:
    """Steps as they were kept; what an older record does not name has its default."""
    known = {key: value for key, value in record.items() if key in Steps.__dataclass_fields__}
    return Steps(**known)


def record_of(steps: Steps) -> dict[str, Any]:
    return asdict(steps)


def steps_from_form(form: Mapping[str, Any], part: str) -> Steps:
    """Steps as a form or an address gives them; StepsError with a sentence if they cannot be meant."""
    turns = str(form.get("turns", "0"))
    if turns not in ("0", "1", "2", "3"):
        raise StepsError("A picture is turned by 0, 1, 2 or 3 quarters.")
    tone = str(form.get("tone", "colour"))
    if tone not in TONES:
        raise StepsError("Choose colour, grey, or black and white.")
    numbers = {name: _number(name, form) for name in NUMBERS if form.get(name) not in (None, "")}
    return check_steps(Steps(turns=int(turns), tone=tone, part=part, **numbers))


def _number(name: str, form: Mapping[str, Any]) -> float:
    try:
        number = float(str(form[name]).replace(",", "."))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise StepsError(f"{FIELD_NAMES[name]} is not a number: write one like 2.5.")
    return round(number, 1)


def check_steps(steps: Steps) -> Steps:
    if abs(steps.angle) > MAX_ANGLE:
        raise StepsError(f"A picture is straightened by at most {MAX_ANGLE:g}°. Turn it by a quarter first.")
    for name in NUMBERS[1:]:
        if not 0 <= getattr(steps, name) <= 100:
            raise StepsError(f"{FIELD_NAMES[name]} must lie between 0 and 100 per cent.")
    left, top, right, bottom = steps.frame
    if right - left < MIN_PAGE or bottom - top < MIN_PAGE:
        raise StepsError("Nothing would be left of the page: set the edges further apart.")
    return replace(steps, turns=steps.turns % 4)


def move_fold(steps: Steps, split: float) -> Steps:
    """Folded here instead. An inner edge that lay at the fold goes along; one that was drawn in stays."""
    moved = replace(steps, split=split)
    if steps.part == "left" and steps.right >= steps.split:
        return replace(moved, right=split)
    if steps.part == "right" and steps.left <= steps.split:
        return replace(moved, left=split)
    return moved


def turned_size(width: float, height: float, turns: int) -> tuple[float, float]:
    return (height, width) if turns % 2 else (width, height)


def canvas_size(width: float, height: float, steps: Steps) -> tuple[float, float]:
    """The canvas on which the straightened picture just has room."""
    tw, th = turned_size(width, height, steps.turns)
    sine, cosine = abs(math.sin(math.radians(steps.angle))), math.cos(math.radians(steps.angle))
    return tw * cosine + th * sine, tw * sine + th * cosine


def page_size(width: float, height: float, steps: Steps, side_max: float = math.inf) -> tuple[int, int]:
    """The size of the page that is cut, no side longer than `side_max`."""
    cw, ch = canvas_size(width, height, steps)
    left, top, right, bottom = steps.frame
    w, h = cw * (right - left) / 100, ch * (bottom - top) / 100
    scale = min(1.0, side_max / max(w, h))
    return max(round(w * scale), 1), max(round(h * scale), 1)


@dataclass(frozen=True)
class FrameOverlay:
    """A frame drawn over the picture it is cut from, in pixels of the canvas; `transform` lays that canvas
    over the turned picture."""

    width: int
    height: int
    x: float
    y: float
    w: float
    h: float
    fold: float
    transform: str


def frame_overlay(width: float, height: float, steps: Steps) -> FrameOverlay:
    cw, ch = canvas_size(width, height, steps)
    tw, th = turned_size(width, height, steps.turns)
    left, top, right, bottom = steps.frame
    middle, back = f"translate({tw / 2:g} {th / 2:g})", f"translate({-cw / 2:.1f} {-ch / 2:.1f})"
    return FrameOverlay(
        width=round(cw),
        height=round(ch),
        x=round(cw * left / 100, 1),
        y=round(ch * top / 100, 1),
        w=round(cw * (right - left) / 100, 1),
        h=round(ch * (bottom - top) / 100, 1),
        fold=round(cw * steps.split / 100, 1),
        transform=f"{middle} rotate({-steps.angle:g}) {back}",
    )


def affine(width: float, height: float, steps: Steps, size: tuple[int, int]) -> Affine:
    """From a point of the page to its point of the picture: x = a·u + b·v + c, y = d·u + e·v + f."""
    cw, ch = canvas_size(width, height, steps)
    tw, th = turned_size(width, height, steps.turns)
    left, top, right, bottom = steps.frame
    du, dv = cw * (right - left) / 100 / size[0], ch * (bottom - top) / 100 / size[1]
    x0, y0 = cw * left / 100 - cw / 2, ch * top / 100 - ch / 2
    sine, cosine = math.sin(math.radians(steps.angle)), math.cos(math.radians(steps.angle))
    # On the turned picture: X = A·u + B·v + C, Y = D·u + E·v + F.
    a, b, c = cosine * du, sine * dv, cosine * x0 + sine * y0 + tw / 2
    d, e, f = -sine * du, cosine * dv, -sine * x0 + cosine * y0 + th / 2
    if steps.turns == 1:
        return d, e, f, -a, -b, height - c
    if steps.turns == 2:
        return -a, -b, width - c, -d, -e, height - f
    if steps.turns == 3:
        return -d, -e, width - f, a, b, c
    return a, b, c, d, e, f
