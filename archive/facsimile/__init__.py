"""Facsimiles: pages typeset from the transcription, since no scans are held. No Django here.

A page is a pure function of its leaf, the book it stands in and the fonts; it comes out the same twice.
"""

from archive.facsimile.fonts import Faces
from archive.facsimile.page import COLOPHON, Box, Page, WordBox, bounds, regions
from archive.facsimile.page_layout import VERSION, set_page

__all__ = ["COLOPHON", "VERSION", "Box", "Faces", "Page", "WordBox", "bounds", "regions", "set_page"]
