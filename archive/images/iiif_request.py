"""Requests of the IIIF Image API 3: region, size, rotation, quality and format.

Arithmetic alone, no pixels: a request is parsed, limited and put into its canonical form before any file is
opened.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Literal, cast

MAX_AREA = 6_000_000
MAX_SIDE = 10_000

Quality = Literal["default", "color", "gray", "bitonal"]
Format = Literal["jpg", "png"]

QUALITIES = ("default", "color", "gray", "bitonal")
FORMATS = ("jpg", "png")

NUMBER = r"\d{1,9}(?:\.\d{1,9})?|\.\d{1,9}"
PIXELS = re.compile(r"(\d{1,9}),(\d{1,9}),(\d{1,9}),(\d{1,9})", re.ASCII)
PERCENT = re.compile(rf"pct:({NUMBER}),({NUMBER}),({NUMBER}),({NUMBER})", re.ASCII)
SIZE = re.compile(
    rf"(\^?)(?:(max)|pct:({NUMBER})|(!?)(\d{{1,9}}),(\d{{1,9}})|(\d{{1,9}}),|,(\d{{1,9}}))", re.ASCII
)
ROTATION = re.compile(rf"(!?)({NUMBER})", re.ASCII)


class ImageRequestError(Exception):
    """A request that cannot be answered; the sentence says what would."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


@dataclass(frozen=True)
class Region:
    x: int
    y: int
    w: int
    h: int


@dataclass(frozen=True)
class ImageRequest:
    """A parsed request. `canonical` is its one true form."""

    region: Region
    width: int
    height: int
    mirrored: bool
    degrees: int
    quality: Quality
    format: Format
    canonical: str


def parse_request(
    width: int, height: int, region: str, size: str, rotation: str, quality: str, format: str
) -> ImageRequest:
    """The request for an image of this width and height, or ImageRequestError."""
    area = read_region(width, height, region)
    out_w, out_h, upscaled = read_size(area, size)
    mirrored, degrees = read_rotation(rotation)
    if quality not in QUALITIES:
        raise ImageRequestError(400, f"Quality must be one of {', '.join(QUALITIES)}.")
    if format not in FORMATS:
        raise ImageRequestError(400, "Images are served as jpg or png.")
    whole = area == Region(0, 0, width, height)
    parts = [
        "full" if whole else f"{area.x},{area.y},{area.w},{area.h}",
        _canonical_size(area, out_w, out_h, upscaled),
        f"{'!' if mirrored else ''}{degrees}",
        # Pages are in colour, so colour and default are one.
        f"{'default' if quality == 'color' else quality}.{format}",
    ]
    cut_quality, cut_format = cast(Quality, quality), cast(Format, format)
    return ImageRequest(area, out_w, out_h, mirrored, degrees, cut_quality, cut_format, "/".join(parts))


def _canonical_size(area: Region, width: int, height: int, upscaled: bool) -> str:
    if (width, height) == largest(area, upscaled):
        return "^max" if upscaled else "max"
    return f"{'^' if upscaled else ''}{width},{height}"


def read_region(width: int, height: int, text: str) -> Region:
    if text == "full":
        return Region(0, 0, width, height)
    if text == "square":
        side = min(width, height)
        return Region((width - side) // 2, (height - side) // 2, side, side)
    if pixels := PIXELS.fullmatch(text):
        x, y, w, h = (int(number) for number in pixels.groups())
    elif percent := PERCENT.fullmatch(text):
        px, py, pw, ph = (float(number) / 100 for number in percent.groups())
        x, y = round(px * width), round(py * height)
        w, h = round((px + pw) * width) - x, round((py + ph) * height) - y
    else:
        raise ImageRequestError(400, "Region must be full, square, x,y,w,h in pixels, or pct:x,y,w,h.")
    w, h = min(w, width - x), min(h, height - y)
    if w < 1 or h < 1:
        raise ImageRequestError(400, f"That region is empty: the image is {width} × {height} pixels.")
    return Region(x, y, w, h)


def largest(area: Region, upscale: bool) -> tuple[int, int]:
    """The largest size of a region: itself, or, upscaled, as large as the limits allow."""
    shrink = _limit(area.w, area.h)
    if not upscale and shrink >= 1:
        return area.w, area.h
    return _scaled(area, shrink)


def _limit(width: int, height: int) -> float:
    return min(math.sqrt(MAX_AREA / (width * height)), MAX_SIDE / width, MAX_SIDE / height)


def _scaled(area: Region, scale: float) -> tuple[int, int]:
    """Rounded, except where rounding up would break a limit."""
    width, height = max(round(area.w * scale), 1), max(round(area.h * scale), 1)
    if width * height > MAX_AREA:
        width, height = max(int(area.w * scale), 1), max(int(area.h * scale), 1)
    return min(width, MAX_SIDE), min(height, MAX_SIDE)


def read_size(area: Region, text: str) -> tuple[int, int, bool]:
    """Width, height, and whether that is larger than the region."""
    match = SIZE.fullmatch(text)
    if match is None:
        raise ImageRequestError(
            400, "Size must be max, w,  ,h  pct:n  w,h or !w,h in pixels, with ^ before it to enlarge."
        )
    caret, maximum, percent, fit, both_w, both_h, only_w, only_h = match.groups()
    upscale = bool(caret)
    if maximum:
        width, height = largest(area, upscale)
    elif percent:
        width, height = round(area.w * float(percent) / 100), round(area.h * float(percent) / 100)
    elif fit:
        width, height = _fit(area, int(both_w), int(both_h), upscale)
    elif both_w:
        width, height = int(both_w), int(both_h)
    elif only_w:
        width, height = int(only_w), max(round(area.h * int(only_w) / area.w), 1)
    else:
        width, height = max(round(area.w * int(only_h) / area.h), 1), int(only_h)
    larger = width > area.w or height > area.h
    if width < 1 or height < 1:
        raise ImageRequestError(400, "That size is empty: ask for at least 1 × 1 pixel.")
    if larger and not upscale:
        raise ImageRequestError(
            400, f"The region is {area.w} × {area.h} pixels. To enlarge it, write ^ before the size."
        )
    if width * height > MAX_AREA or max(width, height) > MAX_SIDE:
        raise ImageRequestError(
            400, f"At most {MAX_AREA} pixels in all and {MAX_SIDE} a side. Ask for less, or for max."
        )
    return width, height, larger


def _fit(area: Region, width: int, height: int, upscale: bool) -> tuple[int, int]:
    """As large as fits, within the limits; never larger than the region unless asked."""
    if width < 1 or height < 1:
        return 0, 0
    scale = min(width / area.w, height / area.h, _limit(area.w, area.h))
    out_w, out_h = _scaled(area, scale if upscale else min(scale, 1.0))
    return min(out_w, width), min(out_h, height)


def read_rotation(text: str) -> tuple[bool, int]:
    match = ROTATION.fullmatch(text)
    if match is None or float(match[2]) > 360:
        raise ImageRequestError(400, "Rotation must be 0, 90, 180 or 270, with ! before it to mirror.")
    degrees = float(match[2]) % 360
    if degrees % 90:
        raise ImageRequestError(400, "Images are turned by 0, 90, 180 or 270 degrees only.")
    return bool(match[1]), int(degrees)
