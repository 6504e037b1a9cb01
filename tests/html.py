"""HTML compared without the white space that only the layout of the templates puts there."""

import re


def squeezed(html):
    """The HTML with single spaces, and none beside a tag."""
    return re.sub(r" ?(/?>|<) ?", r"\1", re.sub(r"\s+", " ", html))


def holds(page, piece):
    """True if the page has this piece, however both are broken into lines."""
    return squeezed(piece) in squeezed(page)
