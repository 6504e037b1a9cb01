"""Check of a proposed frame: whether print reaches over it, or the light is too uneven to say. Then the whole
picture is proposed: a rim of table is ugly, a line that was cut away is lost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from archive.ocr.components import Components, Ints, connected_components
from archive.scans.detection import LIGHT, PRINT
from archive.scans.geometry import Steps
from archive.scans.ink_map import InkMap, Numbers, rotated

INK_SHARE = 0.8
"""What is darker than this share of the paper around it is ink, in light and in shade."""
MIN_CONTRAST = 10
"""Of 255: less is the grain of a picture."""
NEAR = 4
"""Print so near the edge of a frame, in pixels of the map, is as good as cut."""
SHARP = 0.45
"""At the edge of a page so much of the change of light happens at once; a shadow fades."""
REACH = 45


@dataclass(frozen=True)
class Letters:
    """The corners of what may be letters, measured from the middle of the picture: two arrays, a column for
    each corner."""

    x: Numbers
    y: Numbers


def find_letters(grey: Image.Image) -> Letters:
    """What may be letters on a small grey picture, whether it was taken for paper there or not: pieces of ink
    of some size that have others beside them, as in a row. Those of a title are sought apart: the paper
    around them is further away."""
    small, large = _letters_of(grey, 3, 3, 90), _letters_of(grey, 13, 40, 260)
    sides = [np.concatenate(pair) for pair in zip(small, large, strict=True)]
    x0, x1 = sides[0] - grey.width / 2, sides[2] - grey.width / 2
    y0, y1 = sides[1] - grey.height / 2, sides[3] - grey.height / 2
    return Letters(np.stack([x0, x1, x1, x0]), np.stack([y0, y0, y1, y1]))


def _letters_of(grey: Image.Image, around: int, least: int, most: int) -> tuple[Ints, Ints, Ints, Ints]:
    """The edges of letters that are `least` to `most` pixels high."""
    small = grey.reduce(8).filter(ImageFilter.MaxFilter(around)).filter(ImageFilter.GaussianBlur(1))
    paper = np.asarray(small.resize(grey.size, Image.Resampling.BILINEAR), dtype=np.float32)
    ink = np.asarray(grey, dtype=np.float32) < np.minimum(INK_SHARE * paper, paper - MIN_CONTRAST)
    found = connected_components(ink)
    tall, wide = found.height, found.width
    fits = (tall >= least) & (tall <= most) & (found.area >= 2 * least) & (wide <= 12 * tall)
    found = found.where(fits & (tall <= 8 * wide))
    found = found.where(_in_rows(found))
    return found.x0, found.y0, found.x1, found.y1


def _in_rows(found: Components) -> NDArray[np.bool_]:
    """Those with a neighbour of like height to their left or right."""
    beside = np.zeros(len(found), dtype=bool)
    order = np.argsort(found.x0)
    starts, tall = found.x0[order], found.height
    for one in range(len(found)):
        end = np.searchsorted(starts, found.x1[one] + 2.5 * tall[one], side="right")
        near = order[np.searchsorted(starts, found.x0[one], side="right") : end]
        shared = np.minimum(found.y1[near], found.y1[one]) - np.maximum(found.y0[near], found.y0[one])
        less, more = np.minimum(tall[near], tall[one]), np.maximum(tall[near], tall[one])
        like = near[(shared > 0.5 * less) & (more < 3 * less)]
        if len(like):
            beside[one] = beside[like] = True
    return beside


def doubt_of(ink_map: InkMap, steps: Steps) -> str:
    """A key of FRAME_DOUBTS if this frame may cut through print; empty if all print lies inside it."""
    if steps.frame == (0.0, 0.0, 100.0, 100.0):
        return ""
    if _print_outside(ink_map, steps):
        return PRINT
    return "" if _edges_are_sharp(ink_map, steps) else LIGHT


def _print_outside(ink_map: InkMap, steps: Steps) -> bool:
    width, height = ink_map.canvas(steps.angle)
    letters = find_letters(ink_map.grey)
    x, y = rotated((letters.x, letters.y), steps.angle)
    x, y = x + width / 2, y + height / 2
    left, top, right, bottom = steps.frame
    inner = steps.split / 100 * width
    outside = np.zeros(x.shape, dtype=bool)
    # Where the frame goes to the edge of the picture, nothing is cut by it.
    if top > 0:
        outside |= y < top / 100 * height + NEAR
    if bottom < 100:
        outside |= y > bottom / 100 * height - NEAR
    if steps.part != "right" and left > 0:
        outside |= x < left / 100 * width + NEAR
    if steps.part != "left" and right < 100:
        outside |= x > right / 100 * width - NEAR
    # The other half of a double page is another page; the fold has been looked for by itself.
    middle = x.mean(axis=0)
    mine = {"left": middle < inner, "right": middle > inner}.get(steps.part, np.ones(len(middle), bool))
    return bool((outside.any(axis=0) & mine).any())


def _edges_are_sharp(ink_map: InkMap, steps: Steps) -> bool:
    """True if on every side that was found the light changes at once, as it does where paper ends."""
    width, height = ink_map.canvas(steps.angle)
    left, top, right, bottom = steps.frame
    sides = [("y", top, -1.0), ("y", bottom, 1.0)]
    sides += [("x", left, -1.0)] if steps.part != "right" else []
    sides += [("x", right, 1.0)] if steps.part != "left" else []
    middles = ((left + right) / 200 - 0.5) * width, ((top + bottom) / 200 - 0.5) * height
    spans = 0.9 * (right - left) / 100 * width, 0.9 * (bottom - top) / 100 * height
    pixels = np.asarray(ink_map.grey, dtype=np.float32)
    for axis, edge, way in sides:
        out = np.arange(-REACH, REACH + 1, dtype=np.float64) * way
        along = np.linspace(-0.5, 0.5, 60)
        if axis == "x":
            x, y = np.meshgrid((edge / 100 - 0.5) * width + out, middles[1] + along * spans[1])
        else:
            y, x = np.meshgrid((edge / 100 - 0.5) * height + out, middles[0] + along * spans[0])
        if not _changes_at_once(pixels, *rotated((x, y), -steps.angle)):
            return False
    return True


def _changes_at_once(pixels: NDArray[np.float32], x: Numbers, y: Numbers) -> bool:
    """True if on most lines across an edge, from the page outwards, the light falls in one step."""
    height, width = pixels.shape
    column, line = np.round(x + width / 2).astype(int), np.round(y + height / 2).astype(int)
    known = (column >= 0) & (column < width) & (line >= 0) & (line < height)
    light = pixels[line.clip(0, height - 1), column.clip(0, width - 1)]
    light = light[known.all(axis=1)]
    if not len(light):
        return True
    page, table = np.percentile(light[:, :REACH], 80, axis=1), np.median(light[:, -REACH // 2 :], axis=1)
    step = (light[:, :-6] - light[:, 6:]).max(axis=1)
    return bool((step >= SHARP * (page - table)).mean() > 0.8)
