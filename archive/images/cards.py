"""Cards: the picture of a passage for shared links. One cut from a typeset page says so at its foot."""

from __future__ import annotations

import io

from django.conf import settings
from PIL import Image, ImageDraw

from archive.facsimile import COLOPHON, FontSet
from archive.images.assembly import assemble, stored_name
from archive.images.boxes import Box
from archive.images.derivatives import jpeg
from archive.images.iiif_request import parse_request
from archive.images.storage import pages
from archive.models import PageImage

CARD_WIDTH, CARD_HEIGHT = 1200, 630
FOOT_HEIGHT = 56
INK, PAPER = (42, 34, 26), (255, 255, 255)


def card_box(width: int, height: int, clip: Box, card_height: int = CARD_HEIGHT) -> Box:
    """The clip with the page around it, in the shape of a card and no smaller than one where that can be.

    >>> card_box(1540, 2400, Box(200, 1000, 1100, 100))
    Box(x=150, y=735, w=1200, h=630)
    """
    wide = max(clip.w, CARD_WIDTH, clip.h * CARD_WIDTH // card_height)
    wide = min(wide, width, height * CARD_WIDTH // card_height)
    high = wide * card_height // CARD_WIDTH
    # What is higher than a card shows its beginning.
    left = clip.x + (clip.w - wide) // 2
    top = clip.y if clip.h > high else clip.y + (clip.h - high) // 2
    return Box(min(max(left, 0), width - wide), min(max(top, 0), height - high), wide, high)


def typeset_card(image: PageImage, clip: Box) -> bytes:
    """The clip with the words of the margin below it. Raises ImageRequestError where too many are cut."""
    high = CARD_HEIGHT - FOOT_HEIGHT
    box = card_box(image.width, image.height, clip, high)
    asked = parse_request(image.width, image.height, box.xywh, f"^{CARD_WIDTH},{high}", "0", "default", "png")
    content = assemble(image.width, image.height, asked, lambda name: open_derivative(image, name))
    card = Image.new("RGB", (CARD_WIDTH, CARD_HEIGHT), INK)
    with Image.open(io.BytesIO(content)) as part:
        card.paste(part.convert("RGB"), (0, 0))
    font = FontSet(settings.NODE_MODULES / "@fontsource").font("italic", 34)
    middle = (CARD_WIDTH / 2, CARD_HEIGHT - FOOT_HEIGHT / 2)
    ImageDraw.Draw(card).text(middle, COLOPHON, font=font, fill=PAPER, anchor="mm")
    return jpeg(card, 82)


def open_derivative(image: PageImage, name: str) -> Image.Image:
    with pages().open(stored_name(image.identifier, image.checksum, name)) as file:
        return Image.open(io.BytesIO(file.read()))
