"""Detection of the steps of a picture: its angle, edges and fold. A curator sees and changes them."""

from __future__ import annotations

from PIL import Image

from archive.scans.geometry import Steps

DOUBLE_PAGE_SHAPE = 1.15
"""A picture so much wider than high may show two pages."""


def propose_steps(
    picture: Image.Image, turns: int = 0, part: str = "whole", split: float | None = None
) -> Steps:
    """Steps for an upright picture, turned so, or for one half of it; `split` is the fold, if it is known."""
    # Numpy is loaded where pictures are examined: readers of books need neither its time nor its memory.
    from archive.scans.ink_map import map_ink
    from archive.scans.page_angle import find_angle
    from archive.scans.page_edges import add_frame, find_fold, half_of

    ink_map = map_ink(picture, turns)
    angle = find_angle(ink_map)
    fold = find_fold(ink_map, angle) if split is None else split
    if part != "whole":
        angle = find_angle(half_of(ink_map, angle, fold, part), angle)
    return add_frame(ink_map, Steps(turns=turns, angle=angle, part=part, split=fold))


def is_double_page(width: int, height: int) -> bool:
    """A picture that may show two pages side by side, by its shape."""
    return width > DOUBLE_PAGE_SHAPE * height
