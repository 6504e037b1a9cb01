"""Map of a picture for detection: the points of ink and of paper on a small grey copy of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from archive.scans.geometry import Steps, canvas_size

Numbers = NDArray[np.float64]
Points = tuple[Numbers, Numbers]
"""x and y of points, measured from the middle of the picture."""
MAP_SIDE = 1_000
PAPER_OVER_TABLE = 40
"""Paper is so much lighter than the table it lies on, if the two can be told apart."""


@dataclass(frozen=True)
class InkMap:
    """The points of ink and of paper of a picture, measured from its middle."""

    width: int
    height: int
    ink: Points
    paper: Points | None
    """None where no table shows around the page."""
    grey: Image.Image
    """The small copy itself."""

    def canvas(self, angle: float) -> tuple[float, float]:
        return canvas_size(self.width, self.height, Steps(angle=angle))


def map_ink(picture: Image.Image, turns: int) -> InkMap:
    """The map of an upright picture, turned by so many quarters."""
    grey = picture.convert("L")
    grey.thumbnail((MAP_SIDE, MAP_SIDE), Image.Resampling.BOX)
    if turns % 4:
        ways = (Image.Transpose.ROTATE_270, Image.Transpose.ROTATE_180, Image.Transpose.ROTATE_90)
        grey = grey.transpose(ways[turns % 4 - 1])
    paper = _paper(grey)
    around = grey.filter(ImageFilter.BoxBlur(12))
    darker = np.asarray(around, float) - np.asarray(grey, float) > 18
    if paper is not None:
        # Away from the edge of the page, which is darker too and is no line of text.
        darker &= _around(paper, 15) >= 254
    else:
        rim = 12
        darker[:rim], darker[-rim:], darker[:, :rim], darker[:, -rim:] = False, False, False, False
    return InkMap(
        grey.width, grey.height, _points(darker), _points(paper) if paper is not None else None, grey
    )


def rotated(points: Points, angle: float) -> Points:
    (x, y), turn = points, np.radians(angle)
    return x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)


def _points(mask: NDArray[np.bool_]) -> Points:
    y, x = np.nonzero(mask)
    return x + 0.5 - mask.shape[1] / 2, y + 0.5 - mask.shape[0] / 2


def _paper(grey: Image.Image) -> NDArray[np.bool_] | None:
    """The mask of the paper, if it lies on something darker that shows all around or on some sides."""
    soft = np.asarray(grey.filter(ImageFilter.BoxBlur(4)), float)
    level = _otsu_level(soft)
    light = soft > level
    if light.all() or not light.any() or soft[light].mean() - soft[~light].mean() < PAPER_OVER_TABLE:
        return None
    rim = np.concatenate([light[:4].ravel(), light[-4:].ravel(), light[:, :4].ravel(), light[:, -4:].ravel()])
    if rim.mean() > 0.9 or light.mean() < 0.1:
        return None
    # What is printed on the page is dark too, and is closed up.
    return _around(_around(light, 7) > 0, 7) >= 254


def _around(mask: NDArray[np.bool_], reach: int) -> NDArray[np.uint8]:
    """The share of the square around each point that is in the mask, from 0 to 255."""
    picture = Image.fromarray(mask.astype(np.uint8) * 255)
    return np.asarray(picture.filter(ImageFilter.BoxBlur(reach)))


def _otsu_level(levels: Numbers) -> float:
    """The level that best divides light from dark, by Otsu's method."""
    counts = np.bincount(levels.astype(int).ravel(), minlength=256).astype(float)
    below, sums = np.cumsum(counts), np.cumsum(counts * np.arange(256))
    above = below[-1] - below
    with np.errstate(divide="ignore", invalid="ignore"):
        apart = below * above * (sums / below - (sums[-1] - sums) / above) ** 2
    # With one level alone nothing is apart from anything.
    return float(np.argmax(np.nan_to_num(apart)) if np.isfinite(apart).any() else 255)
