"""QR codes of pad links, drawn as inline SVG."""

import io

import segno
from django.utils.safestring import SafeString, mark_safe


def qr_code(address: str) -> SafeString:
    """A QR code as inline SVG, without inline styles."""
    drawn = io.BytesIO()
    segno.make(address, error="m", micro=False).save(
        drawn, kind="svg", border=1, xmldecl=False, svgns=True, omitsize=True, svgclass="qr", lineclass=None
    )
    return mark_safe(drawn.getvalue().decode())  # noqa: S308 - segno draws paths, no text of ours is in it
