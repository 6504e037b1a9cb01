"""The card as a PNG, drawn by the site."""

from io import BytesIO

from PIL import Image, ImageDraw

from scorepad.result_pictures import typefaces
from scorepad.result_pictures.result_card import SHAPES, Box, Pennant, ResultCard, shapes

COLORS_MOST = 48


def draw_png(card: ResultCard, shape: str) -> bytes:
    image = Image.new("RGB", SHAPES[shape])
    draw = ImageDraw.Draw(image)
    for one in shapes(card, shape, typefaces):
        if isinstance(one, Box):
            draw.rectangle((one.left, one.top, one.right - 1, one.bottom - 1), fill=one.fill)
        elif isinstance(one, Pennant):
            right, tip = one.left + one.width, (one.left + one.width / 2, one.top + one.length)
            draw.polygon([(one.left, one.top), (right, one.top), tip], fill=one.fill)
        else:
            typefaces.write(draw, (one.x, one.y), one.text, one.face, one.size, one.fill, one.right)
    # Few colours are a quarter of the bytes, and letters keep their soft edges.
    png = BytesIO()
    image.quantize(COLORS_MOST, method=Image.Quantize.FASTOCTREE).save(png, "PNG")
    return png.getvalue()
