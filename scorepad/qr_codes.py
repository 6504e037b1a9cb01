"""QR codes of pad links and of whole games, drawn as inline SVG.

Their size is set by pad-pages.css on a screen and by pad-print.css on paper.
"""

import io

import segno
from django.utils.safestring import SafeString, mark_safe


def qr_code(address: str, error: str = "m", border: int = 1) -> SafeString:
    """A QR code as inline SVG, without inline styles."""
    drawn = io.BytesIO()
    segno.make(address, error=error, micro=False).save(
        drawn,
        kind="svg",
        border=border,
        xmldecl=False,
        svgns=True,
        omitsize=True,
        svgclass="qr",
        lineclass=None,
    )
    return mark_safe(drawn.getvalue().decode())  # noqa: S308 - segno draws paths, no text of ours is in it


def game_code(address: str) -> SafeString:
    """The QR code of a game: in capitals, as all of its address may be, it is a third smaller."""
    return qr_code(address.upper(), error="l", border=4)
