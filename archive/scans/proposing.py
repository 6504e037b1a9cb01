"""What the steps of a picture might be. All of it is proposed: a curator sees and changes it."""

from __future__ import annotations

from PIL import Image

from archive.scans.geometry import Steps

SPREAD_SHAPE = 1.15
"""A picture so much wider than high may show two pages."""
TONE = "colour"


def propose(picture: Image.Image, turns: int = 0, part: str = "whole", split: float | None = None) -> Steps:
    """Steps for an upright picture, turned so, or for one half of it; `split` is the fold, if it is known."""
    # Numpy is loaded by those who look at pictures: readers of books need neither its time nor its memory.
    from archive.scans import detection as looking

    sight = looking.look(picture, turns)
    angle = looking.straight(sight)
    fold = looking.fold_of(sight, angle) if split is None else split
    if part != "whole":
        angle = looking.straight(looking.half(sight, angle, fold, part), angle)
    steps = Steps(turns=turns, angle=angle, part=part, split=fold, tone=TONE)
    return looking.framed(sight, steps)


def is_spread(width: int, height: int) -> bool:
    return width > SPREAD_SHAPE * height
