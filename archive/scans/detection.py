"""Detection of the steps of a picture: its angle, edges and fold. A curator sees and changes them."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from archive.scans.geometry import Steps

PRINT, LIGHT = "print", "light"
FRAME_DOUBTS = {
    PRINT: "Print seems to reach over the edge of the paper that was seen, so the whole picture is proposed. "
    "Draw the edges yourself.",
    LIGHT: "The light is too uneven to tell the paper from what lies around it, so the whole picture is "
    "proposed. Draw the edges yourself.",
}
"""Why the whole picture is proposed, in a sentence for each key of `Scan.doubt`."""
DOUBLE_PAGE_SHAPE = 1.15
"""A picture so much wider than high may show two pages."""


@dataclass(frozen=True)
class ProposedSteps:
    """Steps, and why they keep the whole picture if a frame was found and not trusted: a key of
    FRAME_DOUBTS, or nothing."""

    steps: Steps
    doubt: str = ""


def propose_steps(
    picture: Image.Image, turns: int = 0, part: str = "whole", split: float | None = None
) -> ProposedSteps:
    """Steps for an upright picture, turned so, or for one half of it; `split` is the fold, if it is known.
    Their frame is never inside print: where that is not sure, the whole picture is proposed."""
    # Numpy is loaded where pictures are examined: readers of books need neither its time nor its memory.
    from archive.scans.frame_check import doubt_of
    from archive.scans.ink_map import map_ink
    from archive.scans.page_angle import find_angle
    from archive.scans.page_edges import add_frame, find_fold, half_of

    ink_map = map_ink(picture, turns)
    angle = find_angle(ink_map)
    fold = find_fold(ink_map, angle) if split is None else split
    if part != "whole":
        angle = find_angle(half_of(ink_map, angle, fold, part), angle)
    whole = Steps(turns=turns, angle=angle, part=part, split=fold)
    doubt = ""
    for wide in (False, True):
        framed = add_frame(ink_map, whole, wide)
        doubt = doubt_of(ink_map, framed)
        if not doubt:
            return ProposedSteps(framed)
    return ProposedSteps(whole, doubt)


def is_double_page(width: int, height: int) -> bool:
    """A picture that may show two pages side by side, by its shape."""
    return width > DOUBLE_PAGE_SHAPE * height
