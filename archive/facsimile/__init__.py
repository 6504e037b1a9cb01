"""Typeset pages: set from the reading text, since no scans are held. No Django here.

A page is a pure function of its leaf, the book it stands in and the fonts; it comes out the same twice.

- `book_styles`: page shape and inks of each book
- `fonts`; `diacritics`: letters of old print that these do not have
- `words`: the words of a line as they are set; `galley`: type before it is placed; `paragraphs`, `tables`
- `composer`: the lines of a leaf as galleys; `page_layout`: the galleys on a page; `page`: the result
"""

from archive.facsimile.fonts import FontSet
from archive.facsimile.page import COLOPHON, FacsimilePage, WordBox
from archive.facsimile.page_layout import VERSION, typeset_page

__all__ = ["COLOPHON", "VERSION", "FacsimilePage", "FontSet", "WordBox", "typeset_page"]
