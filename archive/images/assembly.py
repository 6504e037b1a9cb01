"""Images that are not stored as files (crops, rotations, other sizes), assembled from tiles.

A whole page is decoded only to show it whole.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from PIL import Image

from archive.images.derivatives import jpeg, png
from archive.images.iiif_request import MAX_AREA, ImageRequest, ImageRequestError, Region
from archive.images.tiles import (
    TILE_SIZE,
    folder_of,
    level_size,
    scales_of,
    size_name,
    sizes_of,
    tile_at,
    tile_name,
)

MAX_ASSEMBLIES = 2
WAIT_SECONDS = 8.0
# Assembling is the one expensive step: only so many at a time, the others wait.
_slots = threading.BoundedSemaphore(MAX_ASSEMBLIES)

Opener = Callable[[str], Image.Image]
"""Opens a derivative by its name within the folder of the image."""


def stored_file_for(width: int, height: int, image_request: ImageRequest) -> str | None:
    """The kept file that is the answer as it stands, if there is one."""
    if (
        image_request.degrees
        or image_request.mirrored
        or image_request.format != "jpg"
        or image_request.quality not in ("default", "color")
    ):
        return None
    area = image_request.region
    if (area.w, area.h) == (width, height):
        for size in sizes_of(width, height):
            if (image_request.width, image_request.height) == (size.width, size.height):
                return size_name(size.width)
    scale = _scale_of_tile(area, image_request.width, image_request.height)
    if scale is None or scale not in scales_of(width, height):
        return None
    column, row = area.x // (TILE_SIZE * scale), area.y // (TILE_SIZE * scale)
    tile = tile_at(width, height, scale, column, row)
    same = (tile.x, tile.y, tile.w, tile.h, tile.size.width, tile.size.height)
    if same == (area.x, area.y, area.w, area.h, image_request.width, image_request.height):
        return tile_name(scale, column, row)
    return None


def _scale_of_tile(area: Region, width: int, height: int) -> int | None:
    scale = 1
    while (area.w + scale - 1) // scale > width or (area.h + scale - 1) // scale > height:
        scale *= 2
    fits = (-(-area.w // scale), -(-area.h // scale)) == (width, height)
    return scale if fits and not (area.x % (TILE_SIZE * scale) or area.y % (TILE_SIZE * scale)) else None


def stored_name(identifier: str, checksum: str, name: str) -> str:
    return f"{folder_of(identifier, checksum)}/{name}"


def assemble(width: int, height: int, image_request: ImageRequest, open_file: Opener) -> bytes:
    """The image asked for, as the bytes of a file."""
    if not _slots.acquire(timeout=WAIT_SECONDS):
        raise ImageRequestError(503, "Too many images are being cut at once. Try again in a few seconds.")
    try:
        image = _extract(width, height, image_request, open_file)
        return _finish(image, image_request)
    finally:
        _slots.release()


def _extract(width: int, height: int, image_request: ImageRequest, open_file: Opener) -> Image.Image:
    scale = _best_scale(width, height, image_request)
    level = level_size(width, height, scale)
    ratio_x, ratio_y = level.width / width, level.height / height
    area = image_request.region
    left, top = area.x * ratio_x, area.y * ratio_y
    right = min((area.x + area.w) * ratio_x, level.width)
    foot = min((area.y + area.h) * ratio_y, level.height)
    first_column, first_row = int(left) // TILE_SIZE, int(top) // TILE_SIZE
    last_column, last_row = _last(right), _last(foot)
    size = ((last_column - first_column + 1) * TILE_SIZE, (last_row - first_row + 1) * TILE_SIZE)
    mosaic: Image.Image | None = None
    for row in range(first_row, last_row + 1):
        for column in range(first_column, last_column + 1):
            tile = open_file(tile_name(scale, column, row))
            if mosaic is None:
                mosaic = Image.new(tile.mode, size)
            mosaic.paste(tile, ((column - first_column) * TILE_SIZE, (row - first_row) * TILE_SIZE))
    assert mosaic is not None
    offset_x, offset_y = first_column * TILE_SIZE, first_row * TILE_SIZE
    box = (left - offset_x, top - offset_y, right - offset_x, foot - offset_y)
    if scale == 1 and (image_request.width, image_request.height) == (area.w, area.h):
        return mosaic.crop((round(box[0]), round(box[1]), round(box[2]), round(box[3])))
    return mosaic.resize((image_request.width, image_request.height), Image.Resampling.BICUBIC, box=box)


def _last(edge: float) -> int:
    """The last tile an edge reaches into."""
    return max(-(-int(edge + 0.999) // TILE_SIZE) - 1, 0)


def _best_scale(width: int, height: int, image_request: ImageRequest) -> int:
    """The coarsest level that still has the detail asked for, and never more pixels than the limit allows."""
    area = image_request.region
    detail = min(area.w / image_request.width, area.h / image_request.height)
    best = 1
    for scale in scales_of(width, height):
        if scale <= detail or area.w * area.h / (best * best) > 4 * MAX_AREA:
            best = scale
    return best


def _finish(image: Image.Image, image_request: ImageRequest) -> bytes:
    if image_request.mirrored:
        image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    turns = {
        90: Image.Transpose.ROTATE_270,
        180: Image.Transpose.ROTATE_180,
        270: Image.Transpose.ROTATE_90,
    }
    if image_request.degrees:
        # Pillow turns the other way round than the API.
        image = image.transpose(turns[image_request.degrees])
    if image_request.quality == "gray":
        image = image.convert("L")
    elif image_request.quality == "bitonal":
        image = image.convert("L").point([255 if level > 127 else 0 for level in range(256)])
    if image_request.format == "png":
        return png(image.convert("1") if image_request.quality == "bitonal" else image)
    return jpeg(image, 82)
