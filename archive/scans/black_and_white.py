"""Tones of a page: conversion of a scan to grey, or to black and white."""

from __future__ import annotations

from PIL import Image, ImageChops, ImageFilter

PAPER = 255
BLUR_SHARE = 40
"""Black and white is judged against the light around a place: a circle of this share of the page's side."""
MIN_INK = 22
"""So much darker than the paper around it is ink."""


def convert(page: Image.Image, tone: str) -> Image.Image:
    """The page in this tone, a key of `geometry.TONES`."""
    if tone == "colour":
        return page
    grey = page.convert("L")
    return grey if tone == "grey" else black_and_white(grey)


def black_and_white(grey: Image.Image) -> Image.Image:
    """Ink is what is darker than the paper around it; shadows and stains, which are wide, go."""
    around = grey.filter(ImageFilter.BoxBlur(max(max(grey.size) // BLUR_SHARE, 4)))
    darker = ImageChops.subtract(around, grey)
    return darker.point([0 if level > MIN_INK else PAPER for level in range(256)])
