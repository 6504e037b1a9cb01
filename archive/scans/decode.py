"""Decodes a foreign file to plain upright pixels. Only the worker of the sandbox may call this."""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass
from itertools import pairwise
from typing import BinaryIO

from PIL import Image, ImageCms

from archive.scans.errors import ScanError
from archive.scans.formats import JPEG, PDF, TIFF, ParsedFile
from archive.scans.formats.checks import FileLimits, check_size

DECODERS = {"jpg": "JPEG", "png": "PNG", "webp": "WEBP", "tif": "TIFF"}
SUBFILE_TYPE, REDUCED = 254, 1
"""The tag of a TIFF's layer that says what it is, and its bit for a smaller copy of another layer."""
MAX_LAYERS = 10
"""A page of 64 million pixels in so many sizes, each half the one before, ends as a dot."""
SHAPE_SLACK = 0.02
GREY_MODES = ("1", "L", "I;16", "I;16B", "I;16L", "I", "F")
"""Modes of one channel."""
TO_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


@dataclass(frozen=True)
class DecodedImage:
    """Plain pixels, RGB or L, upright; `width` and `height` are those of the whole upright picture."""

    image: Image.Image
    kind: str
    width: int
    height: int
    frames: int


def decode(
    file: BinaryIO, parsed: ParsedFile, limits: FileLimits, frame: int = 0, side_max: int = 0
) -> DecodedImage:
    """The picture in this file, made smaller so that no side is longer than `side_max` (0: as it is)."""
    # We count pixels ourselves and before; a warning would only fill a log.
    warnings.simplefilter("ignore")
    Image.MAX_IMAGE_PIXELS = None
    kind, profile, orientation = parsed.kind, parsed.profile, parsed.orientation
    if kind == PDF:
        # Its library is loaded for a PDF alone.
        from archive.scans.formats.pdf import draw_page

        return DecodedImage(*draw_page(file, frame, limits, side_max))
    if kind == TIFF:
        image, frames = _tiff(file, frame, limits)
        profile = image.info.get("icc_profile") or b""
        orientation = image.getexif().get(0x0112, 1)
    else:
        image, frames = _image(parsed, limits), 1
    size = image.size
    if kind == JPEG and side_max:
        # The decoder itself can skip detail; that saves most of the time and the memory.
        image.draft(None, (side_max, side_max))
    image.load()
    image = _plain(_smaller(_channels(image), side_max), profile)
    if orientation in TO_UPRIGHT:
        image = image.transpose(TO_UPRIGHT[orientation])
    width, height = size[::-1] if orientation in (5, 6, 7, 8) else size
    return DecodedImage(image, kind, width, height, frames)


def _image(parsed: ParsedFile, limits: FileLimits) -> Image.Image:
    image = Image.open(io.BytesIO(parsed.pixels_only), formats=[DECODERS[parsed.kind]])
    # The decoder must see the size that we have seen.
    check_size(*image.size, limits)
    if getattr(image, "n_frames", 1) > 1:
        raise ScanError("animated")
    return image


def _tiff(file: BinaryIO, frame: int, limits: FileLimits) -> tuple[Image.Image, int]:
    image = Image.open(file, formats=["TIFF"])
    layers = getattr(image, "n_frames", 1)
    if layers > limits.frames * MAX_LAYERS:
        raise ScanError("frames")
    pages = _tiff_pages(image, layers, limits.side_least)
    if len(pages) > limits.frames:
        raise ScanError("frames")
    image.seek(pages[frame])
    check_size(*image.size, limits)
    return image, len(pages)


def _tiff_pages(image: Image.Image, layers: int, side_least: int) -> list[int]:
    """The layers of a TIFF that are pages. Smaller copies of a page (the layers of a pyramid, a thumbnail)
    are none, whether the file says that they are copies or only their shapes do."""
    sizes: dict[int, tuple[int, int]] = {}
    for layer in range(layers):
        image.seek(layer)
        if not image.tag_v2.get(SUBFILE_TYPE, 0) & REDUCED:  # type: ignore[attr-defined]
            sizes[layer] = image.size
    if not sizes:
        raise ScanError("damaged")
    largest = max(sizes, key=lambda layer: sizes[layer][0] * sizes[layer][1])
    # Two sizes alone may be two pages; three, or one too small for a page, are copies.
    has_copies = len(sizes) > 2 or min(map(min, sizes.values())) < side_least
    if len(sizes) > 1 and has_copies and _is_pyramid(list(sizes.values())):
        return [largest]
    return list(sizes)


def _is_pyramid(sizes: list[tuple[int, int]]) -> bool:
    """One picture in several sizes: all of one shape, each at most three quarters of the next larger one."""
    ordered = sorted(sizes, reverse=True)
    width, height = ordered[0]
    same = all(abs(w * height - h * width) <= SHAPE_SLACK * w * height + width + height for w, h in ordered)
    return same and all(small[0] <= 0.75 * large[0] for large, small in pairwise(ordered))


def _channels(image: Image.Image) -> Image.Image:
    """Convert to a mode that can be resized: grey, RGB, RGBA or CMYK, with eight bits each."""
    if image.mode in GREY_MODES and image.mode not in ("1", "L"):
        return _eight_bits(image)
    if image.mode == "1":
        return image.convert("L")
    if image.mode == "PA" or "transparency" in image.info:
        return image.convert("RGBA")
    return image if image.mode in ("L", "LA", "RGB", "RGBA", "CMYK") else image.convert("RGB")


def _eight_bits(image: Image.Image) -> Image.Image:
    """Sixteen bits of grey are cut to eight; numbers of other kinds are stretched over what occurs."""
    wide = image.convert("F")
    low, high = 0.0, 65_535.0
    if image.mode in ("I", "F"):
        least, most = wide.getextrema()
        assert isinstance(least, float) and isinstance(most, float)
        if not (least >= 0 and 255 < most <= 65_535):
            low, high = least, max(most, least + 1e-9)
    return wide.point(lambda level: level * (255 / (high - low)) - low * 255 / (high - low)).convert("L")


def _smaller(image: Image.Image, side_max: int) -> Image.Image:
    if side_max and max(image.size) > side_max:
        image.thumbnail((side_max, side_max), Image.Resampling.HAMMING, reducing_gap=2.0)
    return image


def _plain(image: Image.Image, profile: bytes) -> Image.Image:
    """Flatten on white, in the colours of the screen. A profile that cannot be read is as good as none."""
    if image.mode in ("RGBA", "LA"):
        bare = image.convert(image.mode[:-1])
        ground = Image.new(bare.mode, image.size, "white")
        ground.paste(bare, mask=image.getchannel("A"))
        image = ground
    if profile and image.mode in ("RGB", "CMYK"):
        try:
            source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
            screen = ImageCms.createProfile("sRGB")
            image = ImageCms.profileToProfile(image, source, screen, outputMode="RGB") or image
        except (ImageCms.PyCMSError, OSError, ValueError):
            pass
    image = image if image.mode in ("L", "RGB") else image.convert("RGB")
    image.info = {}
    return image
