"""Images that are not kept as files, assembled from tiles: a whole page is decoded only to show it whole."""

from __future__ import annotations

import threading
from collections.abc import Callable

from PIL import Image

from archive.images.derivatives import jpeg, png
from archive.images.iiif_request import AREA_MAX, Ask, ImageRequestError, Region
from archive.images.sizes import (
    TILE,
    folder_of,
    level_size,
    scales_of,
    size_name,
    sizes_of,
    tile_at,
    tile_name,
)

OPEN_MAX = 2
WAIT_SECONDS = 8.0
# Assembling is the one thing here that costs; only so many at a time, the others wait their turn.
_turns = threading.BoundedSemaphore(OPEN_MAX)

Opener = Callable[[str], Image.Image]
"""Opens a derivative by its name within the image's folder."""


def file_for(width: int, height: int, ask: Ask) -> str | None:
    """The kept file that is the answer as it stands, if there is one."""
    if ask.degrees or ask.mirrored or ask.format != "jpg" or ask.quality not in ("default", "color"):
        return None
    area = ask.region
    if (area.w, area.h) == (width, height):
        for size in sizes_of(width, height):
            if (ask.width, ask.height) == (size.width, size.height):
                return size_name(size.width)
    scale = _scale_of_tile(area, ask.width, ask.height)
    if scale is None or scale not in scales_of(width, height):
        return None
    column, row = area.x // (TILE * scale), area.y // (TILE * scale)
    tile = tile_at(width, height, scale, column, row)
    same = (tile.x, tile.y, tile.w, tile.h, tile.size.width, tile.size.height)
    if same == (area.x, area.y, area.w, area.h, ask.width, ask.height):
        return tile_name(scale, column, row)
    return None


def _scale_of_tile(area: Region, width: int, height: int) -> int | None:
    scale = 1
    while (area.w + scale - 1) // scale > width or (area.h + scale - 1) // scale > height:
        scale *= 2
    fits = (-(-area.w // scale), -(-area.h // scale)) == (width, height)
    return scale if fits and not (area.x % (TILE * scale) or area.y % (TILE * scale)) else None


def name_of(identifier: str, checksum: str, name: str) -> str:
    return f"{folder_of(identifier, checksum)}/{name}"


def assemble(width: int, height: int, ask: Ask, open_file: Opener) -> bytes:
    """The image asked for, as the bytes of a file."""
    if not _turns.acquire(timeout=WAIT_SECONDS):
        raise ImageRequestError(503, "Too many images are being cut at once. Try again in a few seconds.")
    try:
        image = _extract(width, height, ask, open_file)
        return _finish(image, ask)
    finally:
        _turns.release()


def _extract(width: int, height: int, ask: Ask, open_file: Opener) -> Image.Image:
    scale = _best_scale(width, height, ask)
    level = level_size(width, height, scale)
    ratio_x, ratio_y = level.width / width, level.height / height
    area = ask.region
    left, top = area.x * ratio_x, area.y * ratio_y
    right = min((area.x + area.w) * ratio_x, level.width)
    foot = min((area.y + area.h) * ratio_y, level.height)
    first_column, first_row = int(left) // TILE, int(top) // TILE
    last_column, last_row = _last(right), _last(foot)
    size = ((last_column - first_column + 1) * TILE, (last_row - first_row + 1) * TILE)
    mosaic: Image.Image | None = None
    for row in range(first_row, last_row + 1):
        for column in range(first_column, last_column + 1):
            tile = open_file(tile_name(scale, column, row))
            if mosaic is None:
                mosaic = Image.new(tile.mode, size)
            mosaic.paste(tile, ((column - first_column) * TILE, (row - first_row) * TILE))
    assert mosaic is not None
    offset_x, offset_y = first_column * TILE, first_row * TILE
    box = (left - offset_x, top - offset_y, right - offset_x, foot - offset_y)
    if scale == 1 and (ask.width, ask.height) == (area.w, area.h):
        return mosaic.crop((round(box[0]), round(box[1]), round(box[2]), round(box[3])))
    return mosaic.resize((ask.width, ask.height), Image.Resampling.BICUBIC, box=box)


def _last(edge: float) -> int:
    """The last tile an edge reaches into."""
    return max(-(-int(edge + 0.999) // TILE) - 1, 0)


def _best_scale(width: int, height: int, ask: Ask) -> int:
    """The coarsest level that still has the detail asked for, and never more pixels than the limit allows."""
    area = ask.region
    detail = min(area.w / ask.width, area.h / ask.height)
    best = 1
    for scale in scales_of(width, height):
        if scale <= detail or area.w * area.h / (best * best) > 4 * AREA_MAX:
            best = scale
    return best


def _finish(image: Image.Image, ask: Ask) -> bytes:
    if ask.mirrored:
        image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    turns = {
        90: Image.Transpose.ROTATE_270,
        180: Image.Transpose.ROTATE_180,
        270: Image.Transpose.ROTATE_90,
    }
    if ask.degrees:
        # Pillow turns the other way round than the API.
        image = image.transpose(turns[ask.degrees])
    if ask.quality == "gray":
        image = image.convert("L")
    elif ask.quality == "bitonal":
        image = image.convert("L").point([255 if level > 127 else 0 for level in range(256)])
    if ask.format == "png":
        return png(image.convert("1") if ask.quality == "bitonal" else image)
    return jpeg(image, 82)
