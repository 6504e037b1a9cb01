"""Derivatives of an image: its sizes and tiles as JPEG files, plain pixels without metadata or profile."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping

from PIL import Image

from archive.images.tiles import (
    PAGE_WIDTHS,
    TILE_SIZE,
    level_size,
    scales_of,
    size_name,
    sizes_of,
    tile_name,
    tiles_of,
)

TILE_QUALITY = 84
"""Tiles are looked at closely, and other sizes are assembled from them."""
WHOLE_QUALITY = 80
SMALL_QUALITY, LARGE_QUALITY = 70, 62
"""Wide sizes go to dense screens, where the eye forgives more."""
DENSE_WIDTH = 960

RECIPE = (PAGE_WIDTHS, TILE_SIZE, TILE_QUALITY, WHOLE_QUALITY, SMALL_QUALITY, LARGE_QUALITY, DENSE_WIDTH)
"""Names how images are cut; what was cut otherwise is cut again."""


def jpeg(image: Image.Image, quality: int) -> bytes:
    """Whole pictures come into view at once and then sharpen; tiles are small, and we read them again."""
    out = io.BytesIO()
    tile = quality == TILE_QUALITY
    subsampling = 0 if tile else 2
    image.save(out, "JPEG", quality=quality, subsampling=subsampling, progressive=not tile, optimize=True)
    return out.getvalue()


def png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=2)
    return out.getvalue()


def flat(image: Image.Image) -> Image.Image:
    """Plain RGB or grey pixels on white, without anything else that was in the file."""
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        layer = image.convert("RGBA")
        ground = Image.new("RGB", image.size, (255, 255, 255))
        ground.paste(layer, mask=layer.getchannel("A"))
        return ground
    bare = image.convert("L" if image.mode in ("1", "L", "I;16") else "RGB")
    if bare is image:
        bare = image.copy()
    bare.info = {}
    return bare


def cut(image: Image.Image) -> Iterator[tuple[str, bytes]]:
    """Every derivative of an image: name within its folder, and the file's bytes."""
    image = flat(image)
    levels = dict(_levels(image))
    yield from _sizes(levels)
    for tile in tiles_of(*image.size):
        left, top = tile.x // tile.scale, tile.y // tile.scale
        box = (left, top, left + tile.size.width, top + tile.size.height)
        yield tile_name(tile.scale, tile.column, tile.row), jpeg(levels[tile.scale].crop(box), TILE_QUALITY)


def _sizes(levels: Mapping[int, Image.Image]) -> Iterator[tuple[str, bytes]]:
    image = levels[1]
    for size in sizes_of(*image.size):
        if size.width == image.width:
            yield size_name(size.width), jpeg(image, WHOLE_QUALITY)
            continue
        quality = LARGE_QUALITY if size.width >= DENSE_WIDTH else SMALL_QUALITY
        # A level with half as much again in it is as good to start from as the whole, and smaller.
        source = min(
            (lv for lv in levels.values() if lv.width >= 1.5 * size.width), default=image, key=_width
        )
        smaller = source.resize((size.width, size.height), Image.Resampling.HAMMING)
        yield size_name(size.width), jpeg(smaller, quality)


def _width(image: Image.Image) -> int:
    return image.width


def _levels(image: Image.Image) -> Iterator[tuple[int, Image.Image]]:
    """The image at each scale; each level is halved from the one before."""
    level = image
    for scale in scales_of(*image.size):
        size = level_size(image.width, image.height, scale)
        if scale > 1:
            level = level.resize((size.width, size.height), Image.Resampling.HAMMING)
        yield scale, level
